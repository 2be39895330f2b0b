import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { prepareText } from '../../lib/sms-text.ts'
import { isFree } from '../leases.ts'
import type { SmsPurpose, SmsState } from './message.ts'

/** What one process can do now for the SMS of one connection. */
export interface SmsWant {
  /** The slug of the connection; empty for the SMS that have no route yet. */
  connection: string
  /** How many SMS may be claimed. */
  slots: number
  /** `waiting`: those that are to be sent. `sent`: those that are sent, about which the provider is asked. */
  states: 'all' | 'waiting' | 'sent'
  /** The end of the lease, on the real clock. */
  lease_end: Date
}

/** A claimed SMS, with its newest attempt. */
export interface ClaimedSms {
  id: number
  organization: number
  collection_request: number | null
  purpose: SmsPurpose
  phonenumber: string
  country: string | null
  transactional: boolean
  /** The whole text, as it is sent. */
  body: string
  /** `waiting`: it is to be sent. Otherwise its provider is asked what became of it. */
  state: SmsState
  connection: string
  sender_id: string | null
  route_attempt: number
  attempt: number
  /** How often sending was started, this one included. */
  attempts: number
  status_queries: number
  created: Date
  valid_until: Date
  leased_until: Date
  /** Of the newest attempt; null before a route was chosen. */
  reference: string | null
  remote_id: string | null
  /** What the provider said last. */
  outcome: string | null
}

/**
 * Claims due SMS under a lease, in turn by connection and within a connection in turn by organization: a million SMS of one
 * organization do not delay the SMS of another, nor those of one connection those of another. Sending is counted as an
 * attempt before it begins. An SMS keeps the suffix of its first claim.
 */
export async function claimSms(
  tx: Tx,
  times: { now: Date; real: Date },
  wants: readonly SmsWant[],
  suffix: string,
): Promise<ClaimedSms[]> {
  if (wants.length === 0) return []
  const { now, real } = times
  const claimed = await tx<ClaimedSms[]>`
    with recursive ${queues(wants)},
    found as (
      select w.connection, w.slots, m.id, m.due_at,
        row_number() over (partition by q.connection, q.organization order by m.due_at, m.id) as turn
      from queues q join wants w on w.connection = q.connection
      cross join lateral (
        select m.id, m.due_at from sms_messages m
        where m.connection = q.connection and m.organization = q.organization
          and m.due_at <= ${now} and ${isFree(real)} and (w.states = 'all' or (w.states = 'waiting') = (m.state = 'waiting'))
        order by m.due_at limit w.slots) m),
    chosen as (
      select id, slots, row_number() over (partition by connection order by turn, due_at, id) as place from found),
    claimed as (
      update sms_messages t set leased_until = w.lease_end, suffix = coalesce(t.suffix, ${suffix}),
        attempts = t.attempts + case when t.state = 'waiting' and w.connection <> '' then 1 else 0 end
      from wants w
      where w.connection = t.connection and t.id = any(array(
        select id from sms_messages
        where id = any(array(select id from chosen where place <= slots)) and due_at <= ${now} and ${isFree(real)}
        for update skip locked))
      returning t.id, t.organization, t.collection_request, t.purpose, t.phonenumber, t.country, t.transactional, t.body,
        t.suffix, t.state, t.connection, t.sender_id, t.route_attempt, t.attempt, t.attempts, t.status_queries, t.created,
        t.valid_until, t.leased_until)
    select c.id, c.organization, c.collection_request, c.purpose, c.phonenumber, c.country, c.transactional,
      c.body || c.suffix as body, c.state, c.connection, c.sender_id, c.route_attempt, c.attempt, c.attempts,
      c.status_queries, c.created, coalesce(c.valid_until, c.created + interval '1 day') as valid_until, c.leased_until,
      a.reference, a.remote_id, a.outcome
    from claimed c left join sms_attempts a on a.sms_message = c.id and a.attempt = c.attempt order by c.id`
  return claimed.map((sms) => ({ ...sms, body: prepareText(sms.body) }))
}

/** When the next SMS is due that is wanted and that no process has claimed, or null. */
export async function nextDueSms(db: Reader, real: Date, wants: readonly SmsWant[]): Promise<Date | null> {
  if (wants.length === 0) return null
  const [row] = await db<{ due_at: Date | null }[]>`
    with recursive ${queues(wants)}
    select min(m.due_at) as due_at from queues q join wants w on w.connection = q.connection
    cross join lateral (
      select m.due_at from sms_messages m
      where m.connection = q.connection and m.organization = q.organization
        and m.due_at is not null and ${isFree(real)} and (w.states = 'all' or (w.states = 'waiting') = (m.state = 'waiting'))
      order by m.due_at limit 1) m`
  return row?.due_at ?? null
}

/**
 * The connections that due SMS are on and that are not among these, such as one that was removed.
 * @returns their slugs
 */
export async function findOtherQueues(db: Reader, connections: readonly string[]): Promise<string[]> {
  const found = await db<{ connection: string }[]>`
    with recursive queues as (
      (select connection from sms_messages where due_at is not null order by connection limit 1)
      union all
      select f.connection from queues q cross join lateral (
        select m.connection from sms_messages m where m.connection > q.connection and m.due_at is not null
        order by m.connection limit 1) f)
    select connection from queues where connection <> all(${[...connections]}::text[])`
  return found.map(({ connection }) => connection)
}

/** The wants as a table, and the organizations with due dates among their SMS, found by one probe of the index each. */
function queues(wants: readonly SmsWant[]) {
  const wanted = rows(wants, { connection: 'text', slots: 'integer', states: 'text', lease_end: 'timestamptz' })
  return sql`
    wants as materialized (select * from ${wanted.as('w')}),
    queues as (
      select w.connection, f.organization from wants w cross join lateral (
        select m.organization from sms_messages m where m.connection = w.connection and m.due_at is not null
        order by m.organization limit 1) f
      union all
      select q.connection, f.organization from queues q cross join lateral (
        select m.organization from sms_messages m
        where m.connection = q.connection and m.organization > q.organization and m.due_at is not null
        order by m.organization limit 1) f)`
}
