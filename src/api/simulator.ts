import { z } from 'zod'
import type { App } from '../app.ts'
import { getOrganization } from '../core/access/organizations.ts'
import { parseOrderReference } from '../core/collections/orders.ts'
import { listCollectionRequests, requestsById } from '../core/collections/requests.ts'
import { listSms, smsSuffix } from '../core/collections/sms.ts'
import { phonenumber, positiveAmount } from '../core/fields.ts'
import { listAccounts, receiversOf } from '../core/ledger/accounts.ts'
import { Invalid, NotFound } from '../core/refusals.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { Phone } from './phone-view.ts'

type Simulator = NonNullable<App['simulator']>

/** How many of the newest requests to a phone are looked through for its texts. */
const MAX_REQUESTS = 20
const MAX_SMS_MESSAGES = 30

const params = z.object({ phonenumber: phonenumber.transform(({ number }) => number) })
const PHONE_URL = '/api/simulator/phones/:phonenumber'

/**
 * The phones of the sandbox's customers, as far as this organization has to do with them: what they show, and what can be
 * done on them, by the Phone page of the console and by tests that play the customer. In live mode there is no such address,
 * so the document of the interface says nothing of it; docs/operating.md does.
 */
export function addSimulator(server: Server, app: App): void {
  const { simulator } = app
  if (!simulator) return
  addPhone(server, app, simulator)
  addAnswer(server, app, simulator)
  addPay(server, app, simulator)
}

function addPhone(server: Server, app: App, simulator: Simulator): void {
  const suffix = smsSuffix(app.config.SERVICE_NAME)
  server.get(PHONE_URL, {
    config: { permission: 'view' },
    schema: { hide: true, params, response: { 200: Phone } },
    handler: async (request) => {
      const { organization } = request.caller
      const { phonenumber } = request.params
      const slice = { field: 'id' as const, descending: true, limit: MAX_REQUESTS, offset: 0 }
      const [prompts, [requests]] = await Promise.all([
        ownPrompts(app, simulator, organization, phonenumber),
        listCollectionRequests(app.db, [{ organization, filters: { phonenumber }, slice }]),
      ])
      const ids = requests!.rows.map((row) => row.id)
      const texts = await listSms(app.db, { collection_requests: ids }, MAX_SMS_MESSAGES, suffix)
      return {
        now: app.clock.now(),
        prompts,
        texts: texts
          .filter(({ state }) => state !== 'failed')
          .map((text) => ({ ...text, why: text.purpose }))
          .reverse(),
        latest_request: ids[0] ?? null,
      }
    },
  })
  refuseOtherMethods(server, PHONE_URL, ['GET'])
}

const PromptAnswer = z.object({
  /** The prompt that is answered; the oldest unless given. A page names the one that it shows. */
  reference: z.string().optional(),
  answer: z.enum(['approve', 'refuse']),
  pin: z.string().max(12).optional(),
})

function addAnswer(server: Server, app: App, simulator: Simulator): void {
  server.post(`${PHONE_URL}/answer`, {
    config: { permission: 'initiate_collections' },
    schema: { hide: true, params, body: PromptAnswer, response: { 200: z.object({}) } },
    handler: async (request) => {
      const { phonenumber } = request.params
      const { reference, answer, pin } = request.body
      const prompts = await ownPrompts(app, simulator, request.caller.organization, phonenumber)
      const prompt = prompts.find((one) => reference === undefined || one.reference === reference)
      if (!prompt)
        throw new NotFound(reference ? 'This prompt is not on the phone any more.' : 'No prompt waits on this phone.')
      await runOnPhone(() =>
        answer === 'approve'
          ? simulator.approve(phonenumber, pin, prompt.reference)
          : simulator.refuse(phonenumber, prompt.reference),
      )
      app.wake()
      return {}
    },
  })
  refuseOtherMethods(server, `${PHONE_URL}/answer`, ['POST'])
}

const UnrequestedPayment = z.object({
  amount: positiveAmount,
  currency: z.string().regex(/^[A-Z]{3}$/, 'Choose a currency.'),
  reference: z.string().max(100).optional(),
})

function addPay(server: Server, app: App, simulator: Simulator): void {
  server.post(`${PHONE_URL}/pay`, {
    config: { permission: 'initiate_collections' },
    schema: { hide: true, params, body: UnrequestedPayment, response: { 200: z.object({ remote_id: z.string() }) } },
    handler: async (request) => {
      const receiver = await receiverOf(app, request.caller.organization, request.body.currency)
      const payment = { ...request.body, ...request.params, receiver }
      const sent = await runOnPhone(() => simulator.pay(payment))
      app.wake()
      return sent
    },
  })
  refuseOtherMethods(server, `${PHONE_URL}/pay`, ['POST'])
}

/** The prompts on a phone that ask for this organization's money; those of others are none of its business. */
async function ownPrompts(app: App, simulator: Simulator, organization: number, phonenumber: string) {
  const prompts = (await simulator.prompts(phonenumber)).flatMap((prompt) => {
    const collection_request = parseOrderReference(prompt.reference)
    return collection_request === undefined ? [] : [{ ...prompt, collection_request }]
  })
  if (prompts.length === 0) return []
  const [requests, { name: from }] = await Promise.all([
    requestsById(
      app.db,
      prompts.map((prompt) => prompt.collection_request),
    ),
    getOrganization(app.db, organization),
  ])
  return prompts
    .filter((prompt) => requests.get(prompt.collection_request)?.organization === organization)
    .map((prompt) => ({ ...prompt, from }))
}

/** The till that this organization's oldest wallet of a currency has on the simulated network. @throws Invalid */
async function receiverOf(app: App, organization: number, currency: string): Promise<string> {
  const wallets = (await listAccounts(app.db, organization)).filter((wallet) => wallet.currency === currency)
  const ids = wallets.map((wallet) => wallet.id)
  const receivers = await receiversOf(app.db, ids)
  const [receiver] = ids.flatMap((wallet) =>
    app.networks.flatMap((network) => receivers.get(`${network.code}:${wallet}`) ?? []),
  )
  if (receiver === undefined)
    throw new Invalid({ currency: [`You have no wallet in ${currency} that can be paid into.`] })
  return receiver
}

/** What a phone cannot do is a refusal to whoever tries it. @throws Invalid */
async function runOnPhone<Done>(deed: () => Promise<Done>): Promise<Done> {
  try {
    return await deed()
  } catch (error) {
    if (error instanceof Error && error.name === 'NotPossible') throw new Invalid({ non_field_errors: [error.message] })
    throw error
  }
}
