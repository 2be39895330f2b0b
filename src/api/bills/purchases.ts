import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { type Scenario, scenarios } from '../../billers/biller.ts'
import { createPurchases, findPurchase, type NewPurchase, type Purchase } from '../../core/bills/purchases.ts'
import { BillRefusal, invalidField } from '../../core/bills/refusals.ts'
import { findBillWallet } from '../../core/bills/wallets.ts'
import { documented, fieldMessages } from '../../core/fields.ts'
import { begin } from '../../db/client.ts'
import { refuseOtherMethods } from '../../http/methods.ts'
import type { Server } from '../../http/server.ts'
import { createBatchedWrite } from '../batched-calls.ts'
import { envelopeOf } from './envelope.ts'
import { type PurchaseForm, purchaseForms } from './purchase-forms.ts'
import { createPurchaseWaiter } from './purchase-waiter.ts'
import { addRequery } from './requery.ts'
import { answerPurchase, PurchaseResult } from './results.ts'

/** The purchases of the bill counter, and what became of them (interface 4.5). */
export function addPurchases(counter: Server, app: App): void {
  const buy = createBuyer(counter, app)
  for (const form of purchaseForms) addPurchase(counter, app, form, buy)
  addRequery(counter, app)
}

type BuyPurchase = (request: FastifyRequest, wish: PurchaseInput) => Promise<Purchase>

/** What is bought, once its form has been read and its price looked up. */
type PurchaseInput = Omit<NewPurchase, 'organization' | 'account' | 'biller' | 'scenario' | 'author'>

function addPurchase(counter: Server, app: App, form: PurchaseForm, buy: BuyPurchase): void {
  counter.post(form.url, {
    config: { allow: 'POST, OPTIONS', waits_for_third_party: true },
    schema: {
      tags: ['Bill payments'],
      operationId: form.operationId,
      summary: form.summary,
      description: DESCRIPTION,
      headers: z.looseObject({
        'x-sandbox-scenario': documented(
          z.string().optional(),
          'Sandbox only: what the simulated biller does.',
          ...scenarios,
        ),
      }),
      body: form.body,
      response: { 200: envelopeOf(PurchaseResult) },
    },
    handler: async (request, reply) => {
      const { body } = request
      const { agentReference: agent_reference, agentId: agent_id = null, metadata = {} } = body
      const { organization } = request.caller
      const what = await form.checkAndPrice(app.db, organization, body)
      const purchase = await buy(request, { agent_reference, agent_id, metadata, ...what })
      return answerPurchase(request, reply, purchase)
    },
  })
  refuseOtherMethods(counter, form.url, ['POST'])
}

const DESCRIPTION =
  'The answer comes when the biller has settled the purchase. `status` is `pending` when the biller says that it is under ' +
  'way; 503 with `BX0021` says that nobody knows yet. In both cases the money stays on hold, and a requery tells the end.'

/** Makes the function that writes a purchase down, holds its money, and waits for the job to settle it. */
function createBuyer(counter: Server, app: App): BuyPurchase {
  const create = createBatchedWrite(app, (items: NewPurchase[]) =>
    begin(app.db, (tx) => createPurchases(tx, app.clock.now(), items)),
  )
  const settlements = createPurchaseWaiter(app)
  counter.addHook('onClose', () => settlements.close())

  return async (request, wish) => {
    const { organization, user: author } = request.caller
    const [biller] = app.billers
    if (!biller) throw new BillRefusal('EXC00144')
    const [earlier, wallet] = await Promise.all([
      findPurchase(app.db, organization, { agent_reference: wish.agent_reference }),
      findBillWallet(app.db, organization),
    ])
    if (earlier) throw new BillRefusal('BX0023')
    if (!wallet) throw new BillRefusal('EXC00105')
    if (wallet.balance < wish.amount) throw new BillRefusal('EXC00102')
    const scenario = readScenario(app, request)
    const id = await create({ ...wish, organization, account: wallet.id, biller: biller.code, scenario, author })
    app.wake()
    return settlements.wait(id, app.config.BILL_WAIT_SECONDS * 1_000)
  }
}

/** @throws BillRefusal BX0003; in live mode the header is nobody's. */
function readScenario(app: App, request: FastifyRequest): Scenario | null {
  const header = request.headers['x-sandbox-scenario']
  if (header === undefined || app.config.MODE === 'live') return null
  const scenario = scenarios.find((one) => one === String(header).trim().toLowerCase())
  if (!scenario) throw invalidField('X-Sandbox-Scenario', fieldMessages.choice(header))
  return scenario
}
