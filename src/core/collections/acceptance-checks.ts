import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type NewRow, type Row, table } from '../../db/table.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { contactsById } from '../contacts/contacts.ts'
import { type ClaimTimes, claimDue, isFree } from '../leases.ts'
import type { Verdict } from './acceptance-urls.ts'
import type { CollectionRow } from './collections.ts'
import { creditCollections } from './ledger-postings.ts'

/** The questions to organizations about payments that match no request, and their answers. */
const checkTable = table('acceptance_checks', {
  id: column.id(),
  organization: column.bigint(),
  account: column.bigint(),
  network: column.text(),
  /** The slug of the connection. */
  connection: column.text(),
  remote_transaction_id: column.text(),
  phonenumber: column.text(),
  amount: column.numeric(),
  currency: column.text(),
  /** Reference that the customer typed, if any. */
  reference: column.text().nullable(),
  /** The collection, once the money has arrived. */
  collection: column.bigint().nullable(),
  created: column.timestamptz(),
  deadline: column.timestamptz(),
  attempts: column.integer().default(0),
  last_error: column.text().later(),
  verdict: column.text<Verdict>().later(),
  /** True when there was no answer, so that the verdict is the one set for this case. */
  unreachable: column.boolean().default(false),
  reason: column.text().later(),
  answered: column.timestamptz().later(),
  due_at: column.timestamptz().nullable(),
  leased_until: column.timestamptz().later(),
})
export type AcceptanceCheck = Omit<Row<typeof checkTable>, 'due_at' | 'leased_until'>

/** Payment that matches no request, and that its organization must accept or reject. */
export interface NewAcceptanceCheck
  extends Omit<NewRow<typeof checkTable>, 'collection' | 'created' | 'deadline' | 'due_at'> {
  /** Number of seconds that the organization has to answer. */
  timeout_s: number
}

/**
 * Reads the verdicts of checks that exist already: null while a check is open, undefined where there is none. The checks
 * stay locked, so that no verdict is written before the collection is linked to its check.
 */
export async function readVerdicts(
  tx: Tx,
  checks: readonly (NewAcceptanceCheck | undefined)[],
): Promise<(Verdict | null | undefined)[]> {
  const given = checks.flatMap((check, index) => (check ? [{ ...check, index }] : []))
  if (given.length === 0) return checks.map(() => undefined)
  const wanted = rows(given, {
    index: 'integer',
    network: 'text',
    connection: 'text',
    remote_transaction_id: 'text',
    account: 'bigint',
    phonenumber: 'text',
    amount: 'numeric',
    reference: 'text',
  })
  const existing = await tx<{ index: number; id: number }[]>`
    select w.index, c.id from ${wanted.as('w')}
    join acceptance_checks c on c.connection = w.connection and c.remote_transaction_id = w.remote_transaction_id
      and c.account = w.account and c.phonenumber = w.phonenumber and c.amount = w.amount
      and coalesce(md5(c.reference), '') = coalesce(md5(w.reference), '')`
  const locked = await tx<{ id: number; verdict: Verdict | null }[]>`
    select id, verdict from acceptance_checks where id = any(${existing.map(({ id }) => id)}::bigint[])
    order by id for update`
  const verdicts = new Map(locked.map(({ id, verdict }) => [id, verdict]))
  const found = new Map(existing.map(({ index, id }) => [index, verdicts.get(id)]))
  return checks.map((_, index) => found.get(index))
}

/**
 * Creates a check for each collection, or links the check that exists already to it.
 * @param checks with the verdicts that `readVerdicts` returned
 * @throws WriteConflict when another transaction created or answered one of the checks in the meantime
 */
export async function linkAcceptanceChecks(
  tx: Tx,
  now: Date,
  checks: readonly (NewAcceptanceCheck & { collection: number; verdict: Verdict | null })[],
): Promise<void> {
  if (checks.length === 0) return
  const stored = await insertAcceptanceChecks(tx, now, checks)
  if (checks.some(({ verdict }, index) => stored[index]?.verdict !== verdict)) throw new WriteConflict()
}

/**
 * Creates a check for a payment that the network has not accepted yet. For the same payment it is the same check.
 * @returns the id of the check
 */
export async function createAcceptanceCheck(tx: Tx, now: Date, check: NewAcceptanceCheck): Promise<number> {
  const [row] = await insertAcceptanceChecks(tx, now, [{ ...check, collection: null }])
  return row!.id
}

/** Returns the stored checks in the order given. */
async function insertAcceptanceChecks(
  tx: Tx,
  now: Date,
  checks: readonly (NewAcceptanceCheck & { collection: number | null })[],
): Promise<{ id: number; verdict: Verdict | null }[]> {
  return tx`
    ${insert(checkTable, checks, {
      created: truncateToSecond(now),
      deadline: (check) => new Date(now.getTime() + check.timeout_s * 1_000),
      due_at: now,
    })}
    on conflict (connection, remote_transaction_id, account, phonenumber, amount, coalesce(md5(reference), ''))
    do update set collection = coalesce(excluded.collection, acceptance_checks.collection)
    returning id, verdict`
}

