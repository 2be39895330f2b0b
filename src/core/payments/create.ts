import type { Tx } from '../../db/client.ts'
import { initialValues, insert, type NewRow } from '../../db/table.ts'
import { type AnyEffect, type Effect, idsFrom, together, type Work, workApart } from '../../db/unit-of-work.ts'
import type { ItemResult } from '../../lib/batches/batch.ts'
import { zip } from '../../lib/batches/zip.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import type { ConnectionRef } from '../connections/destinations.ts'
import { contactsOf } from '../contacts/contacts.ts'
import { claimKey, type DuplicateKeyClaim, keyClaims, linkedKeys, releasedKeys } from '../idempotency.ts'
import { type Account, activeWallets, receiversByAccount } from '../ledger/accounts.ts'
import { calculateFee, type Fee, feesOf, findFee } from '../ledger/fees.ts'
import { heldAccounts, heldMoney } from '../ledger/holds.ts'
import { Invalid, isRefusal } from '../refusals.ts'
import {
  approvalRules,
  countRequiredApprovals,
  initialPaymentState,
  type RuledSum,
} from '../spending/approval-rules.ts'
import { limitChecks } from '../spending/limits.ts'
import { changedCostsError, type ReviewedCosts } from '../spending/review-token.ts'
import { findPaymentsById, type Payment, type PaymentRow, paymentTable, recipientTable, toHold } from './payments.ts'
import { paymentTransitions } from './transitions.ts'

/** Recipient that has passed validation. */
export interface NewRecipient {
  phonenumber: string
  amount: Amount
  network: ConnectionRef
  description: string
  metadata: Record<string, unknown>
  first_name?: string
  last_name?: string
  national_id: string | null
  national_id_type: string | null
}

/** A payment that has passed validation and has no rows yet. */
export interface NewPayment
  extends Omit<NewRow<typeof paymentTable>, 'state' | 'approvals_required' | 'created' | 'modified'> {
  recipients: NewRecipient[]
  claim?: DuplicateKeyClaim
  /** Sums that decide how many approvals it needs, as a part of something larger. Default: its own amount. */
  approval_sums?: readonly RuledSum[]
  /** Costs that a person has reviewed: at others it is refused. Undefined without a review. */
  reviewed?: ReviewedCosts | undefined
}

/**
 * Creates payments, each alone as `createPayment` does.
 * @returns for each item the payment, or the refusal of this item alone: Invalid or Duplicate.
 * @throws Invalid if another transaction spent the money first, or if the items together exceed a balance. WriteConflict
 *   if two items have the same duplicate key. The caller then tries the items in parts.
 */
export async function createPayments(tx: Tx, now: Date, items: readonly NewPayment[]): Promise<ItemResult<Payment>[]> {
  const created = await workApart({ tx, now, effects: paymentEffects }, isRefusal, items, createPayment)
  const payments = await findPaymentsById(
    tx,
    created.flatMap((one) => (one.ok ? one.value : [])),
  )
  return created.map((one) => (one.ok ? { ok: true, value: payments.get(one.value)! } : one))
}

/**
 * Creates a payment: claims its duplicate key, finds or creates contacts, writes the rows, and holds the whole amount
 * with its fees. The money is held now, even if the payment is sent later or needs an approval, so an accepted payment
 * never fails for lack of funds.
 * @returns its id
 * @throws Invalid, Duplicate
 */
