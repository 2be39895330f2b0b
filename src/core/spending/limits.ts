import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import type { Query } from '../../db/unit-of-work.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { amount } from '../fields.ts'
import { currencyError } from '../ledger/currencies.ts'
import { startOfLimits } from '../ledger/last-day.ts'
import { type FieldErrors, Invalid } from '../refusals.ts'

/**
 * Limits by sum, each over the last 24 hours: all payments, payments to one phone number, and payments that one user
 * initiates.
 */
const limitKinds = ['per_day', 'per_recipient', 'per_user'] as const
export type LimitKind = (typeof limitKinds)[number]

/** Limits of the sums of payments in 24 hours, without fees. Null: no limit. */
export type LimitAmounts = Record<LimitKind, Amount | null>

/** The limits of an organization in a currency. */
const limitTable = table('payment_limits', {
  id: column.id(),
  organization: column.bigint(),
  currency: column.text(),
  per_day: column.numeric().nullable(),
  per_recipient: column.numeric().nullable(),
  per_user: column.numeric().nullable(),
})
export type PaymentLimits = Omit<Row<typeof limitTable>, 'id'>

/** Lists the limits of one organization, or of all organizations. */
export async function listPaymentLimits(db: Reader, organization?: number): Promise<PaymentLimits[]> {
  const rows = await db<PaymentLimits[]>`
    select organization, currency, per_day, per_recipient, per_user from payment_limits
    where ${organization === undefined ? sql.always : sql`organization = ${organization}`}
      and (per_day is not null or per_recipient is not null or per_user is not null)
    order by organization, currency`
  return [...rows]
}

/** The limits of an organization in a currency; all are null if there are none. */
export async function readPaymentLimits(db: Reader, organization: number, currency: string): Promise<LimitAmounts> {
  const [row] = await db<LimitAmounts[]>`
    select per_day, per_recipient, per_user from payment_limits
    where organization = ${organization} and currency = ${currency}`
  return row ?? { per_day: null, per_recipient: null, per_user: null }
}

/**
 * Sets the limits of an organization in a currency; null removes one. They hold for payments that are accepted or approved
 * from now on. @throws Invalid if the currency does not exist, or if an amount is below zero.
 */
export async function setPaymentLimits(tx: Tx, limits: PaymentLimits): Promise<void> {
  await requireLimits(tx, limits)
  // A row without limits stays: it is the lock of payments that are accepted at the same time.
  await tx`
    ${insert(limitTable, [limits], {})} ${limitTable.replace(limitKinds, ['organization', 'currency'])}`
}

