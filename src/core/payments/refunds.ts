import type { Reader, Tx } from '../../db/client.ts'
import type { Refund } from '../../lib/adapter-types.ts'
import { only } from '../../lib/batches/batch.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { freeAmount } from '../allocations/allocations.ts'
import { type CollectionRow, collectionTable } from '../collections/collections.ts'
import { addRefundedAmount } from '../collections/refunded-amounts.ts'
import { isPhone } from '../contacts/phones.ts'
import { decimalsError } from '../ledger/currencies.ts'
import { findCounterAccounts } from '../ledger/transfers.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { insertRequestAction, type RefundReason } from '../request-actions.ts'
import type { ReviewedCosts } from '../spending/review-token.ts'
import { createPayments, type NewPayment } from './create.ts'
import { limitError, type PayoutNetwork } from './new-payment.ts'
import type { Payment } from './payments.ts'
import { readCharges } from './payout-orders.ts'

/** The return or the refund of a collection to the person who paid it. */
export interface RefundInput {
  organization: number
  collection: number
  /** The person who decided it, or the organization's service user. */
  author: number
  description?: string
  /** Reason for the refund, and the same in own words. Nothing is kept without a reason. */
  reason?: RefundReason
  comment?: string
  /** Finds the connection that can refund this money. Undefined if there is none. */
  chooseNetwork(money: RefundedMoney): PayoutNetwork | undefined
  /** Reason why the network's own id of the payment is unknown, after it was asked for it. */
  not_found?: string
  /** Costs that a person has reviewed: at others it is refused. Undefined without a review. */
  reviewed?: ReviewedCosts | undefined
}

/** Collected money to return to the phone that paid it. */
export interface RefundedMoney {
  /** The slug of the connection that collected it. */
  connection: string
  organization: number
  account: number
  /** E.164. */
  phonenumber: string
  currency: string
  amount: Amount
  /** Returns the charge that a refund can name; null if the money came without a charge, or was reversed in part. */
  charge: Refund['charge'] | null
}

/**
 * Returns the free money of a collection that matches no request and that no user has claimed. The return is a separate
 * payment to the phone number that paid. Money that the organization never accepted is returned from suspense without a
 * fee.
 * @throws NotFound. Invalid if the collection is not unmatched, if nothing is left, or if the payment is not possible.
 */
export async function returnCollection(tx: Tx, now: Date, input: RefundInput): Promise<Payment> {
  const collection = await lockCollection(tx, input)
  return createRefundPayment(tx, now, collection, {
    ...input,
    purpose: 'return',
    amount: requireReturnable(collection),
  })
}

/** Returns the payment that a return would make, without writing anything. @throws as returnCollection */
export async function planReturn(db: Reader, input: RefundInput): Promise<NewPayment> {
  const collection = await findCollection(db, input)
  return planRefundPayment(db, collection, { ...input, purpose: 'return', amount: requireReturnable(collection) })
}

/** Returns how much of a collection goes back; undefined for all that is left. @throws Invalid */
function requireReturnable(collection: CollectionRow): Amount | undefined {
  if (!isUnmatched(collection) || !['successful', 'failed'].includes(collection.status))
    throw new Invalid({
      collection: [getMessage('refunds.only_unmatched')],
    })
  return collection.allocated > 0n ? freeAmount(collection) : undefined
}

/**
 * Refunds a collection, completely or in part, by a separate payment. All refunds together never exceed the collection
 * less the network's reversals.
 * @throws as returnCollection
 */
export async function refundCollection(tx: Tx, now: Date, input: RefundInput & { amount?: Amount }): Promise<Payment> {
  const collection = await lockCollection(tx, input)
  requireRefundable(collection)
  return createRefundPayment(tx, now, collection, { ...input, purpose: 'refund' })
}

/** Returns the payment that a refund would make, without writing anything. @throws as refundCollection */
export async function planRefund(
  db: Reader,
  input: RefundInput & { amount?: Amount | undefined },
): Promise<NewPayment> {
  const collection = await findCollection(db, input)
  requireRefundable(collection)
  return planRefundPayment(db, collection, { ...input, purpose: 'refund' })
}

/** @throws Invalid */
function requireRefundable(collection: CollectionRow): void {
  if ((isUnmatched(collection) && collection.allocated === 0n) || collection.status !== 'successful')
    throw new Invalid({
      collection: [getMessage('refunds.only_matched')],
    })
}

/** True if a part of a collection has no purpose. */
function isUnmatched(collection: CollectionRow): boolean {
  const { collection_request, claimed_by, allocated, amount } = collection
  return collection_request === null && claimed_by === null && allocated < amount
}

