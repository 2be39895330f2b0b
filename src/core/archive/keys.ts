import { randomBytes } from 'node:crypto'
import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { decrypt, encrypt } from '../../lib/secrets.ts'
import { type ArchiveKind, kindRules } from './kinds.ts'

/*
 * The archive's data of a person is encrypted with a key of this person, which is only in the database. To erase the
 * person, the key is deleted. The files of the archive stay as they are (docs/decisions/0044).
 */

export interface PersonKey {
  id: number
  /** 32 bytes in hex. */
  key: string
}

const keyTable = table('archive_keys', {
  id: column.id(),
  organization: column.bigint(),
  contact: column.bigint().nullable(),
  phonenumber: column.text().nullable(),
  key: column.bytea(),
})
type Person = Omit<Row<typeof keyTable>, 'key'>

/**
 * Makes the keys of the persons of these subjects that have none yet. It must be committed before the subjects are read: a
 * person who is erased after that has no key, and the archive keeps nothing that can be read.
 */
export async function createPersonKeys(tx: Tx, kind: ArchiveKind, ids: readonly number[]): Promise<void> {
  const persons = (await readPersons(tx, kind, ids)).map(({ organization, contact, phonenumber }) => ({
    organization,
    contact,
    phonenumber: contact === null ? phonenumber : null,
  }))
  if (persons.length === 0) return
  await tx`
    ${insert(keyTable, persons, { key: () => randomBytes(32) })} order by contact, organization, phonenumber
    on conflict do nothing`
}

/** The keys of the persons of these subjects. Those without a key were erased in this moment. */
export async function readPersonKeys(
  db: Reader,
  kind: ArchiveKind,
  ids: readonly number[],
): Promise<Map<number, PersonKey>> {
  const { persons } = kindRules[kind]
  if (!persons) return new Map()
  const found = await db<(PersonKey & { subject: number })[]>`
    select p.id as subject, k.id, encode(k.key, 'hex') as key
    from (${persons(sql`${[...ids]}::bigint[]`)}) p
    join archive_keys k on k.contact = p.contact
      or p.contact is null and k.organization = p.organization and k.phonenumber = p.phonenumber`
  return new Map(found.map(({ subject, ...key }) => [subject, key]))
}

async function readPersons(db: Reader, kind: ArchiveKind, ids: readonly number[]): Promise<Person[]> {
  const { persons } = kindRules[kind]
  return persons ? db<Person[]>`${persons(sql`${[...ids]}::bigint[]`)} order by id` : []
}

/** Reads the keys with these ids, by id. Those of erased persons are missing. */
export async function readKeys(db: Reader, ids: readonly number[]): Promise<Map<number, string>> {
  const found = await db<PersonKey[]>`
    select id, encode(key, 'hex') as key from archive_keys where id = any(${[...new Set(ids)]}::bigint[])`
  return new Map(found.map(({ id, key }) => [id, key]))
}

/** The ids of the keys of everyone who has this number now. */
export async function findKeysOfPhone(db: Reader, phonenumber: string): Promise<Set<number>> {
  const found = await db<{ id: number }[]>`
    select k.id from archive_keys k join contacts c on c.id = k.contact where c.phone_number = ${phonenumber}
    union select id from archive_keys where phonenumber = ${phonenumber}`
  return new Set(found.map(({ id }) => id))
}

const ENCRYPTED = /^encrypted:(\d+):(.+)$/s

/** The text that stands in a file instead of a value. */
export function encryptCell({ id, key }: PersonKey, value: string): string {
  return `encrypted:${id}:${encrypt([key], value)}`
}

/** The id of the key of an encrypted value; undefined for one that is not encrypted. */
export function keyOfCell(cell: string): number | undefined {
  const id = ENCRYPTED.exec(cell)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** Decrypts the value of a cell of a file. An erased person's value is `erased`. */
export function decryptCell(keys: ReadonlyMap<number, string>, cell: string): string {
  const [, id, encrypted] = ENCRYPTED.exec(cell) ?? []
  if (id === undefined) return cell
  const key = keys.get(Number(id))
  return key === undefined ? 'erased' : decrypt([key], encrypted!)
}
