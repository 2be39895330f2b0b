import { z } from 'zod'
import { type Fragment, sql } from '../../db/sql.ts'
import type { Condition } from '../filters.ts'
import { CONTACTS, hasNames } from './names.ts'
import { MAX_SEARCH_LENGTH, readSearch, type SearchTerms } from './terms.ts'

/*
 * The search field of lists in the console. It finds the same as the search over everything, and parts of texts in all
 * rows.
 */

export const typedSearch = z.string().max(MAX_SEARCH_LENGTH).optional()

/** Ways to find the rows of a table by a typed text. A way that has no meaning for the text is undefined. */
export interface TextWays {
  /** Conditions on columns of the row. All rows are read once for all of them. */
  columns: (Condition | undefined)[]
  /** Conditions with an index of their own, such as those on another table. */
  indexed: (Condition | undefined)[]
}

/** SQL: condition that a row of an organization's table is found in one of these ways. A blank text finds all. */
export function isFoundBy(
  table: string,
  organization: number,
  typed: string,
  waysOf: (terms: SearchTerms) => TextWays,
): Condition {
  const terms = readSearch(typed, [])
  if (terms.text === '') return sql.always
  const ways = waysOf(terms)
  const columns = ways.columns.flatMap((condition) => (condition ? sql`(${condition})` : []))
  const indexed = ways.indexed.flatMap((condition) => condition ?? [])
  const conditions = columns.length === 0 ? indexed : [sql.join(columns, ' or '), ...indexed]
  const selects = conditions.map(
    (condition) => sql`select id from ${sql.identifier(table)} where organization = ${organization} and (${condition})`,
  )
  return selects.length === 0 ? sql`false` : sql`id in (${sql.join(selects, ' union all ')})`
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
  // A zero in front may stand for the country.
  return sql`strpos(${sql.identifier(column)}, ${phone.part ?? phone.digits.replace(/^0/, '')}) > 0`
}

/** SQL: condition that an amount is exactly the typed one. */
export function hasAmount(column: string, { amount }: SearchTerms): Condition | undefined {
  if (!amount) return undefined
  const of_currency = amount.currency === null ? sql.always : sql`currency = ${amount.currency}`
  return sql`${sql.identifier(column)} = ${amount.value} and ${of_currency}`
}

/** SQL: condition that the names of a contact begin with the typed words, in any order. */
export function isNamed(organization: number, { words, text }: SearchTerms): Condition | undefined {
  return words.length === 0 || text.includes('@') ? undefined : hasNames(organization, words, CONTACTS)
}

/** SQL: condition that the names of a row's contact begin with the typed words. */
export function hasContactNamed(organization: number, terms: SearchTerms): Condition | undefined {
  const named = isNamed(organization, terms)
  return named && sql`contact in (${contactsWhere(organization, named)})`
}

function contactsWhere(organization: number, condition: Condition): Fragment {
  return sql`select id from contacts where organization = ${organization} and (${condition})`
}
