import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import type { Query, Work } from '../../db/unit-of-work.ts'
import { zip } from '../../lib/batches/zip.ts'
import { encode } from '../../lib/encoding/encode.ts'
import { nameSimilarity } from '../../lib/text/name-similarity.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { recordEvents, reserveEvents } from '../events/events.ts'
import { callersObject, documented, id, timestamp } from '../fields.ts'
import type { ContactPayer } from './customer-fields.ts'
import { writeNumberKeys, writeParts } from './customers.ts'
import { leaseNewContacts } from './direct-lookups.ts'
import { shownPhone } from './phones.ts'

/** Phone number of a contact. It is stored differently from its display for a customer who has none. */
const storedPhone = z.codec(z.string(), z.string(), { decode: (wire) => wire, encode: shownPhone })

/** Interface 2.6. */
export const Contact = z
  .object({
    id,
    organization: documented(id, 'Your organization.'),
    first_name: documented(z.string(), '`Anonymous` until a name is given.', 'Jane'),
    last_name: documented(z.string(), '`Contact` until a name is given.', 'Doe'),
    email: documented(z.string().nullable(), 'E-mail address.', null),
    phone_number: documented(storedPhone, 'E.164; one contact for each number.', '+80000000000'),
    type: documented(z.string(), '`employee`, `beneficiary`, `vendor` or `other`.', 'employee'),
    status: documented(z.string(), '`active` or `inactive`.', 'active'),
    metadata: documented(callersObject.nullable(), 'Your own attributes.', null),
    phone_is_supported: documented(z.string(), '`yes` when a network serves the number.', 'yes'),
    phone_is_mm_registered: documented(
      z.string(),
      'Whether it has mobile money: `yes`, `no`, or `unknown` until the network responds.',
      'yes',
    ),
    name_on_network: documented(
      z.string(),
      'The name that the network knows; empty until the network responds.',
      'Jane Doe',
    ),
    name_matches_network_status: documented(
      z.string(),
      '`checked` after the two names were compared, else `unchecked`.',
      'checked',
    ),
    name_matches_network_score: documented(z.number(), 'How similar the two names are, 0 to 100.', 100),
    network_name: documented(z.string(), 'The network that serves the number.', 'Sandbox Network'),
    created: timestamp,
    modified: timestamp,
    author: documented(id, 'The user who created the contact.'),
    updated_by: documented(id.nullable(), 'The user who changed it last.', null, 7),
  })
  .meta({ id: 'Contact' })
export type Contact = z.output<typeof Contact>

export const contactTable = table('contacts', {
  id: column.id(),
  organization: column.bigint(),
  first_name: column.text(),
  last_name: column.text(),
  email: column.text().nullable(),
  phone_number: column.text(),
  type: column.text(),
  status: column.text(),
  metadata: column.json<Record<string, unknown>>().later(),
  phone_is_supported: column.text(),
  phone_is_mm_registered: column.text(),
  name_on_network: column.text(),
  name_matches_network_status: column.text(),
  name_matches_network_score: column.double(),
  network_name: column.text(),
  created: column.timestamptz(),
  modified: column.timestamptz(),
  author: column.bigint(),
  updated_by: column.bigint().later(),
  national_id: column.text().later(),
  national_id_type: column.text().later(),
  erased: column.timestamptz().later(),
  number_being_erased: column.text().later(),
  attempts: column.integer().default(0),
  due_at: column.timestamptz().nullable(),
  leased_until: column.timestamptz().later(),
  looked_up: column.timestamptz().later(),
  number: column.text().nullable(),
  notes: column.text().default(''),
})

/** The columns of a contact that its network has not told yet. */
export const NEW_CONTACT = {
  phone_is_mm_registered: 'unknown',
  name_on_network: '',
  name_matches_network_status: 'unchecked',
  name_matches_network_score: 0,
}

const ANONYMOUS_NAME = { first_name: 'Anonymous', last_name: 'Contact' }

