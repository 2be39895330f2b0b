import type { Reader, Tx } from '../../db/client.ts'
import type { ClaimTimes } from '../leases.ts'
import { type Contact, compareNames, contactColumns } from './contacts.ts'

/** A contact whose network is to be asked who holds its number, or whose traces are still being erased. */
export interface DueContact {
  id: number
  organization: number
  phone_number: string
  network_name: string
  tries: number
  /** The number whose traces are being erased; null for a look-up. */
  erasing: string | null
}

/** Claims contacts that are to be looked up, under a lease. */
export async function claimLookups(tx: Tx, times: ClaimTimes, limit: number): Promise<DueContact[]> {
  const rows = await tx<DueContact[]>`
    update contacts set leased_until = ${times.lease_end}, tries = tries + 1 where id in (
      select id from contacts where erasing is null and due_at <= ${times.now} and (leased_until is null or leased_until <= ${times.real})
      order by due_at limit ${limit} for update skip locked)
    returning id, organization, phone_number, network_name, tries, erasing`
  return [...rows]
}

/** When something is due for a contact that nobody is working on, or null. @param what a look-up or an erasure */
export async function nextDueContact(db: Reader, real: Date, what: 'look-up' | 'erasure'): Promise<Date | null> {
  const [row] = await db<{ due_at: Date | null }[]>`
    select min(due_at) as due_at from contacts
    where due_at is not null and (erasing is null) = ${what === 'look-up'} and (leased_until is null or leased_until <= ${real})`
  return row?.due_at ?? null
}

/** What a network said about a number; its contact is asked about again at `again`, if that is given. */
export type LookupResult =
  | { contact: number; outcome: 'found'; name: string | null }
  | { contact: number; outcome: 'not_found' }
  | { contact: number; outcome: 'unknown'; retry_at: Date | null }

/** Longer names than this are no names. */
const MAX_NAME_CHARACTERS = 200

/**
 * Writes down what the networks said. A look-up is the service's own knowledge and no change that a person made, so
 * `modified` and `updated_by` stay. Contacts that were erased meanwhile stay as they are.
 */
export async function applyLookupResults(tx: Tx, answers: readonly LookupResult[]): Promise<void> {
  if (answers.length === 0) return
  const locked = await tx<(Contact & { erased: Date | null })[]>`
    select ${contactColumns()}, erased from contacts
    where id = any(${answers.map((answer) => answer.contact)}::bigint[]) order by id for no key update`
  const contacts = locked.filter((contact) => contact.erased === null)
  const settled = contacts.map((contact) => {
    const answer = answers.find((one) => one.contact === contact.id)!
    const name_on_network =
      answer.outcome === 'found' ? (answer.name?.trim().slice(0, MAX_NAME_CHARACTERS) ?? '') : contact.name_on_network
    return {
      id: contact.id,
      registered: registrationByOutcome[answer.outcome] ?? contact.phone_is_mm_registered,
      name_on_network: answer.outcome === 'not_found' ? '' : name_on_network,
      again: answer.outcome === 'unknown' ? answer.retry_at : null,
      contact,
    }
  })
  const matches = settled.map((one) => compareNames({ ...one.contact, name_on_network: one.name_on_network }))
  await tx`
    update contacts c set phone_is_mm_registered = s.registered, name_on_network = s.name,
      name_matches_network_status = s.status, name_matches_network_score = s.score,
      tries = case when s.again is null then 0 else c.tries end, due_at = s.again::timestamptz, leased_until = null
    from unnest(${settled.map((one) => one.id)}::bigint[], ${settled.map((one) => one.registered)}::text[],
      ${settled.map((one) => one.name_on_network)}::text[],
      ${matches.map((match) => match.name_matches_network_status)}::text[],
      ${matches.map((match) => match.name_matches_network_score)}::double precision[],
      ${settled.map((one) => one.again?.toISOString() ?? null)}::text[]) as s(id, registered, name, status, score, again)
    where c.id = s.id`
}

const registrationByOutcome: Partial<Record<LookupResult['outcome'], string>> = { found: 'yes', not_found: 'no' }
