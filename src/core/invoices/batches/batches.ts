import type { AnyReader, Tx } from '../../../db/client.ts'
import { rows } from '../../../db/rows.ts'
import { sql } from '../../../db/sql.ts'
import { truncateToSecond } from '../../../lib/time.ts'
import { findOrCreateContacts } from '../../contacts/contacts.ts'
import { lockSeries } from '../../documents/series.ts'
import { claimDuplicateKeys, type DuplicateKeyClaim, linkKeysToObjects } from '../../idempotency.ts'
import { Forbidden, NotFound } from '../../refusals.ts'
import { insertDrafts, type NameNetwork } from '../drafts.ts'
import { issueInvoices } from '../issuing.ts'
import { addUp, type Draft } from '../new-invoice.ts'
import type { StateOptions } from '../states.ts'
import type { batchSources, DuplicateChoice, InvoiceBatch, PlannedInvoice } from './batch.ts'
import { findOpenInvoices, sameKey } from './duplicates.ts'

/** Invoices of one transaction: few enough that it is short, because it holds up the feed of events (docs/decisions/0004). */
export const GROUP_SIZE = 250

/** New customers are looked up at the networks so many at a time, with this pause: others are not kept waiting. */
const LOOKUPS_AT_ONCE = 32
const LOOKUP_PAUSE_MS = 10_000

/** A batch to begin. */
export interface NewBatch {
  organization: number
  author: number
  source: (typeof batchSources)[number]
  /** The name of the file, or the tag. */
  name: string
  /** SHA-256 of the file; null for a tag. */
  digest: string | null
  /** SHA-256 of all that was asked for (`digestOf`). */
  asked: string
  duplicates: DuplicateChoice
  issue: boolean
  /** Rows of the file, or customers. */
  rows: number
  refused: number
}

/**
 * Notes that invoices are made. The caller then makes them with `makeNextInvoices`. A call with a key that has begun a batch of the same
 * goes on with that one.
 * @returns the id of the batch, and whether it is new
 * @throws Duplicate for a key of something else
 */
export async function beginBatch(
  tx: Tx,
  now: Date,
  given: NewBatch,
  claim: DuplicateKeyClaim | undefined,
): Promise<{ id: number; is_new: boolean }> {
  const { organization, digest, asked } = given
  const [duplicate] = await claimDuplicateKeys(tx, now, 'invoicebatch', [claim])
  if (duplicate) {
    const same = await tx`
      select 1 from invoice_batches where organization = ${organization} and id = ${duplicate.id} and asked = ${asked}`
    if (duplicate.type === 'invoicebatch' && same.length > 0) return { id: duplicate.id, is_new: false }
    throw duplicate
  }
  const [made] = await tx<{ id: number }[]>`
    insert into invoice_batches (organization, author, source, name, digest, asked, duplicates, issue, rows, refused, created)
    values (${organization}, ${given.author}, ${given.source}, ${given.name}, ${digest}, ${asked}, ${given.duplicates},
      ${given.issue}, ${given.rows}, ${given.refused}, ${truncateToSecond(now)})
    returning id`
  linkKeysToObjects(tx, [{ claim, object: made!.id }])
  return { id: made!.id, is_new: true }
}

interface LockedBatch {
  id: number
  organization: number
  author: number
  duplicates: DuplicateChoice
  issue: boolean
  last_row: number
  created: Date
  finished: Date | null
}

/**
 * Makes the next invoices of a batch. The invoices and the note how far it is are one transaction, under a lock of the batch: each is
 * made once, however often and by however many callers this is called.
 * @param planned all invoices of the batch, in the order of their rows
 * @returns whether some are left, and whether this call has finished the batch
 * @throws NotFound
 */
export async function makeNextInvoices(
  tx: Tx,
  of: { organization: number; id: number },
  planned: readonly PlannedInvoice[],
  options: StateOptions & { networkName: NameNetwork },
): Promise<{ more: boolean; finished: boolean }> {
  const batch = await lockBatch(tx, of)
  if (batch.finished) return { more: false, finished: false }
  const open = planned.filter(({ row }) => row > batch.last_row)
  const group = open.slice(0, GROUP_SIZE)
  // Of two batches at once the second one sees what the first has made.
  if (batch.duplicates === 'skip') await lockSeries(tx, batch.organization, 'invoice')
  const drafts = await addContacts(tx, batch, group, planned.length - open.length, options)
  const chosen = batch.duplicates === 'skip' ? await withoutDuplicates(tx, drafts) : drafts
  const author = { organization: batch.organization, user: batch.author }
  const ids = await insertDrafts(tx, options.now, author, chosen)
  const items = rows(ids, { invoice: ['bigint', (id) => id] })
  await tx`insert into invoice_batch_items (invoice, batch) select invoice, ${batch.id} from ${items.as('i')}`
  if (batch.issue) await issueInvoices(tx, ids, options)
  const more = open.length > group.length
  await tx`
    update invoice_batches set created_count = created_count + ${ids.length},
      skipped = skipped + ${group.length - ids.length}, last_row = ${group.at(-1)?.row ?? batch.last_row},
      finished = ${more ? null : truncateToSecond(options.now)}
    where id = ${batch.id}`
  return { more, finished: !more }
}

