import { getMessage } from '../../lib/messages/message.ts'
import { fileError } from './file-error.ts'

/** Columns of a kind of file: their titles, and other titles that mean them. */
export interface FileColumns<Column extends string> {
  /** Titles of the template, in its order. */
  titles: Readonly<Record<Column, string>>
  /** Columns that files have and the template leaves out. */
  beyond_template?: readonly Column[]
  /** Other titles that files have, in small letters without accents, blanks and signs. */
  other_titles: Readonly<Record<string, Column>>
  /** Groups of columns: a file needs at least one column of each. */
  required: readonly (readonly [Column, ...Column[]])[]
  /** A title that means another column beside some columns: `Nom` is the last name where there is a `Prénom`. */
  beside?: { title: string; column: Column; others: readonly Column[]; means: Column }
}

/** Position of each column of a file, and the titles without a column. */
export interface Layout<Column extends string> {
  places: Map<Column, number>
  ignored: string[]
}

/**
 * Columns that a file of refused rows has after those of the uploaded file: the number of the row, and the reasons. The
 * imports do not read them, and do not report them as ignored.
 */
export const REFUSAL_COLUMNS = ['row', 'problems']

/** Reads the first row of a file. @throws Invalid without a column that is required, or with a column that is there twice */
export function readTitles<Column extends string>(
  row: readonly string[],
  columns: FileColumns<Column>,
): Layout<Column> {
  const places = new Map<Column, number>()
  const ignored: string[] = []
  for (const [index, title] of row.entries()) {
    const column = columnOf(title, columns)
    if (column && places.has(column))
      throw fileError(getMessage('files.column_twice', { column: columns.titles[column] }))
    if (column) places.set(column, index)
    else if (title.trim() && !REFUSAL_COLUMNS.includes(title.trim())) ignored.push(title.trim().slice(0, 100))
  }
  const { beside } = columns
  const at = beside && places.get(beside.column)
  if (beside && at !== undefined && plainTitle(row[at]!) === beside.title)
    if (beside.others.every((column) => places.has(column)) && !places.has(beside.means)) {
      places.delete(beside.column)
      places.set(beside.means, at)
    }
  for (const group of columns.required)
    if (!group.some((column) => places.has(column)))
      throw fileError(getMessage('files.no_column', { column: columns.titles[group[0]] }))
  return { places, ignored: ignored.slice(0, 20) }
}

/** The columns of a kind of file, in the order of its template. */
export function columnNames<Column extends string>({ titles }: FileColumns<Column>): Column[] {
  return Object.keys(titles) as Column[]
}

/** The columns of the template of a kind of file. */
export function templateColumns<Column extends string>(columns: FileColumns<Column>): Column[] {
  return columnNames(columns).filter((column) => !columns.beyond_template?.includes(column))
}

function columnOf<Column extends string>(title: string, columns: FileColumns<Column>): Column | undefined {
  const plain = plainTitle(title)
  return columnNames(columns).find((column) => column.replaceAll('_', '') === plain) ?? columns.other_titles[plain]
}

/** `N° de téléphone` becomes `ndetelephone`. */
function plainTitle(title: string): string {
  return title
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

const phoneTitles = [
  'numerodetelephone',
  'ndetelephone',
  'notelephone',
  'numerotelephone',
  'numero',
  'portable',
  'tel',
  'nambariyasimu',
  'nambazasimu',
  'nambayasimu',
  'simu',
  'phone',
  'phoneno',
  'phonenumbers',
  'mobile',
  'mobilenumber',
  'mobileno',
  'msisdn',
  'telephone',
]

/** Other titles that files have for phone numbers, in the languages of the console. */
export const PHONE_TITLES: Readonly<Record<string, 'phone_number'>> = Object.fromEntries(
  phoneTitles.map((title) => [title, 'phone_number']),
)
