import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import type { Amount } from '../../lib/money.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { contactsById } from '../contacts/contacts.ts'
import { type ClaimTimes, claimDue, isFree } from '../leases.ts'
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
  const given = offers.flatMap((check, index) => (check ? [{ ...check, index }] : []))
  if (given.length === 0) return offers.map(() => undefined)
  const checks = rows(given, {
    index: 'integer',
    network: 'text',
    remote_transaction_id: 'text',
    account: 'bigint',
    phonenumber: 'text',
    amount: 'numeric',
    reference: 'text',
  })
  const existing = await tx<{ index: number; id: number }[]>`
    select n.index, c.id from ${checks.as('n')}
    join acceptance_checks c on c.network = n.network and c.remote_transaction_id = n.remote_transaction_id
      and c.account = n.account and c.phonenumber = n.phonenumber and c.amount = n.amount
      and coalesce(md5(c.reference), '') = coalesce(md5(n.reference), '')`
  const locked = await tx<{ id: number; verdict: Verdict | null }[]>`
    select id, verdict from acceptance_checks where id = any(${existing.map(({ id }) => id)}::bigint[])
    order by id for update`
  const verdicts = new Map(locked.map(({ id, verdict }) => [id, verdict]))
  const found = new Map(existing.map(({ index, id }) => [index, verdicts.get(id)]))
  return offers.map((_, index) => found.get(index))
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
  const stored = await insertAcceptanceChecks(tx, now, offers)
  if (offers.some(({ verdict }, index) => stored[index]?.verdict !== verdict)) throw new WriteConflict()
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
  const checks = rows(offers, {
    organization: 'bigint',
    account: 'bigint',
    network: 'text',
    remote_transaction_id: 'text',
    phonenumber: 'text',
    amount: 'numeric',
    currency: 'text',
    reference: 'text',
    collection: 'bigint',
    deadline: ['timestamptz', (check) => new Date(now.getTime() + check.timeout_s * 1_000)],
  })
  return tx`
    insert into acceptance_checks as c (${checks.columns}, created, due_at)
    select ${checks.columns}, ${truncateToSecond(now)}, ${now} from ${checks.as('n')}
    on conflict (network, remote_transaction_id, account, phonenumber, amount, coalesce(md5(reference), ''))
    do update set collection = coalesce(excluded.collection, c.collection)
    returning id, verdict`
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
  const queued = sql`
    select id from (${queuedAcceptanceChecks(times.real)}) queued
    where due_at <= ${times.now} and position <= ${MAX_CONCURRENT_PER_ORGANIZATION} order by due_at limit ${limit}`
  const urlColumn = (name: 'url' | 'when_unreachable') => sql`
    (select ${sql.identifier(name)} from acceptance_urls u where u.organization = t.organization) as ${sql.identifier(name)}`
  return claimDue<DueAcceptanceCheck>(tx, {
    table: 'acceptance_checks',
    times,
    limit,
    where: sql`id = any(array(${queued}))`,
    set: sql`attempts = attempts + 1`,
    lease_end: sql`${times.lease_end} + greatest(deadline - ${times.now}, interval '0')`,
    returning: sql`t.*, ${urlColumn('url')}, ${urlColumn('when_unreachable')}`,
  })
}

/** When the next question falls due that nobody is asking and whose organization has a turn, or null. */
export async function nextDueAcceptanceCheck(db: Reader, real: Date): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(due_at) as due_at from (${queuedAcceptanceChecks(real)}) queued
    where position <= ${MAX_CONCURRENT_PER_ORGANIZATION}`
  return row?.due_at ?? null
}

/** Open questions that nobody is asking, each with its place in its organization's line behind those being asked. */
function queuedAcceptanceChecks(real: Date) {
  return sql`
    select id, due_at,
      row_number() over (partition by organization order by due_at, id) + coalesce(running.count, 0) as position
    from acceptance_checks left join (
      select organization, count(*) as count from acceptance_checks
      where due_at is not null and leased_until > ${real} group by organization) running using (organization)
    where due_at is not null and ${isFree(real)}`
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
  const results = rows(answers, {
    id: 'bigint',
    verdict: 'text',
    unreachable: 'boolean',
    reason: 'text',
    error: 'text',
    due_at: 'timestamptz',
  })
  const settled = await tx<AcceptanceCheck[]>`
    update acceptance_checks c set verdict = r.verdict, unreachable = r.unreachable, reason = r.reason,
      last_error = r.error, due_at = r.due_at, leased_until = null,
      answered = case when r.verdict is not null then ${truncateToSecond(now)} end
    from ${results.as('r')} where c.id = r.id and c.verdict is null
    returning c.*`
  const closed = await closePendingCollections(
    tx,
    now,
    settled.flatMap(({ collection, verdict }) => (collection !== null && verdict ? [{ collection, verdict }] : [])),
  )
  const accepted = closed.filter((row) => row.status === 'successful')
  const contacts = await contactsById(
    tx,
    accepted.map((row) => row.contact),
  )
  await creditCollections(tx, now, accepted, { from: 'suspense', contacts })
}

/** Money that the network has taken back meanwhile is pending no longer. */
async function closePendingCollections(tx: Tx, now: Date, ends: readonly { collection: number; verdict: Verdict }[]) {
  if (ends.length === 0) return []
  return tx<CollectionRow[]>`
    update collections c set status = case when e.verdict = 'accept' then 'successful' else 'failed' end,
      modified = ${truncateToSecond(now)}, updated_by = c.author
    from ${rows(ends, { collection: 'bigint', verdict: 'text' }).as('e')}
    where c.id = e.collection and c.status = 'pending'
    returning c.*`
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
