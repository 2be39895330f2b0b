import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { type Amount, formatAmount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { contactsById } from '../contacts/contacts.ts'
import type { ClaimTimes } from '../leases.ts'
import { WriteConflict } from '../write-conflict.ts'
import type { Verdict } from './acceptance-urls.ts'
import type { CollectionRow } from './collections.ts'
import { creditCollections } from './ledger-postings.ts'

/** Money that none of an organization's requests asked for, and that it wants to be asked about. */
export interface NewAcceptanceCheck {
  organization: number
  account: number
  network: string
  remote_transaction_id: string
  phonenumber: string
  amount: Amount
  currency: string
  /** What the customer typed, if anything. */
  reference: string | null
  /** How long the organization has to answer. */
  timeout_s: number
}

/** A question to an organization, and what came of it. */
export interface AcceptanceCheck extends Omit<NewAcceptanceCheck, 'timeout_s'> {
  id: number
  /** The money, once it is there. */
  collection: number | null
  created: Date
  deadline: Date
  attempts: number
  last_error: string | null
  verdict: Verdict | null
  /** Nobody answered, so the verdict is the hook's own. */
  unreachable: boolean
  reason: string | null
  answered: Date | null
}

/**
 * What was decided already about these offers; undefined where nothing was. The questions stay locked, so that no verdict
 * falls before the money is linked to its question.
 */
export async function readVerdicts(
  tx: Tx,
  offers: readonly (NewAcceptanceCheck | undefined)[],
): Promise<(Verdict | null | undefined)[]> {
  const given = offers.flatMap((offer, place) => (offer ? [{ ...offer, place }] : []))
  if (given.length === 0) return offers.map(() => undefined)
  const asked = await tx<{ place: number; id: number }[]>`
    select o.place, q.id
    from unnest(${given.map((o) => o.place)}::integer[], ${given.map((o) => o.network)}::text[],
      ${given.map((o) => o.remote_transaction_id)}::text[], ${given.map((o) => o.account)}::bigint[],
      ${given.map((o) => o.phonenumber)}::text[], ${given.map((o) => formatAmount(o.amount))}::numeric[],
      ${given.map((o) => o.reference)}::text[]) as o(place, network, remote_id, account, phonenumber, amount, reference)
    join acceptance_checks q on q.network = o.network and q.remote_transaction_id = o.remote_id
      and q.account = o.account and q.phonenumber = o.phonenumber and q.amount = o.amount
      and coalesce(md5(q.reference), '') = coalesce(md5(o.reference), '')`
  const rows = await tx<{ id: number; verdict: Verdict | null }[]>`
    select id, verdict from acceptance_checks where id = any(${asked.map(({ id }) => id)}::bigint[])
    order by id for update`
  const verdicts = new Map(rows.map((row) => [row.id, row.verdict]))
  const found = new Map(asked.map(({ place, id }) => [place, verdicts.get(id)]))
  return offers.map((_, place) => found.get(place))
}

/**
 * Asks about money that has come, and links what was asked before with the money that it was about.
 * @param offers with the verdicts that `readVerdicts` gave.
 * @throws Overtaken when another transaction asked about the same meanwhile.
 */
export async function linkAcceptanceChecks(
  tx: Tx,
  now: Date,
  offers: readonly (NewAcceptanceCheck & { collection: number; verdict: Verdict | null })[],
): Promise<void> {
  if (offers.length === 0) return
  const rows = await insertAcceptanceChecks(tx, now, offers)
  if (offers.some(({ verdict }, index) => rows[index]?.verdict !== verdict)) throw new WriteConflict()
}

/** Asks about money that a network has not taken yet. The same question again is the question that was asked first. */
export async function createAcceptanceCheck(tx: Tx, now: Date, offer: NewAcceptanceCheck): Promise<number> {
  const [row] = await insertAcceptanceChecks(tx, now, [{ ...offer, collection: null }])
  return row!.id
}

/** Returns the questions in the order of the offers. */
async function insertAcceptanceChecks(
  tx: Tx,
  now: Date,
  offers: readonly (NewAcceptanceCheck & { collection: number | null })[],
): Promise<{ id: number; verdict: Verdict | null }[]> {
  const rows = await tx<{ id: number; verdict: Verdict | null }[]>`
    insert into acceptance_checks as q (organization, account, network, remote_transaction_id, phonenumber, amount,
      currency, reference, collection, created, deadline, due_at)
    select o.organization, o.account, o.network, o.remote_id, o.phonenumber, o.amount, o.currency, o.reference,
      o.collection, ${truncateToSecond(now)}, o.deadline::timestamptz, ${now}
    from unnest(${offers.map((o) => o.organization)}::bigint[], ${offers.map((o) => o.account)}::bigint[],
      ${offers.map((o) => o.network)}::text[], ${offers.map((o) => o.remote_transaction_id)}::text[],
      ${offers.map((o) => o.phonenumber)}::text[], ${offers.map((o) => formatAmount(o.amount))}::numeric[],
      ${offers.map((o) => o.currency)}::text[], ${offers.map((o) => o.reference)}::text[],
      ${offers.map((o) => o.collection)}::bigint[],
      ${offers.map((o) => new Date(now.getTime() + o.timeout_s * 1_000).toISOString())}::text[])
      as o(organization, account, network, remote_id, phonenumber, amount, currency, reference, collection, deadline)
    on conflict (network, remote_transaction_id, account, phonenumber, amount, coalesce(md5(reference), ''))
    do update set collection = coalesce(excluded.collection, q.collection)
    returning id, verdict`
  return [...rows]
}

/** A question that is to be asked now. Without a hook there is nobody left to ask. */
export interface DueAcceptanceCheck extends AcceptanceCheck {
  url: string | null
  when_unreachable: Verdict | null
}

/** One organization is asked so many questions at once: one that is slow or dead holds up nobody but itself. */
const MAX_CONCURRENT_PER_ORGANIZATION = 20

/** Claims questions that are due. The lease of each lasts for as long as its organization may take to answer. */
export async function claimAcceptanceChecks(tx: Tx, times: ClaimTimes, limit: number): Promise<DueAcceptanceCheck[]> {
  const rows = await tx<DueAcceptanceCheck[]>`
    update acceptance_checks q set attempts = q.attempts + 1, leased_until = ${times.lease_end}::timestamptz
      + greatest(q.deadline - ${times.now}::timestamptz, interval '0')
    from acceptance_checks d left join acceptance_urls h on h.organization = d.organization
    where q.id = d.id and q.id in (
      select id from acceptance_checks where id in (select id from (${queuedAcceptanceChecks(times.real)}) turn
        where due_at <= ${times.now} and place <= ${MAX_CONCURRENT_PER_ORGANIZATION} order by due_at limit ${limit})
        and due_at <= ${times.now} and (leased_until is null or leased_until <= ${times.real})
      for update skip locked)
    returning q.*, h.url, h.when_unreachable`
  return [...rows]
}

/** When the next question falls due that nobody is asking and whose organization has a turn, or null. */
export async function nextDueAcceptanceCheck(db: Reader, real: Date): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(due_at) as due_at from (${queuedAcceptanceChecks(real)}) turn where place <= ${MAX_CONCURRENT_PER_ORGANIZATION}`
  return row?.due_at ?? null
}

/** Open questions that nobody is asking, each with its place in its organization's line behind those being asked. */
function queuedAcceptanceChecks(real: Date) {
  return sql`
    select q.id, q.due_at,
      row_number() over (partition by q.organization order by q.due_at, q.id) + coalesce(asked.count, 0) as place
    from acceptance_checks q left join (
      select organization, count(*) as count from acceptance_checks
      where due_at is not null and leased_until > ${real} group by organization) asked on asked.organization = q.organization
    where q.due_at is not null and (q.leased_until is null or q.leased_until <= ${real})`
}

/** What an organization's hook says about money, or undefined when it cannot be read ("The wider interface"). */
export function parseAcceptanceAnswer(body: string): { verdict: Verdict; reason: string | null } | undefined {
  const said = /^\s*(accept|reject)(?:\s+\S+(?:\s+(.*\S))?)?\s*$/is.exec(body)
  if (!said) return undefined
  const verdict = said[1]!.toLowerCase() as Verdict
  return { verdict, reason: verdict === 'reject' ? (said[2]?.slice(0, MAX_REASON_CHARACTERS) ?? null) : null }
}

const MAX_REASON_CHARACTERS = 500

/** What came of asking: a verdict, or when to ask again. */
export interface AcceptanceResult {
  id: number
  verdict: Verdict | null
  unreachable: boolean
  /** Why the organization refuses the money. */
  reason: string | null
  error: string | null
  due_at: Date | null
}

/**
 * Writes down what organizations have said. Money that is there already leaves suspense for its wallet when it is accepted
 * and is announced then; what is refused stays in suspense, to be returned.
 */
export async function applyAcceptanceResults(tx: Tx, now: Date, answers: readonly AcceptanceResult[]): Promise<void> {
  if (answers.length === 0) return
  const settled = await tx<AcceptanceCheck[]>`
    update acceptance_checks q set verdict = a.verdict, unreachable = a.unreachable::boolean, reason = a.reason,
      last_error = a.error, due_at = a.due_at::timestamptz, leased_until = null,
      answered = case when a.verdict is not null then ${truncateToSecond(now)}::timestamptz end
    from unnest(${answers.map((a) => a.id)}::bigint[], ${answers.map((a) => a.verdict)}::text[],
      ${answers.map((a) => String(a.unreachable))}::text[], ${answers.map((a) => a.reason)}::text[],
      ${answers.map((a) => a.error)}::text[], ${answers.map((a) => a.due_at?.toISOString() ?? null)}::text[])
      as a(id, verdict, unreachable, reason, error, due_at)
    where q.id = a.id and q.verdict is null
    returning q.*`
  const rows = await closePendingCollections(
    tx,
    now,
    settled.flatMap(({ collection, verdict }) => (collection !== null && verdict ? [{ collection, verdict }] : [])),
  )
  const accepted = rows.filter((row) => row.status === 'successful')
  const contacts = await contactsById(
    tx,
    accepted.map((row) => row.contact),
  )
  await creditCollections(tx, now, accepted, { from: 'suspense', contacts })
}

/** Money that the network has taken back meanwhile is pending no longer. */
async function closePendingCollections(tx: Tx, now: Date, ends: readonly { collection: number; verdict: Verdict }[]) {
  if (ends.length === 0) return []
  const rows = await tx<CollectionRow[]>`
    update collections c set status = case when e.verdict = 'accept' then 'successful' else 'failed' end,
      modified = ${truncateToSecond(now)}, updated_by = c.author
    from unnest(${ends.map((e) => e.collection)}::bigint[], ${ends.map((e) => e.verdict)}::text[]) as e(collection, verdict)
    where c.id = e.collection and c.status = 'pending'
    returning c.*`
  return [...rows]
}

/** The question with this id. */
export async function readAcceptanceCheck(db: Reader, id: number): Promise<AcceptanceCheck | undefined> {
  const [row] = await db<AcceptanceCheck[]>`select * from acceptance_checks where id = ${id}`
  return row
}

/** The newest questions of an organization, or the one about a collection. */
export async function listAcceptanceChecks(
  db: Reader,
  about: { organization: number } | { collection: number },
  limit: number,
): Promise<AcceptanceCheck[]> {
  const where =
    'collection' in about ? sql`collection = ${about.collection}` : sql`organization = ${about.organization}`
  return [
    ...(await db<AcceptanceCheck[]>`select * from acceptance_checks where ${where} order by id desc limit ${limit}`),
  ]
}
