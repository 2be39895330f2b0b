import type { Reader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { openStatuses } from '../collections/collection-request.ts'
import { type ArchiveKind, kindRules } from './kinds.ts'

/** Position of a search: nothing before it is to be archived. */
export interface Position {
  organization: number
  created: Date
  id: number
}

/** A subject that is old enough and has ended. */
export interface Candidate {
  id: number
  /** Time of creation: its age is counted from then. */
  created: Date
}

/** Page of a search. `next` is null when nothing older than the limit is left. */
interface CandidatePage {
  candidates: Candidate[]
  next: Position | null
  /** Of a search by id: the last id of this page that is old enough; undefined for none. */
  reached?: number | undefined
}

export const START: Position = { organization: 0, created: new Date(0), id: 0 }

/**
 * Searches the subjects that are older than `before` and have ended, the oldest first, `limit` rows at a time. It reads by an
 * index, so that a page takes as long with many rows as with few. A page may have no candidates although there is a next one.
 */
export function findCandidates(
  db: Reader,
  kind: ArchiveKind,
  before: Date,
  from: Position,
  limit: number,
): Promise<CandidatePage> {
  if (kind === 'requests') return findRequests(db, before, from, limit)
  return kind === 'audit' ? findEntries(db, before, from, limit) : findById(db, kind, before, from, limit)
}

/** Finds the subjects among these that may leave. The caller has locked them. */
export async function filterCandidates(
  db: Reader,
  kind: ArchiveKind,
  before: Date,
  ids: readonly number[],
): Promise<Set<number>> {
  const found = await db<{ id: number }[]>`
    select id from ${sql.identifier(kindRules[kind].table)} s
    where id = any(${[...ids]}::bigint[]) and ${isOldAndEnded(kind, before)}`
  return new Set(found.map(({ id }) => id))
}

/** SQL: condition that a subject is older than `before` and has ended, for rows of its table under the name `s`. */
export function isOldAndEnded(kind: ArchiveKind, before: Date): Fragment {
  return conditions[kind](before)
}

const conditions: Record<ArchiveKind, (before: Date) => Fragment> = {
  requests: (before) => sql`
    s.created < ${before} and s.modified < ${before} and s.archived is null
    and s.status <> all(${[...openStatuses]}::text[])
    and not exists (select from network_orders o where o.collection_request = s.id
      and (o.closed is null or o.due_at is not null or o.attention is not null))
    and not exists (select from sms_messages m where m.collection_request = s.id and (m.due_at is not null or m.state = 'waiting'))
    and not exists (select from plans p where p.collection_request = s.id
      and (p.due_at is not null or p.paused is not null and p.stopped is null))`,
  orders: (before) => sql`
    s.closed < ${before} and s.due_at is null and s.attention is null and s.answers::text <> '[]'`,
  sms: (before) => sql`s.created < ${before} and s.due_at is null and s.state <> 'waiting'`,
  audit: (before) => sql`s.created < ${before}`,
}

/** Requests are read by the index of their organization and creation, one organization after the other. */
async function findRequests(db: Reader, before: Date, from: Position, limit: number): Promise<CandidatePage> {
  const page = await db<Position[]>`
    select organization, created, id from collection_requests
    where organization = ${from.organization} and created < ${before} and (created, id) > (${from.created}, ${from.id})
    order by created, id limit ${limit}`
  const ended = await filterCandidates(
    db,
    'requests',
    before,
    page.map(({ id }) => id),
  )
  const next = page.length < limit ? await nextOrganization(db, from.organization) : page.at(-1)!
  return { candidates: page.filter(({ id }) => ended.has(id)), next }
}

async function nextOrganization(db: Reader, after: number): Promise<Position | null> {
  const [next] = await db<{ id: number }[]>`select id from organizations where id > ${after} order by id limit 1`
  return next ? { ...START, organization: next.id } : null
}

/**
 * Finds entries of the audit log in the order of its chain, up to the first that is too young: they leave as one
 * stretch. The newest entry stays, because the next one covers it.
 */
async function findEntries(db: Reader, before: Date, from: Position, limit: number): Promise<CandidatePage> {
  const page = await db<(Candidate & { position: number })[]>`
    select c.position, a.id, a.created from audit_chain c join audit_log a on a.id = c.entry
    where c.position > ${from.id} and c.position < (select max(position) from audit_chain)
    order by c.position limit ${limit}`
  const young = page.findIndex(({ created }) => created >= before)
  const is_last = young >= 0 || page.length < limit
  return {
    candidates: (young < 0 ? page : page.slice(0, young)).map(({ id, created }) => ({ id, created })),
    next: is_last ? null : { ...START, id: page.at(-1)!.position },
  }
}

/** Reads SMS and orders in the order of their ids, which is the order of their creation. Orders stay, and their answers leave. */
async function findById(
  db: Reader,
  kind: 'orders' | 'sms',
  before: Date,
  from: Position,
  limit: number,
): Promise<CandidatePage> {
  const page = await db<Candidate[]>`
    select id, created from ${sql.identifier(kindRules[kind].table)} where id > ${from.id} order by id limit ${limit}`
  const old = page.filter(({ created }) => created < before)
  const ended = await filterCandidates(
    db,
    kind,
    before,
    old.map(({ id }) => id),
  )
  const is_last = page.length < limit || old.length === 0
  return {
    candidates: old.filter(({ id }) => ended.has(id)),
    next: is_last ? null : { ...START, id: page.at(-1)!.id },
    reached: old.at(-1)?.id,
  }
}
