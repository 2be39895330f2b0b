import { fileError } from './file-error.ts'

/** The columns of a file of payments, in the order of the template. */
export const columns = ['phone_number', 'name', 'amount', 'currency', 'reference', 'wallet'] as const
export type Column = (typeof columns)[number]

/** The titles of the template. */
export const titles: Readonly<Record<Column, string>> = {
  phone_number: 'Phone number',
  name: 'Name',
  amount: 'Amount',
  currency: 'Currency',
  reference: 'Reference',
  wallet: 'Wallet',
}

/** Other titles that files have, without blanks and signs. */
const otherTitles: Readonly<Record<string, Column>> = {
  phone: 'phone_number',
  phoneno: 'phone_number',
  phonenumbers: 'phone_number',
  mobile: 'phone_number',
  mobilenumber: 'phone_number',
  mobileno: 'phone_number',
  msisdn: 'phone_number',
  telephone: 'phone_number',
  fullname: 'name',
  recipient: 'name',
  recipientname: 'name',
  customer: 'name',
  sum: 'amount',
  description: 'reference',
  reason: 'reference',
  purpose: 'reference',
  narration: 'reference',
  account: 'wallet',
}

/** Where each column of a file is, and the titles that mean none. */
export interface Layout {
  places: Map<Column, number>
  ignored: string[]
}

/** Reads the first row of a file. @throws Invalid without a phone number or an amount, or with a column that is there twice */
export function readTitles(row: readonly string[]): Layout {
  const places = new Map<Column, number>()
  const ignored: string[] = []
  for (const [index, title] of row.entries()) {
    const column = columnOf(title)
    if (column && places.has(column)) throw fileError(`The column "${titles[column]}" is there twice.`)
    if (column) places.set(column, index)
    else if (title.trim()) ignored.push(title.trim().slice(0, 100))
  }
  for (const column of ['phone_number', 'amount'] as const)
    if (!places.has(column))
      throw fileError(`The first row has no column "${titles[column]}". Use the titles of the template.`)
  return { places, ignored: ignored.slice(0, 20) }
}

function columnOf(title: string): Column | undefined {
  const plain = title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return columns.find((column) => column.replace('_', '') === plain) ?? otherTitles[plain]
}
