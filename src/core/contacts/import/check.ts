import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import type { Phone } from '../../../lib/phone.ts'
import { readPlaceOf } from '../../access/places.ts'
import { type Read, readPhone, readText } from '../../files/read-cells.ts'
import { contactKey, isAnonymous, readContacts, splitName } from '../contacts.ts'
import { contactTypes, MAX_NAME_LENGTH, newContactBody } from '../details.ts'
import type { Column, ContactCells } from './columns.ts'
import type { ImportRow, Problem } from './row.ts'

/** A checked row, with its phone if it has one. */
export type CheckedRow = ImportRow & { phone: Phone | null }

/** Some rows in each turn of the event loop, so that other requests are answered meanwhile. */
const ROWS_PER_TURN = 100

/** Checks the rows of a file: each cell, numbers that the file has twice, and which contacts exist. It changes nothing. */
export async function checkContactRows(
  db: Reader,
  organization: number,
  rows: readonly { number: number; cells: ContactCells }[],
): Promise<CheckedRow[]> {
  const { country } = await readPlaceOf(db, organization)
  const checked: CheckedRow[] = []
  const first = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_TURN === 0) await setImmediate()
    const one = checkRow(row, country)
    const earlier = one.phone && first.get(one.phone.number)
    if (earlier) {
      const message = `Row ${earlier} has the same phone number.`
      one.problems.push({ column: 'phone_number', message })
      one.state = 'refused'
    } else if (one.phone) first.set(one.phone.number, one.number)
    checked.push(one)
  }
  await addKnown(db, organization, checked)
  return checked
}

function checkRow({ number, cells }: { number: number; cells: ContactCells }, country: string | null): CheckedRow {
  const problems: Problem[] = []
  const take = <Value>(column: Column, read: Read<Value>): Value | undefined => {
    if ('value' in read) return read.value
    problems.push({ column, message: read.message })
    return undefined
  }
  const phone = take('phone_number', readPhone(cells.phone_number, country)) ?? null
  const whole = splitName(take('name', readText(cells.name, MAX_NAME_LENGTH * 2)) ?? '')
  const first_name = take('first_name', readText(cells.first_name, MAX_NAME_LENGTH)) || whole.first_name || ''
  const last_name = take('last_name', readText(cells.last_name, MAX_NAME_LENGTH)) || whole.last_name || ''
  if (!first_name && !last_name && problems.every(({ column }) => !NAMES.includes(column)))
    problems.push({ column: 'first_name', message: 'The name is missing.' })
  return {
    ...{ number, phone, first_name, last_name, problems, contact: null },
    phone_number: phone?.number ?? cells.phone_number?.text ?? '',
    email: take('email', readAs(cells, 'email', newContactBody.shape.email)) ?? '',
    type: take('type', readType(cells)) ?? '',
    state: problems.length > 0 ? 'refused' : 'new',
  }
}

const NAMES: readonly Column[] = ['first_name', 'last_name', 'name']

/** Reads a text that is empty, or that the API takes for a contact. */
function readAs(cells: ContactCells, column: Column, field: z.ZodType<string | undefined>): Read<string> {
  const read = readText(cells[column], MAX_TEXT_LENGTH)
  if (!('value' in read) || read.value === '') return read
  const { success, error } = field.safeParse(read.value)
  return success ? read : { message: error.issues[0]!.message }
}

/** Longer than every text of a contact. */
const MAX_TEXT_LENGTH = 254

function readType(cells: ContactCells): Read<string> {
  const read = readText(cells.type, MAX_TEXT_LENGTH)
  if (!('value' in read) || read.value === '') return read
  const type = read.value.toLowerCase()
  return contactTypes.some((known) => known === type)
    ? { value: type }
    : { message: `The type is one of ${contactTypes.join(', ')}.` }
}

async function addKnown(db: Reader, organization: number, rows: readonly CheckedRow[]): Promise<void> {
  const wanted = rows.flatMap(({ phone }) => (phone ? [{ organization, phone_number: phone.number }] : []))
  const known = await readContacts(db, wanted)
  for (const row of rows) {
    const contact = row.phone && known.get(contactKey({ organization, phone_number: row.phone.number }))
    if (!contact) continue
    row.contact = contact.id
    if (row.state !== 'refused') row.state = isAnonymous(contact) ? 'unnamed' : 'known'
  }
}
