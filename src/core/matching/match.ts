import type { AnyReader, Reader, Tx } from '../../db/client.ts'
import { allocate, freeAmount } from '../allocations/allocations.ts'
import { type CollectionRow, collectionTable } from '../collections/collections.ts'
import { isUnmatched } from '../collections/filters.ts'
import type { ReadOptions } from '../invoices/invoices.ts'
import { lockSettled } from '../invoices/states.ts'
import { readWaitingMoney } from '../invoices/waiting-money.ts'
import { isHere } from '../moves.ts'
import { hasDigits } from '../numbers/keys.ts'
import { findNamedBy, type Named } from '../numbers/named.ts'
import { applyCredit, findOpenInvoices, planReturn, releaseExcess, toOpenInvoice } from './credit.ts'
import { decide, type NamedLink, type OpenInvoice } from './decide.ts'
import { lockWatchedCollection } from './lock-collection.ts'
import { readMatchingSettings } from './settings.ts'

/** The organizations whose incoming money is matched, and that have events after their position. */
export async function findMatchingOrganizations(db: Reader, committed: number): Promise<number[]> {
  const found = await db<{ organization: number }[]>`
    select organization from money_positions
    where event_position < ${committed} and ${isHere('money_positions.organization')} order by organization`
  return found.map(({ organization }) => organization)
}

/** The events after which money may be for something, or no longer. */
const RECEIVED = 'collection.received'
const REVERSED = 'collection.reversed'
const ISSUED = ['invoice.issued', 'invoice.reopened']
const REQUEST_CHANGED = 'collectionrequest.status.changed'
const EVENTS = [RECEIVED, REVERSED, REQUEST_CHANGED, ...ISSUED]

/**
 * Matches the next incoming money of an organization with its purpose. It counts payments and reversals for invoices,
 * lets credit pay newly issued invoices, and moves the position. One transaction covers all, so each change happens and
 * is reported once, even if a process is killed.
 * @param options.committed the end of the feed, read before this transaction began
 * @returns the number of events read; 0 also when another process is at work
 */
export async function matchNextMoney(
  tx: Tx,
  organization: number,
  { committed, limit, ...options }: ReadOptions & { committed: number; limit: number },
): Promise<number> {
  const [position] = await tx<{ event_position: number }[]>`
    select event_position from money_positions where organization = ${organization} for update skip locked`
  if (!position) return 0
  const events = await tx<{ id: number; type: string; object: number }[]>`
    select id, type, object from events
    where organization = ${organization} and type = any(${EVENTS}::text[])
      and id > ${position.event_position} and id <= ${committed}
    order by id limit ${limit}`
  // The position stays: moving it for other events would write a row a second without use.
  if (events.length === 0) return 0
  const objectsOf = (...types: string[]) => events.flatMap(({ type, object }) => (types.includes(type) ? [object] : []))
  await countPayments(tx, { collections: objectsOf(RECEIVED, REVERSED), requests: objectsOf(REQUEST_CHANGED) }, options)
  for (const collection of await findFree(tx, objectsOf(RECEIVED))) await matchMoney(tx, collection, options)
  const unasked = await findUnasked(tx, objectsOf(REQUEST_CHANGED))
  for (const collection of await findFree(tx, await findWaiting(tx, unasked))) await matchMoney(tx, collection, options)
  for (const contact of await findCustomers(tx, [...objectsOf(...ISSUED), ...unasked]))
    await applyCredit(tx, contact, options)
  await tx`
    update money_positions set event_position = ${events.at(-1)!.id} where organization = ${organization}`
  return events.length
}

/**
 * Counts the money of invoices whose requests these collections fulfilled, or to which they are allocated; and of those whose requests
 * were fulfilled now, which may be by money that came earlier.
 */
async function countPayments(
  tx: Tx,
  { collections, requests }: { collections: readonly number[]; requests: readonly number[] },
  options: ReadOptions,
): Promise<void> {
  const ids = [...collections]
  const invoices = await tx<{ id: number }[]>`
    select i.invoice as id from collections c join invoice_requests i on i.request = c.collection_request
    where c.id = any(${ids}::bigint[])
    union
    select i.invoice from invoice_requests i join collection_requests r on r.id = i.request
    where i.request = any(${[...requests]}::bigint[]) and r.status = 'successful'
    union
    select a.invoice from allocations a where a.collection = any(${ids}::bigint[]) and a.invoice is not null and a.ended is null
    order by id`
  for (const { id } of invoices) await releaseExcess(tx, await lockSettled(tx, id, options), options)
}

/** The invoices of requests that have ended without money. Money that waited for these requests may pay them now. */
async function findUnasked(tx: Tx, requests: readonly number[]): Promise<number[]> {
  const found = await tx<{ invoice: number }[]>`
    select distinct i.invoice from invoice_requests i join collection_requests r on r.id = i.request
    where i.request = any(${[...requests]}::bigint[]) and r.status in ('failed', 'expired') order by i.invoice`
  return found.map(({ invoice }) => invoice)
}

/** Money that could be for these invoices, the oldest first. */
async function findWaiting(tx: Tx, invoices: readonly number[]): Promise<number[]> {
  const waiting = await readWaitingMoney(tx, invoices)
  return [...new Set([...waiting.values()].flat().map(({ collection }) => collection))].sort((a, b) => a - b)
}

