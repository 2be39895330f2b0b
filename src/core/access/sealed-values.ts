import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { decrypt, encrypt, keyId, type SealingKeys, sealingKey, WrongKey } from '../../lib/secrets.ts'

/** A column with encrypted values, and the purpose of their key. */
export interface EncryptedColumn {
  table: string
  /** The column that identifies a row: a bigint. */
  key: string
  column: string
  purpose: string
  /** What the values are, in the plural. */
  what: string
}

/** Returns the keys of one purpose: `app.sealingKeys`. */
export type KeysFor = (purpose: string) => SealingKeys

/**
 * Whose key encrypted a value: that of SECRET_KEY, that of SECRET_KEY_PREVIOUS, one that an operator has accepted as lost,
 * or another one.
 */
export type KeyOwner = 'present' | 'previous' | 'lost' | 'unknown'

/** How many values of one column one key has encrypted. */
export interface SealedCount {
  what: string
  key: KeyOwner
  /** The id of the key for this purpose, with which the values begin; null for values of version 0.1.0, which do not name it. */
  key_id: string | null
  count: number
}

/** Counts the encrypted values by column and key. It reads the ids of the keys, and decrypts only values that name none. */
export async function countSealed(
  db: Reader,
  keysFor: KeysFor,
  columns: readonly EncryptedColumn[],
): Promise<SealedCount[]> {
  const lost = await db<{ id: string }[]>`select id from lost_secret_keys`
  const lost_ids = new Set(lost.map(({ id }) => id))
  const ownerOf = (key_id: string | null, owner: 'present' | 'previous' | undefined): KeyOwner =>
    owner ?? (lost_ids.has(key_id ?? '') ? 'lost' : 'unknown')
  const counts: SealedCount[] = []
  for (const column of columns) {
    const keys = keysFor(column.purpose)
    const { what } = column
    for (const { key_id, count } of await countByKeyId(db, column))
      counts.push({ what, key: ownerOf(key_id, ownerOfId(keys, key_id)), key_id, count })
    const unnamed = await readColumn(db, column, 'unnamed')
    const by_owner = Map.groupBy(unnamed, (value) => ownerOf(null, ownerOfValue(keys, value)))
    for (const [key, values] of by_owner) counts.push({ what, key, key_id: null, count: values.length })
  }
  return counts
}

/** The values of a column: all of them, or those of version 0.1.0, which do not name their key. */
export async function readColumn(
  db: Reader,
  { table, column }: EncryptedColumn,
  which: 'all' | 'unnamed' = 'all',
): Promise<string[]> {
  const value = sql.identifier(column)
  const rows = await db<{ value: string }[]>`
    select ${value} as value from ${sql.identifier(table)}
    where ${value} is not null and ${which === 'all' ? sql.always : sql`strpos(${value}, '.') = 0`}`
  return rows.map((row) => row.value)
}

function countByKeyId(db: Reader, { table, column }: EncryptedColumn): Promise<{ key_id: string; count: number }[]> {
  const value = sql.identifier(column)
  return db<{ key_id: string; count: number }[]>`
    select split_part(${value}, '.', 1) as key_id, count(*) as count from ${sql.identifier(table)}
    where strpos(${value}, '.') > 0 group by 1 order by 1`
}

const OWNERS = ['present', 'previous'] as const

function ownerOfId(keys: SealingKeys, key_id: string) {
  return OWNERS[[keys].flat().findIndex((key) => keyId(key) === key_id)]
}

function ownerOfValue(keys: SealingKeys, value: string) {
  return OWNERS[[keys].flat().findIndex((key) => tryDecrypt(key, value) !== undefined)]
}

/** What one batch has done. */
export interface ResealedBatch {
  /** The key of its last row; null when there was no row left. */
  last: number | null
  resealed: number
}

/**
 * Encrypts values anew with the present key: those of up to `limit` rows behind `after` that another key has encrypted, in
 * the order of their keys. Values that none of the keys decrypts are left as they are, and so is a value that changes
 * meanwhile: the next pass finds it.
 */
export async function resealBatch(
  tx: Tx,
  keysFor: KeysFor,
  { table, key, column, purpose }: EncryptedColumn,
  { after, limit }: { after: number; limit: number },
): Promise<ResealedBatch> {
  const keys = keysFor(purpose)
  const [row_key, sealed, from] = [sql.identifier(key), sql.identifier(column), sql.identifier(table)]
  const found = await tx<{ key: number; value: string }[]>`
    select ${row_key} as key, ${sealed} as value from ${from}
    where ${row_key} > ${after} and ${sealed} is not null and not starts_with(${sealed}, ${`${keyId(sealingKey(keys))}.`})
    order by ${row_key} limit ${limit}`
  const batch: ResealedBatch = { last: found.at(-1)?.key ?? null, resealed: 0 }
  // One row after the other, so that two of these never wait for each other.
  for (const { key: id, value } of found) {
    const text = tryDecrypt(keys, value)
    if (text === undefined) continue
    const changed = await tx`
      update ${from} set ${sealed} = ${encrypt(keys, text)} where ${row_key} = ${id} and ${sealed} = ${value}`
    batch.resealed += changed.count
  }
  return batch
}

/** Undefined when none of the keys is that of the value, or when the value was changed. */
function tryDecrypt(keys: SealingKeys, value: string): string | undefined {
  try {
    return decrypt(keys, value)
  } catch (error) {
    if (error instanceof WrongKey) return undefined
    throw error
  }
}
