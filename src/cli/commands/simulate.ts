import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { listAccounts, receiversOf } from '../../core/ledger/accounts.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { jsonOption, toAmount, toCount } from '../arguments.ts'
import { CommandError } from '../errors.ts'
import { printResult, printRows } from '../print.ts'
import { findDemoOrganization } from '../service/demo-organization.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'
import { completePhone, toTypedPhone } from '../typed-phones.ts'

/** Add the commands of simulated customers. Each wakes the running service, so that the action takes effect at once. */
export function addSimulate(program: Command, terminal: Terminal): void {
  const simulate = program
    .command('simulate')
    .description('act as a customer of the sandbox')
    .addHelpText('after', EXAMPLES)

  addPrompts(simulate, terminal)

  simulate
    .command('approve')
    .description('enter the PIN in the oldest prompt of a phone')
    .argument('<phone>', 'the customer', toTypedPhone)
    .option('--pin <digits>', 'the PIN to enter; a wrong PIN fails')
    .action((typed: string, options: { pin?: string }) =>
      withSimulator(terminal, async (app, simulator) => {
        const phone = await completePhone(app.db, typed)
        await simulator.approve(phone, options.pin)
        terminal.print(`The PIN is entered on ${phone}.`)
      }),
    )

  simulate
    .command('refuse')
    .description('refuse the oldest prompt of a phone')
    .argument('<phone>', 'the customer', toTypedPhone)
    .action((typed: string) =>
      withSimulator(terminal, async (app, simulator) => {
        const phone = await completePhone(app.db, typed)
        await simulator.refuse(phone)
        terminal.print(`The prompt on ${phone} is refused.`)
      }),
    )

  simulate
    .command('pay')
    .description('send an unsolicited payment, to the demo organization unless --account names another receiver')
    .argument('<phone>', 'the customer', toTypedPhone)
    .argument('<amount>', 'such as 1500', toAmount)
    .argument('<currency>', 'such as BXC')
    .option('--account <id>', 'to the receiver number of this account', toCount)
    .option('--reference <text>', 'the reference that the customer types, such as the id of a collection request')
    .option('--no-ask', 'the network takes the money without asking first whether you accept it')
    .addOption(jsonOption())
    .action((phone: string, amount: Amount, currency: string, options: PayOptions) =>
      withSimulator(terminal, async (app, simulator) => {
        const phonenumber = await completePhone(app.db, phone)
        await pay(terminal, app, simulator, { phonenumber, amount, currency: currency.toUpperCase() }, options)
      }),
    )

  addStatement(simulate, terminal)
}

function addPrompts(simulate: Command, terminal: Terminal): void {
  simulate
    .command('prompts')
    .description('list the prompts that wait for a PIN')
    .argument('[phone]', 'on this phone only', toTypedPhone)
    .addOption(jsonOption())
    .action((phone: string | undefined, options: { json?: boolean }) =>
      withSimulator(terminal, async (app, simulator) => {
        const prompts = await simulator.prompts(phone === undefined ? undefined : await completePhone(app.db, phone))
        const rows = prompts.map(({ door, ...prompt }) => ({ ...prompt, network: door }))
        printRows(terminal, rows, {
          ...options,
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
      }),
    )
}

function addStatement(simulate: Command, terminal: Terminal): void {
  simulate
    .command('statement')
    .description(
      "print the network's statement as CSV: payments of customers, and payments to them as negative amounts",
    )
    .option('--network <code>', 'only the statement of this simulated network; all of them unless given')
    .action(({ network }: { network?: string }) =>
      withSimulator(terminal, async (_app, simulator) => {
        const filter = { ...(network !== undefined && { door: network }) }
        for await (const line of simulator.statementFile(filter)) terminal.print(line.trimEnd())
      }),
    )
}

type Simulator = NonNullable<App['simulator']>

interface PayOptions {
  account?: number
  reference?: string
  ask: boolean
  json?: boolean
}

async function pay(
  terminal: Terminal,
  app: App,
  simulator: Simulator,
  money: { phonenumber: string; amount: Amount; currency: string },
  options: PayOptions,
): Promise<void> {
  const receiver = await findReceiver(app, money.currency, options.account)
  const { remote_id } = await simulator.pay({
    ...money,
    receiver,
    reference: options.reference,
    needs_validation: options.ask,
  })
  const { phonenumber, amount, currency } = money
  const text = `${phonenumber} sends ${currency} ${displayAmount(amount)} to ${receiver}; its id at the network is ${remote_id}.`
  printResult(terminal, { remote_id, receiver, ...money }, { ...options, text })
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

function withSimulator(terminal: Terminal, work: (app: App, simulator: Simulator) => Promise<void>): Promise<void> {
  return withApp(terminal, async (app) => {
    if (!app.simulator) throw new CommandError('Customers are simulated only in the sandbox (MODE=sandbox).')
    await work(app, app.simulator)
    app.wake()
  })
}

const EXAMPLES = `
Examples:
  $ npx kusanya simulate prompts
  $ npx kusanya simulate approve +80000000109
  $ npx kusanya simulate pay +80000000003 1500 BXC --reference 17
  $ npx kusanya simulate statement > statement.csv`
