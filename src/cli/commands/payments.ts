import type { Command } from 'commander'
import { paymentList } from '../../actions/lists/payments.ts'
import type { App } from '../../app.ts'
import {
  approvePaymentAction,
  cancelPaymentAction,
  rejectPaymentAction,
  reviewLatePayoutsAction,
} from '../../core/payments/actions.ts'
import { listLatePayouts } from '../../core/payments/late-payouts.ts'
import { findPaymentsById, type Payment } from '../../core/payments/payments.ts'
import { type PayoutOrderHistory, readOrdersOfPayment } from '../../core/payments/payout-orders.ts'
import { NotFound } from '../../core/refusals.ts'
import { displayAmount } from '../../lib/money.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { addActionCommand, byMember } from '../action-command.ts'
import { addShow } from '../command.ts'
import { addList, addListCommand } from '../list-command.ts'
import type { Terminal } from '../terminal.ts'
import { typed } from '../typed.ts'
import { addPaymentImport } from './payments/import.ts'

export function addPayments(program: Command, terminal: Terminal): void {
  const payments = program
    .command('payments')
    .description('outgoing money: list, approve, reject, cancel and review payments')
    .addHelpText('after', EXAMPLES)

  addListCommand(payments, terminal, paymentList)

  addShow(
    payments,
    terminal,
    'show a payment, the state of each recipient, and its orders to the networks',
    async (app, id) => {
      const payment = await findPayment(app, id)
      const orders = await readOrdersOfPayment(app.db, id)
      const phone_nos = payment.phone_nos.map((one, index) => ({ ...one, orders: orders[index] ?? [] }))
      const shown = { ...payment, phone_nos }
      return { shown, text: describe(shown) }
    },
  )

  const decision = byMember<{ id: number }>(
    'decides',
    async (app, { id }) => (await findPayment(app, id!)).organization,
  )
  addActionCommand(payments, terminal, approvePaymentAction, decision)
  addActionCommand(payments, terminal, rejectPaymentAction, decision)
  addActionCommand(payments, terminal, cancelPaymentAction, decision)
  addLatePayouts(payments, terminal)
  addPaymentImport(payments, terminal)
}

/** Payouts that a network sent after it had reported a failure, and the command that says that one is settled. */
function addLatePayouts(payments: Command, terminal: Terminal): void {
  addList(payments, terminal, {
    name: 'late',
    description: 'list the money that a network sent after it had reported a failure',
    typed: { all: typed('--all', 'also what a person has looked into') },
    organization: 'each',
    read: (app, { all }, { id: organization }) => listLatePayouts(app.db, { organization, open: !all }),
    none: 'No network has sent money after it had reported a failure.',
    columns: {
      payment: 'payment',
      organization: 'organization',
      'detected (UTC)': 'detected',
      phone: 'phonenumber',
      currency: 'currency',
      amount: 'amount',
      booked: ({ booked }) => (booked ? 'yes' : 'no'),
      'reviewed by': 'reviewed_by',
    },
  })

  addActionCommand(payments, terminal, reviewLatePayoutsAction)
}

async function findPayment(app: App, id: number): Promise<Payment> {
  const payment = (await findPaymentsById(app.db, [id])).get(id)
  if (!payment) throw new NotFound(`There is no payment ${id}.`)
  return payment
}

/** A payment with the orders of each recipient. */
type ShownPayment = Omit<Payment, 'phone_nos'> & {
  phone_nos: (Payment['phone_nos'][number] & { orders: readonly PayoutOrderHistory[] })[]
}

function describe(payment: ShownPayment): string[] {
  const { id, currency, amount, description, state, start_date, created } = payment
  return [
    `Payment ${id}: ${currency} ${displayAmount(amount)} for ${JSON.stringify(description)}, ${state}.`,
    ...(start_date > created ? [`  starts    ${formatTimestamp(start_date)}`] : []),
    ...(payment.approvals_required > 0 ? [`  approvals ${payment.approvals} of ${payment.approvals_required}`] : []),
    ...(payment.rejected_reason ? [`  rejected  ${payment.rejected_reason}`] : []),
    ...(payment.cancelled_reason ? [`  cancelled ${payment.cancelled_reason}`] : []),
    ...payment.phone_nos.flatMap((one) => [
      [
        `  ${one.phonenumber}`,
        displayAmount(one.amount),
        one.state,
        one.reversed_amount > 0n && `taken back ${displayAmount(one.reversed_amount)}`,
        one.remote_transaction_id,
        one.last_error,
      ]
        .filter(Boolean)
        .join('  '),
      ...one.orders.flatMap(describeOrder),
    ]),
  ]
}

/** Describe an order with each change in its network's answers and their sources. */
function describeOrder({ sent, kind, reference, connection, state, attention, answers }: PayoutOrderHistory): string[] {
  const when = sent ? formatTimestamp(sent) : 'not sent yet'
  const said = answers.map(
    ({ at, source, outcome, message }) =>
      `      ${formatTimestamp(at)}  ${outcome} (${source})${message ? `: ${message}` : ''}`,
  )
  return [
    `    ${when}  ${kind} ${reference} on ${connection}: ${state}`,
    ...said,
    ...(attention ? [`      ${attention}`] : []),
  ]
}

const EXAMPLES = `
Examples:
  $ npx kusanya payments list --state approval_requested
  $ npx kusanya payments show 12
  $ npx kusanya payments approve 12 --user finance@example.com
  $ npx kusanya payments cancel 12 --user finance@example.com --reason "Paid in cash"
  $ npx kusanya payments import wages.xlsx --description "Wages of May"
  $ npx kusanya payments late
  $ npx kusanya payments review 12 --by grace@example.com`
