import type { App } from '../app.ts'
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
import type { Job } from '../lib/loop.ts'
import { networkByCode } from '../networks/index.ts'
import { addRetryable, type Network, type OrderCheck } from '../networks/network.ts'
import { applyInBatch } from './shared/apply-in-batch.ts'
import { callNetwork } from './shared/call-network.ts'
import { leaseTimes } from './shared/lease-times.ts'

/** Takes collection requests from `pending` to their final status: starts them, asks the networks, applies the answers. */
export function collect(app: App): Job<ClaimedRequest> {
  const traits = new Map(app.networks.map((network) => [network.code, traitsOf(network)]))
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
      const actions = await begin(app.db, (tx) => dispatchDueRequests(tx, app.clock.now(), due, traits))
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
  return answer.outcome === 'successful' || (answer.outcome === 'failed' && !answer.retryable)
}

/** The order will not be paid any more, and the customer has not refused it. */
function canBeRepeated(answer: OrderActionAnswer['answer']): boolean {
  return answer.outcome === 'not_found' || (answer.outcome === 'failed' && answer.retryable)
}

async function checkEarlierOrder(app: App, action: OrderAction): Promise<OrderActionAnswer | undefined> {
  const network = networkByCode(app.networks, action.request.network)
  if (!network?.checkOrder) return undefined
  const about = { call: 'checkOrder', reference: action.order.reference } as const
  const answer = await callNetwork(app, network, about, () => network.checkOrder!(action.order))
  return { action, network, answer: addRetryable(answer) }
}

function traitsOf(network: Network): NetworkTraits {
  return {
    can_prompt: network.requestMoney !== undefined,
    can_register_expected_payment: network.registerExpectedPayment !== undefined,
    can_check_order: network.checkOrder !== undefined,
    instructions: network.instructions,
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
  const network = networkByCode(app.networks, request.network)!
  const call = (name: 'requestMoney' | 'registerExpectedPayment' | 'checkOrder'): Promise<OrderCheck> =>
    callNetwork(app, network, { call: name, reference: order.reference }, () => network[name]!(order))
  const send = () => call(request.send_instructions ? 'requestMoney' : 'registerExpectedPayment')
  if (leaseEnded()) return undefined
  const first = await (action.kind === 'send' ? send() : call('checkOrder'))
  if (first.outcome !== 'not_found') return { action, network, answer: addRetryable(first) }
  if (leaseEnded()) return undefined
  return { action, network, answer: addRetryable(await send()) }
}