async function findCollection(db: Reader, { organization, collection: id }: RefundInput): Promise<CollectionRow> {
  const [row] = await db<CollectionRow[]>`select ${collectionTable.columns} from collections where id = ${id}`
  if (row?.organization !== organization) throw new NotFound(getMessage('collections.none', { id }))
  return row
}

/** Locks the collection, so two refunds at the same time never exceed it. */
async function lockCollection(tx: Tx, { organization, collection: id }: RefundInput): Promise<CollectionRow> {
  const [row] = await tx<
    CollectionRow[]
  >`select ${collectionTable.columns} from collections where id = ${id} for update`
  if (row?.organization !== organization) throw new NotFound(getMessage('collections.none', { id }))
  return row
}

interface PlannedRefund extends RefundInput {
  purpose: 'return' | 'refund'
  amount?: Amount | undefined
}

async function createRefundPayment(
  tx: Tx,
  now: Date,
  collection: CollectionRow,
  input: PlannedRefund,
): Promise<Payment> {
  const planned = await planRefundPayment(tx, collection, input)
  await addRefundedAmount(tx, now, collection.id, planned.amount)
  const payment = only(await createPayments(tx, now, [planned]))
  const { organization, author, reason, comment = '' } = input
  const { collection_request } = collection
  const action = { organization, kind: 'refund' as const, collection_request, author, comment }
  if (reason) await insertRequestAction(tx, now, { ...action, reason, payment: payment.id })
  return payment
}

/** Checks a refund, and returns its payment without writing anything. @throws Invalid */
async function planRefundPayment(db: Reader, collection: CollectionRow, input: PlannedRefund): Promise<NewPayment> {
  const { organization, author, purpose, reviewed } = input
  const left = collection.amount - collection.refunded - collection.reversed_in_parts
  const amount = input.amount ?? left
  if (left <= 0n) {
    const reason =
      collection.reversed_in_parts === 0n ? getMessage('refunds.fully_refunded') : getMessage('refunds.nothing_left')
    throw new Invalid({ collection: [reason] })
  }
  if (amount <= 0n) throw new Invalid({ amount: [getMessage('fields.above_zero')] })
  const decimals_error = input.amount === undefined ? undefined : decimalsError(amount, collection.currency)
  if (decimals_error) throw new Invalid({ amount: [decimals_error] })
  if (amount > left)
    throw new Invalid({
      amount: [getMessage('refunds.only_left', { amount: `${collection.currency} ${displayAmount(left)}` })],
    })
  if (!isPhone(collection.phonenumber)) throw new Invalid({ collection: [getMessage('refunds.phone_unknown')] })
  const charge = await findCharge(db, collection)
  const network = input.chooseNetwork({ ...toRefundedMoney(collection), charge, amount })
  if (!network) throw new Invalid({ collection: [whyNone(collection, charge, input.not_found)] })
  const limit_error = limitError(amount, network.limits)
  if (limit_error) throw new Invalid({ amount: [limit_error] })
  const description =
    input.description ?? `${purpose === 'return' ? 'Return' : 'Refund'} of ${collection.remote_transaction_id}`
  const { account, currency, phonenumber } = collection
  return {
    organization,
    author,
    purpose,
    collection: collection.id,
    payment_type: 'money',
    amount,
    currency,
    account,
    source: await findSourceAccount(db, collection),
    description,
    metadata: {},
    start_date: null,
    send_sms_message: false,
    reviewed,
    recipients: [
      { phonenumber, amount, network, description, metadata: {}, national_id: null, national_id_type: null },
    ],
  }
}

function toRefundedMoney(collection: CollectionRow): Omit<RefundedMoney, 'amount' | 'charge'> {
  const { connection, organization, account, phonenumber, currency } = collection
  return { connection, organization, account, phonenumber, currency }
}

async function findCharge(db: Reader, { id, connection }: CollectionRow): Promise<Refund['charge'] | null> {
  const charge = (await readCharges(db, [id])).get(id)
  return charge?.connection === connection ? charge : null
}

/**
 * Explains why no connection can send the money back. If its id is a stand-in, the connection that collected it may
 * need the network's own.
 */
function whyNone(
  { network, remote_transaction_id: recorded }: CollectionRow,
  charge: Refund['charge'] | null,
  not_found?: string,
): string {
  const is_stand_in = charge !== null && (recorded === charge.reference || recorded === charge.remote_id)
  if (!is_stand_in) return getMessage('networks.cannot_send_at_all', { network })
  const why = getMessage('refunds.no_way_back', { network })
  return not_found === undefined ? why : `${why} ${not_found}`
}

/** The wallet, or suspense if the organization never accepted the money. */
async function findSourceAccount(db: Reader, collection: CollectionRow): Promise<number> {
  if (collection.status !== 'failed') return collection.account
  const suspense = await findCounterAccounts(db, 'suspense', [collection.organization])
  return suspense.get(`${collection.organization}:${collection.currency}`)!
}
