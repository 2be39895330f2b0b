import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { endOfDayIn } from '../../lib/text/time-zones.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { getOrganization } from '../access/organizations.ts'
import { knownName } from '../contacts/contacts.ts'
import { lockSeries, setLastNumber } from '../documents/series.ts'
import { followPayments } from '../events/money-positions.ts'
import { type FieldErrors, Invalid, NotFound } from '../refusals.ts'
import { recordInvoiceEvents } from './events.ts'
import type { InvoiceRow } from './invoice.ts'
import { lockInvoices } from './invoices.ts'
import { nextReminder } from './reminder-days.ts'
import type { StateOptions } from './states.ts'

/**
 * Issues a draft: gives it the next number and fixes the names. The number rises in this transaction, so none is missing.
 * @throws NotFound, Invalid if it is no draft
 */
export async function issueInvoice(tx: Tx, id: number, options: StateOptions): Promise<void> {
  const refused = await issueInvoices(tx, [id], options)
  const fields = refused.get(id)
  if (fields === null) throw new NotFound(getMessage('invoices.none', { id }))
  if (fields) throw new Invalid(fields)
}

/**
 * Issues drafts of one organization in the order of their ids, each with an event. The others stay as they are.
 * @returns those that were not issued, with the reason; null for one that does not exist
 */
export async function issueInvoices(
  tx: Tx,
  ids: readonly number[],
  { user, ...options }: StateOptions,
): Promise<Map<number, FieldErrors | null>> {
  const { now } = options
  const found = await lockInvoices(tx, ids)
  const refused = new Map<number, FieldErrors | null>(ids.map((id) => [id, null]))
  for (const invoice of found) {
    const fields = refusalOf(invoice, now)
    if (fields) refused.set(invoice.id, fields)
    else refused.delete(invoice.id)
  }
  const ready = found.filter(({ id }) => !refused.has(id))
  if (ready.length === 0) return refused
  const { organization } = ready[0]!
  const series = await lockSeries(tx, organization, 'invoice')
  const { name } = await getOrganization(tx, organization)
  const at = truncateToSecond(now)
  const issued = rows(ready, {
    id: 'bigint',
    number: ['bigint', (_, index) => series.last_number + 1 + index],
    customer_name: ['text', ({ customer }) => knownName(customer)],
    overdue_at: ['timestamptz', ({ due_date, time_zone }) => endOfDayIn(due_date, time_zone)],
    due_at: ['timestamptz', (draft) => nextReminder(draft, now)],
  })
  await tx`
    update invoices i set state = 'issued', issuer = ${name}, issued = ${at}, modified = ${at}, updated_by = ${user},
      ${issued.assignments('n', 'id')}
    from ${issued.as('n')} where i.id = n.id`
  await setLastNumber(tx, series, series.last_number + ready.length)
  await followPayments(tx, organization)
  await recordInvoiceEvents(
    tx,
    ready.map(({ id }) => id),
    'invoice.issued',
    options,
  )
  return refused
}

/** Returns the reason why an invoice cannot be issued; undefined if it can. */
function refusalOf({ state, customer, due_date, time_zone }: InvoiceRow, now: Date): FieldErrors | undefined {
  if (state !== 'draft') return { state: [getMessage('invoices.only_draft_issued', { state })] }
  if (customer.erased) return { contact: [getMessage('contacts.erased')] }
  if (endOfDayIn(due_date, time_zone) <= now) return { due_date: [getMessage('invoices.change_due_first')] }
  return undefined
}