/** Checks limits before they are set. @throws Invalid */
export async function requireLimits(db: Reader, limits: LimitAmounts & { currency: string }): Promise<void> {
  const errors: FieldErrors = {}
  const currency_error = await currencyError(db, limits.currency)
  if (currency_error) errors.currency = [currency_error]
  for (const kind of limitKinds) {
    const amount = limits[kind]
    if (amount !== null && amount < 0n) errors[kind] = [getMessage('fields.not_negative')]
    if (amount !== null && amount > MAX_LIMIT) errors[kind] = [getMessage('fields.digits', { max: 15 })]
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

/** Maximum of numeric(19,4). */
const MAX_LIMIT: Amount = 9_999_999_999_999_999_999n

/**
 * Payment or bill purchase that counts against the limits. `phonenumber` of a purchase is its account if that is no
 * phone.
 */
export interface LimitedPayment {
  organization: number
  currency: string
  author: number
  amount: Amount
  recipients: readonly { phonenumber: string; amount: Amount }[]
}

/** The id of a payment or of a bill purchase. */
interface CountedAlready {
  payment?: number
  purchase?: number
}

/** Checks a payment and, if it fits, counts it. Returns the reason why it does not fit, or undefined. */
type LimitCheck = (payment: LimitedPayment) => Invalid | undefined

/**
 * Locks the limits that these payments count against, sums up the payments of the last 24 hours, and returns the check.
 * Until the end of the transaction no other one accepts or approves payments under the same limits, so two payments at
 * once never pass together.
 *
 * A payment counts from its acceptance or, if it was approved, from its approval. One that failed, was reversed,
 * rejected or cancelled does not count.
 * @param except a payment or a purchase that is stored already and must not count twice
 * @param promised payments that are not stored yet, and count as if they were
 */
export async function openLimitCheck(
  tx: Tx,
  now: Date,
  payments: readonly LimitedPayment[],
  except: CountedAlready = {},
  promised: readonly LimitedPayment[] = [],
): Promise<LimitCheck> {
  const limits = await lockLimits(tx, payments)
  const sums = new Map<string, Amount>()
  for (const limit of limits) await addSums(tx, now, limit, payments, sums, except)
  const add = ({ key, amount }: Count) => sums.set(key, (sums.get(key) ?? 0n) + amount)
  for (const limit of limits) for (const one of promised) if (isUnder(limit, one)) countsOf(limit, one).forEach(add)
  return (payment) => {
    const limit = limits.find((one) => isUnder(one, payment))
    if (!limit) return undefined
    const counts = countsOf(limit, payment)
    const messages = counts.flatMap((count) => {
      const left = count.limit - (sums.get(count.key) ?? 0n)
      return count.amount <= left ? [] : [limitMessage(count, left)]
    })
    if (messages.length > 0) return new Invalid({ amount: messages })
    counts.forEach(add)
    return undefined
  }
}

/** Checks of payments that are accepted together. All must ask for theirs at once, so that they share one check. */
export const limitChecks: Query<LimitedPayment, LimitCheck> = {
  async read(tx, payments, now) {
    const check = await openLimitCheck(tx, now, payments)
    return new Map(payments.map((payment) => [payment, check]))
  },
}

/** Room in a limit after a payment that is not accepted yet. */
export const LimitRoom = z.object({
  kind: z.enum(limitKinds),
  currency: z.string(),
  limit: amount,
  /** Room that is left after the payment. */
  left: amount,
  /** The number whose limit it is; undefined for a limit of another kind. */
  phonenumber: z.string().optional(),
})
export type LimitRoom = z.output<typeof LimitRoom>

/**
 * Reads the room that a planned payment leaves in each limit, of the limit by phone number only the smallest. It locks
 * nothing, so the acceptance of the payment checks again.
 * @throws Invalid if the payment passes a limit
 */
export async function readLimitRooms(db: Reader, now: Date, payment: LimitedPayment): Promise<LimitRoom[]> {
  const { organization, currency } = payment
  const [limit] = await db<LockedLimits[]>`
    select id, organization, currency, per_day, per_recipient, per_user from payment_limits
    where organization = ${organization} and currency = ${currency}`
  if (!limit) return []
  const sums = new Map<string, Amount>()
  await addSums(db, now, limit, [payment], sums, {})
  const rooms = new Map<LimitKind, LimitRoom>()
  const messages: string[] = []
  for (const count of countsOf(limit, payment)) {
    const { key, kind, phonenumber, amount } = count
    const left = count.limit - (sums.get(key) ?? 0n)
    if (amount > left) messages.push(limitMessage(count, left))
    const room = { kind, currency, limit: count.limit, left: left - amount, ...(phonenumber && { phonenumber }) }
    const known = rooms.get(kind)
    if (!known || room.left < known.left) rooms.set(kind, room)
  }
  if (messages.length > 0) throw new Invalid({ amount: messages })
  return [...rooms.values()]
}

type LockedLimits = PaymentLimits & { id: number }

async function lockLimits(tx: Tx, payments: readonly LimitedPayment[]): Promise<LockedLimits[]> {
  const organizations = [...new Set(payments.map((payment) => payment.organization))]
  const found = await tx<LockedLimits[]>`
    select id, organization, currency from payment_limits where organization = any(${organizations}::bigint[])`
  const ids = found.filter((limit) => payments.some((payment) => isUnder(limit, payment))).map(({ id }) => id)
  if (ids.length === 0) return []
  return tx<LockedLimits[]>`
    select id, organization, currency, per_day, per_recipient, per_user from payment_limits
    where id = any(${ids}::bigint[]) order by id for update`
}

function isUnder(limit: Pick<PaymentLimits, 'organization' | 'currency'>, payment: LimitedPayment): boolean {
  return limit.organization === payment.organization && limit.currency === payment.currency
}

/** Contribution of a payment to a sum, and the limit of that sum. */
interface Count {
  key: string
  kind: LimitKind
  currency: string
  limit: Amount
  phonenumber?: string
  amount: Amount
}

/**
 * Returns the contributions of a payment to the sums with a limit. A payment may contain a phone number several times.
 */
function countsOf(limit: LockedLimits, { author, amount, recipients }: LimitedPayment): Count[] {
  const amounts = new Map<string, Amount>()
  for (const one of recipients) amounts.set(one.phonenumber, (amounts.get(one.phonenumber) ?? 0n) + one.amount)
  const count = (kind: LimitKind, subject: string | number, sum: Amount): Count[] => {
    const most = limit[kind]
    return most === null
      ? []
      : [{ key: keyOf(limit, kind, subject), kind, currency: limit.currency, limit: most, amount: sum }]
  }
  return [
    ...count('per_day', '', amount),
    ...count('per_user', author, amount),
    ...[...amounts].flatMap(([phonenumber, sum]) =>
      count('per_recipient', phonenumber, sum).map((one) => ({ ...one, phonenumber })),
    ),
  ]
}

function keyOf(limit: LockedLimits, kind: LimitKind, subject: string | number): string {
  return `${limit.id}:${kind}:${subject}`
}

/** Adds the payments of the last 24 hours under a limit, for the authors and phone numbers of these payments. */
async function addSums(
  tx: Reader,
  now: Date,
  limit: LockedLimits,
  payments: readonly LimitedPayment[],
  sums: Map<string, Amount>,
  except: CountedAlready,
): Promise<void> {
  const { organization, currency } = limit
  const since = startOfLimits(now)
  // Two branches, each with an index of its own: accepted and not approved, or approved.
  const counted = sql`(
    select id, author from payments where organization = ${organization} and currency = ${currency}
      and created > ${since} and approved_time is null and state not in ('rejected', 'cancelled')
    union all
    select id, author from payments where organization = ${organization} and currency = ${currency}
      and approved_time > ${since} and state not in ('rejected', 'cancelled'))`
  const ours = payments.filter((payment) => isUnder(limit, payment))
  const phones = [...new Set(ours.flatMap(({ recipients }) => recipients.map(({ phonenumber }) => phonenumber)))]
  const rows = await tx<{ author: number; phonenumber: string | null; sum: Amount }[]>`
    select p.author, case when r.phonenumber = any(${phones}::text[]) then r.phonenumber end as phonenumber,
      sum(r.amount)::numeric(38,4) as sum
    from ${counted} p join payment_recipients r on r.payment = p.id
    where r.state not in ('error', 'aborted') and p.id <> ${except.payment ?? 0} group by 1, 2`
  const accounts = new Map(phones.flatMap((phone) => accountForms(phone).map((form) => [form, phone])))
  const bought = await tx<{ author: number; account_number: string | null; sum: Amount }[]>`
    select author, case when account_number = any(${[...accounts.keys()]}::text[]) then account_number end as account_number,
      sum(amount)::numeric(38,4) as sum
    from (
      select * from bill_purchases where organization = ${organization} and currency = ${currency} and created > ${since}
      union all
      select * from bill_purchases where organization = ${organization} and currency = ${currency} and created <= ${since}
        and id in (select purchase from bill_approvals where organization = ${organization} and approved > ${since})) p
    where status <> 'failed' and id <> ${except.purchase ?? 0} group by 1, 2`
  const bills = bought.map(({ account_number, ...one }) => ({
    ...one,
    phonenumber: accounts.get(account_number ?? '') ?? null,
  }))
  const add = (kind: LimitKind, subject: string | number, sum: Amount) => {
    const key = keyOf(limit, kind, subject)
    sums.set(key, (sums.get(key) ?? 0n) + sum)
  }
  for (const { author, phonenumber, sum } of [...rows, ...bills]) {
    add('per_day', '', sum)
    add('per_user', author, sum)
    if (phonenumber !== null) add('per_recipient', phonenumber, sum)
  }
}

/**
 * Returns the forms in which purchases have a phone number in E.164: in Nigeria without its country code, elsewhere as
 * it is.
 */
function accountForms(phone: string): string[] {
  return phone.startsWith('+234') ? [phone, `0${phone.slice(4)}`] : [phone]
}

function limitMessage({ kind, currency, limit, phonenumber }: Count, left: Amount): string {
  const money = (amount: Amount) => `${currency} ${displayAmount(amount)}`
  const values = { phone: phonenumber, limit: money(limit), left: money(left < 0n ? 0n : left) }
  return getMessage(LIMIT_MESSAGES[kind], values)
}

const LIMIT_MESSAGES = {
  per_day: 'payments.limit_per_day',
  per_recipient: 'payments.limit_per_recipient',
  per_user: 'payments.limit_per_user',
} as const
