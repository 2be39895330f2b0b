import { begin, type Database, type Tx } from '../db/client.ts'
import { callHttp, parseJson } from '../lib/http/http-call.ts'
import type { Job } from '../lib/loop.ts'
import { formatAmount } from '../lib/money.ts'
import { type Clocks, NotPossible, newTransaction, recordTransactions } from './customers.ts'
import { newRemoteId } from './orders.ts'
import { signBody, UnrequestedPaymentBody, ValidationAnswer, type ValidationRequestRow } from './wire.ts'

/** How long the business may take to answer. It asks an organization, which has a minute. */
const TIMEOUT_MS = 70_000
/** Longer than the time-out, so another process repeats a request only after its process was killed. */
const LEASE_MS = 80_000

/**
 * Starts an unrequested payment of a person to a receiver. Returns the id that the transaction will have.
 * @throws NotPossible when the phone number, amount, currency or receiver is not valid.
 */
export async function requestValidation(tx: Tx, clocks: Clocks, input: unknown): Promise<string> {
  const { remote_id, receiver, phonenumber, amount, currency, reference } = readPayment(clocks, input)
  await tx`
    insert into simulator_validation_requests (remote_id, receiver, phonenumber, amount, currency, reference, due_at)
    values (${remote_id}, ${receiver}, ${phonenumber}, ${formatAmount(amount)}, ${currency}, ${reference}, ${clocks.now()})`
  return remote_id
}

/** Makes an unrequested payment without a validation request. @throws NotPossible */
export async function payWithoutValidation(tx: Tx, clocks: Clocks, input: unknown): Promise<string> {
  const payment = readPayment(clocks, input)
  await recordPayment(tx, clocks, payment)
  return payment.remote_id
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
 * Creates the job that sends validation requests to the business. The network does not take money that the business
 * rejects. Without a readable answer the network takes the money, as many real networks do.
 */
export function validationRequestsJob(
  options: Clocks & { db: Database; secret: string; callback_url(): string; onAction(): void; signal: AbortSignal },
): Job<ValidationRequestRow> {
  return {
    name: 'simulator: validation requests',
    limit: 10,
    concurrency: 20,
    claim: (limit) => begin(options.db, (tx) => claimValidationRequests(tx, options, limit)),
    async run(requests) {
      await Promise.all(
        requests.map(async (request) => {
          const verdict = await askBusiness(options, request)
          if (options.signal.aborted) return
          await begin(options.db, (tx) => applyVerdict(tx, options, request, verdict))
          options.onAction()
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
  request: ValidationRequestRow,
): Promise<'accept' | 'reject'> {
  const body = JSON.stringify({ event: 'payment.offered', offer: { ...request, amount: formatAmount(request.amount) } })
  const reply = await callHttp({
    method: 'POST',
    url: `${options.callback_url()}/validation`,
    headers: { 'content-type': 'application/json', 'x-sandbox-signature': signBody(options.secret, body) },
    body,
    timeout_ms: TIMEOUT_MS,
    callee: 'business',
    signal: options.signal,
  })
  if (reply.outcome === 'unknown' || reply.status < 200 || reply.status > 299) return 'accept'
  return ValidationAnswer.safeParse(parseJson(reply.text)).data?.verdict ?? 'accept'
}

/** Deletes the row with the verdict, so the money moves at most once. */
async function applyVerdict(
  tx: Tx,
  clocks: Clocks,
  request: ValidationRequestRow,
  verdict: 'accept' | 'reject',
): Promise<void> {
  const { count } = await tx`delete from simulator_validation_requests where remote_id = ${request.remote_id}`
  if (count === 0 || verdict === 'reject') return
  await recordPayment(tx, clocks, request)
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
