import { z } from 'zod'
import type { AnyReader, Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { isEmail } from '../../lib/text/email.ts'
import { truncateToSecond } from '../../lib/time.ts'
import { fieldMessages, text } from '../fields.ts'
import { type FieldErrors, Invalid } from '../refusals.ts'

/** Details of the seller on documents. An empty one is left out. */
export const Seller = z.object({
  legal_name: text(200),
  /** In lines. */
  address: text(500),
  tax_number: text(50),
  phone: text(50),
  email: text(254),
  payment_terms: text(500),
})
export type Seller = z.output<typeof Seller>

const sellerTable = table('seller_details', {
  id: column.id(),
  organization: column.bigint(),
  legal_name: column.text(),
  address: column.text(),
  tax_number: column.text(),
  phone: column.text(),
  email: column.text(),
  payment_terms: column.text(),
  created: column.timestamptz(),
})
const { columns } = sellerTable.omit('id', 'organization', 'created')

export const NO_SELLER: Seller = {
  legal_name: '',
  address: '',
  tax_number: '',
  phone: '',
  email: '',
  payment_terms: '',
}

const MAX_ADDRESS_LINES = 6

/** Reads the details of a seller as people type them, without blanks at the ends of lines and without empty lines. @throws Invalid */
export function checkSeller(input: Seller): Seller {
  const oneLine = (value: string) => value.replace(/\s+/g, ' ').trim()
  const lines = input.address.split('\n').map(oneLine).filter(Boolean)
  const seller: Seller = {
    legal_name: oneLine(input.legal_name),
    address: lines.join('\n'),
    tax_number: oneLine(input.tax_number),
    phone: oneLine(input.phone),
    email: oneLine(input.email),
    payment_terms: oneLine(input.payment_terms),
  }
  const errors: FieldErrors = {}
  if (lines.length > MAX_ADDRESS_LINES) errors.address = [getMessage('fields.lines', { max: MAX_ADDRESS_LINES })]
  if (seller.phone !== '' && (!/\d{3}/.test(seller.phone.replaceAll(' ', '')) || /[^\d +()/,;-]/.test(seller.phone)))
    errors.phone = [getMessage('fields.office_phone')]
  if (seller.email !== '' && !isEmail(seller.email)) errors.email = [fieldMessages.email]
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return seller
}

/**
 * Reads the seller details of a time, or the present ones. Documents
 * older than the first details show the first ones.
 */
export async function readSeller(db: AnyReader, organization: number, at?: Date): Promise<Seller> {
  const [row] = at
    ? await db<Seller[]>`
        select ${columns} from seller_details where organization = ${organization}
        order by created <= ${at} desc, case when created <= ${at} then id else -id end desc limit 1`
    : await db<Seller[]>`
        select ${columns} from seller_details where organization = ${organization} order by id desc limit 1`
  return row ? { ...row } : NO_SELLER
}

/** Changes the details of the seller. Documents of earlier times keep the former ones. @returns the former ones */
export async function setSeller(tx: Tx, now: Date, organization: number, seller: Seller): Promise<Seller> {
  await tx`select id from organizations where id = ${organization} for no key update`
  const before = await readSeller(tx, organization)
  await tx`${insert(sellerTable, [seller], { organization, created: truncateToSecond(now) })}`
  return before
}

/** The change of a seller's details for the audit log: the fields that changed, each with its former value. */
export function changeOfSeller(before: Seller, seller: Seller): Record<string, string> {
  const names = Object.keys(NO_SELLER) as (keyof Seller)[]
  const changed = names.filter((name) => seller[name] !== before[name])
  return Object.fromEntries(
    changed.flatMap((name) => [
      [name, seller[name]],
      [`${name}_before`, before[name]],
    ]),
  )
}
