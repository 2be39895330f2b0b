import { type Command, Option } from 'commander'
import type { App } from '../../app.ts'
import { getOrganization } from '../../core/access/organizations.ts'
import { approvePayment, cancelPayment, type Decision, rejectPayment } from '../../core/payments/approvals.ts'
import { findPaymentsById, listPayments, type Payment, paymentStates } from '../../core/payments/payments.ts'
import { NotFound } from '../../core/refusals.ts'
import { begin, type Tx } from '../../db/client.ts'
import { displayAmount } from '../../lib/money.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { chooseMember, chooseOrganizations, jsonOption, organizationOption, toCount, toPhone } from '../arguments.ts'
import { formatShortTime, printResult, printRows } from '../print.ts'
import { withApp } from '../service/with-app.ts'
import type { Terminal } from '../terminal.ts'

export function addPayments(program: Command, terminal: Terminal): void {
  const payments = program
    .command('payments')
    .description('money that is sent: what waits, who approves it, what became of it')
    .addHelpText('after', EXAMPLES)

  payments
    .command('list')
    .description('list the newest payments')
    .addOption(organizationOption())
    .addOption(new Option('--state <state>', 'those in one state').choices(paymentStates))
    .option('--phone <number>', 'those to one phone', toPhone)
    .option('--currency <code>', 'those in one currency')
    .option('--limit <count>', 'how many of each organization', toCount, 50)
    .addOption(jsonOption())
    .action((options: ListOptions) => withApp(terminal, (app) => list(terminal, app, options)))

  payments
    .command('show')
    .description('show a payment and what became of each recipient')
    .argument('<id>', 'as `payments list` shows it', toCount)
    .addOption(jsonOption())
    .action((id: number, options: { json?: boolean }) =>
      withApp(terminal, async (app) => {
        const payment = await findPayment(app, id)
        printResult(terminal, payment, { ...options, text: describe(payment).join('\n') })
      }),
    )

  addDecision(payments, terminal, {
    name: 'approve',
    description: 'approve a payment that waits for a second person; it is sent',
    work: approvePayment,
  })
  addDecision(payments, terminal, {
    name: 'reject',
    description: 'refuse a payment that waits for a second person; its money goes back',
    reason: 'why, for whoever initiated it',
    work: rejectPayment,
  })
  addDecision(payments, terminal, {
    name: 'cancel',
    description: 'cancel a payment of which nothing has been sent; its money goes back',
    reason: 'why',
    work: cancelPayment,
  })
}

interface ListOptions {
  organization?: number
  state?: string
  phone?: string
  currency?: string
  limit: number
  json?: boolean
}

async function list(terminal: Terminal, app: App, options: ListOptions): Promise<void> {
  const organizations = await chooseOrganizations(app.db, options.organization)
  const filters = { payment_state: options.state, phone_number: options.phone, currency: options.currency }
  const slice = { limit: options.limit, offset: 0, field: 'id' as const, descending: true }
  const found = await Promise.all(organizations.map((one) => listPayments(app.db, one.id, filters, slice)))
  printRows(
    terminal,
    found.flatMap(({ rows }) => rows),
    {
      ...options,
      none: 'There is none.',
      columns: [
        { title: 'id', value: (row) => row.id },
        { title: 'organization', value: (row) => row.organization },
        { title: 'created (UTC)', value: (row) => formatShortTime(row.created) },
        { title: 'state', value: (row) => row.state },
        { title: 'currency', value: (row) => row.currency },
        { title: 'amount', value: (row) => displayAmount(row.amount) },
        { title: 'to', value: formatRecipients },
        { title: 'description', value: (row) => row.description },
        { title: 'last error', value: (row) => row.last_error },
      ],
    },
  )
}

interface DecisionCommand {
  name: string
  description: string
  /** What --reason is for, where one may be given. */
  reason?: string
  work(tx: Tx, now: Date, decision: Decision & { reason: string }): Promise<unknown>
}

function addDecision(
  payments: Command,
  terminal: Terminal,
  { name, description, reason, work }: DecisionCommand,
): void {
  const command = payments
    .command(name)
    .description(description)
    .argument('<id>', 'as `payments list` shows it', toCount)
    .option('--user <email>', 'who decides it; not needed while the organization has one user')
  if (reason) command.option('--reason <text>', reason)
  command.addOption(jsonOption()).action((id: number, options: { user?: string; reason?: string; json?: boolean }) =>
    withApp(terminal, async (app) => {
      const { organization } = await findPayment(app, id)
      const member = await chooseMember(app.db, await getOrganization(app.db, organization), options.user)
      const decision = { organization, payment: id, user: member.id, reason: options.reason ?? '' }
      await begin(app.db, (tx) => work(tx, app.clock.now(), decision))
      app.wake()
      const payment = await findPayment(app, id)
      printResult(terminal, payment, { ...options, text: `Payment ${id} is ${payment.state}.` })
    }),
  )
}

async function findPayment(app: App, id: number): Promise<Payment> {
  const payment = (await findPaymentsById(app.db, [id])).get(id)
  if (!payment) throw new NotFound(`There is no payment ${id}.`)
  return payment
}

function describe(payment: Payment): string[] {
  const { id, currency, amount, description, state, start_date } = payment
  return [
    `Payment ${id}: ${currency} ${displayAmount(amount)} for ${JSON.stringify(description)}, ${state}.`,
    ...(start_date ? [`  starts    ${formatTimestamp(start_date)}`] : []),
    ...(payment.rejected_reason ? [`  rejected  ${payment.rejected_reason}`] : []),
    ...(payment.cancelled_reason ? [`  cancelled ${payment.cancelled_reason}`] : []),
    ...payment.phone_nos.map((one) =>
      [`  ${one.phonenumber}`, displayAmount(one.amount), one.state, one.remote_transaction_id, one.last_error]
        .filter(Boolean)
        .join('  '),
    ),
  ]
}

function formatRecipients({ phone_nos: [first, ...others] }: Payment): string {
  return others.length === 0 ? (first?.phonenumber ?? '') : `${first?.phonenumber} and ${others.length} more`
}

const EXAMPLES = `
Examples:
  $ npx kusanya payments list --state approval_requested
  $ npx kusanya payments approve 12 --user finance@example.com
  $ npx kusanya payments cancel 12 --user finance@example.com --reason "Paid in cash"`
