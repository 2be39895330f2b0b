import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { type Account, findAccount, listAccounts, receiversOf } from '../../core/ledger/accounts.ts'
import { createAccountAction, fundAccountAction, setReceiverAction } from '../../core/ledger/actions.ts'
import { addActionCommand } from '../action-command.ts'
import { CommandError } from '../errors.ts'
import { addList } from '../list-command.ts'
import type { Terminal } from '../terminal.ts'
import { preset, typed } from '../typed.ts'

export function addAccounts(program: Command, terminal: Terminal): void {
  const accounts = program.command('accounts').description('the wallets that collections are credited to')

  addActionCommand(accounts, terminal, createAccountAction, {
    help: CREATE_EXAMPLES,
    async tell(app, account, organization) {
      const next =
        app.config.MODE === 'sandbox'
          ? ''
          : ` \`npx kusanya connections places add <connection> ${account.id} …\` sets where its money arrives, and`
      const text =
        `Opened the account ${account.id} (${account.name}) for ${organization}.\n` +
        `It can collect once it holds money:${next} \`npx kusanya accounts fund ${account.id} <amount>\` adds money.`
      return { text, shown: await withReceivers(app, account) }
    },
  })

  addList(accounts, terminal, {
    description: 'list the wallets of one organization or of all, with balances and receiver numbers',
    organization: 'each',
    async read(app, _, { id }) {
      const wallets = await listAccounts(app.db, id)
      return Promise.all(wallets.map((account) => withReceivers(app, account)))
    },
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

  addActionCommand(accounts, terminal, fundAccountAction, {
    help: FUND_EXAMPLES,
    words: {
      description: preset(typed('--description <text>', 'the reason, shown in statements'), 'Funds by the operator'),
    },
    async read(app, given, { description }) {
      await requireAccount(app, given.id!)
      return { ...given, description }
    },
  })
  addActionCommand(accounts, terminal, setReceiverAction, {
    help: RECEIVER_EXAMPLES,
    async read(app, given) {
      if (!app.connections.find(given.connection!)) {
        const slugs = app.connections.list().map(({ slug }) => slug)
        throw new CommandError(`There is no connection ${given.connection} here. There are: ${slugs.join(', ')}.`)
      }
      await requireAccount(app, given.id!)
      return given
    },
  })
}

async function requireAccount(app: App, id: number): Promise<void> {
  if (!(await findAccount(app.db, id)))
    throw new CommandError(`There is no account ${id}. \`npx kusanya accounts list\` shows them.`)
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
