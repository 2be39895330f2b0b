import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import type { SmsResult } from '../../lib/adapter-types.ts'
import { displayAmount } from '../../lib/money.ts'
import { fillTemplate } from '../../lib/template.ts'
import { type Contact, knownName } from '../contacts/contacts.ts'
import { type ClaimTimes, claimDue, findNextDue } from '../leases.ts'
import { Invalid, NotFound } from '../refusals.ts'
import { nextAttemptAt, retrySchedules } from '../retry-schedules.ts'
import { openStatuses, type RequestRow } from './collection-request.ts'

export const smsStates = ['waiting', 'sent', 'failed'] as const
export type SmsState = (typeof smsStates)[number]

/** An SMS to a customer in the outbox. `body` is the complete text, suffix included. */
export interface SmsMessage {
  id: number
  organization: number
  collection_request: number
  purpose: 'instructions' | 'success'
  phonenumber: string
  body: string
  state: SmsState
  /** The code of the sender of the last attempt. */
  sender: string | null
  remote_id: string | null
  attempts: number
  last_error: string | null
  created: Date
  sent_at: Date | null
  due_at: Date | null
}

/** A new SMS. `body` has no suffix. */
export interface NewSmsMessage {
  organization: number
  collection_request: number
  purpose: SmsMessage['purpose']
  phonenumber: string
  body: string
}

/**
 * Puts SMS into the outbox, in the transaction that causes them. An SMS that the request has already, for the same purpose,
 * is skipped: an error would roll back the money of the same transaction.
 */
export async function queueSms(tx: Tx, now: Date, messages: readonly NewSmsMessage[]): Promise<void> {
  if (messages.length === 0) return
  const r = rows(messages, {
    organization: 'bigint',
    collection_request: 'bigint',
    purpose: 'text',
    phonenumber: 'text',
    body: 'text',
  })
  await tx`
    insert into sms_messages (${r.columns}, state, created, due_at)
    select ${r.columns}, 'waiting', ${now}, ${now} from ${r.as('r')}
    on conflict (collection_request, purpose) do nothing`
}

/** How a customer pays. */
export interface InstructionDetails {
  /** The name of the organization that asks for the money. */
  organization: string
  /** The till or short code to pay to. */
  receiver: string
  /** Whether the network shows a prompt on the phone. */
  prompt_sent: boolean
  /** The network's template, with `{amount}`, `{organization}`, `{reason}` and `{receiver}`. */
  template?: string
}

/**
 * The text that tells a customer how to pay (interface 4.3.1): the request's own instructions if it has any, otherwise the
 * network's template, otherwise the default text. Undefined when the request's instructions are `skip`.
 */
export function buildInstructions(request: RequestRow, details: InstructionDetails): string | undefined {
  const own = request.instructions?.trim()
  if (own === 'skip') return undefined
  if (own) return own
  const { organization, receiver, template } = details
  const amount = formatRequestAmount(request)
  const reason = shortenReason(request.reason)
  if (template) return fillTemplate(template, { amount, organization, receiver, reason: reason || organization })
  const purpose = reason && ` for ${reason}`
  return details.prompt_sent
    ? `Approve the request of ${amount} from ${organization}${purpose} on your phone.`
    : `To pay ${amount} to ${organization}${purpose}, send it to ${receiver} from your phone.`
}

/**
 * The SMS that confirm fulfilled requests to their customers (interface 4.3.1). A `success_message` that was given is always
 * sent. Without one the default text is sent, but only if `send_instructions` says that the customer is to be notified.
 */
export async function buildSuccessMessages(
  tx: Tx,
  requests: readonly { request: RequestRow; contact: Contact }[],
): Promise<NewSmsMessage[]> {
  const fulfilled = requests.filter(({ request }) => request.send_instructions || request.success_message.trim() !== '')
  if (fulfilled.length === 0) return []
  const organizations = await tx<{ id: number; name: string }[]>`
    select id, name from organizations
    where id = any(${[...new Set(fulfilled.map(({ request }) => request.organization))]}::bigint[])`
  const names = new Map(organizations.map(({ id, name }) => [id, name]))
  return fulfilled.map(({ request, contact }) => ({
    organization: request.organization,
    collection_request: request.id,
    purpose: 'success',
    phonenumber: request.phonenumber,
    body: buildSuccessMessage(request, contact, names.get(request.organization)!),
  }))
}

/**
 * The text that confirms a payment: the request's `success_message` with `{amount}` and `{customer}` replaced, or the
 * default text.
 */
export function buildSuccessMessage(request: RequestRow, contact: Contact, organization: string): string {
  const amount = formatRequestAmount(request)
  const reason = shortenReason(request.reason)
  const own = request.success_message.trim()
  if (!own) return `Your payment of ${amount} to ${organization}${reason && ` for ${reason}`} has arrived. Thank you.`
  return fillTemplate(own, { amount, customer: knownName(contact) || contact.phone_number })
}

/** The end of every SMS (interface 4.3.1, "a fixed attribution suffix naming the service provider"). */
export function smsSuffix(service_name: string): string {
  return ` -Powered by ${service_name}`
}

/** An SMS to send now. `outdated`: it tells how to pay for a request that has ended in the meantime. */
export interface ClaimedSms {
  id: number
  phonenumber: string
  body: string
  attempts: number
  outdated: boolean
}