async function createPayment(work: Work, item: NewPayment): Promise<number> {
  const { organization, author, currency, amount, reviewed, claim, approval_sums, recipients, ...fields } = item
  const { duplicate, id, rates, wallets, senders, rules, checkLimits, accounts } = await together({
    duplicate: claimKey(work, paymentKeys, item),
    id: work.load(paymentIds, {}),
    rates: work.load(feesOf, organization),
    wallets: work.load(activeWallets, organization),
    senders: work.load(receiversByAccount, item.account),
    rules: work.load(approvalRules, organization),
    checkLimits: work.load(limitChecks, item),
    accounts: work.load(heldAccounts, organization),
  })
  // First of all: "not enough money" would let the client believe that nothing was paid.
  if (duplicate) throw duplicate
  const fees = feesOfPayment(item, rates)
  const changed = reviewed && changedCostsError(currency, reviewed, { amount, fee: sumOf(fees) })
  const refusal = changed ?? fundsError(item, fees, wallets, senders) ?? checkLimits(item)
  if (refusal) throw refusal

  const sums = approval_sums ?? [{ currency, amount }]
  const created = truncateToSecond(work.now)
  const payment: PaymentRow = {
    ...fields,
    ...initialValues(paymentTable),
    id,
    organization,
    author,
    currency,
    amount,
    state: 'new',
    approvals_required: countRequiredApprovals(sums, rules),
    created,
    modified: created,
  }
  const to = initialPaymentState({ sums, author, start_date: payment.start_date }, rules)
  const due_at = to === 'new' || to === 'scheduled' ? (payment.start_date ?? work.now) : null
  work.add(newPayments, payment)
  work.add(linkedKeys, { claim, object: id })
  await Promise.all(
    zip(recipients, fees).map(async ([given, fee]) => {
      const person = {
        ...given,
        organization,
        author,
        phone_number: given.phonenumber,
        network_name: given.network.name,
      }
      const { id, contact } = await together({
        id: work.load(recipientIds, {}),
        contact: work.load(contactsOf, person),
      })
      const recipient = { ...given, id, contact: contact.id, fee, due_at, connection: given.network.slug }
      work.add(newRecipients, { ...recipient, organization, payment: payment.id })
      work.add(heldMoney, { hold: toHold(payment, recipient), accounts })
    }),
  )
  const phonenumbers = recipients.map(({ phonenumber }) => phonenumber)
  if (to !== 'new') work.add(paymentTransitions, { payment, to, author, phonenumbers })
  return id
}

const paymentIds = idsFrom('payments_id_seq')
const recipientIds = idsFrom('payment_recipients_id_seq')
const paymentKeys = keyClaims('payment')

/** Returns the fee of each recipient. The return of money that was never accepted is free. */
export function feesOfPayment(item: NewPayment, rates: readonly Fee[]): Amount[] {
  const { currency, purpose, source, account } = item
  const kind = purpose === 'payment' && item.payment_type === 'airtime' ? 'airtime' : purpose
  return item.recipients.map(({ amount, network }) =>
    source === account ? calculateFee(findFee(rates, { kind, currency, network: network.code }), amount, currency) : 0n,
  )
}

/**
 * Returns the reason why a payment cannot be paid; undefined if it can.
 * @param wallets the active ones of its organization
 * @param senders the numbers of its account, by connection
 */
export function fundsError(
  { recipients, source, currency, amount }: NewPayment,
  fees: readonly Amount[],
  wallets: readonly Account[],
  senders: ReadonlyMap<string, string>,
): Invalid | undefined {
  if (recipients.some(({ network }) => !senders.has(network.slug)))
    return new Invalid({ account: [getMessage('wallets.no_sender')] })
  const needed = amount + sumOf(fees)
  const balance = wallets.find(({ id }) => id === source)?.balance
  if (balance === undefined || balance >= needed) return undefined
  const [available, required] = [balance, needed].map((sum) => `${currency} ${displayAmount(sum)}`)
  const key = needed > amount ? 'wallets.too_little_with_fees' : 'wallets.too_little'
  return new Invalid({ amount: [getMessage(key, { available, required })] })
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce((sum, one) => sum + one, 0n)
}

const newPayments: Effect<NewRow<typeof paymentTable> & { id: number }> = {
  write(tx, _, payments) {
    tx.send`${insert(paymentTable, payments, { id: ({ id }) => id })}`
  },
}

type RecipientToInsert = Omit<NewRow<typeof recipientTable>, 'network' | 'state' | 'modified'> & {
  id: number
  network: ConnectionRef
}

const newRecipients: Effect<RecipientToInsert> = {
  write(tx, now, recipients) {
    tx.send`${insert(recipientTable, recipients, {
      id: ({ id }) => id,
      network: ({ network }) => network.code,
      state: 'new',
      modified: truncateToSecond(now),
    })}`
  },
}

/** The effects of new payments, in the order in which they are written. */
const paymentEffects: readonly AnyEffect[] = [
  newPayments,
  newRecipients,
  linkedKeys,
  paymentTransitions,
  heldMoney,
  releasedKeys,
]
