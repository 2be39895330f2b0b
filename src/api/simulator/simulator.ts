import { z } from 'zod'
import type { App } from '../../app.ts'
import { getOrganization } from '../../core/access/organizations.ts'
import { listCollectionRequests, requestsById } from '../../core/collections/requests.ts'
import { findRequestsOfOrders } from '../../core/connections/network-orders.ts'
import { phonenumber, positiveAmount } from '../../core/fields.ts'
import { listAccounts, receiversOf } from '../../core/ledger/accounts.ts'
import { Invalid, NotFound } from '../../core/refusals.ts'
import { smsSuffix } from '../../core/sms/message.ts'
import { listSms } from '../../core/sms/outbox.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { PhoneView } from './phone-view.ts'

type Simulator = NonNullable<App['simulator']>

const MAX_SMS_MESSAGES = 30

const params = z.object({ phonenumber: phonenumber.transform(({ number }) => number) })
const PHONE_URL = '/api/simulator/phones/:phonenumber'

/**
 * Add the phones of the sandbox's simulated customers: their messages and prompts from this organization, and the
 * actions of a customer. The Phone page of the console and tests use them. They do not exist in live mode, so
 * docs/operating/sandbox.md describes them and the OpenAPI document does not.
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
    schema: { hide: true, params, response: { 200: PhoneView } },
    handler: async (request) => {
      const { organization } = request.caller
      const { phonenumber } = request.params
      const page = { field: 'id' as const, descending: true, limit: 1, offset: 0 }
      const [prompts, [requests]] = await Promise.all([
        ownPrompts(app, simulator, organization, phonenumber),
        listCollectionRequests(app.db, [{ organization, filters: { phonenumber }, page }]),
      ])
      const ids = requests!.rows.map((row) => row.id)
      const messages = await listSms(app.db, { organization, phonenumber }, MAX_SMS_MESSAGES, suffix)
      return {
        now: app.clock.now(),
        prompts,
        texts: messages
          .filter(({ state }) => state !== 'failed')
          .map((message) => ({ ...message, why: message.purpose }))
          .reverse(),
        latest_request: ids[0] ?? null,
      }
    },
  })
}

const PromptAnswer = z.object({
  /** Reference of the answered prompt; default: the oldest. The console sends the one that it shows. */
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
      const prompt = reference === undefined ? prompts[0] : prompts.find((one) => one.reference === reference)
      if (!prompt)
        throw new NotFound(
          reference ? getMessage('simulator.prompt_no_longer') : getMessage('simulator.no_prompt_waits'),
        )
      await runOnPhone(() =>
        answer === 'approve'
          ? simulator.approve(phonenumber, pin, prompt.reference, prompt.door)
          : simulator.refuse(phonenumber, prompt.reference, prompt.door),
      )
      app.wake()
      return {}
    },
  })
}

const UnrequestedPayment = z.object({
  amount: positiveAmount,
  currency: z.string().regex(/^[A-Z]{3}$/, getMessage('simulator.choose_currency')),
  reference: z.string().max(100).optional(),
})

function addPay(server: Server, app: App, simulator: Simulator): void {
  server.post(`${PHONE_URL}/pay`, {
    config: { permission: 'initiate_collections' },
    schema: { hide: true, params, body: UnrequestedPayment, response: { 200: z.object({ remote_id: z.string() }) } },
    handler: async (request) => {
      const target = await receiverFor(app, simulator, request.caller.organization, request.body.currency)
      const payment = { ...request.body, ...request.params, ...target }
      const sent = await runOnPhone(() => simulator.pay(payment))
      app.wake()
      return sent
    },
  })
}

/** The prompts on a phone that belong to this organization's requests. */
async function ownPrompts(app: App, simulator: Simulator, organization: number, phonenumber: string) {
  const shown = await simulator.prompts(phonenumber)
  const ordered = await findRequestsOfOrders(
    app.db,
    shown.map((prompt) => prompt.reference),
  )
  const prompts = shown.flatMap((prompt) => {
    const collection_request = ordered.get(prompt.reference)
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

/**
 * The receiver (till) of this organization's oldest wallet in a currency, and the simulated network that it is at. The
 * sandbox's own network comes first, because not every network reports unsolicited payments.
 * @throws Invalid
 */
async function receiverFor(app: App, simulator: Simulator, organization: number, currency: string) {
  const wallets = (await listAccounts(app.db, organization)).filter((wallet) => wallet.currency === currency)
  const ids = wallets.map((wallet) => wallet.id)
  const receivers = await receiversOf(app.db, ids)
  const simulated = app.connections.list().filter(({ code }) => simulator.doors.some((door) => door.code === code))
  const in_order = [...simulated].sort((a, b) => Number(b.code === 'sandbox') - Number(a.code === 'sandbox'))
  const [target] = in_order.flatMap(({ slug, code: door }) =>
    ids.flatMap((wallet) => {
      const receiver = receivers.get(`${slug}:${wallet}`)
      return receiver === undefined ? [] : [{ receiver, door }]
    }),
  )
  if (!target) throw new Invalid({ currency: [getMessage('simulator.you_no_wallet', { currency })] })
  return target
}

/** Run an action on a phone and report an impossible one as a refusal. @throws Invalid */
async function runOnPhone<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof Error && error.name === 'NotPossible') throw new Invalid({ non_field_errors: [error.message] })
    throw error
  }
}
