import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { SearchTerms } from './terms.ts'

/** A contact that was found, by whose number and id its requests, payments and invoices are found. */
export interface FoundContact {
  id: number
  phone_number: string
}

/** Enough for a family name, and few enough to read what each of them has paid. */
const MAX_CONTACTS = 8
/** Of a frequent name so many are read; the newest of them are shown. PostgreSQL stops reading there. */
const MAX_MATCHES = 1_000

/** Finds the contacts with this name, phone number, part of one, or e-mail address. The beginnings of numbers come first. */
export async function findContacts(
  db: AnyReader,
  organization: number,
  { phone, words, text, exact }: SearchTerms,
): Promise<FoundContact[]> {
  const found = await Promise.all([
    phone ? findByPrefix(db, organization, phone.prefixes) : [],
    text.includes('@') ? findByEmail(db, organization, exact) : [],
    words.length > 0 && !text.includes('@') ? findByTerms(db, organization, hasNames(organization, words)) : [],
  ])
  const contacts = found.flat()
  // The middle of a number only when it is not the beginning of one: all numbers of a network have some digits in common.
  if (phone?.part && contacts.length < MAX_CONTACTS)
    contacts.push(
      ...(await findByTerms(
        db,
        organization,
        sql`${hasTerms(partQuery(organization, phone.part))} and strpos(phone_number, ${phone.part}) > 0`,
      )),
    )
  return [...new Map(contacts.map((contact) => [contact.id, contact])).values()].slice(0, MAX_CONTACTS)
}

/** Finds by the beginnings of phone numbers. Every collation sorts digits alike, so that a range serves. */
async function findByPrefix(db: AnyReader, organization: number, prefixes: readonly string[]): Promise<FoundContact[]> {
  return db`
    select c.id, c.phone_number from unnest(${[...prefixes]}::text[]) as p(prefix) cross join lateral (
      select id, phone_number from contacts
      where organization = ${organization} and phone_number >= p.prefix and phone_number < p.prefix || ':'
        and starts_with(phone_number, p.prefix)
      order by phone_number limit ${MAX_CONTACTS}) c`
}

async function findByEmail(db: AnyReader, organization: number, emails: readonly string[]): Promise<FoundContact[]> {
  const lower = [...emails, emails[0]?.toLowerCase() ?? '']
  return db`
    select id, phone_number from contacts
    where organization = ${organization} and email = any(${lower}::text[]) order by id desc limit ${MAX_CONTACTS}`
}

/** Finds by the indexes of names and numbers. They are read first, so that PostgreSQL never reads all contacts in the order of their ids. */
async function findByTerms(db: AnyReader, organization: number, condition: Fragment): Promise<FoundContact[]> {
  return db`
    with found as materialized (
      select id, phone_number from contacts where ${condition} and organization = ${organization})
    select id, phone_number from (select id, phone_number from found limit ${MAX_MATCHES}) f
    order by id desc limit ${MAX_CONTACTS}`
}

function hasTerms(query: string): Fragment {
  return sql`
    contact_search_terms(organization, first_name, last_name, name_on_network, phone_number) @@ lower(${query})::tsquery`
}

/** Beginnings of up to so many letters have entries of their own in the index. */
const MAX_BEGINNING = 3

/**
 * The condition that names begin with these words, in any order. All are looked up by their first letters, whose lists PostgreSQL
 * goes through together; reading all words with a beginning takes ten times as long, so that only the longest is looked up so, and
 * what is left is compared row by row.
 */
function hasNames(organization: number, words: readonly string[]): Fragment {
  const beginnings = words.map((word) => quote(`${organization}/${Array.from(word).slice(0, MAX_BEGINNING).join('')}`))
  const begins = sql`
    contact_beginnings(organization, first_name, last_name, name_on_network) @@ lower(${beginnings.join(' & ')})::tsquery`
  const long = words.filter((word) => Array.from(word).length > MAX_BEGINNING).sort((a, b) => b.length - a.length)
  const [longest, ...others] = long.map((word) => `${quote(`${organization}/${word}`)}:*`)
  if (longest === undefined) return begins
  const found = sql`${begins} and ${hasTerms(longest)}`
  return others.length === 0 ? found : sql`${found} and (${hasTerms(others.join(' & '))}) is true`
}

/** The query for digits in a row: each four of them. */
function partQuery(organization: number, digits: string): string {
  const fours = Array.from({ length: digits.length - 3 }, (_, index) => digits.slice(index, index + 4))
  return [...new Set(fours)].map((four) => quote(`${organization}/${four}`)).join(' & ')
}

function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
