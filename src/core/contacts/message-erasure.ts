import type { Reader, Tx } from '../../db/client.ts'
import { erasePerson } from '../../lib/erase-person.ts'
import type { ClaimTimes } from '../leases.ts'
import { ERASED_PREFIX, replacementNumber } from './erasure.ts'
import type { DueContact } from './lookups.ts'

/** One stretch of stored messages to look through: of the events, of one webhook's deliveries, or of the callbacks. */
export interface MessageRange {
  source: 'events' | 'callbacks' | { webhook: number }
  /** Everything up to this id has been looked through. */
  after_id: number
}

/** The most rows of one look. */
export const MAX_CHUNK_MESSAGES = 2_000

/** How many messages there are to look through, for those who show progress. */
export async function countMessages(db: Reader, organization: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select (select count(*) from events where organization = ${organization})
      + (select count(*) from webhook_deliveries
        where webhook in (select id from webhooks where organization = ${organization}))
      + (select count(*) from callbacks) as count`
  return row!.count
}

/** Where the messages lie that may speak of somebody of this organization. */
export async function listMessageRanges(tx: Tx, organization: number): Promise<MessageRange[]> {
  const webhooks = await tx<{ id: number }[]>`select id from webhooks where organization = ${organization} order by id`
  return [
    { source: 'events', after_id: 0 },
    ...webhooks.map(({ id }) => ({ source: { webhook: id }, after_id: 0 })),
    { source: 'callbacks', after_id: 0 },
  ]
}

/** Looks through the next piece of a stretch, and erases the person there. @returns what is left of it, or null. */
export async function eraseNextChunk(tx: Tx, contact: DueContact, stretch: MessageRange): Promise<MessageRange | null> {
  const { source: of, after_id: after } = stretch
  const last =
    of === 'events'
      ? await eraseInEvents(tx, contact, after)
      : of === 'callbacks'
        ? await eraseInCallbacks(tx, contact, after)
        : await eraseInDeliveries(tx, contact, of.webhook, after)
  return last === null ? null : { source: of, after_id: last }
}

/** What a callback was about: money, by its network's id, or an order of ours, by the number that we hold for it. */
export interface ErasureTarget {
  callback: number
  network: string
  remote_id?: string
  phonenumber?: string
}

/**
 * Erases callbacks that came when their person had been erased already: networks repeat themselves, report what we had asked
 * about before, and take money back.
 */
export async function eraseLateCallbacks(tx: Tx, told: readonly ErasureTarget[]): Promise<void> {
  if (told.length === 0) return
  await tx`
    update callbacks c set body = '', note = 'Erased.'
    from unnest(${told.map((t) => t.callback)}::bigint[], ${told.map((t) => t.network)}::text[],
      ${told.map((t) => t.remote_id ?? null)}::text[], ${told.map((t) => t.phonenumber ?? null)}::text[])
      as t(callback, network, remote_id, phonenumber)
    where c.id = t.callback and (
      starts_with(t.phonenumber, ${ERASED_PREFIX})
      or exists (select 1 from collections m
        where m.network = t.network and m.remote_transaction_id = t.remote_id and starts_with(m.phonenumber, ${ERASED_PREFIX})))`
}

/** Keeps the claim on a contact whose traces take long to erase. */
export async function renewErasureLease(tx: Tx, contact: number, lease_end: Date): Promise<void> {
  await tx`update contacts set leased_until = ${lease_end} where id = ${contact}`
}

/** When to look again for callbacks that have to be read before they can be erased. */
const RETRY_WAIT_MS = 60 * 60 * 1_000

/** Says that no trace of the number is left, and forgets it; or comes again later, while one has to be read first. */
export async function finishErasure(tx: Tx, now: Date, contact: DueContact): Promise<void> {
  const [waiting] = await tx`
    select 1 from callbacks where due_at is not null and position(${digitsOf(contact)} in body) > 0 limit 1`
  if (waiting)
    await tx`
      update contacts set due_at = ${new Date(now.getTime() + RETRY_WAIT_MS)}, leased_until = null
      where id = ${contact.id}`
  else
    await tx`update contacts set number_being_erased = null, due_at = null, leased_until = null, attempts = 0 where id = ${contact.id}`
}

/** Claims a contact whose traces are still to be erased, under a lease. */
export async function claimErasures(tx: Tx, times: ClaimTimes, limit: number): Promise<DueContact[]> {
  const rows = await tx<DueContact[]>`
    update contacts set leased_until = ${times.lease_end}, attempts = attempts + 1 where id in (
      select id from contacts where number_being_erased is not null and due_at <= ${times.now}
        and (leased_until is null or leased_until <= ${times.real})
      order by due_at limit ${limit} for update skip locked)
    returning id, organization, phone_number, network_name, attempts, number_being_erased`
  return [...rows]
}

/** The number without its plus, as some networks write it. */
function digitsOf(contact: DueContact): string {
  return contact.number_being_erased!.slice(1)
}

function eraseFromMessage(message: string, contact: DueContact): string {
  return erasePerson(message, contact.number_being_erased!, replacementNumber(contact.id))
}

async function eraseInEvents(tx: Tx, contact: DueContact, after: number): Promise<number | null> {
  const rows = await tx<{ id: number; data: string | null }[]>`
    select id, case when position(${digitsOf(contact)} in data::text) > 0 then data::text end as data from events
    where organization = ${contact.organization} and id > ${after} order by id limit ${MAX_CHUNK_MESSAGES}`
  const found = rows.filter((row) => row.data !== null)
  if (found.length > 0)
    await tx`
      update events e set data = f.data::json
      from unnest(${found.map((row) => row.id)}::bigint[], ${found.map((row) => eraseFromMessage(row.data!, contact))}::text[])
        as f(id, data)
      where e.id = f.id and e.organization = ${contact.organization}`
  return rows.length < MAX_CHUNK_MESSAGES ? null : rows.at(-1)!.id
}

/** What was sent stays on record as what it was about, and what a receiver answered is forgotten where it names the number. */
async function eraseInDeliveries(tx: Tx, contact: DueContact, webhook: number, after: number): Promise<number | null> {
  const rows = await tx<{ event: number; body: string | null }[]>`
    select event, case when position(${digitsOf(contact)} in body) > 0 then body end as body from webhook_deliveries
    where webhook = ${webhook} and event > ${after} order by event limit ${MAX_CHUNK_MESSAGES}`
  const found = rows.filter((row) => row.body !== null)
  if (found.length > 0) {
    const events = found.map((row) => row.event)
    await tx`
      update webhook_deliveries d set body = f.body
      from unnest(${events}::bigint[], ${found.map((row) => eraseFromMessage(row.body!, contact))}::text[]) as f(event, body)
      where d.webhook = ${webhook} and d.event = f.event`
    await tx`
      update webhook_attempts set response_body = null
      where webhook = ${webhook} and event = any(${events}::bigint[]) and position(${digitsOf(contact)} in response_body) > 0`
  }
  return rows.length < MAX_CHUNK_MESSAGES ? null : rows.at(-1)!.event
}

/**
 * What networks said word for word is in their own form, so it goes as a whole. Where another organization knows the same
 * number, only what names a payment or an order of ours goes. What still waits to be read stays until it was.
 */
async function eraseInCallbacks(tx: Tx, contact: DueContact, after: number): Promise<number | null> {
  const [piece] = await tx<{ last: number | null; count: number }[]>`
    select max(id) as last, count(*) from (select id from callbacks where id > ${after} order by id limit ${MAX_CHUNK_MESSAGES}) p`
  if (piece!.last !== null)
    await tx`
      update callbacks c set body = '', note = 'Erased.'
      where id > ${after} and id <= ${piece!.last} and state <> 'waiting' and position(${digitsOf(contact)} in body) > 0
        and (
          not exists (select 1 from contacts o
            where o.phone_number = ${contact.number_being_erased} and o.organization <> ${contact.organization})
          or exists (select 1 from collections m
            where m.contact = ${contact.id} and position(m.remote_transaction_id in c.body) > 0)
          or exists (select 1 from collection_requests r
            where r.contact = ${contact.id} and position('KR' || r.id || '-' in c.body) > 0)
          or exists (select 1 from payment_recipients p
            where p.contact = ${contact.id} and position(p.remote_transaction_id in c.body) > 0))`
  return piece!.count < MAX_CHUNK_MESSAGES ? null : piece!.last
}
