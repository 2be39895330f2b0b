import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { dayIn } from '../../lib/text/time-zones.ts'
import { documented, id, integer } from '../fields.ts'
import { matches } from '../list-query.ts'
import { Invalid } from '../refusals.ts'
import { type InvoiceRow, invoiceNumber, openAmount, phoneOf, whyNoPhone } from './invoice.ts'
import { type InvoiceFilters, invoiceFilters, invoiceList, lockInvoices, readInvoices } from './invoices.ts'
import { issueInvoices } from './issuing.ts'
import { type StateOptions, voidInvoice } from './states.ts'

/** Bulk actions on invoices, each with the state that it needs. */
const manyActions = { issue: 'draft', remind: 'issued', void: 'issued' } as const
export type ManyAction = keyof typeof manyActions

/** Invoices of one transaction: few enough that it is short, because it holds up the feed of events (docs/decisions/0004). */
const GROUP_SIZES: Readonly<Record<ManyAction, number>> = { issue: 500, remind: 500, void: 50 }
const MAX_INVOICES = 10_000

const chosenFilters = z.strictObject(invoiceFilters).meta({ id: 'InvoiceFilter' })
const filter = z.preprocess(inTexts, chosenFilters.optional()).meta({
  type: 'object',
  description: 'All invoices that match these filters of the list and are in a suitable state.',
  examples: [{ tag: 'P5' }],
})

/** The fields of a body that chooses invoices: by their ids, or by filters. */
export const selectionFields = {
  invoices: z
    .array(integer({ min: 1 }))
    .max(MAX_INVOICES, getMessage('invoices.choose_fewer', { max: MAX_INVOICES }))
    .optional()
    .meta({ description: 'Ids of the invoices. Give these, or a filter.', examples: [[1, 2, 3]] }),
  filter,
}
export interface Selection {
  invoices?: number[] | undefined
  filter?: InvoiceFilters | undefined
}

/** Turns filters from JSON into texts: they may be numbers, and the list's filters are texts. */
function inTexts(given: unknown): unknown {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return given ?? undefined
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  )
}

const LeftOut = z
  .object({
    invoice: documented(id, 'The invoice.'),
    number: documented(z.string().nullable(), 'Its number; null for a draft.', null),
    message: documented(z.string(), 'Why it was skipped.', 'The due date has passed. Change it first.'),
  })
  .meta({ id: 'InvoiceLeftOut' })
export type LeftOut = z.output<typeof LeftOut>

/** Result of a bulk action on invoices. */
export const ManyResult = z
  .object({
    done: documented(z.int(), 'Number of invoices processed.', 4),
    left_out: documented(z.array(LeftOut), 'Skipped invoices, each with the reason.', []),
  })
  .meta({ id: 'InvoicesDone' })
export type ManyResult = z.output<typeof ManyResult>

/**
 * The ids of the invoices that a selection means, in groups for one transaction each.
 * @throws Invalid without a selection, for one that is too large, or for ids that are not the organization's
 */
export async function selectInvoices(
  db: Reader,
  organization: number,
  { invoices, filter: filters }: Selection,
  { action, now }: { action: ManyAction; now: Date },
): Promise<number[][]> {
  const is_filtered = filters !== undefined && Object.values(filters).some((value) => value !== undefined)
  if ((invoices !== undefined) === is_filtered) throw new Invalid({ invoices: [getMessage('invoices.give_some')] })
  const ids = invoices
    ? await requireOwn(db, organization, invoices)
    : await matching(db, organization, filters!, { action, now })
  const size = GROUP_SIZES[action]
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ids.slice(index * size, (index + 1) * size))
}

async function requireOwn(db: Reader, organization: number, given: readonly number[]): Promise<number[]> {
  const found = await db<{ id: number }[]>`
    select id from invoices where organization = ${organization} and id = any(${[...given]}::bigint[]) order by id`
  const own = found.map((row) => row.id)
  const others = [...new Set(given)].filter((one) => !own.includes(one))
  if (others.length > 0)
    throw new Invalid({ invoices: [getMessage('invoices.none_of', { ids: others.slice(0, 10).join(', ') })] })
  return own
}

