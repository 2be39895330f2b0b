import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { erasePerson } from '../../lib/erase-person.ts'
import { ERASED_NOTE } from '../connections/callbacks.ts'
import { eventsInOrder } from '../events/events.ts'
import { packData, unpackData } from '../events/stored-data.ts'
import type { ClaimTimes } from '../leases.ts'
import { nextAttemptAt, retrySchedules } from '../retry-schedules.ts'
import { replacementNumber } from './erasure.ts'
import { claimContacts, type DueContact } from './lookups.ts'
import { ERASED_PREFIX, isPhone } from './phones.ts'

/** Stored messages to search: the events, the answers of one webhook, or the callbacks. */
export interface MessageRange {
  source: 'events' | 'callbacks' | { webhook: number }
  /** All messages up to this id are done. */
  after_id: number
}

/** Maximum number of messages searched at once: to unpack the events takes half of the time that a turn may take. */
export const MAX_CHUNK_MESSAGES = 1_000

/** Counts the messages to search, to show progress. */
export async function countMessages(db: Reader, organization: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select (select count(*) from events where organization = ${organization})
      + (select count(*) from webhook_attempts
        where webhook in (select id from webhooks where organization = ${organization}))
      + (select count(*) from callbacks) as count`
  return row!.count
}

/** The messages that may contain data of a contact. */
export async function listMessageRanges(tx: Tx, contact: DueContact): Promise<MessageRange[]> {
  const { organization } = contact
  // Receivers and networks know a person by the phone.
  if (phoneOf(contact) === null) return [{ source: 'events', after_id: 0 }]
  const webhooks = await tx<{ id: number }[]>`select id from webhooks where organization = ${organization} order by id`
  return [
    { source: 'events', after_id: 0 },
    ...webhooks.map(({ id }) => ({ source: { webhook: id }, after_id: 0 })),
    { source: 'callbacks', after_id: 0 },
  ]
}

/** Erases the person from the next messages of a range. @returns the rest of the range, or null if nothing is left */
export async function eraseNextChunk(tx: Tx, contact: DueContact, range: MessageRange): Promise<MessageRange | null> {
  const { source, after_id } = range
  const last =
    source === 'events'
      ? await eraseInEvents(tx, contact, after_id)
      : source === 'callbacks'
        ? await eraseInCallbacks(tx, contact, after_id)
        : await eraseInAttempts(tx, contact, source.webhook, after_id)
  return last === null ? null : { source, after_id: last }
}

/** The subject of a callback: a collection, by the network's id, or an order, by its phone number. */
export interface ErasureTarget {
  callback: number
  connection: string
  remote_id?: string
  phonenumber?: string
}

/** Erases callbacks that arrive after the erasure of their person: networks repeat callbacks, report late and reverse money. */
export async function eraseLateCallbacks(tx: Tx, targets: readonly ErasureTarget[]): Promise<void> {
  if (targets.length === 0) return
  await tx`
    update callbacks c set body = '', bytes = null, digest = null, note = ${ERASED_NOTE}
    from ${rows(targets, { callback: 'bigint', connection: 'text', remote_id: 'text', phonenumber: 'text' }).as('t')}
    where c.id = t.callback and (
      starts_with(t.phonenumber, ${ERASED_PREFIX})
      or exists (select 1 from collections m
        where m.connection = t.connection and m.remote_transaction_id = t.remote_id and starts_with(m.phonenumber, ${ERASED_PREFIX})))`
}

/** Extends the lease on a contact while its erasure takes long. */
export async function renewErasureLease(tx: Tx, contact: number, lease_end: Date): Promise<void> {
  await tx`update contacts set leased_until = ${lease_end} where id = ${contact}`
}

/** Ends an erasure and deletes the number, or schedules a retry if a callback with the number is not done yet. */
export async function finishErasure(tx: Tx, now: Date, contact: DueContact): Promise<void> {
  const digits = phoneOf(contact) === null ? null : digitsOf(contact)
  const [waiting] = await tx`
    select 1 from callbacks where state in ('waiting', 'failed') and position(${digits} in body) > 0 limit 1`
  if (waiting)
    await tx`
      update contacts set due_at = ${nextAttemptAt(now, retrySchedules.message_erasure, contact.attempts)}, leased_until = null
      where id = ${contact.id}`
  else
    await tx`update contacts set number_being_erased = null, due_at = null, leased_until = null, attempts = 0 where id = ${contact.id}`
}

/** Claims contacts whose number is still to be erased from messages, under a lease. */
export function claimErasures(tx: Tx, times: ClaimTimes, limit: number): Promise<DueContact[]> {
  return claimContacts(tx, times, limit, 'erasure')
}

/** The number to erase; null for a customer without a phone. */
function phoneOf({ number_being_erased }: DueContact): string | null {
  return number_being_erased !== null && isPhone(number_being_erased) ? number_being_erased : null
}

/** The number without its plus, as some networks write it. */
function digitsOf(contact: DueContact): string {
  return contact.number_being_erased!.slice(1)
}

function eraseFromMessage(message: string, contact: DueContact): string {
  return erasePerson(message, { phone: phoneOf(contact), contact: contact.id }, replacementNumber(contact.id))
}

/** The id of an object, or of its contact, in the JSON of an event. */
const OBJECT_ID = /"(?:id|contact)": ?(\d{1,16})/g

async function eraseInEvents(tx: Tx, contact: DueContact, after: number): Promise<number | null> {
  const isNamed = (data: string) => [...data.matchAll(OBJECT_ID)].some(([, id]) => Number(id) === contact.id)
  const mayName = (data: string) => (phoneOf(contact) === null ? isNamed(data) : data.includes(digitsOf(contact)))
  const events = await tx<{ id: number; data: Buffer }[]>`
    ${eventsInOrder(sql`id, data`, {
      organization: contact.organization,
      where: sql`id > ${after}`,
      limit: MAX_CHUNK_MESSAGES,
    })}`
  const found = events.map(({ id, data }) => ({ id, data: unpackData(data) })).filter(({ data }) => mayName(data))
  if (found.length > 0) {
    const erased = rows(found, {
      id: 'bigint',
      data: ['text', ({ data }) => packData(eraseFromMessage(data, contact)).toString('base64')],
    })
    await tx`
      update events e set data = decode(f.data, 'base64') from ${erased.as('f')}
      where e.id = f.id and e.organization = ${contact.organization}`
  }
  return events.length < MAX_CHUNK_MESSAGES ? null : events.at(-1)!.id
}

/** Deletes the answers of a receiver that contain the number. */
async function eraseInAttempts(tx: Tx, contact: DueContact, webhook: number, after: number): Promise<number | null> {
  const attempts = await tx<{ event: number }[]>`
    select event from webhook_attempts where webhook = ${webhook} and event > ${after} order by event limit ${MAX_CHUNK_MESSAGES}`
  if (attempts.length === 0) return null
  const last = attempts.at(-1)!.event
  await tx`
    update webhook_attempts set response_body = null
    where webhook = ${webhook} and event > ${after} and event <= ${last} and position(${digitsOf(contact)} in response_body) > 0`
  return attempts.length < MAX_CHUNK_MESSAGES ? null : last
}

/**
 * Deletes the whole body of callbacks with the number, because each network has its own format. If another organization has a
 * contact with the same number, it deletes only callbacks that name a payment or an order of this contact. Callbacks that are
 * not done yet stay until they are.
 */
async function eraseInCallbacks(tx: Tx, contact: DueContact, after: number): Promise<number | null> {
  const [chunk] = await tx<{ last: number | null; count: number }[]>`
    select max(id) as last, count(*) from (select id from callbacks where id > ${after} order by id limit ${MAX_CHUNK_MESSAGES}) p`
  if (chunk!.last !== null)
    await tx`
      update callbacks c set body = '', bytes = null, digest = null, note = ${ERASED_NOTE}
      where id > ${after} and id <= ${chunk!.last} and state in ('settled', 'ignored') and position(${digitsOf(contact)} in body) > 0
        and (
          not exists (select 1 from contacts o
            where o.phone_number = ${contact.number_being_erased} and o.organization <> ${contact.organization})
          or exists (select 1 from collections m
            where m.contact = ${contact.id} and position(m.remote_transaction_id in c.body) > 0)
          or exists (select 1 from collection_requests r
            where r.contact = ${contact.id} and position('KR' || r.id || '-' in c.body) > 0)
          or exists (select 1 from payment_recipients p
            where p.contact = ${contact.id} and position(p.remote_transaction_id in c.body) > 0))`
  return chunk!.count < MAX_CHUNK_MESSAGES ? null : chunk!.last
}
