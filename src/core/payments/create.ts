import type { Reader, Tx } from '../../db/client.ts'
import { initialValues, insert, type NewRow } from '../../db/table.ts'
import type { ItemResult } from '../../lib/batches/batch.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import { zip } from '../../lib/batches/zip.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import type { ConnectionRef } from '../connections/destinations.ts'
import { findOrCreateContacts } from '../contacts/contacts.ts'
import {
  claimDuplicateKeys,
  type DuplicateKeyClaim,
  fillInDuplicateIds,
  findDuplicates,
  isSameKey,
  linkKeysToObjects,
  releaseDuplicateKeys,
} from '../idempotency.ts'
import { listActiveWallets, receiversOf } from '../ledger/accounts.ts'
import { calculateFee, type FeeKind, readFeeRates } from '../ledger/fees.ts'
import { holdMoney } from '../ledger/holds.ts'
import { type Duplicate, Invalid } from '../refusals.ts'
import {
  type ApprovalRules,
  countRequiredApprovals,
  initialPaymentState,
  type RuledSum,
  readApprovalRules,
} from '../spending/approval-rules.ts'
import { openLimitCheck } from '../spending/limits.ts'
import { changedCostsError, type ReviewedCosts } from '../spending/review-token.ts'
import {
  type Payment,
  type PaymentRow,
  paymentTable,
  type RecipientRow,
  recipientTable,
  storedRecipient,
  toHold,
  withRecipients,
} from './payments.ts'
import { transitionPayments } from './transitions.ts'

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
 * Creates payments: claims their duplicate keys, finds or creates contacts, writes the rows, and holds the whole amount
 * with its fees. The money is held now, even if the payment is sent later or needs an approval, so an accepted payment
 * never fails for lack of funds.
 * @returns for each item the payment, or the refusal of this item alone: Invalid or Duplicate.
 * @throws Invalid if another transaction spent the money first. WriteConflict if an item that passes a limit has the
 *   same duplicate key as another one. The caller then tries the items in parts.
 */
export async function createPayments(tx: Tx, now: Date, items: readonly NewPayment[]): Promise<ItemResult<Payment>[]> {
  const [rules, fees, errorOf] = await Promise.all([
    readApprovalRules(tx, items),
    calculateFees(tx, items),
    createFundsCheck(tx, items),
  ])
  const errors: (Invalid | Duplicate | undefined)[] = zip(items, fees).map(
    ([item, own]) => findChangedCosts(item, own) ?? errorOf(item, own),
  )
  await preferDuplicates(tx, now, items, errors)
  const claims = items.map((item, index) => (errors[index] ? undefined : item.claim))
  const duplicates = await claimDuplicateKeys(tx, now, 'payment', claims)
  // After the claims, so that the repetition of an accepted request gets 409 even if it would pass a limit by now.
  await checkLimits(tx, now, items, { errors, claims, duplicates })
  const accepted = zip(items, fees).flatMap(([item, own], index) =>
    errors[index] || duplicates[index] ? [] : [{ item, index, fees: own }],
  )
  const rows = await insertPayments(
    tx,
    now,
    accepted.map(({ item }) => ({
      ...item,
      approvals_required: countRequiredApprovals({ ...item, sums: ruledSums(item) }, rules),
    })),
  )
  const recipients = await insertAllRecipients(tx, now, accepted, rows)
  const stored = zip(accepted, rows)
  const created = stored.map(([{ item }, { id: object }]) => ({ claim: item.claim, object }))
  linkKeysToObjects(tx, created)
  const deciding = new Map(stored.map(([{ item }, { id }]) => [id, ruledSums(item)]))
  const waiting = await setWaitingStates(tx, now, { rows, recipients, rules, deciding })
  const byId = new Map(rows.map((row) => [row.id, row]))
  await holdMoney(
    tx,
    now,
    recipients.map((recipient) => toHold(byId.get(recipient.payment)!, recipient)),
  )
  const payments = await withRecipients(
    tx,
    rows.map((row) => waiting.get(row.id) ?? row),
  )
  const duplicate_errors = fillInDuplicateIds(claims, duplicates, created)
  const results: ItemResult<Payment>[] = items.map((_, index) => ({
    ok: false,
    error: errors[index] ?? duplicate_errors[index],
  }))
  for (const [{ index }, value] of zip(accepted, payments)) results[index] = { ok: true, value }
  return results
}

