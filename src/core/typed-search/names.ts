import { type Fragment, sql } from '../../db/sql.ts'

/** The functions of a table's indexes, with its columns. */
export interface NameTerms {
  search: Fragment
  beginnings: Fragment
}

export const CONTACTS: NameTerms = {
  search: sql`contact_search_terms(organization, first_name, last_name, name_on_network, phone_number)`,
  beginnings: sql`contact_beginnings(organization, first_name, last_name, name_on_network)`,
}

export const PAYERS: NameTerms = {
  search: sql`contact_search_terms(organization, name, '', '', phone_number)`,
  beginnings: sql`contact_beginnings(organization, name, '', '')`,
}

/** SQL: condition that the words or digits of a row match a query. */
export function hasTerms(query: string, { search }: NameTerms): Fragment {
  return sql`${search} @@ lower(${query})::tsquery`
}

/** Maximum length of the beginnings that have entries of their own in the index. */
const MAX_BEGINNING = 3

/**
 * SQL: condition that names begin with these words, in any order. PostgreSQL looks up all words by their first letters
 * and combines the lists. Reading all words with a beginning takes ten times as long. So only the longest word is
 * looked up by its full beginning, and the rest is compared row by row.
 */
export function hasNames(organization: number, words: readonly string[], terms: NameTerms): Fragment {
  const beginnings = words.map((word) => quote(`${organization}/${Array.from(word).slice(0, MAX_BEGINNING).join('')}`))
  const begins = sql`${terms.beginnings} @@ lower(${beginnings.join(' & ')})::tsquery`
  const long = words.filter((word) => Array.from(word).length > MAX_BEGINNING).sort((a, b) => b.length - a.length)
  const [longest, ...others] = long.map((word) => `${quote(`${organization}/${word}`)}:*`)
  if (longest === undefined) return begins
  const found = sql`${begins} and ${hasTerms(longest, terms)}`
  return others.length === 0 ? found : sql`${found} and (${hasTerms(others.join(' & '), terms)}) is true`
}

/** SQL: condition that names have these whole words, in any order. */
export function hasWholeNames(organization: number, words: readonly string[], terms: NameTerms): Fragment {
  return hasTerms(words.map((word) => quote(`${organization}/${word}`)).join(' & '), terms)
}

/** The query for digits in a row: each four of them. */
export function partQuery(organization: number, digits: string): string {
  const fours = Array.from({ length: digits.length - 3 }, (_, index) => digits.slice(index, index + 4))
  return [...new Set(fours)].map((four) => quote(`${organization}/${four}`)).join(' & ')
}

function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
