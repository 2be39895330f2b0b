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

/** An SMS to a customer in the outbox. `body` is all that the customer reads, suffix included. */
export interface SmsMessage {
  id: number
  organization: number
  collection_request: number
  purpose: 'instructions' | 'success'
  phonenumber: string
  body: string
  state: SmsState
  /** Who tried to send it last. */
  sender: string | null
  remote_id: string | null
  attempts: number
  last_error: string | null
  created: Date
  sent_at: Date | null
  due_at: Date | null
}

/** What a customer is to be told, without the suffix. */
export interface NewSmsMessage {
  organization: number
  collection_request: number
  purpose: SmsMessage['purpose']
  phonenumber: string
  body: string
}

/**
 * Puts texts into the outbox, in the transaction that gives the reason for them. One that this request has had already
 * is passed over: a text is never worth the money that shares its transaction.
 */
export async function queueSms(tx: Tx, now: Date, texts: readonly NewSmsMessage[]): Promise<void> {
  if (texts.length === 0) return
  const r = rows(texts, {
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

/** Where and how a customer pays, as the one who knows the network tells it. */
export interface InstructionDetails {
  /** Who asks for the money. */
  organization: string
  /** The till or short code. */
  receiver: string
  /** Whether the phone shows a prompt by itself. */
  prompt_sent: boolean
  /** The network's own words, with `{amount}`, `{organization}`, `{reason}` and `{receiver}`. */
  template?: string
}

/**
 * What the SMS says that tells a customer how to pay (interface 4.3.1): the request's own instructions as they are, else
 * the network's, else ours. Undefined when the request says `skip`.
 */
export function buildInstructions(request: RequestRow, way: InstructionDetails): string | undefined {
  const own = request.instructions?.trim()
  if (own === 'skip') return undefined
  if (own) return own
  const { organization, receiver } = way
  const amount = formatRequestAmount(request)
  const reason = shortenReason(request.reason)
  if (way.template)
    return fillTemplate(way.template, { amount, organization, receiver, reason: reason || organization })
  const purpose = reason && ` for ${reason}`
  return way.prompt_sent
    ? `Approve the request of ${amount} from ${organization}${purpose} on your phone.`
    : `To pay ${amount} to ${organization}${purpose}, send it to ${receiver} from your phone.`
}

/** The texts that confirm fulfilled requests to their customers, whatever `send_instructions` says. */
export async function buildSuccessMessages(
  tx: Tx,
  fulfilled: readonly { request: RequestRow; contact: Contact }[],
): Promise<NewSmsMessage[]> {
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
 * What the SMS says that confirms a payment: the request's `success_message` with `{amount}` and `{customer}` filled in,
 * or our own words where it has none.
 */
export function buildSuccessMessage(request: RequestRow, contact: Contact, organization: string): string {
  const amount = formatRequestAmount(request)
  const reason = shortenReason(request.reason)
  const own = request.success_message.trim()
  if (!own) return `Your payment of ${amount} to ${organization}${reason && ` for ${reason}`} has arrived. Thank you.`
  return fillTemplate(own, { amount, customer: knownName(contact) || contact.phone_number })
}

/** What every text ends with (interface 4.3.1, "a fixed attribution suffix naming the service provider"). */
export function smsSuffix(service_name: string): string {
  return ` -Powered by ${service_name}`
}

/** A text whose sending has begun. `outdated`: it tells how to pay for a request that has ended meanwhile. */
export interface ClaimedSms {
  id: number
  phonenumber: string
  body: string
  attempts: number
  outdated: boolean
}

/** Claims texts that are due, under a lease. A text keeps the suffix of its first try. */
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

/** When the next text falls due that nobody is sending, or null. */
export function nextDueSms(db: Reader, real: Date): Promise<Date | null> {
  return findNextDue(db, 'sms_messages', real)
}

/** What became of one try at a text. */
export interface SmsSendResult {
  sms: { id: number; attempts: number }
  /** The code of the sender. */
  sender: string
  result: SmsResult
}

/**
 * Writes down what became of tries, and when there will be others. An unknown outcome is tried again: an SMS that comes
 * twice is better than one that never comes.
 */
export async function applySmsResults(tx: Tx, now: Date, answers: readonly SmsSendResult[]): Promise<void> {
  if (answers.length === 0) return
  const r = rows(
    answers.map((answer) => stateAfterResult(answer, now)),
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
  /** Only those of these collection requests. */
  collection_requests?: readonly number[]
}

/** The newest texts. `suffix` completes those that no try has completed yet. */
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
 * Sends a text again that has failed, or at once that waits for its next try, with all tries before it.
 * @throws NotFound, and Invalid for a text that was sent: the customer would get it twice.
 */
export async function retrySms(tx: Tx, now: Date, text: number): Promise<void> {
  const { count } = await tx`
    update sms_messages set state = 'waiting', due_at = ${now}, attempts = 0 where id = ${text} and state <> 'sent'`
  if (count > 0) return
  const [sent] = await tx`select 1 from sms_messages where id = ${text}`
  if (!sent) throw new NotFound(`There is no text ${text}.`)
  throw new Invalid({ id: [`Text ${text} was sent already.`] })
}

/** Sends all texts again that have failed and were written since this moment. Returns how many. */
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

/** Networks cut a reason after 20 characters (interface 4.3.1). */
const MAX_REASON_CHARACTERS = 20

/**
 * Cuts a reason to 20 characters, as people count them: what they see as one, such as a flag, is kept or dropped whole.
 * Three dots and not the ellipsis sign, which no GSM alphabet has: it would make every SMS cost twice.
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
