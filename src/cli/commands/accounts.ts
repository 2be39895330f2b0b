import { type Command, Option } from 'commander'
import { operator, runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import { type Account, listAccounts, receiversOf, type WalletKind } from '../../core/ledger/accounts.ts'
import { createAccountAction, fundAccountAction, setReceiverAction } from '../../core/ledger/actions.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import {
  byOption,
  chooseOrganization,
  findActor,
  jsonOption,
  organizationOption,
  toAmount,
  toCount,
} from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { addList, ofEach } from '../list-command.ts'
import { printResult } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addAccounts(program: Command, terminal: Terminal): void {
  const accounts = program.command('accounts').description('the wallets that collections are credited to')

  accounts
    .command('create')
    .description('open a wallet in a currency')
    .argument('<currency>', 'such as UGX')
    .addOption(organizationOption())
    .addOption(
      new Option('--kind <kind>', 'each request must name a cross-border wallet').choices(KINDS).default('local'),
    )
    .option('--name <name>', 'the default is "<currency> wallet"')
    .addOption(jsonOption())
    .addHelpText('after', CREATE_EXAMPLES)
    .action((currency: string, options: AccountOptions) =>
      withApp(terminal, (app) => create(terminal, app, currency.toUpperCase(), options)),
    )

  addList<AccountWithReceivers>(accounts, terminal, {
    description: 'list the wallets of one organization or of all, with balances and receiver numbers',
    filters: [organizationOption()],
    read: ofEach(async (app, organization) => {
      const wallets = await listAccounts(app.db, organization)
      return Promise.all(wallets.map((account) => withReceivers(app, account)))
    }),
    none: 'There are no accounts yet. Open one with `npx kusanya accounts create`.',
    columns: {
      id: 'id',
      organization: 'organization',
      name: 'name',
      kind: 'kind',
      status: 'status',
      currency: 'currency',
      balance: 'balance',
      receivers: (row) => row.receivers.map((one) => `${one.connection} ${one.number}`).join(', '),
    },
  })

  accounts
    .command('fund')
    .description(
      "record an operator's own entry in the ledger: an amount above zero adds money, one below zero removes it",
    )
    .argument('<account>', 'its id', toCount)
    .argument('<amount>', 'such as 500000 or -500000', toAmount)
    .option('--description <text>', 'the reason, shown in statements', 'Funds by the operator')
    .addOption(byOption())
    .addOption(jsonOption())
    .addHelpText('after', FUND_EXAMPLES)
    .action((account: number, amount: Amount, options: { description: string; by?: string; json?: boolean }) =>
      withApp(terminal, (app) => fund(terminal, app, { ...options, account, amount })),
    )

  accounts
    .command('receiver')
    .description('credit money to this till or short code of a network to the account')
    .argument('<account>', 'its id', toCount)
    .argument('<connection>', 'the connection to the network')
    .argument('<number>', 'the till, short code or account number there')
    .addOption(jsonOption())
    .addHelpText('after', RECEIVER_EXAMPLES)
    .action((account: number, connection: string, number: string, options: { json?: boolean }) =>
      withApp(terminal, (app) => assign(terminal, app, { connection, number, account }, options)),
    )
}

const KINDS: WalletKind[] = ['local', 'cross_border']

interface AccountOptions {
  organization?: number
  kind: WalletKind
  name?: string
  json?: boolean
}

async function create(terminal: Terminal, app: App, currency: string, options: AccountOptions): Promise<void> {
  const organization = await chooseOrganization(app.db, options.organization)
  const { kind, name } = options
  const is_sandbox = app.config.MODE === 'sandbox'
  const account = await runAction(app, operator(organization.id), createAccountAction, { currency, kind, name })
  const next = is_sandbox
    ? ''
    : ` \`npx kusanya connections places add <connection> ${account.id} …\` sets where its money arrives, and`
  const text =
    `Opened the account ${account.id} (${account.name}) for ${organization.name}.\n` +
    `It can collect once it holds money:${next} \`npx kusanya accounts fund ${account.id} <amount>\` adds money.`
  printResult(terminal, await withReceivers(app, account), { ...options, text })
}

async function fund(
  terminal: Terminal,
  app: App,
  input: { account: number; amount: Amount; description: string; by?: string; json?: boolean },
): Promise<void> {
  const { id } = await ownAccount(app, input.account)
  const by = await findActor(app.db, input.by)
  const { amount, description } = input
  const funded = await runAction(app, operator(null, by), fundAccountAction, { id, amount, description })
  const text = `The account ${funded.id} (${funded.name}) now holds ${funded.currency} ${displayAmount(funded.balance)}.`
  printResult(terminal, funded, { ...input, text })
}

async function assign(
  terminal: Terminal,
  app: App,
  receiver: { connection: string; number: string; account: number },
  options: { json?: boolean },
): Promise<void> {
  if (!app.connections.find(receiver.connection)) {
    const slugs = app.connections.list().map(({ slug }) => slug)
    throw new CommandError(`There is no connection ${receiver.connection} here. There are: ${slugs.join(', ')}.`)
  }
  const account = await ownAccount(app, receiver.account)
  await runAction(app, operator(null), setReceiverAction, { ...receiver, id: account.id })
  const text = `Money to ${receiver.number} on ${receiver.connection} is now credited to the account ${account.id} (${account.name}).`
  printResult(terminal, receiver, { ...options, text })
}

async function ownAccount(app: App, id: number): Promise<Account> {
  const account = (await listAccounts(app.db)).find((one) => one.id === id)
  if (!account) throw new CommandError(`There is no account ${id}. \`npx kusanya accounts list\` shows them.`)
  return account
}

interface AccountWithReceivers extends Account {
  /** The tills and short codes whose money the account gets. */
  receivers: { connection: string; number: string }[]
}

async function withReceivers(app: App, account: Account): Promise<AccountWithReceivers> {
  const found = await receiversOf(app.db, [account.id])
  const receivers = [...found].map(([key, number]) => ({ connection: key.split(':')[0]!, number }))
  return { ...account, receivers }
}

const CREATE_EXAMPLES = `
Examples:
  $ npx kusanya accounts create UGX
  $ npx kusanya accounts create KES --organization 2 --kind cross_border --name "Kenya, collected from Uganda"`

const FUND_EXAMPLES = `
Examples:
  $ npx kusanya accounts fund 5 500000 --description "Opening balance"
  $ npx kusanya accounts fund 5 -20000 --description "Paid out by bank transfer" --by grace@shop.example`

const RECEIVER_EXAMPLES = `
Example:
  $ npx kusanya accounts receiver 5 sandbox 123456`
