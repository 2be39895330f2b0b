import type { Tx } from '../../../db/client.ts'
import { column, insert, table } from '../../../db/table.ts'
import { type LockedBatch, makeNext } from '../../batches/batches.ts'
import { findOrCreateContacts } from '../../contacts/contacts.ts'
import { lockSeries } from '../../documents/series.ts'
import { insertDrafts, type NameNetwork } from '../drafts.ts'
import { issueInvoices } from '../issuing.ts'
import { addUp, type Draft } from '../new-invoice.ts'
import type { StateOptions } from '../states.ts'
import type { PlannedInvoice } from './batch.ts'
import { findRepeatable, sameKey } from './duplicates.ts'

/** Number of new customers looked up at the networks at once, with this pause: others are not kept waiting. */
const LOOKUPS_AT_ONCE = 32
const LOOKUP_PAUSE_MS = 10_000

const itemTable = table('invoice_batch_items', { invoice: column.bigint().key(), batch: column.bigint() })

/**
 * Creates the next invoices of a batch, each once (`makeNext`).
 * @param planned all invoices of the batch, in the order of their rows
 * @returns `more`: some are left; `finished`: this call has finished the batch
 * @throws NotFound
 */
export function makeNextInvoices(
  tx: Tx,
  batch_id: { organization: number; id: number },
  planned: readonly PlannedInvoice[],
  options: StateOptions & { networkName: NameNetwork },
): Promise<{ more: boolean; finished: boolean }> {
  const ref = { ...batch_id, kind: 'invoices' as const }
  return makeNext(tx, ref, planned, options.now, async (batch, group, earlier) => {
    // Of two batches at once the second one sees the invoices of the first.
    if (batch.duplicates === 'skip') await lockSeries(tx, batch.organization, 'invoice')
    const drafts = await addContacts(tx, batch, group, earlier, options)
    const chosen = batch.duplicates === 'skip' ? await withoutDuplicates(tx, options.now, drafts) : drafts
    const author = { organization: batch.organization, user: batch.author }
    const ids = await insertDrafts(tx, options.now, author, chosen)
    await tx`${insert(itemTable, ids, { invoice: (id) => id, batch: batch.id })}`
    if (batch.issue) await issueInvoices(tx, ids, options)
    return ids.length
  })
}

type StoredDraft = Draft & { contact: number; is_repeated: boolean }

/**
 * Returns the invoices with their customers, which are found or made.
 * @param earlier number of invoices before these
 */
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

async function withoutDuplicates(tx: Tx, now: Date, drafts: readonly StoredDraft[]): Promise<StoredDraft[]> {
  const same = await findRepeatable(
    tx,
    now,
    drafts.map(({ contact }) => contact),
  )
  return drafts.filter((draft) => !draft.is_repeated && !same.has(sameKey(draft.contact, draft.currency, addUp(draft))))
}
