import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import type { Amount } from '../../lib/money.ts'
import { amount, timestamp } from '../fields.ts'

/** Totals of a contact in one currency: requested, received and paid out. */
export const ContactTotals = z.object({
  currency: z.string(),
  /** Number of requests, in all and by outcome. A request that was paid and reversed counts as paid. */
  requested: z.int(),
  requested_amount: amount,
  paid: z.int(),
  open: z.int(),
  failed: z.int(),
  /** Money that has arrived, before fees, including unrequested money and money that was refunded later. */
  collections: z.int(),
  collected: amount,
  /** Amount of it that was refunded, is on its way back, or that networks reversed. */
  given_back: amount,
  /** Payments that have reached the contact, without money that came back. */
  payments: z.int(),
  paid_out: amount,
  /** Times of the contact's first and last payment; null if never. */
  first_paid: timestamp.nullable(),
  last_paid: timestamp.nullable(),
})
export type ContactTotals = z.output<typeof ContactTotals>

type Requests = Pick<ContactTotals, 'currency' | 'requested' | 'requested_amount' | 'paid' | 'open' | 'failed'>
type Collected = Pick<
  ContactTotals,
  'currency' | 'collections' | 'collected' | 'given_back' | 'first_paid' | 'last_paid'
>
type PaidOut = Pick<ContactTotals, 'currency' | 'payments' | 'paid_out'>

const NOTHING: Amount = 0n

/** Reads the totals of a contact by currency, the currency with most requests and payments first. */
export async function readContactTotals(
  db: AnyReader,
  organization: number,
  contact: number,
): Promise<ContactTotals[]> {
  const requests = await db<Requests[]>`
    select currency, count(*) as requested, sum(amount)::numeric(38,4) as requested_amount,
      count(*) filter (where status in ('successful', 'reversed')) as paid,
      count(*) filter (where status in ('pending', 'processing_started', 'instructions_sent')) as open,
      count(*) filter (where status in ('failed', 'expired')) as failed
    from collection_requests where organization = ${organization} and contact = ${contact} group by currency`
  const collected = await db<Collected[]>`
    select currency, count(*) as collections, sum(amount)::numeric(38,4) as collected,
      sum(least(amount, case status when 'reversed' then amount else reversed_in_parts end + refunded))::numeric(38,4) as given_back,
      min(payment_date) as first_paid, max(payment_date) as last_paid
    from collections
    where organization = ${organization} and contact = ${contact} and status in ('successful', 'reversed')
    group by currency`
  const paid_out = await db<PaidOut[]>`
    select p.currency, count(*) as payments, sum(r.amount - r.reversed_in_parts)::numeric(38,4) as paid_out
    from payment_recipients r join payments p on p.id = r.payment and p.organization = ${organization}
    where r.organization = ${organization} and r.contact = ${contact} and r.state = 'complete' and p.purpose = 'payment'
    group by p.currency`
  const currencies = new Set([...requests, ...collected, ...paid_out].map(({ currency }) => currency))
  const totals = [...currencies].map((currency) => ({
    requested: 0,
    requested_amount: NOTHING,
    paid: 0,
    open: 0,
    failed: 0,
    collections: 0,
    collected: NOTHING,
    given_back: NOTHING,
    first_paid: null,
    last_paid: null,
    payments: 0,
    paid_out: NOTHING,
    currency,
    ...requests.find((row) => row.currency === currency),
    ...collected.find((row) => row.currency === currency),
    ...paid_out.find((row) => row.currency === currency),
  }))
  return totals.sort((a, b) => weightOf(b) - weightOf(a) || (a.currency < b.currency ? -1 : 1))
}

function weightOf({ requested, collections, payments }: ContactTotals): number {
  return requested + collections + payments
}