/** A check that is due. Both fields are null when its organization has no acceptance URL any more. */
export interface DueAcceptanceCheck extends AcceptanceCheck {
  url: string | null
  when_unreachable: Verdict | null
}

/** The limit per organization, so that a slow or dead acceptance URL delays only its own organization. */
const MAX_CONCURRENT_PER_ORGANIZATION = 20

/** Claims checks that are due. Each lease includes the time that the organization has to answer. */
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

/** Finds the time when the next unclaimed check within the limit of its organization is due, or null. */
export async function nextDueAcceptanceCheck(db: Reader, real: Date): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(due_at) as due_at from (${queuedAcceptanceChecks(real)}) queued
    where position <= ${MAX_CONCURRENT_PER_ORGANIZATION}`
  return row?.due_at ?? null
}

/** Open checks that are not claimed. `position` counts those of one organization, after its claimed ones. */
function queuedAcceptanceChecks(real: Date) {
  return sql`
    select id, due_at,
      row_number() over (partition by organization order by due_at, id) + coalesce(running.count, 0) as position
    from acceptance_checks left join (
      select organization, count(*) as count from acceptance_checks
      where due_at is not null and leased_until > ${real} group by organization) running using (organization)
    where due_at is not null and ${isFree(real)}`
}

/** Reads the answer of an acceptance URL; undefined when it is neither ACCEPT nor REJECT ("The wider interface"). */
export function parseAcceptanceAnswer(body: string): { verdict: Verdict; reason: string | null } | undefined {
  const parts = /^(accept|reject)(?:\s+\S+(?:\s+(.*))?)?$/is.exec(body.trim())
  if (!parts) return undefined
  const verdict = parts[1]!.toLowerCase() as Verdict
  return { verdict, reason: verdict === 'reject' ? (parts[2]?.slice(0, MAX_REASON_CHARACTERS) ?? null) : null }
}

const MAX_REASON_CHARACTERS = 500

/** The result of one call to an acceptance URL: a verdict, or when the next call follows. */
export interface AcceptanceResult {
  id: number
  verdict: Verdict | null
  unreachable: boolean
  /** Reason why the organization rejects the payment. */
  reason: string | null
  error: string | null
  due_at: Date | null
}

/**
 * Stores the results. Money that has arrived already and is accepted moves from suspense to its wallet, with an event.
 * Money that is rejected stays in suspense until it is refunded.
 */
export async function applyAcceptanceResults(tx: Tx, now: Date, results: readonly AcceptanceResult[]): Promise<void> {
  if (results.length === 0) return
  const r = rows(results, {
    id: 'bigint',
    verdict: 'text',
    unreachable: 'boolean',
    reason: 'text',
    error: 'text',
    due_at: 'timestamptz',
  })
  const updated = await tx<AcceptanceCheck[]>`
    update acceptance_checks c set verdict = r.verdict, unreachable = r.unreachable, reason = r.reason,
      last_error = r.error, due_at = r.due_at, leased_until = null,
      answered = case when r.verdict is not null then ${truncateToSecond(now)} end
    from ${r.as('r')} where c.id = r.id and c.verdict is null
    returning c.*`
  const closed = await closePendingCollections(
    tx,
    now,
    updated.flatMap(({ collection, verdict }) => (collection !== null && verdict ? [{ collection, verdict }] : [])),
  )
  const accepted = closed.filter((row) => row.status === 'successful')
  const contacts = await contactsById(
    tx,
    accepted.map((row) => row.contact),
  )
  await creditCollections(tx, now, accepted, { from: 'suspense', contacts })
}

/** Skips collections that the network has reversed in the meantime. */
async function closePendingCollections(
  tx: Tx,
  now: Date,
  decided: readonly { collection: number; verdict: Verdict }[],
) {
  if (decided.length === 0) return []
  const ids = decided.map(({ collection }) => collection)
  await tx`select id from collections where id = any(${ids}::bigint[]) order by id for update`
  const closed = await tx<CollectionRow[]>`
    update collections c set status = case when d.verdict = 'accept' then 'successful' else 'failed' end,
      modified = ${truncateToSecond(now)}, updated_by = c.author
    from ${rows(decided, { collection: 'bigint', verdict: 'text' }).as('d')}
    where c.id = d.collection and c.status = 'pending'
    returning c.*`
  return closed.toSorted((one, other) => one.id - other.id)
}

export async function readAcceptanceCheck(db: Reader, id: number): Promise<AcceptanceCheck | undefined> {
  const [row] = await db<AcceptanceCheck[]>`select * from acceptance_checks where id = ${id}`
  return row
}

/** The newest checks of an organization, or the one of a collection. */
export async function listAcceptanceChecks(
  db: Reader,
  filter: { organization: number } | { collection: number },
  limit: number,
): Promise<AcceptanceCheck[]> {
  const where =
    'collection' in filter ? sql`collection = ${filter.collection}` : sql`organization = ${filter.organization}`
  return db`select * from acceptance_checks where ${where} order by id desc limit ${limit}`
}
