import type { z } from 'zod'
import { getMessage } from '../../../lib/messages/message.ts'
import type { Phone } from '../../../lib/phone.ts'
import type { Cell } from '../../files/cells.ts'
import { type Read, readPhone, readText } from '../../files/read-cells.ts'
import { cellText } from '../../files/refused-rows.ts'
import { splitName } from '../contacts.ts'
import {
  type ContactPayer,
  customerNumber,
  distinctTags,
  MAX_NOTES_LENGTH,
  MAX_PAYER_NAME_LENGTH,
  MAX_PAYERS,
  splitPayers,
  splitTags,
  tagError,
  tagsError,
  toOneLine,
} from '../customer-fields.ts'
import { contactTypes, MAX_NAME_LENGTH, newContactBody } from '../details.ts'
import type { ContactCells } from './columns.ts'
import type { ImportRow, Problem } from './row.ts'
import { type Column, payerColumns, tagColumns } from './titles.ts'

/** Checked row, with its values. */
export type CheckedRow = ImportRow & { read: ReadRow }

/** Row in the form of a contact. */
export interface ReadRow {
  /** Phone of the customer. Null for none, and if the row's number is a payer's. */
  phone: Phone | null
  tags: readonly string[]
  payers: readonly ContactPayer[]
}

/** Maximum length of a text of a contact, except for notes. */
const MAX_TEXT_LENGTH = 254
/** All payers in one cell. */
const MAX_PAYERS_LENGTH = 2_000

/** Takes the value of a cell, or notes its fault. */
type Take = <Value>(column: Column, read: Read<Value>) => Value | undefined

/**
 * Reads the cells of a row, and notes their faults. A text that is refused stays in the row, to be corrected.
 * @param country ISO 3166-1, whose numbers need no country code */
export function readCells(
  { number, cells }: { number: number; cells: ContactCells },
  country: string | null,
): CheckedRow {
  const problems: Problem[] = []
  const take: Take = (column, read) => {
    if ('value' in read) return read.value
    problems.push({ column, message: read.message })
    return undefined
  }
  const keep = (column: Column) => cellText(cells[column])
  const customer_number = toOneLine(take('number', readAs(cells, 'number', customerNumber)) ?? '')
  const phone = readOwnPhone(cells, take, country)
  const whole = splitName(take('name', readText(cells.name, MAX_NAME_LENGTH * 2)) ?? keep('name'))
  const first_name =
    (take('first_name', readText(cells.first_name, MAX_NAME_LENGTH)) ?? keep('first_name')) || whole.first_name || ''
  const last_name =
    (take('last_name', readText(cells.last_name, MAX_NAME_LENGTH)) ?? keep('last_name')) || whole.last_name || ''
  if (!first_name && !last_name && problems.every(({ column }) => !NAMES.includes(column)))
    problems.push({ column: 'first_name', message: getMessage('contacts.name_missing') })
  const tags = readTags(cells, take)
  const payers = readPayers(cells, take, country)
  return {
    number,
    first_name,
    last_name,
    problems,
    contact: null,
    phone_number: phone?.number ?? keep('phone_number'),
    email: take('email', readAs(cells, 'email', newContactBody.shape.email)) ?? keep('email'),
    type: take('type', readType(cells)) ?? keep('type'),
    customer_number: customer_number || keep('number'),
    tags: tags.text,
    notes: take('notes', readText(cells.notes, MAX_NOTES_LENGTH)) ?? keep('notes'),
    payers: payers.text,
    state: problems.length > 0 ? 'refused' : 'new',
    read: { phone, tags: tags.list, payers: payers.list },
  }
}

const NAMES: readonly Column[] = ['first_name', 'last_name', 'name']

/** A customer with a number may have no phone. */
function readOwnPhone(cells: ContactCells, take: Take, country: string | null): Phone | null {
  if (!cells.phone_number && cells.number) return null
  return take('phone_number', readPhone(cells.phone_number, country)) ?? null
}

/** Reads a text cell: empty, or valid for a contact in the API. */
function readAs(cells: ContactCells, column: Column, field: z.ZodType<string | undefined>): Read<string> {
  const read = readText(cells[column], MAX_TEXT_LENGTH)
  if (!('value' in read) || read.value === '') return read
  const { success, error } = field.safeParse(read.value)
  return success ? read : { message: error.issues[0]!.message }
}

function readType(cells: ContactCells): Read<string> {
  const read = readText(cells.type, MAX_TEXT_LENGTH)
  if (!('value' in read) || read.value === '') return read
  const type = read.value.toLowerCase()
  return contactTypes.some((known) => known === type)
    ? { value: type }
    : { message: getMessage('contacts.type', { types: contactTypes.join(', ') }) }
}

/** The groups of all columns that have some. @returns `text`: as in the file if a group is refused */
function readTags(cells: ContactCells, take: Take): { list: string[]; text: string } {
  const read = tagColumns.map((column) => {
    const text = take(column, readText(cells[column], MAX_NOTES_LENGTH))
    const listed = splitTags(text ?? cellText(cells[column]))
    const fault = listed.map(tagError).find((one) => one !== undefined)
    if (text !== undefined && fault !== undefined) take(column, { message: fault })
    return { listed, usable: text !== undefined && fault === undefined }
  })
  const list = distinctTags(read.flatMap(({ listed, usable }) => (usable ? listed : [])))
  const fault = tagsError(list)
  if (fault !== undefined) take('tags', { message: fault })
  const all = read.every(({ usable }) => usable) ? list : read.flatMap(({ listed }) => listed)
  return { list, text: all.join(', ') }
}

interface Payers {
  list: ContactPayer[]
  /** Text as in the file, which can be imported again. */
  text: string
}

/** Returns the payers of all columns, each phone once. A name without a phone does not make a payer. */
function readPayers(cells: ContactCells, take: Take, country: string | null): Payers {
  const whole = splitPayers(take('payers', readText(cells.payers, MAX_PAYERS_LENGTH)) ?? cellText(cells.payers)).map(
    ({ phone_number, name }) => ({
      column: 'payers' as Column,
      name,
      role: '',
      phone: { text: phone_number } satisfies Cell,
    }),
  )
  const single = payerColumns.map((payer) => ({
    column: `${payer}_phone` as const,
    name: toOneLine(
      take(`${payer}_name`, readText(cells[`${payer}_name`], MAX_PAYER_NAME_LENGTH)) ??
        cellText(cells[`${payer}_name`]),
    ),
    phone: cells[`${payer}_phone`],
    role: ROLES[payer] ?? '',
  }))
  const found = new Map<string, ContactPayer>()
  const texts: string[] = []
  for (const { column, name, role, phone } of [...single, ...whole]) {
    if (!phone) continue
    const number = take(column, readPhone(phone, country))?.number
    const known_as = name || role
    texts.push(`${known_as} ${number ?? cellText(phone)}`.trim())
    if (number !== undefined && !found.has(number)) found.set(number, { phone_number: number, name: known_as })
  }
  if (found.size > MAX_PAYERS) take('payers', { message: getMessage('contacts.many_payers', { max: MAX_PAYERS }) })
  return { list: [...found.values()], text: texts.join('; ') }
}

/** Names for payers without a name, whose column says their role. */
const ROLES: Partial<Record<(typeof payerColumns)[number], string>> = {
  mother: 'Mother',
  father: 'Father',
  guardian: 'Guardian',
  sponsor: 'Sponsor',
}
