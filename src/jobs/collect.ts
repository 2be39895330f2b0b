import type { App } from '../app.ts'
import {
  type Abilities,
  beginSteps,
  lastQuestions,
  type Step,
  type StepAnswer,
  settleSteps,
} from '../core/collections/attempts.ts'
import { claimDueRequests, nextDueRequest } from '../core/collections/orders.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { networkByCode } from '../networks/index.ts'
import { type Check, type Network, withRetryable } from '../networks/network.ts'
import { ask } from './call-network.ts'
import { settleTogether } from './apply-in-batch.ts'
import { timesOf } from './lease-times.ts'

/** Takes collection requests from `pending` to their end: starts them, asks the networks, settles what they say. */
export function collect(app: App): Job<Claimed> {
  const abilities = new Map(app.networks.map((network) => [network.code, abilitiesOf(network)]))
  return {
    name: 'collect',
    limit: 100,
    lanes: 4,
    async claim(limit) {
      const times = timesOf(app)
      const ids = await begin(app.db, (tx) => claimDueRequests(tx, times, limit))
      return ids.map((id) => ({ id, leased_until: times.lease_end }))
    },
    nextDue: () => nextDueRequest(app.db, app.clock.real()),
    due_tells_all: true,
    async run(claimed) {
      const ids = claimed.map(({ id }) => id)
      const alive = await settleEarlier(app, ids)
      const due = ids.filter((id) => !alive.has(id))
      const steps = await begin(app.db, (tx) => beginSteps(tx, app.clock.now(), due, abilities))
      const isOver = () => claimed.some(({ leased_until }) => leased_until <= app.clock.real())
      const answers = await Promise.all(steps.map((step) => take(app, step, isOver)))
      await settle(
        app,
        answers.filter((answer) => answer !== undefined),
      )
      // Whatever has changed is to be told, by SMS and by webhook.
      app.wake()
    },
  }
}

/** A request in hand, and until when it is. */
interface Claimed {
  id: number
  leased_until: Date
}

function settle(app: App, answers: readonly StepAnswer[]): Promise<void> {
  return settleTogether(answers, (some) => begin(app.db, (tx) => settleSteps(tx, app.clock.now(), some)))
}

/**
 * Asks about orders before another attempt follows them, or their requests expire. What is paid after all, or may still be
 * paid in time, is settled as such and goes no further now. Returns the requests concerned.
 */
async function settleEarlier(app: App, ids: readonly number[]): Promise<Set<number>> {
  const now = app.clock.now()
  const steps = await lastQuestions(app.db, now, ids)
  const answers = await Promise.all(steps.map((step) => check(app, step)))
  const alive = answers
    .flatMap((one) => one ?? [])
    .filter(({ step, answer }) => (step.request.expiry_date <= now ? isEnd(answer) : !mayBeRepeated(answer)))
  await settle(app, alive)
  return new Set(alive.map(({ step }) => step.request.id))
}

/** The network has said what became of the order, and not that its request may only expire. */
function isEnd(answer: StepAnswer['answer']): boolean {
  return answer.outcome === 'successful' || (answer.outcome === 'failed' && !answer.retryable)
}

/** Nobody will pay this order any more, and nobody has said no. */
function mayBeRepeated(answer: StepAnswer['answer']): boolean {
  return answer.outcome === 'not_found' || (answer.outcome === 'failed' && answer.retryable)
}

async function check(app: App, step: Step): Promise<StepAnswer | undefined> {
  const network = networkByCode(app.networks, step.request.network)
  if (!network?.checkOrder) return undefined
  const answer = await ask(app, network, () => network.checkOrder!(step.order))
  return { step, network, answer: withRetryable(answer) }
}

function abilitiesOf(network: Network): Abilities {
  return {
    prompts: network.requestMoney !== undefined,
    expects: network.expectMoney !== undefined,
    checks: network.checkOrder !== undefined,
    instructions: network.instructions,
  }
}

/**
 * Talks to the network. An order that it has never heard of is sent once more, under the same reference. A process that
 * stood still until its lease was over leaves the order to whoever has it now, and says nothing about it.
 */
async function take(app: App, step: Step, isOver: () => boolean): Promise<StepAnswer | undefined> {
  const network = networkByCode(app.networks, step.request.network)!
  const send = () => (step.request.send_instructions ? network.requestMoney! : network.expectMoney!)(step.order)
  if (isOver()) return undefined
  const first: Check = await ask(app, network, () =>
    step.action === 'send' ? send() : network.checkOrder!(step.order),
  )
  if (first.outcome !== 'not_found') return { step, network, answer: withRetryable(first) }
  if (isOver()) return undefined
  return { step, network, answer: withRetryable(await ask(app, network, send)) }
}
