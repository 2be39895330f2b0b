import { z } from 'zod'
import type { AnyReader, Tx } from '../../db/client.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { followPayments } from '../events/money-positions.ts'
import { id } from '../fields.ts'
import { keysOfNumber } from '../numbers/keys.ts'
import { Invalid } from '../refusals.ts'
import type { ContactPayer } from './customer-fields.ts'

export interface NumberOfContact {
  contact: number
  organization: number
  number: string
}

/** The key by which customer numbers differ. @throws TypeError for a number without a letter and a digit */
export function wholeKey(number: string): string {
  const keys = keysOfNumber(number)
  if (!keys) throw new TypeError(getMessage('contacts.no_customer_number', { number }))
  return keys.whole
}

const numberKeyTable = table('contact_number_keys', {
  contact: column.bigint().key(),
  organization: column.bigint(),
  key: column.text().key(),
  is_whole: column.boolean(),
})

const tagTable = table('contact_tags', {
  contact: column.bigint().key(),
  organization: column.bigint(),
  tag: column.text().key(),
})

const payerTable = table('contact_payers', {
  contact: column.bigint().key(),
  organization: column.bigint(),
  phone_number: column.text().key(),
  name: column.text().default('').given(),
  position: column.integer(),
})

/**
 * Writes the keys of new customer numbers, and lets the money of their organizations be matched from now on.
 * @throws Invalid, which names the customer that has one of the numbers already
 */
export async function writeNumberKeys(tx: Tx, numbers: readonly NumberOfContact[]): Promise<void> {
  if (numbers.length === 0) return
  const keys = numbers.flatMap(({ number, ...contact }) => {
    const { whole, joined, bare } = keysOfNumber(number) ?? { whole: wholeKey(number), joined: [], bare: [] }
    return [...new Set([whole, ...joined, ...bare])].map((key) => ({ ...contact, key, is_whole: key === whole }))
  })
  // Sorted, so that two transactions that give the same numbers cannot deadlock.
  const sorted = keys.toSorted((a, b) => a.organization - b.organization || (a.key < b.key ? -1 : 1))
  const written = await tx<{ contact: number; is_whole: boolean }[]>`
    ${insert(numberKeyTable, sorted, {})}
    on conflict do nothing returning contact, is_whole`
  for (const organization of new Set(numbers.map((one) => one.organization))) await followPayments(tx, organization)
  const given = new Set(written.filter(({ is_whole }) => is_whole).map(({ contact }) => contact))
  const taken = numbers.find(({ contact }) => !given.has(contact))
  if (taken) await refuseNumber(tx, taken)
}

/** Refuses a number that another customer has. @throws Invalid, which names that customer */
export async function refuseNumber(
  tx: Tx,
  { organization, number }: Pick<NumberOfContact, 'organization' | 'number'>,
): Promise<never> {
  const [holder] = await tx<{ id: number; name: string }[]>`
    select c.id, trim(concat_ws(' ', nullif(c.first_name, 'Anonymous'), nullif(c.last_name, 'Contact'))) as name
    from contact_number_keys k join contacts c on c.id = k.contact
    where k.organization = ${organization} and k.is_whole and k.key = ${wholeKey(number)}`
  const who = holder ? [holder.name, `(contact ${holder.id})`].filter(Boolean).join(' ') : 'Another contact'
  throw new Invalid({ number: [getMessage('contacts.number_taken', { who, number })] })
}

/** Takes the keys of customer numbers away, so that others may get these numbers. */
export async function deleteNumberKeys(tx: Tx, contacts: readonly number[]): Promise<void> {
  await tx`delete from contact_number_keys where contact = any(${[...contacts]}::bigint[])`
}

/** Groups and payers of a contact. Missing members stay as they are. */
export interface PartsOfContact {
  contact: number
  organization: number
  tags?: readonly string[] | undefined
  payers?: readonly ContactPayer[] | undefined
}

/** Writes groups and payers of contacts in place of those that they have. The caller has locked the contacts. */
export async function writeParts(tx: Tx, parts: readonly PartsOfContact[]): Promise<void> {
  const tagged = parts.filter(({ tags }) => tags !== undefined)
  const paid = parts.filter(({ payers }) => payers !== undefined)
  if (tagged.length > 0) {
    await tx`delete from contact_tags where contact = any(${tagged.map(({ contact }) => contact)}::bigint[])`
    const tags = tagged.flatMap(({ contact, organization, tags = [] }) =>
      tags.map((tag) => ({ contact, organization, tag })),
    )
    if (tags.length > 0) await tx`${insert(tagTable, tags, {})}`
  }
  if (paid.length > 0) {
    await tx`delete from contact_payers where contact = any(${paid.map(({ contact }) => contact)}::bigint[])`
    const payers = paid.flatMap(({ contact, organization, payers = [] }) =>
      payers.map((payer, position) => ({ contact, organization, ...payer, position })),
    )
    if (payers.length > 0) await tx`${insert(payerTable, payers, {})}`
  }
}

/** The SQL of the tags of a contact. @param contact the name of the contact's table in the statement */
export function selectTags(contact: string): Fragment {
  return sql`array(
    select t.tag from contact_tags t where t.contact = ${sql.identifier(`${contact}.id`)} order by lower(t.tag), t.tag)`
}

/** The SQL of the payers of a contact. @param contact the name of the contact's table in the statement */
export function selectPayers(contact: string): Fragment {
  return sql`coalesce((
    select json_agg(json_build_object('phone_number', p.phone_number, 'name', p.name) order by p.position)
    from contact_payers p where p.contact = ${sql.identifier(`${contact}.id`)}), '[]'::json)`
}

/** A customer that a phone pays for, with the name of the payer. */
export const PaidCustomer = z.object({ id, name: z.string(), number: z.string().nullable(), payer: z.string() })
type PaidCustomer = z.output<typeof PaidCustomer>

/** The customers that name this phone as a payer's. */
export async function readPaidCustomers(db: AnyReader, organization: number, phone: string): Promise<PaidCustomer[]> {
  return db<PaidCustomer[]>`
    select c.id, trim(concat_ws(' ', nullif(c.first_name, 'Anonymous'), nullif(c.last_name, 'Contact'))) as name, c.number,
      p.name as payer
    from contact_payers p join contacts c on c.id = p.contact
    where p.organization = ${organization} and p.phone_number = ${phone} order by c.id limit 20`
}
