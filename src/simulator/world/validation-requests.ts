import { z } from 'zod'
import { begin, type Database, type Tx } from '../../db/client.ts'
import { column, insert, table } from '../../db/table.ts'
import { callHttp } from '../../lib/http/http-call.ts'
import type { Job } from '../../lib/loop.ts'
import { formatAmount } from '../../lib/money.ts'
import { newTransaction, recordUnrequested } from './customers.ts'
import { readStates } from './door-values.ts'
import { currency, newAmount, phonenumber, plainText, receiver } from './fields.ts'
import { addSeconds, newTransactionId } from './ids.ts'
import { NotPossible, type OfferedPayment, type UnrequestedPayment, type WorldContext } from './world.ts'

/** Maximum time limit for the answer of the business. */
const MAX_TIMEOUT_S = 70
/** Longer than the time-out, so another process repeats a request only after its process was killed. */
const LEASE_S = MAX_TIMEOUT_S + 10

const requestTable = table('simulator_validation_requests', {
  remote_id: column.text().key(),
  door: column.text(),
  receiver: column.text(),
  phonenumber: column.text(),
  amount: column.numeric(),
  currency: column.text(),
  reference: column.text().nullable(),
  details: column.json<OfferedPayment['details']>().default({}).given(),
  due_at: column.timestamptz(),
  leased_until: column.timestamptz().later(),
})
const offered = requestTable.omit('due_at', 'leased_until')

/** Unrequested payment of a customer; `reference` is the text that the customer types. */
const UnrequestedPaymentInput = z.object({
  phonenumber,
  amount: newAmount,
  currency,
  receiver,
  reference: plainText.nullish(),
})

/**
 * Make an unrequested payment. The network validates it with the business first if it does so; otherwise the money
 * moves at once. Returns the id of the future transaction.
 * @throws NotPossible when the door, phone number, amount, currency or receiver is not valid.
 */
export async function payUnrequested(
  tx: Tx,
  context: WorldContext,
  door: string,
  { needs_validation = true, ...input }: UnrequestedPayment,
): Promise<string> {
  const payment = readPayment(context, door, input)
  const asks = needs_validation && context.doors.get(door)?.validationRequest !== undefined
  if (!asks) {
    await recordPayment(tx, context, payment)
    return payment.remote_id
  }
  await tx`${insert(requestTable, [payment], { due_at: context.now() })}`
  return payment.remote_id
}

function readPayment(
  context: WorldContext,
  door: string,
  { details = {}, ...input }: UnrequestedPayment,
): OfferedPayment {
  if (!context.doors.has(door)) throw new NotPossible(`There is no simulated network ${door}.`)
  const payment = UnrequestedPaymentInput.safeParse({ ...input, amount: formatAmount(input.amount) })
  if (!payment.success) {
    const [issue] = payment.error.issues
    throw new NotPossible(`This payment is not possible: ${issue?.path.join('.')} ${issue?.message}.`)
  }
  const remote_id = newTransactionId(context, door, 'payment')
  return { ...payment.data, door, details, reference: payment.data.reference || null, remote_id }
}

/**
 * Create the job that sends validation requests to the business. The network does not take money that the business
 * rejects.
 */
export function validationRequestsJob(
  options: WorldContext & { db: Database; onAction(): void; signal: AbortSignal },
): Job<OfferedPayment> {
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
      const [row] = await options.db.polling<{ due_at: Date | null }[]>`
        select min(due_at) as due_at from simulator_validation_requests
        where leased_until is null or leased_until <= ${options.real()}`
      return row?.due_at ?? null
    },
  }
}

async function claimValidationRequests(tx: Tx, context: WorldContext, limit: number): Promise<OfferedPayment[]> {
  const claimed = await tx<OfferedPayment[]>`
    update simulator_validation_requests set leased_until = ${addSeconds(context.real(), LEASE_S)} where remote_id = any(array(
      select remote_id from simulator_validation_requests
      where due_at <= ${context.now()} and (leased_until is null or leased_until <= ${context.real()})
      order by due_at limit ${limit} for update skip locked))
    returning ${offered.columns}`
  return [...claimed]
}

async function askBusiness(
  options: WorldContext & { db: Database; signal: AbortSignal },
  request: OfferedPayment,
): Promise<'accept' | 'reject'> {
  const door = options.doors.get(request.door)
  const state = (await readStates(options.db, options, [request.door])).get(request.door)!
  const call = door?.validationRequest?.(request, state)
  // A removed door, or one without an address to ask, takes the money.
  if (!door?.readVerdict || !call || call.url === null) return 'accept'
  const reply = await callHttp({
    method: call.method ?? 'POST',
    url: call.url,
    headers: { 'content-type': 'application/json', ...call.headers },
    body: call.body,
    timeout_ms: Math.min(call.timeout_s, MAX_TIMEOUT_S) * 1_000,
    callee: 'business',
    signal: options.signal,
  })
  const read = reply.outcome === 'unknown' ? null : { status: reply.status, text: reply.text }
  return door.readVerdict(read, request, state)
}

/** Delete the row with the verdict, so the money moves at most once. */
async function applyVerdict(
  tx: Tx,
  context: WorldContext,
  request: OfferedPayment,
  verdict: 'accept' | 'reject',
): Promise<void> {
  const { count } = await tx`delete from simulator_validation_requests where remote_id = ${request.remote_id}`
  if (count === 0 || verdict === 'reject') return
  await recordPayment(tx, context, request)
}

async function recordPayment(tx: Tx, context: WorldContext, payment: OfferedPayment): Promise<void> {
  const { reference, remote_id, ...money } = payment
  const transaction = newTransaction(context, { ...money, order_reference: null }, reference, remote_id)
  await recordUnrequested(tx, context, transaction)
}
