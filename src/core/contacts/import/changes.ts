import type { Tx } from '../../../db/client.ts'
import { rows } from '../../../db/rows.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import { type Contact, compareNames, contactColumns, isAnonymous } from '../contacts.ts'
import { type ContactPayer, MAX_PAYERS } from '../customer-fields.ts'
import { selectPayers, selectTags, writeNumberKeys, writeParts } from '../customers.ts'
import type { KnownChoice } from './row.ts'

/** Data of a file about a contact. Missing members stay as they are. */
export interface ContactAddition {
  contact: number
  author: number
  first_name?: string
  last_name?: string
  email?: string
  type?: string
  number?: string
  notes?: string
  tags?: readonly string[]
  payers?: readonly ContactPayer[]
}

interface Known extends Contact {
  erased: Date | null
  number: string | null
  notes: string
}

interface Parts {
  tags: readonly string[]
  payers: readonly ContactPayer[]
}

/**
 * Writes the data of a file into contacts that exist. Contacts without a name always get all of it; the others if
 * `known` says so. Otherwise a contact without a customer number gets the file's number, and the groups, notes and
 * payers that it lacks. A contact that has it all already does not change. Locks the contacts in the order of their
 * ids.
 * @returns how many were changed
 */
export async function completeContacts(
  tx: Tx,
  now: Date,
  { organization, known }: { organization: number; known: KnownChoice },
  additions: readonly ContactAddition[],
): Promise<number> {
  if (additions.length === 0) return 0
  const ids = additions.map(({ contact }) => contact)
  const locked = await tx<Known[]>`
    select ${contactColumns()}, erased, number, notes from contacts where id = any(${ids}::bigint[])
    order by id for no key update`
  const by_contact = new Map(additions.map((addition) => [addition.contact, addition]))
  // Another transaction may have named or erased some of them before these locks were granted.
  const chosen = locked.flatMap((contact) => {
    const addition = by_contact.get(contact.id)!
    const scope = scopeOf(contact, addition, known)
    return scope === 'none' ? [] : [{ contact, addition, scope }]
  })
  if (chosen.length === 0) return 0
  const parts = await readParts(
    tx,
    chosen.map(({ contact }) => contact.id),
  )
  const changes = chosen.flatMap(({ contact, addition, scope }) => {
    const had = parts.get(contact.id)!
    const changed = applyAddition(contact, had, addition, scope)
    return hasChanged(contact, had, changed) ? [{ ...changed, had_number: contact.number, had }] : []
  })
  await writeChanges(tx, now, organization, changes)
  return changes.length
}

/** Part of an addition that a contact gets: all of it, or the customer number and missing data. */
type Scope = 'all' | 'lacking' | 'none'

function scopeOf(contact: Known, { number }: ContactAddition, known: KnownChoice): Scope {
  if (contact.erased) return 'none'
  if (known === 'update' || isAnonymous(contact)) return 'all'
  return number !== undefined && contact.number === null ? 'lacking' : 'none'
}

async function readParts(tx: Tx, contacts: readonly number[]): Promise<Map<number, Parts>> {
  const found = await tx<(Parts & { id: number })[]>`
    select id, ${selectTags('contacts')} as tags, ${selectPayers('contacts')} as payers from contacts
    where id = any(${[...contacts]}::bigint[])`
  return new Map(found.map(({ id, ...parts }) => [id, parts]))
}

/** Returns the contact with the file's data. An existing customer number stays. */
function applyAddition(contact: Known, had: Parts, addition: ContactAddition, scope: Scope) {
  const given: Partial<ContactAddition> = scope === 'all' ? addition : {}
  const { first_name = contact.first_name, last_name = contact.last_name } = given
  const { email = contact.email, type = contact.type } = given
  const { id, name_on_network } = contact
  return {
    id,
    author: addition.author,
    first_name,
    last_name,
    email,
    type,
    ...compareNames({ first_name, last_name, name_on_network }),
    number: contact.number ?? addition.number ?? null,
    notes: given.notes ?? (contact.notes || (addition.notes ?? '')),
    tags: given.tags ?? (had.tags.length > 0 ? had.tags : (addition.tags ?? [])),
    payers: scope === 'all' || had.payers.length === 0 ? mergePayers(addition.payers ?? [], had.payers) : had.payers,
  }
}
type Changed = ReturnType<typeof applyAddition>

/** The payers of the file, and then the others that the contact has. */
function mergePayers(given: readonly ContactPayer[], had: readonly ContactPayer[]): readonly ContactPayer[] {
  const known = new Map(had.map((payer) => [payer.phone_number, payer]))
  const first = given.map((payer) => ({ ...payer, name: payer.name || (known.get(payer.phone_number)?.name ?? '') }))
  const phones = new Set(given.map(({ phone_number }) => phone_number))
  return [...first, ...had.filter(({ phone_number }) => !phones.has(phone_number))].slice(0, MAX_PAYERS)
}

function hasChanged(contact: Known, had: Parts, changed: Changed): boolean {
  const names = ['first_name', 'last_name', 'email', 'type', 'number', 'notes'] as const
  return (
    names.some((name) => changed[name] !== contact[name]) ||
    listOf(changed.payers) !== listOf(had.payers) ||
    JSON.stringify(changed.tags.toSorted()) !== JSON.stringify(had.tags.toSorted())
  )
}

function listOf(payers: readonly ContactPayer[]): string {
  return JSON.stringify(payers.map(({ phone_number, name }) => [phone_number, name]))
}

async function writeChanges(
  tx: Tx,
  now: Date,
  organization: number,
  changes: readonly (Changed & { had_number: string | null; had: Parts })[],
): Promise<void> {
  if (changes.length === 0) return
  const source = rows(changes, {
    id: 'bigint',
    first_name: 'text',
    last_name: 'text',
    email: 'text',
    type: 'text',
    author: 'bigint',
    number: 'text',
    notes: 'text',
    name_matches_network_status: 'text',
    name_matches_network_score: 'double precision',
  })
  await writeNumberKeys(
    tx,
    changes.flatMap(({ id, number, had_number }) =>
      number === null || had_number !== null ? [] : [{ contact: id, organization, number }],
    ),
  )
  await tx`
    update contacts c set first_name = u.first_name, last_name = u.last_name, email = u.email, type = u.type,
      number = u.number, notes = u.notes, name_matches_network_status = u.name_matches_network_status,
      name_matches_network_score = u.name_matches_network_score,
      modified = ${truncateToSecond(now)}, updated_by = u.author
    from ${source.as('u')} where c.id = u.id and c.organization = ${organization}`
  await writeParts(
    tx,
    changes.map(({ id, tags, payers, had }) => ({
      contact: id,
      organization,
      tags: tags === had.tags ? undefined : tags,
      payers: payers === had.payers ? undefined : payers,
    })),
  )
}
