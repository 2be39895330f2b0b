import { z } from 'zod'
import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import type { AccountHolderLookup } from '../../lib/adapter-types.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { timestamp } from '../fields.ts'
import { type ClaimTimes, claimDue, findNextDue } from '../leases.ts'
import { type Contact, compareNames, contactColumns } from './contacts.ts'
import type { DueContact } from './direct-lookups.ts'

export type { DueContact } from './direct-lookups.ts'

/** Work due for a contact: a look-up of its account holder, or the erasure of its number from messages. */
export type ContactWork = 'look-up' | 'erasure'

/** Claims contacts whose account holder is to be looked up, under a lease. */
export function claimLookups(tx: Tx, times: ClaimTimes, limit: number): Promise<DueContact[]> {
  return claimContacts(tx, times, limit, 'look-up')
}

/** Claims contacts for one kind of work, under a lease. */
export function claimContacts(tx: Tx, times: ClaimTimes, limit: number, work: ContactWork): Promise<DueContact[]> {
  return claimDue<DueContact>(tx, {
    table: 'contacts',
    times,
    limit,
    where: isDueFor(work),
    set: sql`attempts = attempts + 1`,
    returning: sql`id, organization, phone_number, network_name, attempts, number_being_erased`,
  })
}

/** Finds the time when the next unclaimed contact is due for one kind of work, or null. */
export function nextDueContact(db: Reader, real: Date, work: ContactWork): Promise<Date | null> {
  return findNextDue(db, 'contacts', real, isDueFor(work))
}

function isDueFor(work: ContactWork) {
  return work === 'look-up' ? sql`number_being_erased is null` : sql`number_being_erased is not null`
}

/**
 * The names of the networks that have said that they know these phones as their customers, by phone. A prefix says less,
 * because numbers are ported.
 */
export async function findNetworkNames(
  db: Reader,
  organization: number,
  phones: readonly string[],
): Promise<Map<string, string>> {
  const known = await db<{ phone_number: string; network_name: string }[]>`
    select phone_number, network_name from contacts
    where organization = ${organization} and phone_number = any(${[...new Set(phones)]}::text[])
      and phone_is_mm_registered = 'yes' and network_name <> ''`
  return new Map(known.map(({ phone_number, network_name }) => [phone_number, network_name]))
}

/**
 * Response of a network about a number. `network_name` names another network, which knows it. `retry_at` is the time to
 * look the contact up again, or null for never.
 */
export type LookupResult = { contact: number; network_name?: string } & (
  | Exclude<AccountHolderLookup, { outcome: 'unknown' }>
  | { outcome: 'unknown'; retry_at: Date | null }
)

/** A longer text is not a name and is cut. */
const MAX_NAME_CHARACTERS = 200

/**
 * Stores the results of look-ups and ends the leases. A look-up is not a change by a user, so `modified` and `updated_by` stay.
 * Contacts that were erased meanwhile do not change.
 */
export async function applyLookupResults(tx: Tx, now: Date, results: readonly LookupResult[]): Promise<void> {
  if (results.length === 0) return
  const locked = await tx<(Contact & { erased: Date | null })[]>`
    select ${contactColumns()}, erased from contacts
    where id = any(${results.map((result) => result.contact)}::bigint[]) order by id for no key update`
  const contacts = locked.filter((contact) => contact.erased === null)
  const updated_contacts = contacts.map((contact) => {
    const result = results.find(({ contact: id }) => id === contact.id)!
    const name_on_network = nameAfter(result, contact)
    return {
      id: contact.id,
      organization: contact.organization,
      registered: registrationByOutcome[result.outcome] ?? contact.phone_is_mm_registered,
      name_on_network,
      network_name: result.network_name ?? contact.network_name,
      match: compareNames({ ...contact, name_on_network }),
      retry_at: result.outcome === 'unknown' ? result.retry_at : null,
      answered: result.outcome !== 'unknown',
    }
  })
  const updates = rows(updated_contacts, {
    id: 'bigint',
    organization: 'bigint',
    registered: 'text',
    name_on_network: 'text',
    network_name: 'text',
    status: ['text', ({ match }) => match.name_matches_network_status],
    score: ['double precision', ({ match }) => match.name_matches_network_score],
    retry_at: 'timestamptz',
    answered: 'boolean',
  })
  tx.send`
    update contacts c set phone_is_mm_registered = s.registered, name_on_network = s.name_on_network,
      network_name = s.network_name, name_matches_network_status = s.status, name_matches_network_score = s.score,
      attempts = case when s.retry_at is null then 0 else c.attempts end, due_at = s.retry_at, leased_until = null,
      looked_up = case when s.answered then ${truncateToSecond(now)} else c.looked_up end
    from ${updates.as('s')} where c.id = s.id and c.organization = s.organization`
}

/** The name on the network that a contact has after this result. */
function nameAfter(result: LookupResult, contact: Contact): string {
  if (result.outcome === 'unknown') return contact.name_on_network
  return result.outcome === 'found' ? (result.name?.trim().slice(0, MAX_NAME_CHARACTERS) ?? '') : ''
}

const registrationByOutcome: Partial<Record<LookupResult['outcome'], string>> = { found: 'yes', not_found: 'no' }

/**
 * State of knowledge about the holder of a number. `unsupported`: no network serves it. `pending`: a network is asked
 * at `next_attempt`. `retrying`: it gave no answer, and is asked again then. `done`: it gave the holder. `unanswered`:
 * none gave the holder, and none is asked.
 */
export const lookupStates = ['unsupported', 'pending', 'retrying', 'done', 'unanswered'] as const

/** The look-up of a contact's number. */
export const ContactLookup = z.object({
  state: z.enum(lookupStates),
  /** Time when a network last named the holder; null: never, or before this was recorded. */
  looked_up: timestamp.nullable(),
  next_attempt: timestamp.nullable(),
})
export type ContactLookup = z.output<typeof ContactLookup>

/** Reads the progress of a contact's look-up. An erased contact has none. */
export async function readLookup(db: AnyReader, organization: number, contact: number): Promise<ContactLookup> {
  const [row] = await db<
    { supported: string; registered: string; looked_up: Date | null; due_at: Date | null; attempts: number }[]
  >`
    select phone_is_supported as supported, phone_is_mm_registered as registered, looked_up, attempts,
      case when erased is null then due_at end as due_at
    from contacts where organization = ${organization} and id = ${contact}`
  const { supported, registered, looked_up, due_at, attempts } = row!
  const state = due_at
    ? attempts > 0
      ? 'retrying'
      : 'pending'
    : supported === 'no'
      ? 'unsupported'
      : looked_up || registered !== 'unknown'
        ? 'done'
        : 'unanswered'
  return { state, looked_up, next_attempt: due_at }
}
