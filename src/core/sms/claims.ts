import type { Reader, Tx } from '../../db/client.ts'
import { type RowSource, rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { prepareText } from '../../lib/sms-text.ts'
import { isFree } from '../leases.ts'
import type { SmsPurpose, SmsState } from './message.ts'
import { toSmsReference } from './references.ts'

/** Capacity of one process for the SMS of one connection. */
export interface SmsWant {
  /** The slug of the connection; empty for the SMS that have no route yet. */
  connection: string
  /** Number of SMS that may be claimed. */
  slots: number
  /** `waiting`: unsent SMS. `sent`: sent ones, about which the provider gets status queries. */
  states: 'all' | 'waiting' | 'sent'
}

/** Claim of one process on the SMS of one connection. */
export interface SmsClaim extends SmsWant {
  /** The end of the lease, on the real clock. */
  lease_end: Date
}

/** An SMS that is due, with its newest provider. */
export interface DueSms {
  id: number
  organization: number
  collection_request: number | null
  purpose: SmsPurpose
  phonenumber: string
  country: string | null
  transactional: boolean
  /** The whole text, as it is sent. */
  body: string
  /** The end of the text. It is stored with the first route. */
  suffix: string
  /** State. A `waiting` SMS is still to be sent; for others the provider gets status queries. */
  state: SmsState
  connection: string
  /** The connection in whose turn it is due; empty until its first call has ended. */
  queue: string
  sender_id: string | null
  route_attempt: number
  attempt: number
  /** Number of times sending was started, including this one. */
  attempts: number
  status_queries: number
  created: Date
  valid_until: Date
  /** Reference of the newest attempt; null before a route was chosen. */
  reference: string | null
  remote_id: string | null
  /** Latest outcome that the provider reported. */
  outcome: string | null
  /** Start of the newest attempt, before its first call; null before a route was chosen. */
  started: Date | null
}

/** An SMS under a lease. */
export interface ClaimedSms extends DueSms {
  leased_until: Date
}

/**
 * Claims due SMS under a lease, in turn by connection and within a connection in turn by organization. So a million SMS
 * of one organization do not delay those of another, and likewise with connections. Sending is counted as an attempt
 * before it begins.
 */
export async function claimSms(
  tx: Tx,
  times: { now: Date; real: Date },
  claims: readonly SmsClaim[],
): Promise<ClaimedSms[]> {
  if (claims.length === 0) return []
  const claimed = await tx<StoredDue<ClaimedSms>[]>`
    with recursive ${queues(rows(claims, { ...wantColumns, lease_end: 'timestamptz' }))}, ${chosen(times)},
    claimed as (
      update sms_messages t set leased_until = w.lease_end,
        attempts = t.attempts + case when t.state = 'waiting' then 1 else 0 end
      from wants w where w.connection = t.queue and t.id = any(array(
        select id from sms_messages
        where id = any(array(select id from chosen where place <= slots)) and ${isDue(times)} for update skip locked))
      returning ${dueColumns('t', '')}, t.leased_until)
    select * from claimed order by id`
  return claimed.map(toDue)
}

/**
 * Locks due SMS, chosen as `claimSms` chooses them, for work that ends with this transaction: it needs no lease, and
 * counts as no attempt.
 * @param suffix suffix for SMS that have none yet
 */
export async function lockDueSms(
  tx: Tx,
  times: { now: Date; real: Date },
  wants: readonly SmsWant[],
  suffix: string,
): Promise<DueSms[]> {
  if (wants.length === 0) return []
  const locked = await tx<StoredDue<DueSms>[]>`
    with recursive ${queues(rows(wants, wantColumns))}, ${chosen(times)},
    locked as (
      select ${dueColumns('s', suffix)} from sms_messages s
      where id = any(array(select id from chosen where place <= slots)) and ${isDue(times)} for update skip locked)
    select * from locked where queue in (select connection from wants) order by id`
  return locked.map(toDue)
}

/** Due SMS of each connection, in turn by organization. Those whose place is not above the slots are claimed. */
function chosen(times: { now: Date; real: Date }) {
  return sql`
    found as (
      select w.connection, w.slots, m.id, m.due_at,
        row_number() over (partition by q.connection, q.organization order by m.due_at, m.id) as turn
      from queues q join wants w on w.connection = q.connection
      cross join lateral (
        select m.id, m.due_at from sms_messages m
        where m.queue = q.connection and m.organization = q.organization
          and ${isDue(times)} and (w.states = 'all' or (w.states = 'waiting') = (m.state = 'waiting'))
        order by m.due_at limit w.slots) m),
    chosen as (
      select id, slots, row_number() over (partition by connection order by turn, due_at, id) as place from found)`
}

function isDue({ now, real }: { now: Date; real: Date }) {
  return sql`due_at <= ${now} and ${isFree(real)}`
}

/** SQL: columns read of an SMS and its newest provider. Each is named, so that the claim keeps its plan. */
function dueColumns(alias: 's' | 't', suffix: string) {
  const s = sql.identifier(alias)
  return sql`
    ${s}.id, ${s}.organization, ${s}.collection_request, ${s}.purpose, ${s}.phonenumber, ${s}.country, ${s}.transactional,
    ${s}.body || coalesce(${s}.suffix, ${suffix}) as body, coalesce(${s}.suffix, ${suffix}) as suffix, ${s}.state,
    ${s}.connection, ${s}.queue, ${s}.sender_id, ${s}.route_attempt, ${s}.attempt, ${s}.attempts, ${s}.status_queries,
    ${s}.created, coalesce(${s}.valid_until, ${s}.created + interval '1 day') as valid_until,
    ${s}.providers -> -1 ->> 2 as reference_start, ${s}.providers -> -1 ->> 3 as remote_id,
    ${s}.providers -> -1 ->> 4 as outcome, (${s}.providers -> -1 ->> 9)::bigint as started_ms`
}

/** A due SMS as `dueColumns` reads it. */
type StoredDue<Sms extends DueSms> = Omit<Sms, 'reference' | 'started'> & {
  reference_start: string | null
  started_ms: number | null
}

function toDue<Sms extends DueSms>({ reference_start: start, started_ms, ...sms }: StoredDue<Sms>) {
  const reference = start === null ? null : toSmsReference(start, sms.id)
  const started = started_ms === null ? null : new Date(started_ms)
  return { ...sms, body: prepareText(sms.body), reference, started } as unknown as Sms
}

/** Finds the time when the next wanted, unclaimed SMS is due, or null. */
export async function nextDueSms(db: Reader, real: Date, wants: readonly SmsWant[]): Promise<Date | null> {
  if (wants.length === 0) return null
  const [row] = await db<{ due_at: Date | null }[]>`
    with recursive ${queues(rows(wants, wantColumns))}
    select min(m.due_at) as due_at from queues q join wants w on w.connection = q.connection
    cross join lateral (
      select m.due_at from sms_messages m
      where m.queue = q.connection and m.organization = q.organization
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
      (select queue as connection from sms_messages where due_at is not null order by queue limit 1)
      union all
      select f.connection from queues q cross join lateral (
        select m.queue as connection from sms_messages m where m.queue > q.connection and m.due_at is not null
        order by m.queue limit 1) f)
    select connection from queues where connection <> all(${[...connections]}::text[])`
  return found.map(({ connection }) => connection)
}

const wantColumns = { connection: 'text', slots: 'integer', states: 'text' } as const

/** The wants as a table, and the organizations with due dates among their SMS, found by one probe of the index each. */
function queues(wants: RowSource) {
  return sql`
    wants as materialized (select * from ${wants.as('w')}),
    queues as (
      select w.connection, f.organization from wants w cross join lateral (
        select m.organization from sms_messages m where m.queue = w.connection and m.due_at is not null
        order by m.organization limit 1) f
      union all
      select q.connection, f.organization from queues q cross join lateral (
        select m.organization from sms_messages m
        where m.queue = q.connection and m.organization > q.organization and m.due_at is not null
        order by m.organization limit 1) f)`
}
