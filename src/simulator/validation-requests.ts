import { begin, type Database, type Tx } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { formatAmount } from '../lib/money.ts'
import { type Clocks, NotPossible, newTransaction, recordTransactions } from './customers.ts'
import { newRemoteId } from './orders.ts'
import { signBody, UnrequestedPaymentBody, ValidationAnswer, type ValidationRequestRow } from './wire.ts'

/** How long the business may take to answer: it asks others itself, who have a minute. */
const TIMEOUT_MS = 70_000
/** Longer than the time-out, so that only what a killed process held is ever asked by another. */
const LEASE_MS = 80_000

/**
 * A person wants to send money to a receiver without having been asked. Returns the id that the money will have.
 * @throws NotPossible when the phone number, amount, currency or receiver is none.
 */
export async function requestValidation(tx: Tx, clocks: Clocks, input: unknown): Promise<string> {
  const { remote_id, receiver, phonenumber, amount, currency, reference } = readPayment(clocks, input)
  await tx`
    insert into simulator_validation_requests (remote_id, receiver, phonenumber, amount, currency, reference, due_at)
    values (${remote_id}, ${receiver}, ${phonenumber}, ${formatAmount(amount)}, ${currency}, ${reference}, ${clocks.now()})`
  return remote_id
}

/** The same where the network takes unasked money without a question. @throws NotPossible */
export async function payWithoutValidation(tx: Tx, clocks: Clocks, input: unknown): Promise<string> {
  const offer = readPayment(clocks, input)
  await recordPayment(tx, clocks, offer)
  return offer.remote_id
}

function readPayment(clocks: Clocks, input: unknown): ValidationRequestRow {
  const payment = UnrequestedPaymentBody.safeParse(input)
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
export function validationRequestsJob(
  options: Clocks & { db: Database; secret: string; callback_url(): string; acted(): void; signal: AbortSignal },
): Job<ValidationRequestRow> {
  return {
    name: 'simulator: offers',
    limit: 10,
    concurrency: 20,
    claim: (limit) => begin(options.db, (tx) => claimValidationRequests(tx, options, limit)),
    async run(offers) {
      await Promise.all(
        offers.map(async (offer) => {
          const verdict = await askBusiness(options, offer)
          if (options.signal.aborted) return
          await begin(options.db, (tx) => applyVerdict(tx, options, offer, verdict))
          options.acted()
        }),
      )
    },
    next_due_is_complete: true,
    async nextDue() {
      const [row] = await options.db<{ due_at: Date | null }[]>`
        select min(due_at) as due_at from simulator_validation_requests
        where leased_until is null or leased_until <= ${options.real()}`
      return row?.due_at ?? null
    },
  }
}

async function claimValidationRequests(tx: Tx, clocks: Clocks, limit: number): Promise<ValidationRequestRow[]> {
  const rows = await tx<ValidationRequestRow[]>`
    update simulator_validation_requests set leased_until = ${new Date(clocks.real().getTime() + LEASE_MS)} where remote_id = any(array(
      select remote_id from simulator_validation_requests
      where due_at <= ${clocks.now()} and (leased_until is null or leased_until <= ${clocks.real()})
      order by due_at limit ${limit} for update skip locked))
    returning remote_id, receiver, phonenumber, amount, currency, reference`
  return [...rows]
}

async function askBusiness(
  options: { secret: string; callback_url(): string; signal: AbortSignal },
  offer: ValidationRequestRow,
): Promise<'accept' | 'reject'> {
  const body = JSON.stringify({ event: 'payment.offered', offer: { ...offer, amount: formatAmount(offer.amount) } })
  try {
    const response = await fetch(`${options.callback_url()}/validation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sandbox-signature': signBody(options.secret, body) },
      body,
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const answer = ValidationAnswer.safeParse(await response.json())
    return response.ok && answer.success ? answer.data.verdict : 'accept'
  } catch {
    return 'accept'
  }
}

/** The row goes with the verdict, so that the money moves once at most. */
async function applyVerdict(
  tx: Tx,
  clocks: Clocks,
  offer: ValidationRequestRow,
  verdict: 'accept' | 'reject',
): Promise<void> {
  const { count } = await tx`delete from simulator_validation_requests where remote_id = ${offer.remote_id}`
  if (count === 0 || verdict === 'reject') return
  await recordPayment(tx, clocks, offer)
}

async function recordPayment(
  tx: Tx,
  clocks: Clocks,
  { reference, remote_id, ...money }: ValidationRequestRow,
): Promise<void> {
  await recordTransactions(tx, clocks, [
    newTransaction(clocks, { ...money, order_reference: null }, reference, remote_id),
  ])
}
