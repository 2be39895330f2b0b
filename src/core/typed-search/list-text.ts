import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { Condition } from '../filters.ts'
import { distinctValues } from '../queues.ts'
import { CONTACTS, hasNames, hasTerms, type NameTerms, PAYERS, partQuery } from './names.ts'
import { MAX_SEARCH_LENGTH, type PhoneTerms, readSearch, type SearchTerms } from './terms.ts'

/*
 * The search field of lists in the console. It finds what indexes find in all rows, such as ids, whole phone numbers,
 * whole texts, names and amounts, and parts of texts in the newest rows.
 */

export const typedSearch = z
  .string()
  .max(MAX_SEARCH_LENGTH)
  .optional()
  .meta({ description: 'Parts of names, phone numbers, references and other texts; whole ids and amounts.' })

/** Number of the newest rows of a list in which parts of texts are looked for. */
const MAX_SEARCHED_ROWS = 100_000

/** Filters of a list with a search field. */
export interface SearchFilters {
  search?: string | undefined
  /** Number of the newest rows in which parts of texts are looked for. Default: 100,000. */
  searched_rows?: number | undefined
  created_after?: Date | undefined
  created_before?: Date | undefined
}

/** Ways to find the rows of a table by a typed text. A way that has no meaning for the text is undefined. */
export interface TextWays {
  /** Conditions that an index answers. They find rows of any age. */
  indexed: (Condition | undefined)[]
  /** Conditions that read each row. They find only the newest rows. */
  parts: (Condition | undefined)[]
  /** The same on another table, with the id of the row in one of its columns. Its index begins with this column. */
  related?: { table: string; column: string; condition: Condition | undefined }[]
}

/**
 * SQL: condition that a row of an organization's table is found in one of these ways. A blank text finds all. Parts are
 * looked for in the newest rows; those of the chosen days, if there are days.
 */
export function isFoundBy(
  table: string,
  organization: number,
  filters: SearchFilters,
  waysOf: (terms: SearchTerms) => TextWays,
): Condition {
  const terms = readSearch(filters.search ?? '', [])
  if (terms.text === '') return sql.always
  const { indexed, parts, related = [] } = waysOf(terms)
  const rows = sql.identifier(table)
  const selects = indexed.flatMap((condition) =>
    condition ? sql`select id from ${rows} where organization = ${organization} and (${condition})` : [],
  )
  const parted = parts.flatMap((condition) => (condition ? sql`(${condition})` : []))
  const newest = sql`from ${rows} ${newestFirst(organization, filters)} limit ${filters.searched_rows ?? MAX_SEARCHED_ROWS}`
  if (parted.length > 0) selects.push(sql`select id from (select * ${newest}) newest where ${sql.join(parted, ' or ')}`)
  for (const { table: other, column, condition } of related)
    if (condition)
      // With both ends PostgreSQL expects few rows, and reads a part of the index.
      selects.push(sql`
        select ${sql.identifier(column)} from ${sql.identifier(other)}
        where organization = ${organization} and (${condition})
          and ${sql.identifier(column)} between (select first from ends) and (select last from ends)`)
  const ends = sql`ends as materialized (select min(id) as first, max(id) as last from (select id ${newest}) newest)`
  return selects.length === 0 ? sql`false` : sql`id in (with ${ends} ${sql.join(selects, ' union all ')})`
}

/** SQL: the rows of an organization and of the chosen days, newest first, as the index of each list by days has them. */
function newestFirst(organization: number, { created_after, created_before }: SearchFilters): Fragment {
  const after = created_after ? sql`and created > ${created_after}` : sql.empty
  const before = created_before ? sql`and created < ${created_before}` : sql.empty
  return sql`where organization = ${organization} ${after} ${before} order by created desc, id desc`
}

/**
 * Read in how many of the newest rows a search looked for parts of texts.
 * @returns null if it looked in all rows, or if nothing was typed
 */
export async function readSearchedRows(
  db: AnyReader,
  table: string,
  organization: number,
  filters: SearchFilters,
): Promise<number | null> {
  if (!filters.search?.trim()) return null
  const limit = filters.searched_rows ?? MAX_SEARCHED_ROWS
  const [older] = await db`
    select from ${sql.identifier(table)} ${newestFirst(organization, filters)} offset ${limit} limit 1`
  return older ? limit : null
}

