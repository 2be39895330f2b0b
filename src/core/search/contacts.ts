import type { AnyReader } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { selectAskedPhone } from '../contacts/phones.ts'
import {
  CONTACTS,
  hasNames,
  hasTerms,
  hasWholeNames,
  type NameTerms,
  PAYERS,
  partQuery,
} from '../typed-search/names.ts'
import type { SearchTerms } from '../typed-search/terms.ts'
import { type Rank, ranks } from './ranks.ts'

/** A contact that was found, by whose phone and id its requests, payments and invoices are found. */
export interface FoundContact {
  id: number
  /** Phone of the contact, or of its first payer; null if there is none. */
  phone_number: string | null
  rank: Rank
}

const NONE: number[] = []

/** Maximum number of contacts: enough for a family name, and few enough to read the payments of each. */
const MAX_CONTACTS = 8
/** Maximum number of matches read of a frequent name. PostgreSQL stops reading there. */
const MAX_MATCHES = 1_000
/** Number of the newest requests in which people with the same frequent name are looked for. */
const RECENT_REQUESTS = 1_000

/**
 * Finds contacts by customer number, name, phone number, part of one, e-mail address or tag. Contacts whose payer has
 * this name or phone are found, too. Whole customer numbers come first, then whole names and phone numbers, then
 * beginnings. Of many people with the same name, those with the newest requests come first.
 */
export async function findContacts(
  db: AnyReader,
  organization: number,
  { phone, words, text, exact, number }: SearchTerms,
): Promise<FoundContact[]> {
  const names = words.length > 0 && !text.includes('@') ? words : undefined
  const [numbered, whole] = await Promise.all([
    number ? findByNumber(db, organization, number.exact) : NONE,
    names ? findNamed(db, organization, names) : text.includes('@') ? findByEmail(db, organization, exact) : NONE,
  ])
  const ids = [...numbered, ...whole]
  // Beginnings of a frequent name are not read when people with the whole name fill the list.
  if (new Set(ids).size < MAX_CONTACTS) {
    const found = await Promise.all([
      phone ? findByPrefix(db, organization, phone.prefixes) : NONE,
      names ? findByTerms(db, organization, hasNames(organization, names, CONTACTS)) : NONE,
      number ? findByBeginning(db, organization, number.beginning) : NONE,
      findByTag(db, organization, text),
      phone ? findByPayer(db, organization, phone.prefixes) : NONE,
      names ? findByPayerTerms(db, organization, hasNames(organization, names, PAYERS)) : NONE,
    ])
    ids.push(...found.flat())
  }
  // The middle of a number only when it is not the beginning of one: all numbers of a network have some digits in common.
  if (phone?.part && new Set(ids).size < MAX_CONTACTS) {
    const part = partQuery(organization, phone.part)
    const has = (terms: NameTerms) => sql`${hasTerms(part, terms)} and strpos(phone_number, ${phone.part}) > 0`
    const parts = await Promise.all([
      findByTerms(db, organization, has(CONTACTS)),
      findByPayerTerms(db, organization, has(PAYERS)),
    ])
    ids.push(...parts.flat())
  }
  const best = [...new Set(ids)].slice(0, MAX_CONTACTS)
  const phones = await readPhones(db, organization, best)
  return best.map((id): FoundContact => {
    const phone_number = phones.get(id) ?? null
    const is_whole = whole.includes(id) || (phone_number !== null && phone?.prefixes.includes(phone_number))
    return { id, phone_number, rank: numbered.includes(id) ? ranks.number : is_whole ? ranks.whole : ranks.beginning }
  })
}

/**
 * Finds contacts whose names have these whole words. Of more than fit, those with a recent request come first, because
 * people ask about them; then the newest.
 */
async function findNamed(db: AnyReader, organization: number, words: readonly string[]): Promise<number[]> {
  const ids = idsOf(
    await db`
      with found as materialized (
        select id from contacts where ${hasWholeNames(organization, words, CONTACTS)} and organization = ${organization})
      select id from (select id from found limit ${MAX_MATCHES}) f order by id desc`,
  )
  if (ids.length <= MAX_CONTACTS) return ids
  const recent = idsOf(
    await db`
      select contact as id from (
        select id, contact from collection_requests where organization = ${organization}
        order by id desc limit ${RECENT_REQUESTS}) r
      where contact = any(${ids}::bigint[]) group by contact order by max(id) desc limit ${MAX_CONTACTS}`,
  )
  return [...new Set([...recent, ...ids])].slice(0, MAX_CONTACTS)
}

