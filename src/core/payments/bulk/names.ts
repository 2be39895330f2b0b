import type { AnyReader, Tx } from '../../../db/client.ts'
import { nameSimilarity } from '../../../lib/text/name-similarity.ts'
import { findOrCreateContacts, splitName } from '../../contacts/contacts.ts'
import { type BulkPaymentRow, requireEditable } from './drafts.ts'
import type { NameState } from './row.ts'

/** A name that is less similar than this, in percent, is marked. A missing middle name costs less. */
export const LEAST_SIMILARITY = 60

/** New contacts of one transaction. */
export const NAMES_AT_ONCE = 500

/**
 * Makes the next recipients of a file contacts, whose names a job then asks of the networks. It notes that the names were asked for.
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
    ...{ organization, phone_number, ...splitName(name), network_name, author },
  }))
  await findOrCreateContacts(tx, now, people)
  await tx`update bulk_payments set names_requested = coalesce(names_requested, ${now}) where id = ${id}`
  return next.length < NAMES_AT_ONCE ? null : next.at(-1)!.number
}

/** What a network knows about a row. */
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

/** The states of the names of all rows of a file that are not left out, by the number of the row. */
export async function readNameStates(
  db: AnyReader,
  { organization, id }: { organization: number; id: number },
): Promise<Map<number, NameState>> {
  const known = await db<(KnownName & { number: number })[]>`
    select r.number, r.name, c.name_on_network, c.phone_is_mm_registered as registered, c.due_at is not null as is_pending
    from bulk_payment_rows r left join contacts c on c.organization = ${organization} and c.phone_number = r.phonenumber
    where r.organization = ${organization} and r.bulk_payment = ${id} and r.network is not null
      and r.decision is distinct from 'skip'`
  return new Map(known.map((row) => [row.number, nameStateOf(row)]))
}
