import type { AnyReader, Tx } from '../../../db/client.ts'
import { sql } from '../../../db/sql.ts'
import { column, insert, type Row, table } from '../../../db/table.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import type { Phone } from '../../../lib/phone.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import { NotFound } from '../../refusals.ts'
import { contactKey, insertContacts, type Person } from '../contacts.ts'
import type { ContactPayer } from '../customer-fields.ts'
import { wholeKey } from '../customers.ts'
import { noPhone } from '../phones.ts'
import { type ContactAddition, completeContacts } from './changes.ts'
import { personOf } from './check.ts'
import type { ContactFile } from './columns.ts'
import { matchRow, readKnown } from './known.ts'
import type { CheckedRow } from './read-row.ts'
import { keepRefusedRows } from './refused-rows.ts'
import type { ContactImport, KnownChoice } from './row.ts'

/** Rows of one transaction: few enough that it is short, because it holds up the feed of events (docs/decisions/0004). */
export const GROUP_ROWS = 500

/**
 * Number of new contacts looked up at the networks at once, with this pause: other new contacts are not kept waiting.
 */
const LOOKUPS_AT_ONCE = 32
const LOOKUP_PAUSE_MS = 10_000

const importTable = table('contact_imports', {
  id: column.id(),
  organization: column.bigint(),
  file_name: column.text(),
  digest: column.text(),
  known: column.text<KnownChoice>(),
  rows: column.integer(),
  refused: column.integer(),
  last_row: column.integer().default(0),
  added: column.integer().default(0),
  updated: column.integer().default(0),
  unchanged: column.integer().default(0),
  created: column.timestamptz(),
  author: column.bigint(),
  finished: column.timestamptz().later(),
})
type LockedImport = Row<typeof importTable>

/** An import to begin. */
export interface NewContactImport {
  organization: number
  author: number
  file: ContactFile
  rows: readonly CheckedRow[]
  known: KnownChoice
}

/**
 * Notes that a file is imported, with its refused rows. The caller then imports the others with `importNextRows`.
 * @returns the id of the import
 */
export async function beginImport(tx: Tx, now: Date, given: NewContactImport): Promise<number> {
  const { organization, file, rows } = given
  const refused = rows.filter(({ state }) => state === 'refused')
  const [made] = await tx<{ id: number }[]>`
    ${insert(importTable, [given], {
      file_name: file.name,
      digest: file.digest,
      rows: rows.length,
      refused: refused.length,
      created: truncateToSecond(now),
    })}
    returning id`
  await keepRefusedRows(tx, { organization, contact_import: made!.id }, refused)
  return made!.id
}

/** Finds the serving network of a number, or null. */
export type NetworkOf = (phone: Phone) => string | null

/**
 * Imports the next rows of a file. One transaction, under a lock of the import, writes the contacts and the position.
 * So each row is imported once, however often and by however many callers this is called.
 * @param rows all rows of the file
 * @returns `more`: rows are left; `finished`: this call has finished the import
 * @throws NotFound
 */
export async function importNextRows(
  tx: Tx,
  now: Date,
  ref: { organization: number; id: number },
  rows: readonly CheckedRow[],
  networkOf: NetworkOf,
): Promise<{ more: boolean; finished: boolean }> {
  const locked = await lockImport(tx, ref)
  if (locked.finished) return { more: false, finished: false }
  const open = rows.filter(({ state, number }) => state !== 'refused' && number > locked.last_row)
  const group = open.slice(0, GROUP_ROWS)
  const counts = await importGroup(tx, now, locked, group, networkOf)
  const more = open.length > group.length
  await tx`
    update contact_imports set added = added + ${counts.added}, updated = updated + ${counts.updated},
      unchanged = unchanged + ${group.length - counts.added - counts.updated},
      last_row = ${group.at(-1)?.number ?? locked.last_row}, finished = ${more ? null : truncateToSecond(now)}
    where id = ${locked.id}`
  return { more, finished: !more }
}

async function lockImport(tx: Tx, { organization, id }: { organization: number; id: number }): Promise<LockedImport> {
  const [locked] = await tx<LockedImport[]>`
    select ${importTable.columns} from contact_imports where id = ${id} for update`
  if (locked?.organization !== organization) throw new NotFound(getMessage('contacts.no_import', { id }))
  return locked
}

interface Counts {
  added: number
  updated: number
}

/**
 * Makes new contacts of rows, and completes those that exist. Contacts that others create at the same time are read again and completed.
 * @param done how many contacts this import has added before
 */
