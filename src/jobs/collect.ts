import type { App } from '../app.ts'
import type { Connection } from '../connections/connection.ts'
import {
  applyOrderAnswers,
  dispatchDueRequests,
  listFinalChecks,
  type NetworkTraits,
  type OrderAction,
  type OrderActionAnswer,
} from '../core/collections/attempts.ts'
import { claimDueRequests, nextDueRequest } from '../core/collections/orders.ts'
import { begin } from '../db/client.ts'
import { type OrderCheck, retryableReasons } from '../lib/adapter-types.ts'
import type { Job } from '../lib/loop.ts'
import type { ChargeStatus } from '../networks/contract.ts'
import { applyInBatch } from './shared/apply-in-batch.ts'
import { callNetwork } from './shared/call-network.ts'
import { leaseTimes } from './shared/lease-times.ts'

/** Takes collection requests from `pending` to their final status: starts them, asks the networks, applies the answers. */
export function collect(app: App): Job<ClaimedRequest> {
  return {
    name: 'collect',
    limit: 100,
    concurrency: 4,
    async claim(limit) {
      const times = leaseTimes(app)
      const ids = await begin(app.db, (tx) => claimDueRequests(tx, times, limit))
      return ids.map((id) => ({ id, leased_until: times.lease_end }))
    },
    nextDue: () => nextDueRequest(app.db, app.clock.real()),
    next_due_is_complete: true,
    async run(claimed) {
      const ids = claimed.map(({ id }) => id)
      const still_open = await checkEarlierOrders(app, ids)
      const due = ids.filter((id) => !still_open.has(id))
      const actions = await begin(app.db, (tx) => dispatchDueRequests(tx, app.clock.now(), due, readTraits(app)))
      const leaseEnded = () => claimed.some(({ leased_until }) => leased_until <= app.clock.real())
      const answers = await Promise.all(actions.map((action) => runAction(app, action, leaseEnded)))
      await applyAnswers(
        app,
        answers.filter((answer) => answer !== undefined),
      )
      // The changes cause SMS and webhook deliveries.
      app.wake()
    },
  }
}

/** A claimed request, and the end of its lease. */
interface ClaimedRequest {
  id: number
  leased_until: Date
}

function applyAnswers(app: App, answers: readonly OrderActionAnswer[]): Promise<void> {
  return applyInBatch(answers, (batch) => begin(app.db, (tx) => applyOrderAnswers(tx, app.clock.now(), batch)), app.log)
}

/**
 * Checks earlier orders before another attempt follows them or their requests expire. An order that is paid after all, or
 * that may still be paid in time, is applied now, and its request gets no new attempt. Returns these requests.
 */
async function checkEarlierOrders(app: App, ids: readonly number[]): Promise<Set<number>> {
  const now = app.clock.now()
  const actions = await listFinalChecks(app.db, now, ids)
  const answers = await Promise.all(actions.map((action) => checkEarlierOrder(app, action)))
  const still_open = answers
    .flatMap((checked) => checked ?? [])
    .filter(({ action, answer }) => (action.request.expiry_date <= now ? isFinal(answer) : !canBeRepeated(answer)))
  await applyAnswers(app, still_open)
  return new Set(still_open.map(({ action }) => action.request.id))
}

/** The order has a final status of its own, so its request does not simply expire. */
function isFinal(answer: OrderActionAnswer['answer']): boolean {
  return answer.outcome === 'successful' || (answer.outcome === 'failed' && !retryableReasons.has(answer.reason))
}

/** The order will not be paid any more, and the customer has not refused it. */
function canBeRepeated(answer: OrderActionAnswer['answer']): boolean {
  return answer.outcome === 'not_found' || (answer.outcome === 'failed' && retryableReasons.has(answer.reason))
}

async function checkEarlierOrder(app: App, action: OrderAction): Promise<OrderActionAnswer | undefined> {
  const connection = app.connections.find(action.request.connection)
  if (!connection?.operations.chargeStatus) return undefined
  const about = { call: 'chargeStatus', reference: action.order.reference } as const
  const answer = await callNetwork(app, connection, about, () => connection.operations.chargeStatus!(action.order))
  return { action, network: connection, answer: toCheck(answer) }
}

function toCheck(answer: ChargeStatus): OrderCheck {
  return answer.outcome === 'asked' ? { outcome: 'unknown', message: 'Asked.' } : answer
}

/** What the connections can do, by their slugs. */
function readTraits(app: App): Map<string, NetworkTraits> {
  return new Map(app.connections.list().map((connection) => [connection.slug, chargeTraitsOf(connection)]))
}

function chargeTraitsOf({ operations, driver }: Connection): NetworkTraits {
  return {
    can_prompt: operations.charge !== undefined,
    can_register_expected_payment: operations.registerExpectedPayment !== undefined,
    can_check_order: operations.chargeStatus !== undefined,
    instructions: driver.instructions,
  }
}

/**
 * Sends the order to the network or asks about it. An order that the network does not know is sent once more, under the
 * same reference. If the lease has ended another process may have claimed the request, so nothing is sent or returned.
 */
async function runAction(
  app: App,
  action: OrderAction,
  leaseEnded: () => boolean,
): Promise<OrderActionAnswer | undefined> {
  const { order, request } = action
  const connection = app.connections.find(request.connection)!
  const network = connection
  const call = async (name: 'charge' | 'registerExpectedPayment' | 'chargeStatus'): Promise<OrderCheck> =>
    toCheck(
      await callNetwork<ChargeStatus>(app, connection, { call: name, reference: order.reference }, () =>
        connection.operations[name]!(order),
      ),
    )
  const send = () => call(request.send_instructions ? 'charge' : 'registerExpectedPayment')
  if (leaseEnded()) return undefined
  const first = await (action.kind === 'send' ? send() : call('chargeStatus'))
  if (first.outcome !== 'not_found') return { action, network, answer: first }
  if (leaseEnded()) return undefined
  return { action, network, answer: await send() }
}
