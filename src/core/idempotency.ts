import { createHash } from 'node:crypto'
import type { Reader, Tx } from '../db/client.ts'
import { rows } from '../db/rows.ts'
import { column, insert, table } from '../db/table.ts'
import type { Effect, Query, Work } from '../db/unit-of-work.ts'
import { WriteConflict } from '../lib/batches/write-conflict.ts'
import { zip } from '../lib/batches/zip.ts'
import { Duplicate } from './refusals.ts'

/** Lifetime of a Duplicate-Check-Key (interface section 8). */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1_000

const keyTable = table('idempotency_keys', {
  organization: column.bigint().key(),
  hash: column.bytea().key(),
  type: column.text(),
  /** 0 until the object is created. */
  object: column.bigint(),
  created: column.timestamptz(),
})

/** Claim of a request on its Duplicate-Check-Key. */
export interface DuplicateKeyClaim {
  organization: number
  hash: string
}

/** Creates the claim for a Duplicate-Check-Key header. Keys are stored as hashes, so they can have any length. */
export function createDuplicateKeyClaim(organization: number, key: string): DuplicateKeyClaim {
  return { organization, hash: createHash('sha256').update(key).digest('hex') }
}

/**
 * Claims keys for objects of one type, in the transaction that creates the objects, so a refused request uses up no key.
 * Of simultaneous duplicates in several processes exactly one succeeds. The others wait for its commit.
 * @returns for each claim undefined, or the refusal for its request
 * @throws WriteConflict when a transaction claims a key twice: in parts, one sees the outcome of the other
 */
export async function claimDuplicateKeys(
  tx: Tx,
  now: Date,
  type: string,
  claims: readonly (DuplicateKeyClaim | undefined)[],
): Promise<(Duplicate | undefined)[]> {
  const wanted = claims.filter((claim) => claim !== undefined).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  if (wanted.length === 0) return claims.map(() => undefined)
  if (new Set(wanted.map(keyOf)).size < wanted.length) throw new WriteConflict()
  const won = await tx<DuplicateKeyClaim[]>`
    ${insert(keyTable, wanted, { hash: ({ hash }) => Buffer.from(hash, 'hex'), type, object: 0, created: now })}
    ${keyTable.replace(['type', 'object', 'created'])}
      where idempotency_keys.created <= ${expiryTime(now)}
    returning organization, encode(hash, 'hex') as hash`
  const mine = new Set(won.map(keyOf))
  const lost = wanted.filter((claim) => !mine.has(keyOf(claim)))
  const existing = await readExistingDuplicates(tx, lost)
  if (lost.some((claim) => !existing.get(keyOf(claim))?.id)) throw new WriteConflict()
  return claims.map((claim) => claim && existing.get(keyOf(claim)))
}

/** Item of a unit of work that may have a key. */
interface Claiming {
  claim?: DuplicateKeyClaim | undefined
}

/** Creates the query that claims keys for objects of a type. It finds the refusals for keys that were used before. */
export function keyClaims(type: string): Query<Claiming, Duplicate> {
  return {
    async read(tx, items, now) {
      const claims = items.map(({ claim }) => claim)
      const found = zip(items, await claimDuplicateKeys(tx, now, type, claims))
      return new Map(found.flatMap(([item, duplicate]) => (duplicate ? [[item, duplicate]] : [])))
    },
  }
}

/**
 * Claims the key of an item, and gives it up again if the item is refused after this. All items claim at once, also those
 * without a key, so that each waits as long as those before it.
 * @returns the refusal of the item if its key was used before
 */
export async function claimKey(
  work: Work,
  keys: Query<Claiming, Duplicate>,
  { claim }: Claiming,
): Promise<Duplicate | undefined> {
  const duplicate = await work.find(keys, { claim })
  if (claim && !duplicate) work.addIfRefused(releasedKeys, claim)
  return duplicate
}

/** Keys that a transaction has claimed, and that are free again. */
export const releasedKeys: Effect<DuplicateKeyClaim> = {
  write(tx, _, claims) {
    tx.send`
      delete from idempotency_keys k using ${rows(claims, { organization: 'bigint', hash: 'text' }).as('c')}
      where k.organization = c.organization and k.hash = decode(c.hash, 'hex')`
  },
}

/** The refusals for keys that an earlier request has used; undefined for a free key. It claims nothing. */
export async function findDuplicates(
  db: Reader,
  now: Date,
  claims: readonly (DuplicateKeyClaim | undefined)[],
): Promise<(Duplicate | undefined)[]> {
  const existing = await readExistingDuplicates(
    db,
    claims.filter((claim) => claim !== undefined),
    expiryTime(now),
  )
  return claims.map((claim) => claim && existing.get(keyOf(claim)))
}

/** Stores the objects that the claimed keys created, so that the refusal of a later duplicate can name the object. */
export function linkKeysToObjects(tx: Tx, created: readonly (Claiming & { object: number })[]): void {
  const links = created.flatMap(({ claim, object }) => (claim ? [{ ...claim, object }] : []))
  if (links.length === 0) return
  tx.send`
    update idempotency_keys k set object = m.object
    from ${rows(links, { organization: 'bigint', hash: 'text', object: 'bigint' }).as('m')}
    where k.organization = m.organization and k.hash = decode(m.hash, 'hex')`
}

/** Keys with the objects that they have created. */
export const linkedKeys: Effect<Claiming & { object: number }> = {
  write: (tx, _, created) => linkKeysToObjects(tx, created),
}

/**
 * Deletes up to `limit` expired keys. Skips keys that another transaction claims again at the same time.
 * @returns how many keys it deleted; if that is `limit`, there may be more
 */
export async function deleteExpiredKeys(tx: Tx, now: Date, limit: number): Promise<number> {
  const deleted = await tx`
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created <= ${expiryTime(now)} limit ${limit}
      for update skip locked))`
  return deleted.count
}

/** Keys that were claimed at this time or before are free again. */
function expiryTime(now: Date): Date {
  return new Date(now.getTime() - KEY_LIFETIME_MS)
}

function keyOf(claim: DuplicateKeyClaim): string {
  return `${claim.organization}:${claim.hash}`
}

async function readExistingDuplicates(
  db: Reader,
  claims: readonly DuplicateKeyClaim[],
  claimed_after = new Date(0),
): Promise<Map<string, Duplicate>> {
  if (claims.length === 0) return new Map()
  const found = await db<(DuplicateKeyClaim & { type: string; object: number })[]>`
    select k.organization, encode(k.hash, 'hex') as hash, k.type, k.object
    from ${rows(claims, { organization: 'bigint', hash: 'text' }).as('c')}
    join idempotency_keys k on k.organization = c.organization and k.hash = decode(c.hash, 'hex')
    where k.created > ${claimed_after}`
  return new Map(found.map((row) => [keyOf(row), new Duplicate(row.type, row.object)]))
}