async function lockBatch(tx: Tx, { organization, id }: { organization: number; id: number }): Promise<LockedBatch> {
  const [locked] = await tx<LockedBatch[]>`
    select id, organization, author, duplicates, issue, last_row, created, finished from invoice_batches
    where id = ${id} for update`
  if (locked?.organization !== organization) throw new NotFound(`There is no batch of invoices ${id}.`)
  return locked
}

type StoredDraft = Draft & { contact: number; is_repeated: boolean }

/** The invoices with their customers, which are found or made. @param earlier how many invoices came before these */
async function addContacts(
  tx: Tx,
  { organization, author, created }: LockedBatch,
  group: readonly PlannedInvoice[],
  earlier: number,
  { now, networkName }: { now: Date; networkName: NameNetwork },
): Promise<StoredDraft[]> {
  const people = group.flatMap(({ customer }, index) => {
    if (!('phone' in customer)) return []
    const { phone, first_name, last_name } = customer
    const names = { ...(first_name && { first_name }), ...(last_name && { last_name }) }
    const look_up_at = new Date(created.getTime() + Math.floor((earlier + index) / LOOKUPS_AT_ONCE) * LOOKUP_PAUSE_MS)
    const place = { organization, author, phone_number: phone.number, network_name: networkName(phone), look_up_at }
    return [{ ...place, ...names, type: 'other' }]
  })
  const contacts = (await findOrCreateContacts(tx, now, people)).values()
  return group.map(({ customer, draft, is_repeated }) => ({
    ...draft,
    contact: 'contact' in customer ? customer.contact : contacts.next().value!.id,
    is_repeated,
  }))
}

async function withoutDuplicates(tx: Tx, drafts: readonly StoredDraft[]): Promise<StoredDraft[]> {
  const open = await findOpenInvoices(
    tx,
    drafts.map(({ contact }) => contact),
  )
  return drafts.filter((draft) => !draft.is_repeated && !open.has(sameKey(draft.contact, draft.currency, addUp(draft))))
}

/** A batch of the organization. @throws NotFound, Forbidden for one of another organization */
export async function readBatch(db: AnyReader, organization: number, id: number): Promise<InvoiceBatch> {
  const [found] = await db<(InvoiceBatch & { organization: number })[]>`
    select ${columns}, b.organization from ${tables} where b.id = ${id}`
  if (!found) throw new NotFound()
  const { organization: owner, ...batch } = found
  if (owner !== organization) throw new Forbidden()
  return batch
}

/** Earlier batches of the same file, the newest first, whatever was chosen for it. @param digest SHA-256 of the file */
export function findBatchesOf(db: AnyReader, organization: number, digest: string): Promise<InvoiceBatch[]> {
  return db<InvoiceBatch[]>`
    select ${columns} from ${tables} where b.organization = ${organization} and b.digest = ${digest}
    order by b.id desc limit 5`
}

/** One page of the batches of an organization, and the count of all. */
export async function listBatches(
  db: AnyReader,
  organization: number,
  page: { limit: number; offset: number; descending: boolean },
): Promise<{ rows: InvoiceBatch[]; count: number }> {
  const found = await db<InvoiceBatch[]>`
    select ${columns} from ${tables} where b.organization = ${organization}
    order by b.id ${page.descending ? sql`desc` : sql`asc`} limit ${page.limit} offset ${page.offset}`
  const [total] = await db<{ count: number }[]>`
    select count(*) from invoice_batches where organization = ${organization}`
  return { rows: [...found], count: total!.count }
}

const columns = sql`b.id, b.source, b.name, b.duplicates, b.issue, b.rows, b.refused, b.skipped, b.created_count as made,
  b.created, b.author, u.name as author_name, b.finished`
const tables = sql`invoice_batches b join users u on u.id = b.author`