async function readPhones(db: AnyReader, organization: number, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, string | null>()
  const found = await db<{ id: number; phone_number: string | null }[]>`
    select c.id, ${selectAskedPhone('c')} as phone_number from contacts c
    where c.organization = ${organization} and c.id = any(${[...ids]}::bigint[])`
  return new Map(found.map(({ id, phone_number }) => [id, phone_number]))
}

async function findByNumber(db: AnyReader, organization: number, keys: readonly string[]): Promise<number[]> {
  return idsOf(
    await db`
      select contact as id from contact_number_keys where organization = ${organization} and key = any(${[...keys]}::text[])
      group by contact order by bool_or(is_whole) desc, contact desc limit ${MAX_CONTACTS}`,
  )
}

/** Finds by the beginnings of customer numbers, in the order of their index. */
async function findByBeginning(db: AnyReader, organization: number, beginning: string): Promise<number[]> {
  return idsOf(
    await db`
      select contact as id from contact_number_keys
      where organization = ${organization} and key ~>=~ ${beginning} and key ~<~ ${beginning + LAST_CHARACTER}
      order by key using ~<~ limit ${2 * MAX_CONTACTS}`,
  )
}

/** Character that sorts after all characters of keys. */
const LAST_CHARACTER = '\u{10ffff}'

async function findByTag(db: AnyReader, organization: number, tag: string): Promise<number[]> {
  return idsOf(
    await db`
      select contact as id from contact_tags where organization = ${organization} and lower(tag) = lower(${tag})
      order by contact desc limit ${MAX_CONTACTS}`,
  )
}

/** Finds by the beginnings of phone numbers. Every collation sorts digits alike, so that a range serves. */
async function findByPrefix(db: AnyReader, organization: number, prefixes: readonly string[]): Promise<number[]> {
  return idsOf(await db`${selectByPrefix('contacts', 'id', organization, prefixes)}`)
}

async function findByPayer(db: AnyReader, organization: number, prefixes: readonly string[]): Promise<number[]> {
  return idsOf(await db`${selectByPrefix('contact_payers', 'contact', organization, prefixes)}`)
}

function selectByPrefix(table: string, id: string, organization: number, prefixes: readonly string[]): Fragment {
  return sql`
    select c.id from unnest(${[...prefixes]}::text[]) as p(prefix) cross join lateral (
      select ${sql.identifier(id)} as id from ${sql.identifier(table)}
      where organization = ${organization} and phone_number >= p.prefix and phone_number < p.prefix || ':'
        and starts_with(phone_number, p.prefix)
      order by phone_number limit ${MAX_CONTACTS}) c`
}

async function findByEmail(db: AnyReader, organization: number, emails: readonly string[]): Promise<number[]> {
  const lower = [...emails, emails[0]?.toLowerCase() ?? '']
  return idsOf(
    await db`
      select id from contacts
      where organization = ${organization} and email = any(${lower}::text[]) order by id desc limit ${MAX_CONTACTS}`,
  )
}

/** Finds by the indexes of names and numbers. They are read first, so that PostgreSQL never reads all contacts in the order of their ids. */
async function findByTerms(db: AnyReader, organization: number, condition: Fragment): Promise<number[]> {
  return idsOf(await db`${selectByTerms('contacts', 'id', organization, condition)}`)
}

async function findByPayerTerms(db: AnyReader, organization: number, condition: Fragment): Promise<number[]> {
  return idsOf(await db`${selectByTerms('contact_payers', 'contact', organization, condition)}`)
}

function selectByTerms(table: string, id: string, organization: number, condition: Fragment): Fragment {
  return sql`
    with found as materialized (
      select ${sql.identifier(id)} as id from ${sql.identifier(table)} where ${condition} and organization = ${organization})
    select distinct id from (select id from found limit ${MAX_MATCHES}) f order by id desc limit ${MAX_CONTACTS}`
}

function idsOf(found: readonly object[]): number[] {
  return (found as readonly { id: number }[]).map(({ id }) => id)
}
