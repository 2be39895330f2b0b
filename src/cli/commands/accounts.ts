import { type Command, Option } from 'commander'
import type { App } from '../../app.ts'
import { getOrganization } from '../../core/access/organizations.ts'
import {
  type Account,
  assignReceiver,
  createAccount,
  fundAccount,
  listAccounts,
  receiversOf,
  type WalletKind,
} from '../../core/ledger/accounts.ts'
import { openSandboxWallet } from '../../core/ledger/sandbox-wallets.ts'
import { begin } from '../../db/client.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import {
  chooseOrganization,
  chooseOrganizations,
  jsonOption,
  organizationOption,
  toAmount,
  toCount,
} from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { printResult, printRows } from '../print.ts'
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
      new Option('--kind <kind>', 'a cross-border one must be named by each request').choices(KINDS).default('local'),
    )
    .option('--name <name>', 'the default is "<currency> wallet"')
    .addOption(jsonOption())
    .addHelpText('after', CREATE_EXAMPLES)
    .action((currency: string, options: AccountOptions) =>
      withApp(terminal, (app) => create(terminal, app, currency.toUpperCase(), options)),
    )

  accounts
    .command('list')
    .description('list the wallets of one organization or of all, with balances and receiver numbers')
    .addOption(organizationOption())
    .addOption(jsonOption())
    .action((options: { organization?: number; json?: boolean }) =>
      withApp(terminal, (app) => list(terminal, app, options)),
    )

  accounts
    .command('fund')
    .description("write the operator's own entry into the books: money added or, below zero, taken off")
    .argument('<account>', 'its id', toCount)
    .argument('<amount>', 'such as 500000 or -500000', toAmount)
    .option('--description <text>', 'why, for those who read the books', 'Funds by the operator')
    .addOption(jsonOption())
    .addHelpText('after', FUND_EXAMPLES)
    .action((account: number, amount: Amount, options: { description: string; json?: boolean }) =>
      withApp(terminal, (app) => fund(terminal, app, { ...options, account, amount })),
    )

  accounts
    .command('receiver')
    .description("say that money to this till or short code of a network is the account's")
    .argument('<account>', 'its id', toCount)
    .argument('<network>', 'the code of the network')
    .argument('<number>', 'the till, short code or account number there')
    .addOption(jsonOption())
    .addHelpText('after', RECEIVER_EXAMPLES)
    .action((account: number, network: string, number: string, options: { json?: boolean }) =>
      withApp(terminal, (app) => assign(terminal, app, { network, number, account }, options)),
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
  const input = {
    organization: organization.id,
    currency,
    kind: options.kind,
    name: options.name ?? `${currency} wallet`,
    author: organization.service_user,
  }
  const now = app.clock.now()
  const is_sandbox = app.config.MODE === 'sandbox'
  const account = await begin(app.db, (tx) =>
    is_sandbox ? openSandboxWallet(tx, now, app.networks[0]!.code, input) : createAccount(tx, now, input),
  )
  const next = is_sandbox ? '' : ` \`npx kusanya accounts receiver ${account.id} …\` says where its money arrives, and`
  const text =
    `Opened the account ${account.id} (${account.name}) for ${organization.name}.\n` +
    `It may collect once it holds something:${next} \`npx kusanya accounts fund ${account.id} <amount>\` fills it.`
  printResult(terminal, await withReceivers(app, account), { ...options, text })
}

async function list(terminal: Terminal, app: App, options: { organization?: number; json?: boolean }): Promise<void> {
  const organizations = await chooseOrganizations(app.db, options.organization)
  const found = await Promise.all(organizations.map((one) => listAccounts(app.db, one.id)))
  const rows = await Promise.all(found.flat().map((account) => withReceivers(app, account)))
  printRows(terminal, rows, {
    ...options,
    none: 'There is none yet. Open one with `npx kusanya accounts create`.',
    columns: [
      { title: 'id', value: (row) => row.id },
      { title: 'organization', value: (row) => row.organization },
      { title: 'name', value: (row) => row.name },
      { title: 'kind', value: (row) => row.kind },
      { title: 'status', value: (row) => row.status },
      { title: 'currency', value: (row) => row.currency },
      { title: 'balance', value: (row) => displayAmount(row.balance) },
      { title: 'receivers', value: (row) => row.receivers.map((one) => `${one.network} ${one.number}`).join(', ') },
    ],
  })
}

async function fund(
  terminal: Terminal,
  app: App,
  input: { account: number; amount: Amount; description: string; json?: boolean },
): Promise<void> {
  const account = await ownAccount(app, input.account)
  const { service_user } = await getOrganization(app.db, account.organization)
  const funded = await begin(app.db, (tx) => fundAccount(tx, app.clock.now(), { ...input, author: service_user }))
  const text = `The account ${funded.id} (${funded.name}) holds ${funded.currency} ${displayAmount(funded.balance)} now.`
  printResult(terminal, funded, { ...input, text })
}

async function assign(
  terminal: Terminal,
  app: App,
  receiver: { network: string; number: string; account: number },
  options: { json?: boolean },
): Promise<void> {
  if (!app.networks.some((network) => network.code === receiver.network)) {
    const codes = app.networks.map((network) => network.code).join(', ')
    throw new CommandError(`There is no network ${receiver.network} here. There are: ${codes}.`)
  }
  const account = await ownAccount(app, receiver.account)
  await begin(app.db, (tx) => assignReceiver(tx, receiver))
  const text = `Money to ${receiver.number} on ${receiver.network} is credited to the account ${account.id} (${account.name}).`
  printResult(terminal, receiver, { ...options, text })
}

async function ownAccount(app: App, id: number): Promise<Account> {
  const account = (await listAccounts(app.db)).find((one) => one.id === id)
  if (!account) throw new CommandError(`There is no account ${id}. \`npx kusanya accounts list\` shows them.`)
  return account
}

async function withReceivers(app: App, account: Account) {
  const found = await receiversOf(app.db, [account.id])
  const receivers = [...found].map(([place, number]) => ({ network: place.split(':')[0]!, number }))
  return { ...account, receivers }
}

const CREATE_EXAMPLES = `
Examples:
  $ npx kusanya accounts create UGX
  $ npx kusanya accounts create KES --organization 2 --kind cross_border --name "Kenya, collected from Uganda"`

const FUND_EXAMPLES = `
Examples:
  $ npx kusanya accounts fund 5 500000 --description "Opening balance"
  $ npx kusanya accounts fund 5 -20000 --description "Paid out by bank transfer"`

const RECEIVER_EXAMPLES = `
Example:
  $ npx kusanya accounts receiver 5 sandbox 123456`