function findChangedCosts({ reviewed, currency, amount }: NewPayment, fees: readonly Amount[]): Invalid | undefined {
  const fee = fees.reduce((sum, one) => sum + one, 0n)
  return reviewed && changedCostsError(currency, reviewed, { amount, fee })
}

/** Returns the sums for the approval rules. */
function ruledSums({ currency, amount, approval_sums }: NewPayment): readonly RuledSum[] {
  return approval_sums ?? [{ currency, amount }]
}

/**
 * Lets the repetition of an accepted request get 409, although its wallet could not pay again. "Not enough money" would let the
 * client believe that nothing was paid.
 */
async function preferDuplicates(
  tx: Tx,
  now: Date,
  items: readonly NewPayment[],
  errors: (Invalid | Duplicate | undefined)[],
): Promise<void> {
  const duplicates = await findDuplicates(
    tx,
    now,
    items.map((item, index) => (errors[index] ? item.claim : undefined)),
  )
  for (const [index, duplicate] of duplicates.entries()) if (duplicate) errors[index] = duplicate
}

/**
 * Checks the items that are not refused yet against the limits, and adds the refusals to `errors`. The claims
 * of refused items are released.
 */
async function checkLimits(
  tx: Tx,
  now: Date,
  items: readonly NewPayment[],
  refused: {
    errors: (Invalid | Duplicate | undefined)[]
    claims: (DuplicateKeyClaim | undefined)[]
    duplicates: readonly unknown[]
  },
): Promise<void> {
  const { errors, claims, duplicates } = refused
  const open = [...items.entries()].filter(([index]) => !errors[index] && !duplicates[index])
  const errorOf = await openLimitCheck(
    tx,
    now,
    open.map(([, item]) => item),
  )
  const released: DuplicateKeyClaim[] = []
  for (const [index, item] of open) {
    const error = errorOf(item)
    if (!error) continue
    errors[index] = error
    const claim = claims[index]
    if (!claim) continue
    const is_shared = claims.some((one, other) => other !== index && one !== undefined && isSameKey(one, claim))
    if (is_shared) throw new WriteConflict()
    claims[index] = undefined
    released.push(claim)
  }
  releaseDuplicateKeys(tx, released)
}

/** The fee of each recipient of each item, by the current rates. The return of money that was never accepted is free. */
export async function calculateFees(tx: Reader, items: readonly NewPayment[]): Promise<Amount[][]> {
  const pairs = items.flatMap((item) => item.recipients.map((recipient) => ({ item, recipient })))
  const rates = await readFeeRates(
    tx,
    pairs.map(({ item, recipient }) => ({ ...item, kind: feeKindOf(item), network: recipient.network.code })),
  )
  const fees = pairs.map(({ item, recipient }, index) =>
    item.source === item.account ? calculateFee(rates[index], recipient.amount, item.currency) : 0n,
  )
  return items.map((item) => fees.splice(0, item.recipients.length))
}

function feeKindOf({ purpose, payment_type }: NewPayment): FeeKind {
  return purpose === 'payment' && payment_type === 'airtime' ? 'airtime' : purpose
}

/**
 * Reads the wallets and returns a function that checks each item alone: it returns the reason why the item cannot be
 * paid, or undefined. If the items together exceed a balance, the ledger refuses them all, and the caller tries each
 * item alone.
 */
