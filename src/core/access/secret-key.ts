import type { Reader, Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
import { decrypt, encrypt, keyId, type SealingKeys, sealingKey, WrongKey } from '../../lib/secrets.ts'
import { countSealed, type EncryptedColumn, type KeysFor, readColumn } from './sealed-values.ts'

/*
 * The database knows which SECRET_KEY belongs to it, so that a service with another one does not start: it would store secrets
 * that nobody else can read, and could read none of those that are there. SECRET_KEY may change while the database knows
 * SECRET_KEY_PREVIOUS (docs/decisions/0028).
 */

/** Reason why a service may not start with this SECRET_KEY. */
export type KeyFault =
  /** Neither the key nor the previous one belongs to this database. `known`: the ids of its keys; none before version 0.2.0. */
  | { reason: 'unknown'; id: string; known: string[] }
  /** Values are encrypted with other keys than these two, and nobody has accepted that they are lost. */
  | { reason: 'unfinished'; unreadable: Unreadable[] }

/** Values that cannot be decrypted: their plural name and their number. */
export interface Unreadable {
  what: string
  count: number
}

const PURPOSE = 'canary'

const keyTable = table('secret_keys', {
  id: column.text().key(),
  canary: column.text(),
  created: column.timestamptz(),
})
const lostKeyTable = table('lost_secret_keys', {
  id: column.text().key(),
  accepted: column.timestamptz(),
})

/** Id of SECRET_KEY itself: the name of the key in the database, in `secrets status` and in running processes. */
export function secretKeyIds(keysFor: KeysFor): { present: string; previous: string | null } {
  const [present, previous] = [keysFor(PURPOSE)].flat()
  return { present: keyId(present!), previous: previous === undefined ? null : keyId(previous) }
}

/**
 * Checks that SECRET_KEY belongs to this database. A new one is written down if the database knows the previous one.
 * The first key that comes to a database is written down, unless there are secrets that it cannot decrypt.
 * @returns the reason why it does not belong there, or null
 */
export async function registerSecretKey(
  tx: Tx,
  now: Date,
  keysFor: KeysFor,
  columns: readonly EncryptedColumn[],
): Promise<KeyFault | null> {
  if (!(await isKnown(tx, keysFor(PURPOSE)))) {
    await tx`select pg_advisory_xact_lock(${REGISTRATION_LOCK})`
    // Another process may have been faster.
    const fault = (await isKnown(tx, keysFor(PURPOSE))) ? null : await introduceKey(tx, now, keysFor, columns)
    if (fault) return fault
  }
  const counts = await countSealed(tx, keysFor, columns)
  const unreadable = counts.filter(({ key }) => key === 'unknown').map(({ what, count }) => ({ what, count }))
  return unreadable.length > 0 ? { reason: 'unfinished', unreadable } : null
}

/** Writes down a key that the database does not know, if it may follow the keys that the database knows. */
async function introduceKey(
  tx: Tx,
  now: Date,
  keysFor: KeysFor,
  columns: readonly EncryptedColumn[],
): Promise<KeyFault | null> {
  const known = (await tx<{ id: string }[]>`select id from secret_keys order by created`).map(({ id }) => id)
  const [, previous] = [keysFor(PURPOSE)].flat()
  const follows =
    known.length > 0
      ? previous !== undefined && (await isKnown(tx, previous))
      : (await findUnreadable(tx, keysFor, columns)).length === 0
  if (!follows) return { reason: 'unknown', id: secretKeyIds(keysFor).present, known }
  await addSecretKey(tx, now, keysFor)
  return null
}

/** Writes down that SECRET_KEY belongs to the database from now on. Other keys stay known. */
export async function addSecretKey(tx: Tx, now: Date, keysFor: KeysFor): Promise<void> {
  const key = sealingKey(keysFor(PURPOSE))
  const known = { id: keyId(key), canary: encrypt(key, keyId(key)) }
  await tx`${insert(keyTable, [known], { created: now })} on conflict do nothing`
}

/** Writes down that the keys of all values that cannot be decrypted now are lost, so that the service starts without them. */
export async function acceptLostKeys(
  tx: Tx,
  now: Date,
  keysFor: KeysFor,
  columns: readonly EncryptedColumn[],
): Promise<void> {
  const counts = await countSealed(tx, keysFor, columns)
  const lost = counts.filter(({ key }) => key === 'unknown').map(({ key_id }) => ({ id: key_id }))
  await tx`${insert(lostKeyTable, lost, { accepted: now })} on conflict do nothing`
}

/** The columns with values that no key of these decrypts, and how many of them. It tries every value. */
export async function findUnreadable(
  db: Reader,
  keysFor: KeysFor,
  columns: readonly EncryptedColumn[],
): Promise<Unreadable[]> {
  const found: Unreadable[] = []
  for (const column of columns) {
    const keys = keysFor(column.purpose)
    const count = (await readColumn(db, column)).filter((value) => !isReadable(keys, value)).length
    if (count > 0) found.push({ what: column.what, count })
  }
  return found
}

/** The key of the advisory lock. No other lock uses this number. */
const REGISTRATION_LOCK = 7_305_118_823

async function isKnown(db: Reader, keys: SealingKeys): Promise<boolean> {
  const key = sealingKey(keys)
  const [row] = await db<{ canary: string }[]>`select canary from secret_keys where id = ${keyId(key)}`
  return row !== undefined && isReadable(key, row.canary)
}

function isReadable(keys: SealingKeys, value: string): boolean {
  try {
    decrypt(keys, value)
    return true
  } catch (error) {
    if (error instanceof WrongKey) return false
    throw error
  }
}
