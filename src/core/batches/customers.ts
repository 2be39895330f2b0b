import type { Reader } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Phone } from '../../lib/phone.ts'
import { type Contact, contactKey, contactsById, knownName, readContacts, splitName } from '../contacts/contacts.ts'
import { findNumbered } from '../contacts/numbered.ts'
import { ERASED_PREFIX } from '../contacts/phones.ts'

/** The customer of a planned item: a contact, or a phone number whose contact may not exist yet. */
export type PlannedCustomer =
  | { contact: number }
  | { phone: Phone; first_name?: string | undefined; last_name?: string | undefined }

/** The customer of a row. One without a contact is new. */
export interface Customer {
  contact: number | null
  name: string
  /** The same for rows of the same customer. */
  key: string
  planned: PlannedCustomer
}

/** Customer data of a row. */
interface RowOfCustomer {
  customer_number: string
  phone: Phone | null
  name: string
  problems: { push(problem: { column: 'customer_number'; message: string }): unknown }
}

/**
 * Adds the customer of each row: by number, else by phone. A row whose number is not the number of one customer gets a
 * problem.
 */
export async function addCustomers<Row extends RowOfCustomer>(
  db: Reader,
  organization: number,
  rows: readonly Row[],
): Promise<(Row & { customer: Customer | null })[]> {
  const numbers = rows.flatMap(({ customer_number }) => (customer_number === '' ? [] : [customer_number]))
  const numbered = await findNumbered(db, organization, numbers)
  const contacts = await contactsById(db, [...numbered.values()].flat())
  const phones = rows.flatMap(({ phone }) => (phone ? [{ organization, phone_number: phone.number }] : []))
  const known = await readContacts(db, phones)
  return rows.map((row) => {
    if (row.phone)
      return { ...row, customer: byPhone(row, known.get(contactKey({ organization, phone_number: row.phone.number }))) }
    if (row.customer_number === '') return { ...row, customer: null }
    const found = (numbered.get(row.customer_number) ?? []).flatMap((id) => contacts.get(id) ?? [])
    const [one] = found
    const message = whyNotOne(row.customer_number, found)
    if (message !== undefined) row.problems.push({ column: 'customer_number', message })
    const is_known = message === undefined && one
    return { ...row, customer: is_known ? knownCustomer(one) : null }
  })
}

function whyNotOne(number: string, found: readonly Contact[]): string | undefined {
  const [one, ...others] = found
  if (!one) return getMessage('customers.no_number', { number })
  if (others.length > 0) return getMessage('customers.several', { number })
  return one.phone_number.startsWith(ERASED_PREFIX) ? getMessage('customers.erased') : undefined
}

function byPhone({ phone, name }: RowOfCustomer, contact: Contact | undefined): Customer {
  if (contact && knownName(contact)) return knownCustomer(contact)
  const planned = { phone: phone!, ...splitName(name) }
  return { contact: contact?.id ?? null, name, key: contact ? `contact ${contact.id}` : phone!.number, planned }
}

function knownCustomer(contact: Contact): Customer {
  const { id } = contact
  return { contact: id, name: knownName(contact), key: `contact ${id}`, planned: { contact: id } }
}
