import type { Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type Amount, displayAmount } from '../../lib/money.ts'
import { leftForUse } from '../collections/filters.ts'
import type { WaitingMoney } from './invoice.ts'

/** Money may come before its invoice is issued. Older money is for something else. */
const BEFORE_ISSUE = sql`interval '30 days'`
/** Maximum number shown: enough to explain why nothing is asked for. */
const MAX_SHOWN = 10

/**
 * Money that could be for issued invoices and matches nothing yet, by the invoice, newest first. It has the invoice's
 * currency. It came from a phone that pays for the customer, or just arrived with a typed number and is not matched
 * yet.
 */
export async function readWaitingMoney(db: Reader, invoices: readonly number[]): Promise<Map<number, WaitingMoney[]>> {
  if (invoices.length === 0) return new Map()
  const found = await db<(WaitingMoney & { invoice: number })[]>`
    select i.id as invoice, m.* from invoices i join contacts k on k.id = i.contact
    cross join lateral (
      select c.id as collection, c.phonenumber, c.reference, c.payment_date as paid,
        ${leftForUse('c')} as amount
      from (
        select c.id from collections c
        where c.organization = i.organization and (c.phonenumber = k.phone_number
          or c.phonenumber in (select p.phone_number from contact_payers p where p.contact = k.id))
        union
        select r.id from money_positions o join events e on e.organization = o.organization
          and e.type = 'collection.received' and e.id > o.event_position
          join collections r on r.id = e.object and r.reference is not null
        where o.organization = i.organization) f
      join collections c on c.id = f.id
      where c.currency = i.currency and c.collection_request is null and c.claimed_by is null
        and c.status in ('pending', 'successful') and c.created >= i.issued - ${BEFORE_ISSUE}
        and ${leftForUse('c')} > 0
      order by c.id desc limit ${MAX_SHOWN}) m
    where i.id = any(${[...invoices]}::bigint[]) and i.state = 'issued' and i.amount_paid < i.total`
  return new Map(
    [...Map.groupBy(found, ({ invoice }) => invoice)].map(([invoice, money]) => [
      invoice,
      money.map(({ invoice: _, ...one }) => one),
    ]),
  )
}

/** The same for one invoice. */
export async function readWaitingMoneyOf(db: Reader, invoice: number): Promise<WaitingMoney[]> {
  return (await readWaitingMoney(db, [invoice])).get(invoice) ?? []
}

/** Explains to a person why nothing is asked for while money waits. */
export function whyWaiting(currency: string, money: readonly WaitingMoney[]): string {
  const sum = money.reduce<Amount>((total, { amount }) => total + amount, 0n)
  const ids = money.map(({ collection }) => collection).join(', ')
  return getMessage('invoices.waiting_money', { amount: `${currency} ${displayAmount(sum)}`, collections: ids })
}
