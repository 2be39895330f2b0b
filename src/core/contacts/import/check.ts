import { setImmediate } from 'node:timers/promises'
import type { Reader } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { readPlaceOf } from '../../access/places.ts'
import { isAnonymous } from '../contacts.ts'
import { wholeKey } from '../customers.ts'
import type { ContactCells } from './columns.ts'
import { type KnownContacts, matchRow, readKnown, withPayer } from './known.ts'
import { type CheckedRow, readCells } from './read-row.ts'
import type { Column } from './titles.ts'

/** Number of rows in each turn of the event loop, so that other requests are answered meanwhile. */
const ROWS_PER_TURN = 100

/** Checks the rows of a file: each cell, numbers that the file has twice, and which contacts exist. It changes nothing. */
export async function checkContactRows(
  db: Reader,
  organization: number,
  rows: readonly { number: number; cells: ContactCells }[],
): Promise<CheckedRow[]> {
  const { country } = await readPlaceOf(db, organization)
  const checked: CheckedRow[] = []
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_TURN === 0) await setImmediate()
    checked.push(readCells(row, country))
  }
  const persons = checked.map(personOf)
  const known = await readKnown(db, organization, persons)
  const earlier: Earlier = { phones: new Map(), keys: new Map(), contacts: new Map() }
  for (const [index, row] of checked.entries()) {
    if (index % ROWS_PER_TURN === 0) await setImmediate()
    compareRow(row, known, earlier)
  }
  return checked
}

/** Returns the person of a checked row. A refused row may have an invalid number. */
export function personOf({ read: { phone, payers }, customer_number, first_name, last_name, problems }: CheckedRow) {
  const has_number = problems.every(({ column }) => column !== 'number')
  return {
    first_name,
    last_name,
    payers,
    phone_number: phone?.number ?? null,
    customer_number: has_number ? customer_number : '',
  }
}

/** The rows before, by their numbers and by their contact. */
interface Earlier {
  phones: Map<string, number>
  keys: Map<string, number>
  contacts: Map<number, number>
}

/** Compares a row with the rows before and with the contacts that exist. */
function compareRow(row: CheckedRow, known: KnownContacts, earlier: Earlier): void {
  const person = personOf(row)
  let match = matchRow(person, known)
  const phone_row = match.phone_number === null ? undefined : earlier.phones.get(match.phone_number)
  const is_numbered = person.customer_number !== ''
  if (phone_row !== undefined && is_numbered)
    match = { contact: match.contact?.number ? match.contact : undefined, ...withPayer(person) }
  else if (phone_row !== undefined) refuse(row, 'phone_number', getMessage('contacts.same_phone', { row: phone_row }))
  const { contact } = match
  const key_row = note(earlier.keys, is_numbered ? wholeKey(person.customer_number) : undefined, row)
  if (key_row !== undefined) refuse(row, 'number', getMessage('contacts.same_number', { row: key_row }))
  const contact_row = note(earlier.contacts, contact?.id, row)
  if (contact_row !== undefined && row.state !== 'refused')
    refuse(row, 'phone_number', getMessage('contacts.same_contact', { row: contact_row }))
  note(earlier.phones, match.phone_number ?? undefined, row)
  row.read = { ...row.read, phone: match.phone_number === null ? null : row.read.phone, payers: match.payers }
  if (!contact) return
  row.contact = contact.id
  if (row.state === 'refused') return
  const gets_number = is_numbered && contact.number === null
  row.state = isAnonymous(contact) ? 'unnamed' : gets_number ? 'unnumbered' : 'known'
}

/** Notes the first row with a value. @returns the number of the row that had it before */
function note<Key>(rows: Map<Key, number>, key: Key | undefined, { number }: CheckedRow): number | undefined {
  if (key === undefined) return undefined
  const before = rows.get(key)
  if (before === undefined) rows.set(key, number)
  return before
}

function refuse(row: CheckedRow, column: Column, message: string): void {
  row.problems.push({ column, message })
  row.state = 'refused'
}
