import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { listAccounts, receiversOf } from '../../core/ledger/accounts.ts'
import { displayAmount } from '../../lib/money.ts'
import { toAmount, toCount } from '../arguments.ts'
import { addCommand } from '../command.ts'
import { CommandError } from '../errors.ts'
import { addList } from '../list-command.ts'
import { findDemoOrganization } from '../service/demo-organization.ts'
import type { Terminal } from '../terminal.ts'
import { typed } from '../typed.ts'
import { toTypedPhone } from '../typed-phones.ts'

/** Add the commands of simulated customers. Each wakes the running service, so that the action takes effect at once. */
export function addSimulate(program: Command, terminal: Terminal): void {
  const simulate = program
    .command('simulate')
    .description('act as a customer of the sandbox')
    .addHelpText('after', EXAMPLES)

  addList(simulate, terminal, {
    name: 'prompts',
    description: 'list the prompts that wait for a PIN',
    typed: { phone: typed('[phone]', 'on this phone only', toTypedPhone) },
    read: async (app, { phone }) =>
      (await simulatorOf(app).prompts(phone)).map(({ door, ...prompt }) => ({ ...prompt, network: door })),
    none: 'No prompt waits. The customer +80000000109, for example, waits for you to answer.',
    columns: {
      phone: 'phonenumber',
      network: 'network',
      currency: 'currency',
      amount: 'amount',
      reason: 'reason',
      'since (UTC)': 'created',
    },
  })
  addCommand(simulate, terminal, {
    name: 'approve',
    description: 'enter the PIN in the oldest prompt of a phone',
    typed: { phone: CUSTOMER, pin: typed('--pin <digits>', 'the PIN to enter; a wrong PIN fails') },
    async run(app, { phone, pin }) {
      await simulatorOf(app).approve(phone, pin)
      app.wake()
      return { shown: { phone }, text: `The PIN is entered on ${phone}.` }
    },
  })
  addCommand(simulate, terminal, {
    name: 'refuse',
    description: 'refuse the oldest prompt of a phone',
    typed: { phone: CUSTOMER },
    async run(app, { phone }) {
      await simulatorOf(app).refuse(phone)
      app.wake()
      return { shown: { phone }, text: `The prompt on ${phone} is refused.` }
    },
  })
  addPay(simulate, terminal)
  addCommand(simulate, terminal, {
    name: 'statement',
    description:
      "print the network's statement as CSV: payments of customers, and payments to them as negative amounts",
    typed: {
      door: typed('--network <code>', 'only the statement of this simulated network; all of them unless given'),
    },
    json: false,
    async run(app, { door }) {
      const filter = { ...(door !== undefined && { door }) }
      for await (const line of simulatorOf(app).statementFile(filter)) terminal.print(line.trimEnd())
    },
  })
}

const CUSTOMER = typed('<phone>', 'the customer', toTypedPhone)

function addPay(simulate: Command, terminal: Terminal): void {
  addCommand(simulate, terminal, {
    name: 'pay',
    description: 'send an unsolicited payment, to the demo organization unless --account names another receiver',
    typed: {
      phonenumber: CUSTOMER,
      amount: typed('<amount>', 'such as 1500', toAmount),
      currency: typed('<currency>', 'such as BXC', (code) => code.toUpperCase()),
      account: typed('--account <id>', 'to the receiver number of this account', toCount),
      reference: typed(
        '--reference <text>',
        'the reference that the customer types, such as the id of a collection request',
      ),
      ask: typed('--no-ask', 'the network takes the money without asking first whether you accept it'),
    },
    async run(app, { account, reference, ask: needs_validation, ...money }) {
      const simulator = simulatorOf(app)
      const receiver = await findReceiver(app, money.currency, account)
      const { remote_id } = await simulator.pay({ ...money, receiver, reference, needs_validation })
      app.wake()
      const { phonenumber, amount, currency } = money
      const text = `${phonenumber} sends ${currency} ${displayAmount(amount)} to ${receiver}; its id at the network is ${remote_id}.`
      return { shown: { remote_id, receiver, ...money }, text }
    },
  })
}

/** @throws CommandError in live mode */
function simulatorOf({ simulator }: App): NonNullable<App['simulator']> {
  if (!simulator) throw new CommandError('Customers are simulated only in the sandbox (MODE=sandbox).')
  return simulator
}

async function findReceiver(app: App, currency: string, account: number | undefined): Promise<string> {
  const organization = account === undefined ? await findDemoOrganization(app.db) : undefined
  const candidates = (await listAccounts(app.db, organization?.id)).filter((one) =>
    account === undefined ? one.currency === currency && organization !== undefined : one.id === account,
  )
  const receivers = await receiversOf(
    app.db,
    candidates.map((one) => one.id),
  )
  const [receiver] = candidates.flatMap((one) => receivers.get(`sandbox:${one.id}`) ?? [])
  if (receiver === undefined)
    throw new CommandError(
      account === undefined
        ? `The demo organization has no account in ${currency}. Name another with --account.`
        : `There is no account ${account} with a receiver number. \`npx kusanya accounts list\` shows them.`,
    )
  return receiver
}

const EXAMPLES = `
Examples:
  $ npx kusanya simulate prompts
  $ npx kusanya simulate approve +80000000109
  $ npx kusanya simulate pay +80000000003 1500 BXC --reference 17
  $ npx kusanya simulate statement > statement.csv`