/** A person who is asked for money, or who has sent or receives money. */
export interface Person {
  organization: number
  phone_number: string
  first_name?: string
  last_name?: string
  /** The name of the network that serves the number, or null when none does. */
  network_name: string | null
  author: number
  /** E-mail address that only a new contact gets. */
  email?: string
  /** The type of a new contact; `employee` unless given. */
  type?: string
  /** Time to look up a new contact at its network; at once unless given. */
  look_up_at?: Date
  /** Fields that only a new contact gets as a customer. */
  number?: string
  tags?: readonly string[]
  notes?: string
  payers?: readonly ContactPayer[]
}

/**
 * Returns the contacts of these people, in their order. It finds them by phone number, and creates missing ones with a
 * `contact.created` event each. A given name completes an anonymous contact; it never overwrites a name.
 * @param known contacts that the caller has read already, by `contactKey`
 */
export async function findOrCreateContacts(
  tx: Tx,
  now: Date,
  people: readonly Person[],
  known?: ReadonlyMap<string, Contact>,
): Promise<Contact[]> {
  const contacts = new Map(known ?? (await readContacts(tx, people)))
  const missing_people = uniquePeople(people.filter((person) => !contacts.has(contactKey(person))))
  if (missing_people.length > 0) {
    for (const contact of await insertContacts(tx, now, missing_people)) contacts.set(contactKey(contact), contact)
    // Another transaction may have created some of them meanwhile. A new statement sees them.
    const still_missing = missing_people.filter((person) => !contacts.has(contactKey(person)))
    if (still_missing.length > 0)
      for (const [key, contact] of await readContacts(tx, still_missing)) contacts.set(key, contact)
  }
  await fillInNames(tx, now, people, contacts)
  return people.map((person) => contacts.get(contactKey(person))!)
}

/** The contacts that people have. */
export const knownContacts: Query<Person, Contact> = {
  async read(tx, people) {
    const known = await readContacts(tx, people)
    return new Map(
      people.flatMap((person) => {
        const contact = known.get(contactKey(person))
        return contact ? [[person, contact]] : []
      }),
    )
  },
}

/** The contacts of people, found or created. */
export const contactsOf: Query<Person, Contact> = {
  read: async (tx, people, now) => new Map(zip(people, await findOrCreateContacts(tx, now, people))),
}

/** The same, of people for whom `knownContacts` were read. */
const contactsToComplete: Query<Person & { known: Contact | undefined }, Contact> = {
  async read(tx, people, now) {
    const known = new Map(people.flatMap(({ known }) => (known ? [[contactKey(known), known]] : [])))
    return new Map(zip(people, await findOrCreateContacts(tx, now, people, known)))
  },
}

/** Returns the contact of a person: the `known` one with the names that it lacked, or a new one. */
export async function completeContact(work: Work, person: Person, known: Contact | undefined): Promise<Contact> {
  return known && !missingNames(known, person) ? known : work.load(contactsToComplete, { ...person, known })
}

/** Returns the key of a contact: there is one per organization and phone number. */
export function contactKey(person: { organization: number; phone_number: string }): string {
  return `${person.organization}:${person.phone_number}`
}

/** The contacts that exist for these organizations and numbers, by `contactKey`. */
export async function readContacts(
  db: Reader,
  people: readonly { organization: number; phone_number: string }[],
): Promise<Map<string, Contact>> {
  const wanted = rows(people, { organization: 'bigint', phone_number: 'text' })
  const found = await db<Contact[]>`
    select ${contactColumns('c')} from ${wanted.as('p')}
    join contacts c on c.organization = p.organization and c.phone_number = p.phone_number`
  return new Map(found.map((row) => [contactKey(row), row]))
}

export async function contactsById(db: AnyReader, ids: readonly number[]): Promise<Map<number, Contact>> {
  const found = await db<Contact[]>`
    select ${contactColumns()} from contacts where id = any(${[...new Set(ids)]}::bigint[])`
  return new Map(found.map((row) => [row.id, row]))
}