export async function createFundsCheck(tx: Reader, items: readonly NewPayment[]) {
  const accounts = [...new Set(items.map((item) => item.account))]
  const [wallets, numbers] = await Promise.all([
    listActiveWallets(tx, [...new Set(items.map((item) => item.organization))]),
    receiversOf(tx, accounts),
  ])
  const balances = new Map(wallets.map((wallet) => [wallet.id, wallet.balance]))
  return (item: NewPayment, fees: readonly Amount[]): Invalid | undefined => {
    if (item.recipients.some(({ network }) => !numbers.has(`${network.slug}:${item.account}`)))
      return new Invalid({ account: [getMessage('wallets.no_sender')] })
    const needed = fees.reduce((sum, fee) => sum + fee, item.amount)
    const balance = balances.get(item.source)
    if (balance === undefined || balance >= needed) return undefined
    const [available, required] = [balance, needed].map((sum) => `${item.currency} ${displayAmount(sum)}`)
    const key = needed > item.amount ? 'wallets.too_little_with_fees' : 'wallets.too_little'
    return new Invalid({ amount: [getMessage(key, { available, required })] })
  }
}

/** Moves new payments to the state in which they wait: for their start date, or for the approval of a second person. */
async function setWaitingStates(
  tx: Tx,
  now: Date,
  created: {
    rows: readonly PaymentRow[]
    recipients: readonly RecipientRow[]
    rules: ApprovalRules
    /** Sums that decide for each payment if it needs an approval. */
    deciding: ReadonlyMap<number, readonly RuledSum[]>
  },
): Promise<Map<number, PaymentRow>> {
  const { rows, recipients, rules, deciding } = created
  const updated = await transitionPayments(
    tx,
    now,
    rows.flatMap((payment) => {
      const to = initialPaymentState({ ...payment, sums: deciding.get(payment.id)! }, rules)
      const phonenumbers = recipients.filter((one) => one.payment === payment.id).map((one) => one.phonenumber)
      return to === 'new' ? [] : [{ payment, to, author: payment.author, phonenumbers }]
    }),
  )
  const awaiting_approval = updated.filter((row) => row.state !== 'scheduled').map((row) => row.id)
  if (awaiting_approval.length > 0)
    await tx`update payment_recipients set due_at = null where payment = any(${awaiting_approval}::bigint[])`
  return new Map(updated.map((row) => [row.id, row]))
}

async function insertPayments(
  tx: Tx,
  now: Date,
  items: readonly (NewPayment & { approvals_required: number })[],
): Promise<PaymentRow[]> {
  if (items.length === 0) return []
  const created = truncateToSecond(now)
  const inserted = await tx<{ id: number }[]>`
    ${insert(paymentTable, items, { state: 'new', created, modified: created })}
    returning id`
  return zip(items, inserted).map(([{ recipients, claim, approval_sums, reviewed, ...item }, { id }]) => ({
    ...item,
    ...initialValues(paymentTable),
    state: 'new',
    id,
    created,
    modified: created,
  }))
}

interface AcceptedPayment {
  item: NewPayment
  fees: readonly Amount[]
}

async function insertAllRecipients(
  tx: Tx,
  now: Date,
  accepted: readonly AcceptedPayment[],
  rows: readonly PaymentRow[],
): Promise<RecipientRow[]> {
  const recipients = zip(accepted, rows).flatMap(([{ item, fees }, { id: payment }]) =>
    zip(item.recipients, fees).map(([recipient, fee]) => ({
      ...recipient,
      organization: item.organization,
      author: item.author,
      phone_number: recipient.phonenumber,
      network_name: recipient.network.name,
      payment,
      fee,
      due_at: item.start_date ?? now,
    })),
  )
  if (recipients.length === 0) return []
  const contacts = await findOrCreateContacts(tx, now, recipients)
  return insertRecipients(
    tx,
    now,
    zip(recipients, contacts).map(([one, { id: contact }]) => ({ ...one, contact })),
  )
}

type RecipientToInsert = NewRecipient & {
  organization: number
  payment: number
  contact: number
  fee: Amount
  due_at: Date
}

async function insertRecipients(db: Reader, now: Date, items: readonly RecipientToInsert[]): Promise<RecipientRow[]> {
  const inserted = await db<RecipientRow[]>`
    ${insert(recipientTable, items, {
      network: ({ network }) => network.code,
      connection: ({ network }) => network.slug,
      state: 'new',
      modified: truncateToSecond(now),
    })}
    returning ${storedRecipient.columns}`
  return [...inserted]
}
