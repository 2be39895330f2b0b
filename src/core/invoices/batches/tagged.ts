import { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import { getMessage } from '../../../lib/messages/message.ts'
import { duplicateChoices } from '../../batches/batch.ts'
import { requireWallet } from '../../checkout/payment-links.ts'
import { contactsTagged } from '../../contacts/numbered.ts'
import { formatNumber } from '../../documents/series.ts'
import { booleanField, choiceError, documented, id, optional, positiveAmount, requiredText } from '../../fields.ts'
import { Invalid } from '../../refusals.ts'
import type { ReadAt } from '../due-days.ts'
import { checkDraft, currencyField, type Draft, invoiceSettings, newLines, toDraft } from '../new-invoice.ts'
import { addUpPlanned, BatchSum, type PlannedInvoice } from './batch.ts'
import { findRepeatable, sameKey } from './duplicates.ts'

/** The customers of one call. */
const MAX_CUSTOMERS = 10_000
const ONE = 10_000n

/** The body that makes an invoice for each customer with a tag. */
export function taggedBody(currencies: readonly string[]) {
  return z
    .object({
      tag: documented(requiredText(100), 'The tag of the customers, such as a class.', 'P5'),
      currency: currencyField(currencies),
      text: optional(documented(requiredText(200), 'What is sold, if it is one thing.', 'Term 1')),
      amount: optional(positiveAmount.meta({ description: 'What it costs.', examples: ['850000'] })),
      lines: newLines.optional().meta({ description: 'What is sold; or a text and an amount.' }),
      ...invoiceSettings,
      duplicates: optional(
        z.enum(duplicateChoices, { error: choiceError(duplicateChoices) }).meta({
          description:
            '`skip`: none for a customer who has one with the same text and amount, unless it is paid and due; `create`: one more. Default `skip`.',
          examples: ['skip'],
        }),
      ),
      issue: optional(documented(booleanField, 'Whether they are issued at once. Default: they stay drafts.', false)),
    })
    .meta({
      id: 'NewInvoiceBatch',
      examples: [{ tag: 'P5', text: 'Term 1', amount: '850000', currency: 'UGX', due_date: '28 February' }],
    })
}
export type TaggedBody = z.output<ReturnType<typeof taggedBody>>

/** The invoice that each customer gets. @throws Invalid */
export function toTaggedDraft(body: TaggedBody, at: ReadAt): Draft {
  const { text, amount, lines, ...others } = body
  if (lines && (text !== undefined || amount !== undefined))
    throw new Invalid({ lines: [getMessage('invoices.lines_or_text')] })
  if (lines) return toDraft({ ...others, lines }, at)
  const missing = [...(text === undefined ? ['text'] : []), ...(amount === undefined ? ['amount'] : [])]
  if (missing.length > 0)
    throw new Invalid(Object.fromEntries(missing.map((field) => [field, [getMessage('fields.required')]])))
  const line = { text: text!.trim(), quantity: ONE, unit_price: amount!, tax_rate: null }
  return toDraft({ ...others, lines: [line] }, at)
}

const TaggedDuplicate = z
  .object({
    contact: documented(id, 'The customer.'),
    customer_number: documented(z.string().nullable(), 'The number of the customer.', 'P5-017'),
    name: documented(z.string(), 'The name of the customer.', 'Jane Doe'),
    invoice: documented(id, 'The invoice with the same text and amount.', 12),
    number: documented(z.string().nullable(), 'Its number; null for a draft.', 'INV-000012'),
  })
  .meta({ id: 'InvoiceBatchDuplicate' })

/** Preview of a batch for a tag. */
export const TaggedPreview = z
  .object({
    tag: documented(z.string(), 'The tag.', 'P5'),
    due_date: documented(z.string(), 'The last day to pay.', '2030-02-28'),
    customers: documented(z.int(), 'How many customers have the tag.', 120),
    without_phone: documented(
      z.int(),
      'How many of them cannot be reminded, because neither they nor a payer has a phone.',
      2,
    ),
    all: documented(z.array(BatchSum), 'Sums if every customer gets an invoice.', []),
    without_duplicates: documented(z.array(BatchSum), 'Sums if customers with the same invoice are skipped.', []),
    duplicates: documented(z.array(TaggedDuplicate), 'Customers who already have the same invoice.', []),
  })
  .meta({ id: 'InvoiceBatchPreview' })
export type TaggedPreview = z.output<typeof TaggedPreview>

interface Tagged {
  id: number
  customer_number: string | null
  name: string
  has_phone: boolean
}

/** The invoices for all customers with a tag, in the order of their ids. @throws Invalid if there are none, or too many */
export async function planTagged(
  db: Reader,
  organization: number,
  tag: string,
  draft: Draft,
): Promise<PlannedInvoice[]> {
  await requireWallet(db, organization, draft)
  const customers = await findTagged(db, organization, tag)
  return customers.map(({ id: contact }) => ({ row: contact, customer: { contact }, draft, is_repeated: false }))
}

/** Previews the result of `planTagged`. @throws Invalid */
export async function previewTagged(
  db: Reader,
  now: Date,
  organization: number,
  tag: string,
  draft: Draft,
): Promise<TaggedPreview> {
  await requireWallet(db, organization, draft)
  const customers = await findTagged(db, organization, tag)
  const { currency, due_date } = draft
  const totals = checkDraft(draft)
  const repeatable = await findRepeatable(
    db,
    now,
    customers.map((one) => one.id),
  )
  const duplicates = customers.flatMap(({ id: contact, customer_number, name }) => {
    const same = repeatable.get(sameKey(contact, currency, totals))
    const number = same && same.number !== null ? formatNumber('invoice', same.number) : null
    return same ? [{ contact, customer_number, name, invoice: same.id, number }] : []
  })
  const planned = customers.map(() => ({ currency, total: totals.total }))
  return {
    tag: tag.trim(),
    due_date,
    duplicates,
    customers: customers.length,
    without_phone: customers.filter(({ has_phone }) => !has_phone).length,
    all: addUpPlanned(planned),
    without_duplicates: addUpPlanned(planned.slice(duplicates.length)),
  }
}

async function findTagged(db: Reader, organization: number, tag: string): Promise<Tagged[]> {
  const found = await db<Tagged[]>`
    select c.id, c.number as customer_number,
      trim(concat_ws(' ', nullif(c.first_name, 'Anonymous'), nullif(c.last_name, 'Contact'))) as name,
      starts_with(c.phone_number, '+') or exists (select from contact_payers p where p.contact = c.id) as has_phone
    from contacts c where c.id in (${contactsTagged(organization, tag)}) and c.erased is null
    order by c.id limit ${MAX_CUSTOMERS + 1}`
  if (found.length === 0) throw new Invalid({ tag: [getMessage('customers.no_tag', { tag: tag.trim() })] })
  if (found.length > MAX_CUSTOMERS)
    throw new Invalid({ tag: [getMessage('customers.many_with_tag', { max: MAX_CUSTOMERS })] })
  return found
}
