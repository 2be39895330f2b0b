import { createHash } from 'node:crypto'
import type { Reader, Tx } from '../db/client.ts'
import { rows } from '../db/rows.ts'
import { zip } from '../lib/batches/zip.ts'
import { Duplicate } from './refusals.ts'

/** Lifetime of a Duplicate-Check-Key (interface section 8). */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1_000

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
 * Of simultaneous duplicates, in one batch or in several processes, exactly one succeeds. The others wait for its commit.
 * @returns for each claim undefined, or the refusal for its request
 */
export async function claimDuplicateKeys(
  tx: Tx,
  now: Date,
  type: string,
  claims: readonly (DuplicateKeyClaim | undefined)[],
): Promise<(Duplicate | undefined)[]> {
  const first = new Map<string, DuplicateKeyClaim>()
  for (const claim of claims) if (claim && !first.has(keyOf(claim))) first.set(keyOf(claim), claim)
  if (first.size === 0) return claims.map(() => undefined)
  const wanted = [...first.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const won = await tx<DuplicateKeyClaim[]>`
    insert into idempotency_keys (organization, hash, type, object, created)
    select organization, decode(hash, 'hex'), ${type}, 0, ${now}
    from ${rows(wanted, { organization: 'bigint', hash: 'text' }).as('c')}
    on conflict (organization, hash) do update set type = excluded.type, object = 0, created = excluded.created
      where idempotency_keys.created <= ${expiryTime(now)}
    returning organization, encode(hash, 'hex') as hash`
  const mine = new Set(won.map(keyOf))
  const existing = await readExistingDuplicates(
    tx,
    wanted.filter((claim) => !mine.has(keyOf(claim))),
  )
  return claims.map((claim) => {
    if (!claim) return undefined
    const key = keyOf(claim)
    // Only the first duplicate in a batch finds its key here.
    if (mine.delete(key)) return undefined
    return existing.get(key) ?? new Duplicate(type, 0)
  })
}

/**
 * Passes keys on from refused requests, so that a refused request uses up no key. The next request of the batch with
 * the same key gets it; without one, the key is free again.
 * @param duplicates the result of `claimDuplicateKeys` for `claims`, in the same order
 * @param refused true for each request that is refused for another reason
 * @returns for each claim undefined, or the refusal for its request
 */
export function passOnDuplicateKeys(
  tx: Tx,
  claims: readonly (DuplicateKeyClaim | undefined)[],
  duplicates: readonly (Duplicate | undefined)[],
  refused: readonly boolean[],
): (Duplicate | undefined)[] {
  const passed = [...duplicates]
  const released: DuplicateKeyClaim[] = []
  for (const [index, claim] of claims.entries()) {
    if (!claim || duplicates[index] || !refused[index]) continue
    const heir = claims.findIndex((other, at) => other && isSameKey(other, claim) && !refused[at])
    if (heir === -1) released.push(claim)
    else passed[heir] = undefined
  }
  releaseDuplicateKeys(tx, released)
  return passed
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

/** True if two claims are for the same key. */
export function isSameKey(one: DuplicateKeyClaim, other: DuplicateKeyClaim): boolean {
  return keyOf(one) === keyOf(other)
}

/** Gives up keys that this transaction has claimed, because their requests are refused after all. */
export function releaseDuplicateKeys(tx: Tx, claims: readonly DuplicateKeyClaim[]): void {
  if (claims.length === 0) return
  tx.send`
    delete from idempotency_keys k using ${rows(claims, { organization: 'bigint', hash: 'text' }).as('c')}
    where k.organization = c.organization and k.hash = decode(c.hash, 'hex')`
}

/** Stores the objects that the claimed keys created, so that the refusal of a later duplicate can name the object. */
export function linkKeysToObjects(
  tx: Tx,
  created: readonly { claim: DuplicateKeyClaim | undefined; object: number }[],
): void {
  const links = created.flatMap(({ claim, object }) => (claim ? [{ ...claim, object }] : []))
  if (links.length === 0) return
  tx.send`
    update idempotency_keys k set object = m.object
    from ${rows(links, { organization: 'bigint', hash: 'text', object: 'bigint' }).as('m')}
    where k.organization = m.organization and k.hash = decode(m.hash, 'hex')`
}

/**
 * Adds the id of the created object to the refusals of duplicates in the same batch. It was not known when they were refused.
 * @param duplicates the result of `claimDuplicateKeys` for `claims`, in the same order
 */
export function fillInDuplicateIds(
  claims: readonly (DuplicateKeyClaim | undefined)[],
  duplicates: readonly (Duplicate | undefined)[],
  created: readonly { claim: DuplicateKeyClaim | undefined; object: number }[],
): (Duplicate | undefined)[] {
  const objects = new Map(created.flatMap(({ claim, object }) => (claim ? [[keyOf(claim), object]] : [])))
  return zip(claims, duplicates).map(([claim, duplicate]) => {
    if (!claim || duplicate?.id !== 0) return duplicate
    return new Duplicate(duplicate.type, objects.get(keyOf(claim)) ?? 0)
  })
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
