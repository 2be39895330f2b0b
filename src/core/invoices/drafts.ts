import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { insert } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { formatAmount } from '../../lib/money.ts'
import type { Phone } from '../../lib/phone.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { requireWallet } from '../checkout/payment-links.ts'
import { contactsById, findOrCreateContacts } from '../contacts/contacts.ts'
import { ERASED_PREFIX } from '../contacts/phones.ts'
import { createDocumentCode } from '../documents/codes.ts'
import { Forbidden, Invalid, NotFound } from '../refusals.ts'
import { type InvoiceRow, invoiceTable } from './invoice.ts'
import { lockInvoice } from './invoices.ts'
import { addUp, type Customer, type Draft } from './new-invoice.ts'

/** Author of an invoice or of its change. */
interface InvoiceAuthor {
  organization: number
  user: number
}

/** Names the network of a phone number, or null when none serves it. */
export type NameNetwork = (phone: Phone) => string | null

/** Stores a draft. @returns its id @throws Invalid, Forbidden for a contact or wallet that is not the caller's */
export async function createDraft(
  tx: Tx,
  now: Date,
  author: InvoiceAuthor,
  draft: Draft & { customer: Customer },
  nameNetwork: NameNetwork,
): Promise<number> {
  await requireWallet(tx, author.organization, draft)
  const contact = await findCustomer(tx, now, author, draft.customer, nameNetwork)
  const [id] = await insertDrafts(tx, now, author, [{ ...draft, contact }])
  return id!
}

/** Stores drafts, whose wallets and customers the caller has checked. @returns their ids, in the order of the drafts */
export async function insertDrafts(
  tx: Tx,
  now: Date,
  { organization, user }: InvoiceAuthor,
  drafts: readonly (Draft & { contact: number })[],
): Promise<number[]> {
  const added = drafts.map((draft) => ({ ...draft, ...addUp(draft), code: createDocumentCode(tx.cell) }))
  const at = truncateToSecond(now)
  const made = await tx<{ id: number; code: string }[]>`
    ${insert(invoiceTable, added, {
      organization,
      state: 'draft',
      lines: ({ lines }) => lines.map(inTexts),
      taxes: ({ taxes }) => taxes.map(inTexts),
      created: at,
      author: user,
      modified: at,
    })}
    returning id, code`
  const ids = new Map(made.map(({ id, code }) => [code, id]))
  return added.map(({ code }) => ids.get(code)!)
}

/** Changes a draft. @throws NotFound, Invalid if it was issued */
export async function changeStoredDraft(
  tx: Tx,
  now: Date,
  id: number,
  author: InvoiceAuthor,
  change: (draft: InvoiceRow) => Draft & { customer?: Customer | undefined },
  nameNetwork: NameNetwork,
): Promise<void> {
  const stored = await lockDraft(tx, id, 'invoices.only_draft_changed')
  const draft = change(stored)
  await requireWallet(tx, author.organization, draft)
  const { customer } = draft
  const contact = customer ? await findCustomer(tx, now, author, customer, nameNetwork) : stored.contact
  await tx`
    update invoices set (contact, currency, account, lines, taxes, subtotal, total, due_date, notes, language,
      reminder_days, reminder_prompts, min_part) = row (${contact}, ${valuesOf(draft)}),
      modified = ${truncateToSecond(now)}, updated_by = ${author.user}
    where id = ${id}`
}

/** Deletes a draft. @throws NotFound, Invalid if it was issued */
export async function deleteDraft(tx: Tx, id: number): Promise<void> {
  await lockDraft(tx, id, 'invoices.only_draft_deleted')
  await tx`delete from invoices where id = ${id}`
}

/** @throws NotFound, Invalid */
async function lockDraft(
  tx: Tx,
  id: number,
  key: 'invoices.only_draft_changed' | 'invoices.only_draft_deleted',
): Promise<InvoiceRow> {
  const row = await lockInvoice(tx, id)
  if (!row) throw new NotFound(getMessage('invoices.none', { id }))
  if (row.state !== 'draft') throw new Invalid({ state: [getMessage(key, { state: row.state })] })
  return row
}

/** The values of the columns from `currency` to `min_part`. */
function valuesOf(draft: Draft) {
  const { currency, account, due_date, notes, language, reminder_days, reminder_prompts, min_part } = draft
  const { lines, taxes, subtotal, total } = addUp(draft)
  return sql`${currency}, ${account}::bigint, ${sql.json(lines.map(inTexts))}, ${sql.json(taxes.map(inTexts))}, ${subtotal},
    ${total}, ${due_date}::date, ${notes}, ${language}, ${reminder_days}::integer[], ${reminder_prompts}, ${min_part}::numeric`
}

/** JSON has no exact numbers. */
function inTexts(object: object): object {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, typeof value === 'bigint' ? formatAmount(value) : value]),
  )
}

async function findCustomer(
  tx: Tx,
  now: Date,
  { organization, user }: InvoiceAuthor,
  customer: Customer,
  nameNetwork: NameNetwork,
): Promise<number> {
  if ('phone' in customer) {
    const { phone, ...names } = customer
    const person = {
      organization,
      author: user,
      phone_number: phone.number,
      network_name: nameNetwork(phone),
      ...names,
    }
    const [contact] = await findOrCreateContacts(tx, now, [person])
    return contact!.id
  }
  const contact = (await contactsById(tx, [customer.contact])).get(customer.contact)
  if (!contact) throw new Invalid({ contact: [getMessage('fields.no_object', { id: customer.contact })] })
  if (contact.organization !== organization) throw new Forbidden()
  if (contact.phone_number.startsWith(ERASED_PREFIX)) throw new Invalid({ contact: [getMessage('contacts.erased')] })
  return contact.id
}