/** The columns of a contact as section 2.6 has it. The table has more, which `ContactDetails` contains. */
export function contactColumns(table = 'contacts') {
  return sql.identifiers(CONTACT_COLUMNS.map((column) => `${table}.${column}`))
}

const CONTACT_COLUMNS = Object.keys(Contact.shape)

/** Compares the name of a contact with its name on the network. `unchecked` with score 0 if one of them is missing. */
export function compareNames(contact: Pick<Contact, 'first_name' | 'last_name' | 'name_on_network'>) {
  const { first_name, last_name, name_on_network } = contact
  const comparable = name_on_network !== '' && !isAnonymous(contact)
  return {
    name_matches_network_status: comparable ? 'checked' : 'unchecked',
    name_matches_network_score: comparable ? nameSimilarity(`${first_name} ${last_name}`, name_on_network) : 0,
  }
}

function uniquePeople(people: readonly Person[]): Person[] {
  const first = new Map<string, Person>()
  for (const person of people) if (!first.has(contactKey(person))) first.set(contactKey(person), person)
  return [...first.values()]
}

/**
 * Inserts contacts, with a `contact.created` event each, and schedules their look-ups. It leaves out numbers that have a contact
 * already. @returns those that it has inserted
 */
export async function insertContacts(tx: Tx, now: Date, given: readonly Person[]): Promise<Contact[]> {
  // Sorted, so that two transactions that create the same contacts cannot deadlock.
  const people = given.toSorted((a, b) => (contactKey(a) < contactKey(b) ? -1 : 1))
  if (people.length === 0) return []
  const created_at = truncateToSecond(now)
  const to_look_up = people.filter(({ network_name, look_up_at = now }) => network_name !== null && look_up_at <= now)
  const leases = leaseNewContacts(tx, to_look_up.length)
  const leased = new Set(to_look_up.slice(0, leases?.count ?? 0))
  const [created, reserved] = await Promise.all([
    tx<Contact[]>`
      ${insert(contactTable, people, {
        ...NEW_CONTACT,
        first_name: (person) => person.first_name ?? ANONYMOUS_NAME.first_name,
        last_name: (person) => person.last_name ?? ANONYMOUS_NAME.last_name,
        type: ({ type }) => type ?? 'employee',
        status: 'active',
        phone_is_supported: ({ network_name }) => (network_name === null ? 'no' : 'yes'),
        network_name: ({ network_name }) => network_name ?? '',
        notes: ({ notes }) => notes ?? '',
        due_at: ({ network_name, look_up_at = now }) => (network_name === null ? null : look_up_at),
        leased_until: (person) => (leased.has(person) ? leases!.lease_end : null),
        attempts: (person) => (leased.has(person) ? 1 : 0),
        created: created_at,
        modified: created_at,
      })}
      on conflict (organization, phone_number) do nothing
      returning ${contactColumns()}`,
    reserveEvents(tx, people.length),
  ])
  const leased_keys = new Set([...leased].map(contactKey))
  leases?.stored(
    created
      .filter((contact) => leased_keys.has(contactKey(contact)))
      .map((contact) => ({ ...contact, attempts: 1, number_being_erased: null })),
  )
  await writeCustomers(tx, people, created)
  const events = created.map((contact) => ({
    organization: contact.organization,
    type: 'contact.created' as const,
    data: encode(Contact, contact),
    author: contact.author,
  }))
  await recordEvents(tx, now, events, reserved)
  return [...created]
}

/** Writes numbers, tags and payers of new contacts. */
async function writeCustomers(tx: Tx, people: readonly Person[], created: readonly Contact[]): Promise<void> {
  const customers = people.filter(({ number, tags, payers }) => number ?? tags ?? payers)
  if (customers.length === 0) return
  const ids = new Map(created.map((contact) => [contactKey(contact), contact.id]))
  const parts = customers.flatMap(({ number, tags, payers, ...person }) => {
    const contact = ids.get(contactKey(person))
    return contact === undefined ? [] : [{ contact, organization: person.organization, number, tags, payers }]
  })
  await writeNumberKeys(
    tx,
    parts.flatMap(({ number, ...contact }) => (number === undefined ? [] : [{ ...contact, number }])),
  )
  await writeParts(tx, parts)
}