async function importGroup(
  tx: Tx,
  now: Date,
  import_: LockedImport,
  group: readonly CheckedRow[],
  networkOf: NetworkOf,
  done = import_.added,
): Promise<Counts> {
  if (group.length === 0) return { added: 0, updated: 0 }
  const { organization, author, known, created } = import_
  const contacts = await readKnown(tx, organization, group.map(personOf))
  const matched = group.map((row) => ({ row, ...matchRow(personOf(row), contacts) }))
  const additions = matched.flatMap(({ row, contact, payers }): ContactAddition[] =>
    contact ? [{ contact: contact.id, author, ...toGivenFields(row, payers) }] : [],
  )
  const missing = matched
    .filter(({ contact }) => !contact)
    .map(({ row, phone_number, payers }, index): { row: CheckedRow; person: Person } => {
      const phone = phone_number === null ? null : row.read.phone
      const person = {
        organization,
        author,
        ...toGivenFields(row, payers),
        type: row.type || 'other',
        phone_number: phone?.number ?? noPhone(wholeKey(row.customer_number)),
        network_name: phone && networkOf(phone),
        look_up_at: lookUpTime(created, done + index),
      }
      return { row, person }
    })
  const people = missing.map(({ person }) => person)
  const is_new = new Set((await insertContacts(tx, now, people)).map(contactKey))
  const updated = await completeContacts(tx, now, { organization, known }, additions)
  const rest = missing.filter(({ person }) => !is_new.has(contactKey(person))).map(({ row }) => row)
  const later = await importGroup(tx, now, import_, rest, networkOf, done + is_new.size)
  return { added: is_new.size + later.added, updated: updated + later.updated }
}

/** Returns the data of a row about a contact. Empty cells are not given. */
function toGivenFields(
  { first_name, last_name, email, type, customer_number, notes, read: { tags } }: CheckedRow,
  payers: readonly ContactPayer[],
) {
  return {
    ...(first_name && { first_name }),
    ...(last_name && { last_name }),
    ...(email && { email }),
    ...(type && { type }),
    ...(customer_number && { number: customer_number }),
    ...(notes && { notes }),
    ...(tags.length > 0 && { tags }),
    ...(payers.length > 0 && { payers }),
  }
}

function lookUpTime(start: Date, position: number): Date {
  return new Date(start.getTime() + Math.floor(position / LOOKUPS_AT_ONCE) * LOOKUP_PAUSE_MS)
}

/** An import of the organization. @throws NotFound */
export async function readImport(db: AnyReader, organization: number, id: number): Promise<ContactImport> {
  const [found] = await db<ContactImport[]>`
    select ${columns} from ${tables} where i.organization = ${organization} and i.id = ${id}`
  if (!found) throw new NotFound(getMessage('contacts.no_import', { id }))
  return found
}

/** True if an import has this file and treats existing contacts in this way. */
export async function isImportOf(
  db: AnyReader,
  { organization, id }: { organization: number; id: number },
  { digest }: ContactFile,
  known: KnownChoice,
): Promise<boolean> {
  const found = await db`
    select 1 from contact_imports
    where organization = ${organization} and id = ${id} and digest = ${digest} and known = ${known}`
  return found.length > 0
}

/** Earlier imports of a file with the same content, the newest first. */
export async function findImportsOf(db: AnyReader, organization: number, digest: string): Promise<ContactImport[]> {
  return db<ContactImport[]>`
    select ${columns} from ${tables} where i.organization = ${organization} and i.digest = ${digest}
    order by i.id desc limit 5`
}

/** Lists one page of the imports of an organization, with the count of all. */
export async function listImports(
  db: AnyReader,
  organization: number,
  page: { limit: number; offset: number; descending: boolean },
): Promise<{ rows: ContactImport[]; count: number }> {
  const rows = await db<ContactImport[]>`
    select ${columns} from ${tables} where i.organization = ${organization}
    order by i.id ${page.descending ? sql`desc` : sql`asc`} limit ${page.limit} offset ${page.offset}`
  const [total] = await db<{ count: number }[]>`
    select count(*) from contact_imports where organization = ${organization}`
  return { rows: [...rows], count: total!.count }
}

const columns = sql`i.id, i.file_name, i.known, i.rows, i.refused, i.added, i.updated, i.unchanged, i.created, i.author,
  u.name as author_name, i.finished, (
    select count(*) from contact_import_refusals r
    where r.organization = i.organization and r.contact_import = i.id) as refused_kept`
const tables = sql`contact_imports i join users u on u.id = i.author`
