import type { AnyReader, Tx } from '../../../db/client.ts'
import { nameSimilarity } from '../../../lib/text/name-similarity.ts'
import { findOrCreateContacts, splitName } from '../../contacts/contacts.ts'
import { type BulkPaymentRow, requireEditable } from './drafts.ts'
import type { NameState } from './row.ts'

/** A name that is less similar than this, in percent, is marked. A missing middle name costs less. */
const LEAST_SIMILARITY = 60

/** New contacts of one transaction. */
const NAMES_AT_ONCE = 500

/**
 * Makes the next recipients of a file contacts, whose names a job then looks up at the networks. It notes that the
 * names were requested.
 * @param after the row after which it goes on; 0 at first
 * @returns the last row that it has reached, or null after the last one
 */
export async function requestNames(
  tx: Tx,
  now: Date,
  draft: BulkPaymentRow,
  { author, after }: { author: number; after: number },
): Promise<number | null> {
  requireEditable(draft)
  const { organization, id } = draft
  const next = await tx<{ number: number; phonenumber: string; name: string; network: string }[]>`
    select number, phonenumber, name, network from bulk_payment_rows
    where organization = ${organization} and bulk_payment = ${id} and number > ${after} and network is not null
      and phonenumber is not null and decision is distinct from 'skip' order by number limit ${NAMES_AT_ONCE}`
  const people = next.map(({ phonenumber: phone_number, name, network: network_name }) => ({
    organization,
    phone_number,
    ...splitName(name),
    network_name,
    author,
  }))
  await findOrCreateContacts(tx, now, people)
  await tx`update bulk_payments set names_requested = coalesce(names_requested, ${now}) where id = ${id}`
  return next.length < NAMES_AT_ONCE ? null : next.at(-1)!.number
}

/** Network's knowledge about a row. */
export interface KnownName {
  name: string
  name_on_network: string | null
  registered: string | null
  is_pending: boolean | null
}

/** Compares the name in the file with that on the network. */
export function nameStateOf({ name, name_on_network, registered, is_pending }: KnownName): NameState {
  if (is_pending) return 'pending'
  if (registered === 'no') return 'not_registered'
  if (!name_on_network || name === '') return 'unknown'
  return nameSimilarity(name, name_on_network) >= LEAST_SIMILARITY ? 'matches' : 'differs'
}

/** Knowledge of networks about phone numbers. */
export type NamesByPhone = ReadonlyMap<string, Omit<KnownName, 'name'>>

/**
 * Reads the networks' knowledge about these phone numbers, in one scan. Joined with the rows of a file, PostgreSQL
 * could read all contacts for each row while its statistics are older than both.
 */
export async function readNames(
  db: AnyReader,
  organization: number,
  phonenumbers: readonly (string | null)[],
): Promise<NamesByPhone> {
  const asked = phonenumbers.filter((phonenumber) => phonenumber !== null)
  if (asked.length === 0) return new Map()
  const found = await db<(Omit<KnownName, 'name'> & { phone_number: string })[]>`
    select phone_number, name_on_network, phone_is_mm_registered as registered, due_at is not null as is_pending
    from contacts where organization = ${organization} and phone_number = any(${asked}::text[])`
  return new Map(found.map(({ phone_number, ...known }) => [phone_number, known]))
}

/** Name of a row whose phone number is unknown. */
const UNKNOWN = { name_on_network: null, registered: null, is_pending: false }

/** Returns the name of a row, with the network's knowledge about its phone number. */
export function knownName(
  { name, phonenumber }: { name: string; phonenumber: string | null },
  names: NamesByPhone,
): KnownName {
  return { name, ...(names.get(phonenumber ?? '') ?? UNKNOWN) }
}

/** The states of the names of all rows of a file that are not left out, by the number of the row. */
export async function readNameStates(
  db: AnyReader,
  { organization, id }: { organization: number; id: number },
): Promise<Map<number, NameState>> {
  const rows = await db<{ number: number; name: string; phonenumber: string | null }[]>`
    select number, name, phonenumber from bulk_payment_rows
    where organization = ${organization} and bulk_payment = ${id} and network is not null
      and decision is distinct from 'skip'`
  const phonenumbers = rows.map(({ phonenumber }) => phonenumber)
  const names = await readNames(db, organization, phonenumbers)
  return new Map(rows.map((row) => [row.number, nameStateOf(knownName(row, names))]))
}

/** Counts the states of names. */
export function countNames(states: Iterable<NameState>): Record<NameState, number> {
  const counts = { pending: 0, matches: 0, differs: 0, not_registered: 0, unknown: 0 }
  for (const state of states) counts[state] += 1
  return counts
}