/**
 * Gives contacts the names that they lack, the whole or a half. It locks the contacts in id order, so that two batches cannot
 * deadlock.
 */
async function fillInNames(tx: Tx, now: Date, people: readonly Person[], contacts: Map<string, Contact>) {
  const named = uniquePeople(
    people.filter((person) => missingNames(contacts.get(contactKey(person))!, person) !== undefined),
  )
  if (named.length === 0) return
  const locked = await tx<Contact[]>`
    select ${contactColumns()} from contacts where id = any(${named.map((person) => contacts.get(contactKey(person))!.id)}::bigint[])
    order by id for no key update`
  for (const contact of locked) contacts.set(contactKey(contact), contact)
  // Another transaction may have named some of them before these locks were granted.
  const changes = named.flatMap((person) => {
    const contact = contacts.get(contactKey(person))!
    const missing = missingNames(contact, person)
    if (!missing) return []
    const names = { ...missing, name_on_network: contact.name_on_network }
    return [{ id: contact.id, author: person.author, ...names, ...compareNames(names) }]
  })
  const names = rows(changes, {
    ...({ id: 'bigint', first_name: 'text', last_name: 'text', author: 'bigint' } as const),
    ...({ name_matches_network_status: 'text', name_matches_network_score: 'double precision' } as const),
  })
  const updated = await tx<Contact[]>`
    update contacts set first_name = p.first_name, last_name = p.last_name,
      name_matches_network_status = p.name_matches_network_status,
      name_matches_network_score = p.name_matches_network_score,
      modified = ${truncateToSecond(now)}, updated_by = p.author
    from ${names.as('p')} where contacts.id = p.id returning ${contactColumns()}`
  for (const contact of updated) contacts.set(contactKey(contact), contact)
}

/**
 * The names of a contact with those that it lacks and a person has; undefined if there are none. A name is never overwritten, and
 * the half of another name completes none.
 */
export function missingNames(
  contact: Pick<Contact, 'first_name' | 'last_name'>,
  given: Pick<Person, 'first_name' | 'last_name'>,
): Pick<Contact, 'first_name' | 'last_name'> | undefined {
  const differs = (name: 'first_name' | 'last_name') =>
    contact[name] !== ANONYMOUS_NAME[name] && given[name] !== undefined && given[name] !== contact[name]
  if (differs('first_name') || differs('last_name')) return undefined
  const choose = (name: 'first_name' | 'last_name') =>
    contact[name] === ANONYMOUS_NAME[name] ? (given[name] ?? contact[name]) : contact[name]
  const names = { first_name: choose('first_name'), last_name: choose('last_name') }
  return names.first_name === contact.first_name && names.last_name === contact.last_name ? undefined : names
}

/** True if a contact has no name yet. */
export function isAnonymous(contact: Pick<Contact, 'first_name' | 'last_name'>): boolean {
  return contact.first_name === ANONYMOUS_NAME.first_name && contact.last_name === ANONYMOUS_NAME.last_name
}

/** The name of a person without the placeholders for unknown names, so that no message addresses "Amina Contact". */
export function knownName({ first_name, last_name }: Pick<Contact, 'first_name' | 'last_name'>): string {
  const known = [
    first_name === ANONYMOUS_NAME.first_name ? '' : first_name,
    last_name === ANONYMOUS_NAME.last_name ? '' : last_name,
  ]
  return known.join(' ').trim()
}

/** Splits a name into the first word and the rest. Contacts have both. */
export function splitName(name: string): { first_name?: string; last_name?: string } {
  const [first = '', ...rest] = name.split(/\s+/).filter(Boolean)
  const last = rest.join(' ')
  return { ...(first && { first_name: first.slice(0, 100) }), ...(last && { last_name: last.slice(0, 100) }) }
}