export const hasId = ({ id }: SearchTerms): Condition | undefined => (id === undefined ? undefined : sql`id = ${id}`)

/** SQL: condition that a text contains what was typed, in any case. */
export function hasText(column: string, { text }: SearchTerms): Condition {
  return sql`strpos(lower(${sql.identifier(column)}), lower(${text})) > 0`
}

/** SQL: condition that a phone number contains the typed digits, or begins with them after a plus. */
export function hasPhone(column: string, { phone }: SearchTerms): Condition | undefined {
  if (!phone) return undefined
  const [international] = phone.prefixes
  if (phone.part === null && international !== undefined)
    return sql`starts_with(${sql.identifier(column)}, ${international})`
  return sql`strpos(${sql.identifier(column)}, ${nationalDigits(phone)}) > 0`
}

/** Digits of a number without a zero in front, which may stand for the country. */
const nationalDigits = ({ part, digits }: PhoneTerms) => part ?? digits.replace(/^0/, '')

/** Digits of the shortest whole numbers, without and with the country. */
const MIN_WHOLE = { national: 7, international: 9 }

/**
 * SQL: condition that a phone number is the typed one, with or without the country. The indexes of contacts and their
 * payers find the number. Undefined for less than a whole number.
 */
export function hasWholePhone(column: string, organization: number, terms: SearchTerms): Condition | undefined {
  const condition = isWholePhone(organization, terms)
  const known = (table: string, named: NameTerms) =>
    sql`select phone_number from ${sql.identifier(table)} where organization = ${organization} and ${condition!(named)}`
  return (
    condition &&
    sql`${sql.identifier(column)} = any(array(
      ${known('contacts', CONTACTS)} union ${known('contact_payers', PAYERS)} union select ${`+${terms.phone!.digits}`}))`
  )
}

/** SQL: condition that the phone number of contacts or payers contains a whole number. Undefined for less than that. */
export function isWholePhone(
  organization: number,
  { phone }: SearchTerms,
): ((named: NameTerms) => Condition) | undefined {
  if (!phone) return undefined
  const is_international = phone.part === null && phone.prefixes.length > 0
  const digits = is_international ? phone.prefixes[0]!.slice(1) : nationalDigits(phone)
  if (digits.length < (is_international ? MIN_WHOLE.international : MIN_WHOLE.national)) return undefined
  const query = partQuery(organization, digits)
  return (named) => sql`${hasTerms(query, named)} and strpos(phone_number, ${digits}) > 0`
}

/** SQL: condition that an amount is exactly the typed one. The index of the table has the amount alone. */
export function hasAmount(column: string, { amount }: SearchTerms): Condition | undefined {
  if (!amount) return undefined
  const of_currency = amount.currency === null ? sql.always : sql`currency = ${amount.currency}`
  return sql`${sql.identifier(column)} = ${amount.value} and ${of_currency}`
}

/**
 * SQL: condition that the amount of a row is exactly the typed one. The index of the table has the currency and the
 * network before the amount, and is probed for their values.
 */
export function hasAmountOfNetwork(
  table: string,
  organization: number,
  { amount }: SearchTerms,
): Condition | undefined {
  if (!amount) return undefined
  const of_organization = sql`t.organization = ${organization}`
  const valuesOf = (column: string, queues: Fragment) =>
    sql`${sql.identifier(column)} = any(array(with recursive ${queues} select ${sql.identifier(column)} from queues))`
  const currency =
    amount.currency === null
      ? valuesOf('currency', distinctValues(table, ['currency'], of_organization))
      : sql`currency = ${amount.currency}`
  const network = valuesOf('network', distinctValues(table, ['currency', 'network'], of_organization))
  return sql`${currency} and ${network} and amount = ${amount.value}`
}

/** SQL: condition that the names of a contact, or of a payer, begin with the typed words, in any order. */
export function isNamed(organization: number, { words, text }: SearchTerms, named = CONTACTS): Condition | undefined {
  return words.length === 0 || text.includes('@') ? undefined : hasNames(organization, words, named)
}

/** SQL: condition that the names of a row's contact begin with the typed words. */
export function hasContactNamed(organization: number, terms: SearchTerms): Condition | undefined {
  const named = isNamed(organization, terms)
  return named && sql`contact in (${contactsWhere(organization, named)})`
}

function contactsWhere(organization: number, condition: Condition): Fragment {
  return sql`select id from contacts where organization = ${organization} and (${condition})`
}