async function matching(
  db: Reader,
  organization: number,
  filters: InvoiceFilters,
  { action, now }: { action: ManyAction; now: Date },
): Promise<number[]> {
  const found = await db<{ id: number }[]>`
    select id from invoices where ${matches(invoiceList(now), organization, filters)} and state = ${manyActions[action]}
    order by id limit ${MAX_INVOICES + 1}`
  if (found.length > MAX_INVOICES)
    throw new Invalid({ filter: [getMessage('invoices.too_many', { max: MAX_INVOICES })] })
  return found.map((row) => row.id)
}

/**
 * Applies an action to a group of invoices of one organization. An invoice for which it is not possible stays as it is.
 * @returns the unchanged invoices
 */
export async function actOnInvoices(
  tx: Tx,
  action: ManyAction,
  ids: readonly number[],
  options: StateOptions & { reason: string },
): Promise<LeftOut[]> {
  if (action === 'remind') return remindNow(tx, ids, options)
  const messages = action === 'issue' ? await issueAll(tx, ids, options) : await voidAll(tx, ids, options)
  if (messages.size === 0) return []
  const left = await readInvoices(tx, [...messages.keys()])
  return left.map((invoice) => leaveOut(invoice, messages.get(invoice.id)!))
}

function leaveOut(invoice: InvoiceRow, message: string): LeftOut {
  return { invoice: invoice.id, number: invoiceNumber(invoice) || null, message }
}

async function issueAll(tx: Tx, ids: readonly number[], options: StateOptions): Promise<Map<number, string>> {
  const refused = await issueInvoices(tx, ids, options)
  return new Map(
    [...refused].map(([invoice, fields]) => [
      invoice,
      Object.values(fields ?? {})
        .flat()
        .join(' '),
    ]),
  )
}

/** An invoice after the other: each has links and requests of its own to look at. */
async function voidAll(
  tx: Tx,
  ids: readonly number[],
  options: StateOptions & { reason: string },
): Promise<Map<number, string>> {
  const refused = new Map<number, string>()
  for (const invoice of ids)
    try {
      await voidInvoice(tx, invoice, options)
    } catch (error) {
      // A refusal comes before the invoice is changed, so the transaction goes on.
      if (!(error instanceof Invalid)) throw error
      refused.set(invoice, Object.values(error.fields).flat().join(' '))
    }
  return refused
}

/**
 * Makes reminders due at once. The job that sends reminders makes them by its own rules: one a day, and none for money that
 * has arrived.
 */
async function remindNow(tx: Tx, ids: readonly number[], { now }: StateOptions): Promise<LeftOut[]> {
  const invoices = await lockInvoices(tx, ids)
  const days = new Map(invoices.map((invoice) => [invoice.id, dayIn(now, invoice.time_zone)]))
  const reminded = await tx<{ invoice: number; day: string }[]>`
    select invoice, day::text as day from invoice_reminders
    where invoice = any(${[...ids]}::bigint[]) and day = any(${[...new Set(days.values())]}::date[])`
  const today = new Set(reminded.flatMap(({ invoice, day }) => (days.get(invoice) === day ? [invoice] : [])))
  const left = invoices.flatMap((invoice) => {
    const message = today.has(invoice.id) ? getMessage('invoices.reminded_today') : whyNoReminder(invoice)
    return message === undefined ? [] : [leaveOut(invoice, message)]
  })
  const without = new Set(left.map(({ invoice }) => invoice))
  const due = invoices.flatMap((one) => (without.has(one.id) ? [] : [one.id]))
  await tx`update invoices set due_at = ${now} where id = any(${due}::bigint[])`
  return left
}

function whyNoReminder(invoice: InvoiceRow): string | undefined {
  if (invoice.state === 'draft') return getMessage('invoices.issue_first')
  if (openAmount(invoice) === 0n) return getMessage('invoices.nothing_to_pay', { state: invoice.state })
  return phoneOf(invoice) === null ? whyNoPhone(invoice) : undefined
}
