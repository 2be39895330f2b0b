import { begin, type Database, type Tx } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { formatAmount } from '../lib/money.ts'
import { type Clocks, NotPossible, newTransaction, recordTransactions } from './customers.ts'
import { newRemoteId } from './orders.ts'
import { OfferAnswer, type OfferRow, Payment, sign } from './wire.ts'

/** How long the business may take to answer: it asks others itself, who have a minute. */
const TIMEOUT_MS = 70_000
/** Longer than the time-out, so that only what a killed process held is ever asked by another. */
const LEASE_MS = 80_000

/**
 * A person wants to send money to a receiver without having been asked. Returns the id that the money will have.
 * @throws NotPossible when the phone number, amount, currency or receiver is none.
 */
export async function offerMoney(tx: Tx, clocks: Clocks, input: unknown): Promise<string> {
  const { remote_id, receiver, phonenumber, amount, currency, reference } = readPayment(clocks, input)
  await tx`
    insert into simulator_offers (remote_id, receiver, phonenumber, amount, currency, reference, due_at)
    values (${remote_id}, ${receiver}, ${phonenumber}, ${formatAmount(amount)}, ${currency}, ${reference}, ${clocks.now()})`
  return remote_id
}

/** The same where the network takes unasked money without a question. @throws NotPossible */
export async function takeMoney(tx: Tx, clocks: Clocks, input: unknown): Promise<string> {
  const offer = readPayment(clocks, input)
  await take(tx, clocks, offer)
  return offer.remote_id
}

function readPayment(clocks: Clocks, input: unknown): OfferRow {
  const payment = Payment.safeParse(input)
  if (!payment.success) {
    const [issue] = payment.error.issues
    throw new NotPossible(`This payment is not possible: ${issue?.path.join('.')} ${issue?.message}.`)
  }
  return { ...payment.data, reference: payment.data.reference || null, remote_id: newRemoteId('SBX', clocks.real()) }
}

/**
 * The job that asks the business about unasked money, at its callback door. Money that it refuses never moves. Where it
 * says nothing that can be understood the network takes the money, as many real ones do.
 */
export function offersJob(
  options: Clocks & { db: Database; secret: string; callback_url(): string; acted(): void; signal: AbortSignal },
): Job<OfferRow> {
  return {
    name: 'simulator: offers',
    limit: 10,
    lanes: 20,
    claim: (limit) => begin(options.db, (tx) => claimOffers(tx, options, limit)),
    async run(offers) {
      await Promise.all(
        offers.map(async (offer) => {
          const verdict = await askBusiness(options, offer)
          if (options.signal.aborted) return
          await begin(options.db, (tx) => settle(tx, options, offer, verdict))
          options.acted()
        }),
      )
    },
    due_tells_all: true,
    async nextDue() {
      const [row] = await options.db<{ due_at: Date | null }[]>`
        select min(due_at) as due_at from simulator_offers
        where leased_until is null or leased_until <= ${options.real()}`
      return row?.due_at ?? null
    },
  }
}

async function claimOffers(tx: Tx, clocks: Clocks, limit: number): Promise<OfferRow[]> {
  const rows = await tx<OfferRow[]>`
    update simulator_offers set leased_until = ${new Date(clocks.real().getTime() + LEASE_MS)} where remote_id = any(array(
      select remote_id from simulator_offers
      where due_at <= ${clocks.now()} and (leased_until is null or leased_until <= ${clocks.real()})
      order by due_at limit ${limit} for update skip locked))
    returning remote_id, receiver, phonenumber, amount, currency, reference`
  return [...rows]
}

async function askBusiness(
  options: { secret: string; callback_url(): string; signal: AbortSignal },
  offer: OfferRow,
): Promise<'accept' | 'reject'> {
  const body = JSON.stringify({ event: 'payment.offered', offer: { ...offer, amount: formatAmount(offer.amount) } })
  try {
    const response = await fetch(`${options.callback_url()}/validation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sandbox-signature': sign(options.secret, body) },
      body,
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const answer = OfferAnswer.safeParse(await response.json())
    return response.ok && answer.success ? answer.data.verdict : 'accept'
  } catch {
    return 'accept'
  }
}

/** The row goes with the verdict, so that the money moves once at most. */
async function settle(tx: Tx, clocks: Clocks, offer: OfferRow, verdict: 'accept' | 'reject'): Promise<void> {
  const { count } = await tx`delete from simulator_offers where remote_id = ${offer.remote_id}`
  if (count === 0 || verdict === 'reject') return
  await take(tx, clocks, offer)
}

async function take(tx: Tx, clocks: Clocks, { reference, remote_id, ...money }: OfferRow): Promise<void> {
  await recordTransactions(tx, clocks, [
    newTransaction(clocks, { ...money, order_reference: null }, reference, remote_id),
  ])
}