/** Claims SMS that are due, under a lease. An SMS keeps the suffix of its first attempt. */
export async function claimSms(tx: Tx, times: ClaimTimes, limit: number, suffix: string): Promise<ClaimedSms[]> {
  return claimDue<ClaimedSms>(tx, {
    table: 'sms_messages',
    times,
    limit,
    set: sql`attempts = attempts + 1, suffix = coalesce(suffix, ${suffix})`,
    returning: sql`id, phonenumber, body || suffix as body, attempts, purpose = 'instructions' and coalesce((
      select r.status <> all(${[...openStatuses]}::text[]) from collection_requests r
      where r.id = t.collection_request), true) as outdated`,
  })
}

/** When the next SMS is due that is not claimed, or null. */
export function nextDueSms(db: Reader, real: Date): Promise<Date | null> {
  return findNextDue(db, 'sms_messages', real)
}

/** The result of one attempt to send an SMS. */
export interface SmsSendResult {
  sms: { id: number; attempts: number }
  /** The code of the sender. */
  sender: string
  result: SmsResult
}

/**
 * Stores the results of attempts, and when the next ones follow. After an unknown outcome the SMS is sent again: to get it
 * twice is better than not at all.
 */
export async function applySmsResults(tx: Tx, now: Date, results: readonly SmsSendResult[]): Promise<void> {
  if (results.length === 0) return
  const r = rows(
    results.map((result) => stateAfterResult(result, now)),
    {
      id: 'bigint',
      state: 'text',
      sender: 'text',
      remote_id: 'text',
      last_error: 'text',
      sent_at: 'timestamptz',
      due_at: 'timestamptz',
    },
  )
  await tx`
    update sms_messages m set state = r.state, sender = r.sender, remote_id = r.remote_id, last_error = r.last_error,
      sent_at = r.sent_at, due_at = r.due_at, leased_until = null
    from ${r.as('r')} where m.id = r.id and m.state = 'waiting'`
}

export interface SmsFilters {
  phonenumber?: string
  state?: SmsState
  /** Only SMS of these collection requests. */
  collection_requests?: readonly number[]
}

/** The newest SMS. `suffix` is added to those that were not attempted yet. */
export async function listSms(db: Reader, filters: SmsFilters, limit: number, suffix: string): Promise<SmsMessage[]> {
  const { phonenumber, state, collection_requests } = filters
  return db<SmsMessage[]>`
    select id, organization, collection_request, purpose, phonenumber, body || coalesce(suffix, ${suffix}) as body, state,
      sender, remote_id, attempts, last_error, created, sent_at, due_at
    from sms_messages
    where ${phonenumber === undefined ? sql.always : sql`phonenumber = ${phonenumber}`}
      and ${state === undefined ? sql.always : sql`state = ${state}`}
      and ${collection_requests ? sql`collection_request = any(${[...collection_requests]}::bigint[])` : sql.always}
    order by id desc limit ${limit}`
}

/**
 * Sends an SMS again that has failed, or sends one at once that waits for its next attempt. Its attempts count from zero.
 * @throws NotFound, Invalid when it was sent already, because the customer would get it twice
 */
export async function retrySms(tx: Tx, now: Date, sms: number): Promise<void> {
  const { count } = await tx`
    update sms_messages set state = 'waiting', due_at = ${now}, attempts = 0 where id = ${sms} and state <> 'sent'`
  if (count > 0) return
  const [sent] = await tx`select 1 from sms_messages where id = ${sms}`
  if (!sent) throw new NotFound(`There is no SMS ${sms}.`)
  throw new Invalid({ id: [`SMS ${sms} was sent already.`] })
}

/** Sends all SMS again that have failed and were created since then. Returns how many. */
export async function retryFailedSms(tx: Tx, now: Date, since: Date): Promise<number> {
  const { count } = await tx`
    update sms_messages set state = 'waiting', due_at = ${now}, attempts = 0 where state = 'failed' and created >= ${since}`
  return count
}

type SmsChange = Pick<SmsMessage, 'id' | 'state' | 'sender' | 'remote_id' | 'last_error' | 'sent_at' | 'due_at'>

function stateAfterResult({ sms, sender, result }: SmsSendResult, now: Date): SmsChange {
  const change = { id: sms.id, sender, remote_id: null, last_error: null, sent_at: null, due_at: null }
  if (result.outcome === 'sent') return { ...change, state: 'sent', remote_id: result.remote_id ?? null, sent_at: now }
  const may_retry = result.outcome === 'unknown' || result.retry
  const due_at = may_retry ? nextAttemptAt(now, retrySchedules.sms, sms.attempts) : null
  return { ...change, state: due_at ? 'waiting' : 'failed', last_error: result.message, due_at }
}

function formatRequestAmount(request: RequestRow): string {
  return `${request.currency} ${displayAmount(request.amount)}`
}

/** Networks show at most 20 characters of a reason (interface 4.3.1). */
const MAX_REASON_CHARACTERS = 20

/**
 * Cuts a reason to 20 characters. What people see as one character, such as a flag, is kept or dropped as a whole. It ends
 * with three dots, because the GSM alphabet has no ellipsis character, and an SMS with other characters costs twice as much.
 */
export function shortenReason(reason: string): string {
  const text = reason.trim()
  if ([...text].length <= MAX_REASON_CHARACTERS) return text
  let short = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if ([...short, ...segment].length > MAX_REASON_CHARACTERS - 3) break
    short += segment
  }
  return `${short.trimEnd()}...`
}
