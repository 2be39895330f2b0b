import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { withDrawLock } from '../../db/drawn-ids.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { insert } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { readKnownPhone } from '../../lib/phone.ts'
import { prepareText } from '../../lib/sms-text.ts'
import { noteFact } from '../facts.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { type SmsMessage, type SmsPurpose, type SmsState, smsTable } from './message.ts'
import { readProviders, type SmsProvider, type StoredProvider, storeProviders } from './providers.ts'
import type { ChosenRoute } from './routes.ts'

/** A new SMS. `body` has no suffix. */
export interface NewSmsMessage {
  organization: number
  collection_request?: number | null
  bill_purchase?: number | null
  /** Recipient of a payment who gets this SMS about the money. */
  payment_recipient?: number | null
  purpose: SmsPurpose
  /** E.164. */
  phonenumber: string
  body: string
  /**
   * Number of the SMS among those of one purpose for one request; 0 unless given, for SMS that a request has only once.
   */
  number?: number
  /** Time after which it is not sent; a day after its creation unless given. */
  valid_until?: Date | null
  /** True if the customer has just done something that it answers; true unless given. */
  transactional?: boolean
}

/**
 * Puts SMS into the outbox, in the transaction that causes them. An SMS that the request, the purchase or the recipient has
 * already, for the same purpose and with the same number, is skipped: an error would roll back the money of the same transaction.
 * @returns the ids of the new SMS
 */
export async function queueSms(tx: Tx, now: Date, messages: readonly NewSmsMessage[]): Promise<number[]> {
  if (messages.length === 0) return []
  const queued = await tx<{ id: number; collection_request: number | null; purpose: SmsPurpose }[]>`
    ${insertSms(now, messages)} returning id, collection_request, purpose`
  noteQueued(tx, queued)
  return queued.map(({ id }) => id)
}

/** Puts SMS into the outbox as `queueSms` does, and waits for their ids only where they are logged or traced. */
export async function queueSmsWithoutIds(tx: Tx, now: Date, messages: readonly NewSmsMessage[]): Promise<void> {
  if (tx.facts) await queueSms(tx, now, messages)
  else if (messages.length > 0) tx.send`${insertSms(now, messages)}`
}

/** Notes SMS that a transaction has put into the outbox. */
export function noteQueued(
  tx: Tx,
  queued: readonly { id: number; collection_request: number | null; purpose: SmsPurpose }[],
): void {
  for (const { id: sms, collection_request, purpose } of queued)
    noteFact(tx, 'sms_queued', { collection_request, sms, purpose })
}

/** Start of an SMS that this process sends as soon as it is stored. */
export interface DirectStart {
  route: ChosenRoute
  suffix: string
  parts: number
  encoding: 'gsm' | 'ucs-2'
  /** End of its lease, on the real clock. */
  leased_until: Date
  /** Its provider; the reference is the part that the row keeps. */
  provider: SmsProvider
}

/** SQL: inserts SMS. Those that start are leased, and have no due date. */
export function insertSms(
  now: Date,
  messages: readonly NewSmsMessage[],
  starts: ReadonlyMap<NewSmsMessage, DirectStart> = new Map(),
): Fragment {
  const startOf = (message: NewSmsMessage) => starts.get(message)
  const begun = (message: NewSmsMessage) => (starts.has(message) ? 1 : 0)
  // Usage reads those that start after all earlier ones.
  const lock = starts.size > 0 ? withDrawLock('sms_messages') : sql``
  return sql`${lock} ${insert(smsTable, messages, {
    number: ({ number }) => number ?? 0,
    body: ({ body }) => prepareText(body),
    country: ({ phonenumber }) => readKnownPhone(phonenumber)?.country,
    transactional: ({ transactional }) => transactional ?? true,
    state: 'waiting',
    created: now,
    due_at: (message) => (starts.has(message) ? null : now),
    leased_until: (message) => startOf(message)?.leased_until,
    connection: (message) => startOf(message)?.route.connection ?? '',
    sender_id: (message) => startOf(message)?.route.sender_id,
    suffix: (message) => startOf(message)?.suffix,
    parts: (message) => startOf(message)?.parts,
    stored_parts: (message) => startOf(message)?.parts,
    encoding: (message) => startOf(message)?.encoding,
    attempts: begun,
    attempt: begun,
    route_attempt: begun,
    providers: (message) => storeProviders(startOf(message) ? [startOf(message)!.provider] : []),
  })}
    ${starts.size > 0 ? sql`, locked` : sql``} on conflict do nothing`
}

export interface SmsFilters {
  id?: number
  organization?: number
  phonenumber?: string
  state?: SmsState
  purpose?: SmsPurpose
  /** Limits the list to SMS of these collection requests. */
  collection_requests?: readonly number[]
  /** Limits the list to SMS of these bill purchases. */
  bill_purchases?: readonly number[]
  /** Limits the list to SMS to the recipients of this payment. */
  payment?: number
}

/** Reads the newest SMS. `suffix` is added to those that were not attempted yet. */
export async function listSms(
  db: AnyReader,
  filters: SmsFilters,
  limit: number,
  suffix: string,
): Promise<SmsMessage[]> {
  const messages = await db<SmsMessage[]>`
    select ${smsColumns(suffix)} from sms_messages where ${smsCondition(filters)} order by id desc limit ${limit}`
  return messages.map((message) => ({ ...message, body: prepareText(message.body) }))
}

