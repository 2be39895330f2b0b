import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { decrypt, encrypt, keyId, WrongKey } from '../../lib/secrets.ts'

/*
 * The database knows which SECRET_KEY belongs to it, so that a service with another one does not start: it would store secrets
 * that nobody else can read, and could read none of those that are there.
 */

/** A column with encrypted values, and the purpose of their key. */
export interface EncryptedColumn {
  table: string
  column: string
  purpose: string
  /** What the values are, in the plural. */
  what: string
}

type DeriveSecret = (purpose: string) => string

/** The key does not belong to this database. */
export interface UnknownKey {
  /** The id of the key, and the ids of the keys that the database knows; none before version 0.2.0. */
  id: string
  known: string[]
}

const PURPOSE = 'canary'

/**
 * Checks that the key belongs to this database. The first key that comes to a database is written down, unless there are
 * secrets that it cannot decrypt.
 * @returns why it does not belong there, or null
 */
export async function registerSecretKey(
  tx: Tx,
  now: Date,
  deriveSecret: DeriveSecret,
  columns: readonly EncryptedColumn[],
): Promise<UnknownKey | null> {
  const key = deriveSecret(PURPOSE)
  const id = keyId(key)
  if (await isKnown(tx, key)) return null
  await tx`select pg_advisory_xact_lock(${REGISTRATION_LOCK})`
  // Another process may have been faster.
  if (await isKnown(tx, key)) return null
  const known = await tx<{ id: string }[]>`select id from secret_keys order by created`
  const unknown = { id, known: known.map((row) => row.id) }
  if (known.length > 0 || (await findUnreadable(tx, deriveSecret, columns)).length > 0) return unknown
  await addSecretKey(tx, now, deriveSecret)
  return null
}

/** Writes down that this key belongs to the database from now on. Other keys stay known. */
export async function addSecretKey(tx: Tx, now: Date, deriveSecret: DeriveSecret): Promise<void> {
  const key = deriveSecret(PURPOSE)
  await tx`
    insert into secret_keys (id, canary, created) values (${keyId(key)}, ${encrypt(key, keyId(key))}, ${now})
    on conflict do nothing`
}

/** The columns with values that this key cannot decrypt, and how many of them. */
export async function findUnreadable(
  db: Reader,
  deriveSecret: DeriveSecret,
  columns: readonly EncryptedColumn[],
): Promise<{ what: string; count: number }[]> {
  const found: { what: string; count: number }[] = []
  for (const { table, column, purpose, what } of columns) {
    const key = deriveSecret(purpose)
    const rows = await db<{ value: string }[]>`
      select ${sql.identifier(column)} as value from ${sql.identifier(table)} where ${sql.identifier(column)} is not null`
    const count = rows.filter(({ value }) => !isReadable(key, value)).length
    if (count > 0) found.push({ what, count })
  }
  return found
}

/** The key of the advisory lock. No other lock uses this number. */
const REGISTRATION_LOCK = 7_305_118_823

async function isKnown(db: Reader, key: string): Promise<boolean> {
  const [row] = await db<{ canary: string }[]>`select canary from secret_keys where id = ${keyId(key)}`
  return row !== undefined && isReadable(key, row.canary)
}

function isReadable(key: string, value: string): boolean {
  try {
    decrypt(key, value)
    return true
  } catch (error) {
    if (error instanceof WrongKey) return false
    throw error
  }
}
