import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { readCredit } from '../allocations/allocations.ts'
import type { CollectionRequest } from '../collections/collection-request.ts'
import { isUnmatched, leftForUse } from '../collections/filters.ts'
import { amount, documented, id, timestamp } from '../fields.ts'

/** Unmatched money in a wallet. */
export const PhoneMoney = z
  .object({
    collection: documented(id, 'The payment.', 12),
    phonenumber: documented(z.string(), 'The phone number that paid.', '+80000000000'),
    reference: documented(z.string().nullable(), 'What the payer typed.', 'INV 12'),
    currency: documented(z.string(), 'Three-letter code.', 'BXC'),
    amount: documented(amount, 'Unmatched part of the amount.', '85000.0000'),
    paid: timestamp,
  })
  .meta({ id: 'PhoneMoney' })
type PhoneMoney = z.output<typeof PhoneMoney>

/** Unmatched money that may have been meant for a request. */
export const NearMoney = z
  .object({
    ...PhoneMoney.shape,
    difference: documented(amount, 'How much more it is than the request asks for; negative: less.', '-1.0000'),
  })
  .meta({ id: 'NearMoney' })
export type NearMoney = z.output<typeof NearMoney>

/** Credit of a customer, and unmatched money from its phones. */
export const ContactMoney = z
  .object({
    credit: documented(
      z.array(
        z
          .object({
            allocation: documented(id, 'The allocation that created the credit.', 7),
            collection: documented(id, 'The payment.', 12),
            currency: documented(z.string(), 'Three-letter code.', 'BXC'),
            amount: documented(amount, 'Remaining amount.', '15000.0000'),
            created: timestamp,
          })
          .meta({ id: 'Credit' }),
      ),
      'Credit of the customer, the oldest first. It pays the next invoice.',
      [],
    ),
    unmatched: documented(z.array(PhoneMoney), 'Unmatched money from the phones of the customer, newest first.', []),
  })
  .meta({ id: 'ContactMoney' })
export type ContactMoney = z.output<typeof ContactMoney>

const MAX_NEAR = 10
const MAX_OF_CONTACT = 50

const free = leftForUse('c')
const columns = sql`c.id as collection, c.phonenumber, c.reference, c.currency, c.payment_date as paid, ${free} as amount`
const isFree = sql`(c.status = 'successful' and ${isUnmatched('c')})`

/**
 * Money from the phone of a request, in its currency and since it was made, that matches nothing: the nearest amount first. A part
 * of a payment fulfils no request, so the money is whole.
 */
export async function readNearMoney(db: AnyReader, request: CollectionRequest): Promise<NearMoney[]> {
  const { organization, phonenumber, currency, amount: requested, created, status } = request
  if (status === 'successful' || status === 'reversed') return []
  return db<NearMoney[]>`
    select ${columns}, c.amount - ${requested} as difference from collections c
    where c.organization = ${organization} and c.phonenumber = ${phonenumber} and c.currency = ${currency}
      and ${isFree} and ${free} = c.amount and c.created >= ${created}
    order by abs(c.amount - ${requested}), c.id desc limit ${MAX_NEAR}`
}

/** The credit of a customer, and the unmatched money from its phones. */
export async function readMoneyOfContact(
  db: AnyReader,
  contact: { id: number; organization: number; phone_number: string },
): Promise<ContactMoney> {
  const kept = await readCredit(db, contact.id)
  const currencies = await db<{ id: number; currency: string }[]>`
    select id, currency from collections where id = any(${kept.map(({ row }) => row.collection)}::bigint[])`
  const currencyOf = new Map(currencies.map(({ id, currency }) => [id, currency]))
  const unmatched = await db<PhoneMoney[]>`
    select ${columns} from collections c
    where c.organization = ${contact.organization} and ${isFree} and (c.phonenumber = ${contact.phone_number}
      or c.phonenumber in (select p.phone_number from contact_payers p where p.contact = ${contact.id}))
    order by c.id desc limit ${MAX_OF_CONTACT}`
  const credit = kept.map(({ row: { id: allocation, collection, created }, left }) => ({
    allocation,
    collection,
    currency: currencyOf.get(collection)!,
    amount: left,
    created,
  }))
  return { credit, unmatched }
}