/** Returns one page of the SMS of an organization, newest first, with their count. */
export async function pageOfSms(
  db: AnyReader,
  filters: SmsFilters,
  page: { limit: number; offset: number; descending: boolean },
  suffix: string,
): Promise<{ rows: SmsMessage[]; count: number }> {
  const condition = smsCondition(filters)
  const direction = page.descending ? sql`desc` : sql`asc`
  const [[total], messages] = await Promise.all([
    db<{ count: number }[]>`select count(*) as count from sms_messages where ${condition}`,
    db<SmsMessage[]>`
      select ${smsColumns(suffix)} from sms_messages where ${condition}
      order by id ${direction} limit ${page.limit} offset ${page.offset}`,
  ])
  return { rows: messages.map((one) => ({ ...one, body: prepareText(one.body) })), count: total!.count }
}

/** Reads an SMS with its organization. @throws NotFound */
export async function getSms(db: Reader, sms: number, suffix: string): Promise<SmsMessage> {
  const [message] = await listSms(db, { id: sms }, 1, suffix)
  if (!message) throw new NotFound(getMessage('sms.none', { sms }))
  return message
}

/** Provider over which an SMS was sent, and its reports. */
export type SmsAttempt = Omit<SmsProvider, 'month'> & { attempt: number }

/** Reads the attempts of SMS, with the reports of the providers, by SMS. */
export async function readSmsAttempts(db: AnyReader, messages: readonly number[]): Promise<Map<number, SmsAttempt[]>> {
  const found = await db<{ id: number; providers: StoredProvider[] }[]>`
    select id, providers from sms_messages where id = any(${[...messages]}::bigint[])`
  return new Map(
    found.map(({ id, providers }) => [
      id,
      readProviders(id, providers).map(({ month: _, ...provider }, index) => ({ attempt: index + 1, ...provider })),
    ]),
  )
}

/**
 * Sends an SMS again that has failed or has no known outcome, over a newly chosen route. An SMS that waits for its next
 * attempt is sent at once. Its attempts count from zero.
 * @throws NotFound, Invalid when a provider has it, because the customer would get it twice
 */
export async function retrySms(tx: Tx, now: Date, sms: number): Promise<void> {
  const { count } = await tx`update sms_messages set ${again(now)} where id = ${sms} and ${MAY_RETRY}`
  if (count > 0) return
  const [sent] = await tx`select 1 from sms_messages where id = ${sms}`
  if (!sent) throw new NotFound(getMessage('sms.none', { sms }))
  throw new Invalid({ id: [getMessage('sms.sent', { sms })] })
}

/**
 * Sends all SMS again that have failed and were created since then, except for requests and invoices that have ended. Returns
 * their number.
 */
export async function retryFailedSms(tx: Tx, now: Date, since: Date): Promise<number> {
  const { count } = await tx`
    update sms_messages set ${again(now)}
    where state = 'failed' and body <> '' and created >= ${since} and reason is distinct from 'request_ended'`
  return count
}

/** The texts of erased people are gone. */
const MAY_RETRY = sql`state in ('waiting', 'failed', 'unknown') and body <> ''`

/** A person asks for it, so it is valid for another day. One that waits keeps the route that it is on. */
function again(now: Date): Fragment {
  return sql`
    connection = case when state = 'waiting' then connection else '' end,
    queue = case when state = 'waiting' then queue else '' end,
    route_attempt = case when state = 'waiting' then route_attempt else 0 end,
    state = 'waiting', due_at = ${now}, attempts = 0, reason = null, code = null,
    valid_until = ${new Date(now.getTime() + DAY_MS)}`
}

const DAY_MS = 24 * 60 * 60 * 1_000

function smsColumns(suffix: string): Fragment {
  return sql`
    id, organization, collection_request, bill_purchase,
    (select r.payment from payment_recipients r where r.id = sms_messages.payment_recipient) as payment, purpose, phonenumber, country, transactional,
    body || coalesce(suffix, ${suffix}) as body, state, sender, sender_id, remote_id, attempts, reason, code,
    nullif(last_error, '') as last_error,
    encoding, parts, cost, currency, created, sent_at, delivered_at, due_at`
}

function smsCondition(filters: SmsFilters): Fragment {
  const { collection_requests: requests, bill_purchases: purchases, payment } = filters
  const equal = (['id', 'organization', 'phonenumber', 'state', 'purpose'] as const).flatMap((name) =>
    filters[name] === undefined ? [] : [sql`${sql.identifier(name)} = ${filters[name]}`],
  )
  return sql.join(
    [
      sql.always,
      ...equal,
      // The condition of the index of SMS that did not arrive.
      ...(filters.state === 'failed' || filters.state === 'unknown' ? [sql`last_error is not null`] : []),
      ...(requests ? [sql`collection_request = any(${[...requests]}::bigint[])`] : []),
      ...(payment === undefined
        ? []
        : [sql`payment_recipient in (select r.id from payment_recipients r where r.payment = ${payment})`]),
      ...(purchases ? [sql`bill_purchase = any(${[...purchases]}::bigint[])`] : []),
    ],
    ' and ',
  )
}
