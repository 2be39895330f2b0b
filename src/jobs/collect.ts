import type { App } from '../app.ts'
import { type Abilities, beginSteps, type Step, type StepAnswer, settleSteps } from '../core/collection-attempts.ts'
import { claimDueRequests, nextDueRequest } from '../core/collection-orders.ts'
import { begin } from '../db/client.ts'
import type { Job } from '../lib/loop.ts'
import { networkByCode } from '../networks/index.ts'
import { type Check, type Network, withRetryable } from '../networks/network.ts'
import { settleTogether } from './settle-together.ts'
import { timesOf } from './times.ts'

/** Takes collection requests from `pending` to their end: starts them, asks the networks, settles what they say. */
export function collect(app: App): Job<number> {
  const abilities = new Map(app.networks.map((network) => [network.code, abilitiesOf(network)]))
  return {
    name: 'collect',
    limit: 100,
    lanes: 4,
    claim: (limit) => begin(app.db, (tx) => claimDueRequests(tx, timesOf(app), limit)),
    nextDue: () => nextDueRequest(app.db, app.clock.real()),
    async run(ids) {
      const steps = await begin(app.db, (tx) => beginSteps(tx, app.clock.now(), ids, abilities))
      const answers = await Promise.all(steps.map((step) => take(app, step)))
      await settleTogether(answers, (some) => begin(app.db, (tx) => settleSteps(tx, app.clock.now(), some)))
    },
  }
}

function abilitiesOf(network: Network): Abilities {
  return {
    prompts: network.requestMoney !== undefined,
    expects: network.expectMoney !== undefined,
    checks: network.checkOrder !== undefined,
    instructions: network.instructions,
  }
}

/** Talks to the network. An order that it has never heard of is sent once more, under the same reference. */
async function take(app: App, step: Step): Promise<StepAnswer> {
  const network = networkByCode(app.networks, step.request.network)!
  const send = () => (step.request.send_instructions ? network.requestMoney! : network.expectMoney!)(step.order)
  let answer: Check = await (step.action === 'send' ? send() : network.checkOrder!(step.order))
  if (answer.outcome === 'not_found') answer = await send()
  return { step, network, answer: withRetryable(answer) }
}