/** Finds the unused collections among these, in the order of their ids. */
async function findFree(tx: Tx, collections: readonly number[]): Promise<CollectionRow[]> {
  return tx<CollectionRow[]>`
    select ${collectionTable.columns} from collections
    where id = any(${[...collections]}::bigint[]) and status = 'successful' and allocated = 0 and ${isUnmatched('collections')}
    order by id`
}

/** Matches money that fulfils no request. Invoices are locked before the collection, in the order of their ids. */
async function matchMoney(tx: Tx, money: CollectionRow, options: ReadOptions): Promise<void> {
  const { organization, currency, phonenumber, contact } = money
  const named = await findNamedBy(tx, money)
  const ids = (kind: Named['kind']) => named.flatMap((one) => (one.kind === kind ? [one.id] : []))
  // A phone may pay for many. Where a customer is named, their invoices take no place among the candidates.
  const customers = named.length > 0 ? [] : await findCustomersOfPhone(tx, organization, { phonenumber, contact })
  const owners = [...new Set([...customers, ...ids('contact'), ...(await readOwners(tx, ids('invoice')))])]
  const candidates = await findOpenInvoices(tx, owners, currency, freeAmount(money))
  const invoices: OpenInvoice[] = []
  for (const id of [...new Set([...candidates, ...ids('invoice')])].sort((a, b) => a - b)) {
    const invoice = await lockSettled(tx, id, options)
    if (invoice.currency === currency) invoices.push(toOpenInvoice(invoice))
  }
  const collection = await lockWatchedCollection(tx, options.now, money.id)
  if (!collection || !isFree(collection)) return
  const free = freeAmount(collection)
  if (free === 0n) return
  const { overpayment: rule } = await readMatchingSettings(tx, organization)
  const { parts, returns } = decide({
    free,
    named: {
      invoices: invoices.filter(({ id }) => ids('invoice').includes(id)),
      contacts: ids('contact'),
      links: await readLinks(tx, ids('payment_link'), { currency, amount: free, now: options.now }),
      count: named.length,
    },
    invoices: invoices.filter(({ open }) => open > 0n),
    customers,
    typed_number: hasDigits(money.reference ?? ''),
    rule,
  })
  await allocate(tx, options.now, collection, parts)
  if (returns) await planReturn(tx, options.now, collection.id)
  await countAgain(tx, parts, options)
}

/** Counts the money of invoices that have got some. */
async function countAgain(tx: Tx, parts: readonly { target: object }[], options: ReadOptions): Promise<void> {
  for (const { target } of parts) if ('invoice' in target) await lockSettled(tx, Number(target.invoice), options)
}

/** True if money fulfils no request, is not claimed and is in its wallet. */
export function isFree({ status, collection_request, claimed_by }: CollectionRow): boolean {
  return status === 'successful' && collection_request === null && claimed_by === null
}

async function readOwners(tx: Tx, invoices: readonly number[]): Promise<number[]> {
  if (invoices.length === 0) return []
  const found = await tx<{ contact: number }[]>`select contact from invoices where id = any(${[...invoices]}::bigint[])`
  return found.map(({ contact }) => contact)
}

/**
 * Finds the customers that a phone pays for: those that name it as a payer, and its own contact if that is a customer,
 * with a number or an invoice. Not each payer is a customer.
 */
export async function findCustomersOfPhone(
  db: AnyReader,
  organization: number,
  { phonenumber, contact }: { phonenumber: string; contact: number },
): Promise<number[]> {
  const found = await db<{ id: number }[]>`
    select p.contact as id from contact_payers p where p.organization = ${organization} and p.phone_number = ${phonenumber}
    union
    select c.id from contacts c where c.id = ${contact} and c.organization = ${organization} and c.phone_number = ${phonenumber}
      and (c.number is not null or exists (select from invoices i where i.contact = c.id and i.state <> 'draft'))
    order by id`
  return found.map(({ id }) => id)
}

async function readLinks(
  tx: Tx,
  links: readonly number[],
  { currency, amount, now }: { currency: string; amount: bigint; now: Date },
): Promise<NamedLink[]> {
  if (links.length === 0) return []
  return tx<NamedLink[]>`
    select id, currency = ${currency} and not closed and coalesce(expiry_date > ${now}, true)
      and not (single_use and exists (select from allocations a where a.payment_link = payment_links.id and a.ended is null))
      and not (single_use and exists (select from payment_link_visits v join collection_requests r on r.id = v.request
        where v.link = payment_links.id and r.status in ('successful', 'reversed')))
      and coalesce(amount = ${amount}, ${amount} between min_amount and max_amount,
        exists (select from jsonb_array_elements_text(amounts) t where t::numeric = ${amount}::numeric)) as takes
    from payment_links where id = any(${[...links]}::bigint[])`
}

/** The customers of invoices that have credit. */
async function findCustomers(tx: Tx, invoices: readonly number[]): Promise<number[]> {
  const found = await tx<{ contact: number }[]>`
    select distinct i.contact from invoices i where i.id = any(${[...invoices]}::bigint[])
      and exists (select from allocations a where a.contact = i.contact and a.ended is null) order by 1`
  return found.map(({ contact }) => contact)
}
