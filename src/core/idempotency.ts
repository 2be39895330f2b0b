import { createHash } from 'node:crypto'
import type { Reader, Tx } from '../db/client.ts'
import { rows } from '../db/rows.ts'
import { Duplicate } from './refusals.ts'

/** How long a Duplicate-Check-Key holds (interface section 8). */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1_000

/** One request's claim on its Duplicate-Check-Key. */
export interface DuplicateKeyClaim {
  organization: number
  hash: string
}

/** The claim that a Duplicate-Check-Key header makes. Keys are kept as hashes, so any length will do. */
export function createDuplicateKeyClaim(organization: number, key: string): DuplicateKeyClaim {
  return { organization, hash: createHash('sha256').update(key).digest('hex') }
}

/**
 * Claims keys for objects of one type, in the transaction that makes the objects: a request that is refused burns none.
 * Of simultaneous twins, in one batch or in many processes, exactly one succeeds; the others wait for its commit.
 * @returns for each claim nothing, or the refusal that its request gets.
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
      where idempotency_keys.created <= ${new Date(now.getTime() - KEY_LIFETIME_MS)}
    returning organization, encode(hash, 'hex') as hash`
  const mine = new Set(won.map(keyOf))
  const held = await readExistingDuplicates(
    tx,
    wanted.filter((claim) => !mine.has(keyOf(claim))),
  )
  return claims.map((claim) => {
    if (!claim) return undefined
    const key = keyOf(claim)
    // The first of the twins in a batch takes the win; the ones behind it find it gone.
    if (mine.delete(key)) return undefined
    return held.get(key) ?? new Duplicate(type, 0)
  })
}

/** Writes down which objects the won keys made, so that a later twin is told. */
export async function linkKeysToObjects(
  tx: Tx,
  made: readonly { claim: DuplicateKeyClaim | undefined; object: number }[],
): Promise<void> {
  const links = made.flatMap(({ claim, object }) => (claim ? [{ ...claim, object }] : []))
  if (links.length === 0) return
  await tx`
    update idempotency_keys k set object = m.object
    from ${rows(links, { organization: 'bigint', hash: 'text', object: 'bigint' }).as('m')}
    where k.organization = m.organization and k.hash = decode(m.hash, 'hex')`
}

/**
 * Names the first object in the refusals of twins that came in the same batch, when it had no id yet.
 * @param duplicates what `claimKeys` said about `claims`, in the same order
 */
export function fillInDuplicateIds(
  claims: readonly (DuplicateKeyClaim | undefined)[],
  duplicates: readonly (Duplicate | undefined)[],
  made: readonly { claim: DuplicateKeyClaim | undefined; object: number }[],
): (Duplicate | undefined)[] {
  const objects = new Map(made.flatMap(({ claim, object }) => (claim ? [[keyOf(claim), object]] : [])))
  return duplicates.map((duplicate, index) => {
    if (duplicate?.id !== 0) return duplicate
    return new Duplicate(duplicate.type, objects.get(keyOf(claims[index]!)) ?? 0)
  })
}

/**
 * Forgets up to `most` keys whose time is over, and says how many: if it is `most` there may be more. A key that another
 * transaction claims anew at this moment is passed over.
 */
export async function deleteExpiredKeys(tx: Tx, now: Date, most: number): Promise<number> {
  const gone = await tx`
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created <= ${new Date(now.getTime() - KEY_LIFETIME_MS)} limit ${most}
      for update skip locked))`
  return gone.count
}

function keyOf(claim: DuplicateKeyClaim): string {
  return `${claim.organization}:${claim.hash}`
}

async function readExistingDuplicates(
  db: Reader,
  claims: readonly DuplicateKeyClaim[],
): Promise<Map<string, Duplicate>> {
  if (claims.length === 0) return new Map()
  const found = await db<(DuplicateKeyClaim & { type: string; object: number })[]>`
    select k.organization, encode(k.hash, 'hex') as hash, k.type, k.object
    from ${rows(claims, { organization: 'bigint', hash: 'text' }).as('c')}
    join idempotency_keys k on k.organization = c.organization and k.hash = decode(c.hash, 'hex')`
  return new Map(found.map((row) => [keyOf(row), new Duplicate(row.type, row.object)]))
}
