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
  /** Plural name of the values. */
  what: string
}

/** Returns the keys of one purpose: `app.sealingKeys`. */
export type KeysFor = (purpose: string) => SealingKeys

/**
 * Key that encrypted a value: SECRET_KEY, SECRET_KEY_PREVIOUS, one that an operator has accepted as lost, or another
 * one.
 */
type KeyOwner = 'present' | 'previous' | 'lost' | 'unknown'

/** Number of values of one column that one key has encrypted. */
export interface SealedCount {
  what: string
  key: KeyOwner
  /** Id of the key for this purpose, with which the values begin. */
  key_id: string
  count: number
}

/** Counts the encrypted values by column and key. It reads the ids of the keys and decrypts nothing. */
export async function countSealed(
  db: Reader,
  keysFor: KeysFor,
  columns: readonly EncryptedColumn[],
): Promise<SealedCount[]> {
  const lost = await db<{ id: string }[]>`select id from lost_secret_keys`
  const lost_ids = new Set(lost.map(({ id }) => id))
  const counts: SealedCount[] = []
  for (const column of columns) {
    const keys = keysFor(column.purpose)
    const { what } = column
    for (const { key_id, count } of await countByKeyId(db, column)) {
      const key = ownerOfId(keys, key_id) ?? (lost_ids.has(key_id) ? 'lost' : 'unknown')
      counts.push({ what, key, key_id, count })
    }
  }
  return counts
}

export async function readColumn(db: Reader, { table, column }: EncryptedColumn): Promise<string[]> {
  const value = sql.identifier(column)
  const rows = await db<{ value: string }[]>`
    select ${value} as value from ${sql.identifier(table)} where ${value} is not null`
  return rows.map((row) => row.value)
}

function countByKeyId(db: Reader, { table, column }: EncryptedColumn): Promise<{ key_id: string; count: number }[]> {
  const value = sql.identifier(column)
  return db<{ key_id: string; count: number }[]>`
    select split_part(${value}, '.', 1) as key_id, count(*) as count from ${sql.identifier(table)}
    where ${value} is not null group by 1 order by 1`
}

const OWNERS = ['present', 'previous'] as const

function ownerOfId(keys: SealingKeys, key_id: string) {
  return OWNERS[[keys].flat().findIndex((key) => keyId(key) === key_id)]
}

/** Result of one batch. */
interface ResealedBatch {
  /** The key of its last row; null when there was no row left. */
  last: number | null
  resealed: number
}

/**
 * Encrypts values again with the present key: up to `limit` rows behind `after` that another key has encrypted, in the
 * order of their keys. A value that none of the keys decrypts stays as it is. So does a value that changes meanwhile:
 * the next pass finds it.
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

/** Decrypts a value; undefined when none of the keys fits, or when the value was changed. */
function tryDecrypt(keys: SealingKeys, value: string): string | undefined {
  try {
    return decrypt(keys, value)
  } catch (error) {
    if (error instanceof WrongKey) return undefined
    throw error
  }
}
