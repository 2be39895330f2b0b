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
import { applyInBatch } from './apply-in-batch.ts'
import { callNetwork } from './call-network.ts'
import { leaseTimes } from './lease-times.ts'

/** Takes collection requests from `pending` to their end: starts them, asks the networks, settles what they say. */
export function collect(app: App): Job<ClaimedRequest> {
  const abilities = new Map(app.networks.map((network) => [network.code, traitsOf(network)]))
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
      const alive = await checkEarlierOrders(app, ids)
      const due = ids.filter((id) => !alive.has(id))
      const steps = await begin(app.db, (tx) => dispatchDueRequests(tx, app.clock.now(), due, abilities))
      const isOver = () => claimed.some(({ leased_until }) => leased_until <= app.clock.real())
      const answers = await Promise.all(steps.map((step) => runAction(app, step, isOver)))
      await applyAnswers(
        app,
        answers.filter((answer) => answer !== undefined),
      )
      // Whatever has changed is to be told, by SMS and by webhook.
      app.wake()
    },
  }
}

/** A request in hand, and until when it is. */
interface ClaimedRequest {
  id: number
  leased_until: Date
}

function applyAnswers(app: App, answers: readonly OrderActionAnswer[]): Promise<void> {
  return applyInBatch(answers, (some) => begin(app.db, (tx) => applyOrderAnswers(tx, app.clock.now(), some)))
}

/**
 * Asks about orders before another attempt follows them, or their requests expire. What is paid after all, or may still be
 * paid in time, is settled as such and goes no further now. Returns the requests concerned.
 */
async function checkEarlierOrders(app: App, ids: readonly number[]): Promise<Set<number>> {
  const now = app.clock.now()
  const steps = await listFinalChecks(app.db, now, ids)
  const answers = await Promise.all(steps.map((step) => checkEarlierOrder(app, step)))
  const alive = answers
    .flatMap((one) => one ?? [])
    .filter(({ action: step, answer }) => (step.request.expiry_date <= now ? isFinal(answer) : !canBeRepeated(answer)))
  await applyAnswers(app, alive)
  return new Set(alive.map(({ action: step }) => step.request.id))
}

/** The network has said what became of the order, and not that its request may only expire. */
function isFinal(answer: OrderActionAnswer['answer']): boolean {
  return answer.outcome === 'successful' || (answer.outcome === 'failed' && !answer.retryable)
}

/** Nobody will pay this order any more, and nobody has said no. */
function canBeRepeated(answer: OrderActionAnswer['answer']): boolean {
  return answer.outcome === 'not_found' || (answer.outcome === 'failed' && answer.retryable)
}

async function checkEarlierOrder(app: App, step: OrderAction): Promise<OrderActionAnswer | undefined> {
  const network = networkByCode(app.networks, step.request.network)
  if (!network?.checkOrder) return undefined
  const answer = await callNetwork(app, network, () => network.checkOrder!(step.order))
  return { action: step, network, answer: addRetryable(answer) }
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
 * Talks to the network. An order that it has never heard of is sent once more, under the same reference. A process that
 * stood still until its lease was over leaves the order to whoever has it now, and says nothing about it.
 */
async function runAction(app: App, step: OrderAction, isOver: () => boolean): Promise<OrderActionAnswer | undefined> {
  const network = networkByCode(app.networks, step.request.network)!
  const send = () =>
    (step.request.send_instructions ? network.requestMoney! : network.registerExpectedPayment!)(step.order)
  if (isOver()) return undefined
  const first: OrderCheck = await callNetwork(app, network, () =>
    step.kind === 'send' ? send() : network.checkOrder!(step.order),
  )
  if (first.outcome !== 'not_found') return { action: step, network, answer: addRetryable(first) }
  if (isOver()) return undefined
  return { action: step, network, answer: addRetryable(await callNetwork(app, network, send)) }
}
