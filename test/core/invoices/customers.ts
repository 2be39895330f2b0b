import { keysOfNumber } from '../../../src/core/numbers/keys.ts'
import type { Database } from '../../../src/db/client.ts'

/** A customer that tests store, as an import of customers does. */
export interface TestCustomer {
  number?: string
  tags?: readonly string[]
  first_name?: string
  last_name?: string
  /** None: the customer has no phone. */
  phone?: string
  /** The phones of others who pay. */
  payers?: readonly string[]
}

/** Store customers with their numbers, tags and payers. @returns their ids */
export async function addCustomers(
  db: Database,
  organization: number,
  customers: readonly TestCustomer[],
): Promise<number[]> {
  const ids: number[] = []
  for (const [index, one] of customers.entries()) {
    const { number = null, tags = [], first_name = 'Jane', last_name = `Doe ${index}`, payers = [] } = one
    const phone = one.phone ?? `none:${number ?? `${index}-${ids.at(-1) ?? 0}`}`
    const [row] = await db<{ id: number }[]>`
      insert into contacts (organization, first_name, last_name, phone_number, type, status, phone_is_supported,
        phone_is_mm_registered, name_on_network, name_matches_network_status, name_matches_network_score, network_name,
        created, modified, author, number)
      values (${organization}, ${first_name}, ${last_name}, ${phone}, 'other', 'active', 'no', 'unknown', '', 'unchecked', 0,
        '', now(), now(), 1, ${number})
      returning id`
    const contact = row!.id
    ids.push(contact)
    const keys = number === null ? undefined : keysOfNumber(number)
    for (const key of keys ? new Set([keys.whole, ...keys.joined, ...keys.bare]) : [])
      await db`
        insert into contact_number_keys (contact, organization, key, is_whole)
        values (${contact}, ${organization}, ${key}, ${key === keys!.whole})`
    for (const tag of tags)
      await db`insert into contact_tags (contact, organization, tag) values (${contact}, ${organization}, ${tag})`
    for (const [position, payer] of payers.entries())
      await db`
        insert into contact_payers (contact, organization, phone_number, position)
        values (${contact}, ${organization}, ${payer}, ${position})`
  }
  return ids
}
