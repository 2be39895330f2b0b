import type { Reader } from '../../../db/client.ts'
import { nameSimilarity } from '../../../lib/text/name-similarity.ts'
import { isAnonymous } from '../contacts.ts'
import type { ContactPayer } from '../customer-fields.ts'
import { wholeKey } from '../customers.ts'

/** Existing contact, with the fields that are compared with a file. */
export interface KnownContact {
  id: number
  phone_number: string
  first_name: string
  last_name: string
  number: string | null
}

/** The contacts with the phone numbers and the customer numbers of a file. */
export interface KnownContacts {
  by_phone: ReadonlyMap<string, KnownContact>
  /** Contacts by the whole key of the customer number. */
  by_key: ReadonlyMap<string, KnownContact>
}

/** Person of a row, for comparison with contacts. */
export interface RowPerson {
  /** E.164; null for none. */
  phone_number: string | null
  /** The customer number; empty for none. */
  customer_number: string
  first_name: string
  last_name: string
  payers: readonly ContactPayer[]
}

/** Reads the contacts with the phone numbers and customer numbers of these rows. */
export async function readKnown(
  db: Reader,
  organization: number,
  rows: readonly Pick<RowPerson, 'phone_number' | 'customer_number'>[],
): Promise<KnownContacts> {
  const phones = rows.flatMap(({ phone_number }) => phone_number ?? [])
  const keys = rows.flatMap(({ customer_number }) => (customer_number === '' ? [] : [wholeKey(customer_number)]))
  const with_phone = await db<KnownContact[]>`
    select id, phone_number, first_name, last_name, number from contacts
    where organization = ${organization} and phone_number = any(${phones}::text[])`
  const with_number = await db<(KnownContact & { key: string })[]>`
    select k.key, c.id, c.phone_number, c.first_name, c.last_name, c.number
    from contact_number_keys k join contacts c on c.id = k.contact
    where k.organization = ${organization} and k.is_whole and k.key = any(${keys}::text[])`
  return {
    by_phone: new Map(with_phone.map((contact) => [contact.phone_number, contact])),
    by_key: new Map(with_number.map(({ key, ...contact }) => [key, contact])),
  }
}

/** The contact that a row is about, if there is one, and the phones of the row. */
export interface Match {
  contact: KnownContact | undefined
  /** Phone number of the row, if it is the customer's. Null for none. */
  phone_number: string | null
  /** Payers; includes the row's phone number if it is somebody else's. */
  payers: readonly ContactPayer[]
}

/**
 * Finds the contact of a row: first by the customer number, then by the phone number. In a row with a customer number,
 * the phone of another customer belongs to a payer: children share the phone of a parent.
 */
export function matchRow(row: RowPerson, { by_phone, by_key }: KnownContacts): Match {
  const { phone_number, customer_number, payers } = row
  const numbered = customer_number === '' ? undefined : by_key.get(wholeKey(customer_number))
  const owner = phone_number === null ? undefined : by_phone.get(phone_number)
  if (numbered)
    return phone_number === null || phone_number === numbered.phone_number
      ? { contact: numbered, phone_number, payers }
      : { contact: numbered, ...withPayer(row) }
  if (customer_number !== '' && owner && !isSamePerson(owner, row)) return { contact: undefined, ...withPayer(row) }
  return { contact: owner, phone_number, payers }
}

/** Moves the row's phone number, which is a payer's, to the payers. */
export function withPayer({ phone_number, payers }: RowPerson): Pick<Match, 'phone_number' | 'payers'> {
  if (phone_number === null || payers.some((payer) => payer.phone_number === phone_number))
    return { phone_number: null, payers }
  return { phone_number: null, payers: [{ phone_number, name: '' }, ...payers] }
}

/** Minimum similarity of the names of one person. Less similar names belong to two, such as a mother and her child. */
const MIN_SIMILARITY = 80

/** True if a contact without a customer number is the person of a row with one. */
function isSamePerson(owner: KnownContact, row: RowPerson): boolean {
  if (owner.number !== null) return false
  const name = ({ first_name, last_name }: Pick<KnownContact, 'first_name' | 'last_name'>) =>
    `${first_name} ${last_name}`
  return isAnonymous(owner) || nameSimilarity(name(owner), name(row)) >= MIN_SIMILARITY
}
