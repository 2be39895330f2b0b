import { findOrCreateContacts } from '../../../src/core/contacts/contacts.ts'
import { begin, type Database } from '../../../src/db/client.ts'
import { OWN_PHONE } from '../networks.ts'
import type { Shop } from '../store.ts'

/** A customer of a shop, who gets invoices. */
export interface Customer {
  shop: Shop
  contact: number
  /** The customer number. */
  number: string
  /** Phones that pay for it; the first is its own. Some pay for two customers. */
  phones: string[]
}

/** Father and mother pay for both children; others have their own phone. */
const FAMILY = { father: '+80010000001', mother: '+80020000001' }
const PEOPLE = [
  { number: 'STU-0001', phones: [FAMILY.father, FAMILY.mother] },
  { number: 'STU-0002', phones: ['+80020000007', FAMILY.father] },
  { number: 'B/17', phones: ['+80030000001'] },
  { number: 'STU-0020', phones: [OWN_PHONE, '+80010000009'] },
]

/**
 * Give each shop its customers. Their phones are also phones of customers without an invoice.
 * @param db a connection that the simulated processes do not use
 */
export async function openCustomers(db: Database, now: Date, shops: readonly Shop[]): Promise<Customer[]> {
  const customers: Customer[] = []
  for (const shop of shops) {
    const people = PEOPLE.map(({ number, phones: [phone_number, ...payers] }) => ({
      organization: shop.organization,
      author: shop.user,
      phone_number: phone_number!,
      network_name: null,
      first_name: 'Customer',
      last_name: number,
      number,
      payers: payers.map((payer) => ({ phone_number: payer, name: 'Payer' })),
    }))
    const contacts = await begin(db, (tx) => findOrCreateContacts(tx, now, people))
    for (const [index, { id: contact }] of contacts.entries()) customers.push({ shop, contact, ...PEOPLE[index]! })
  }
  return customers
}
