import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../../interface/test-service.ts'
import { eventually } from '../../test-app.ts'
import { type DarajaShop, openDarajaShop } from './daraja-shop.ts'
import type { SentPrompt } from './paying-network.ts'

/*
 * M-Pesa reverses by its receipt. The answer about a prompt has none, so a request whose callback was lost is paid under our own
 * reference.
 */

let shop: DarajaShop

beforeAll(async () => {
  shop = await openDarajaShop()
  // Else the simulated networks of the sandbox would carry the payouts.
  const { app, db } = shop.service.testApp
  await db`update connections set state = 'paused'`
  await app.providers.refresh()
})
afterAll(() => shop.close())

const PULL = { pull_transactions: true, nominated_number: '254722000000' }
const LIST = '/pulltransactions/v1/query'

/** A request that was paid, and whose only news of that is the answer to our question. */
async function paidWithoutReceipt(amount: number): Promise<{ id: number; prompt: SentPrompt }> {
  const { service, network } = shop
  const [asked] = await shop.ask([amount])
  network.pay(asked!.prompt)
  await service.advanceUntilStatus(asked!.id, 'successful')
  expect(await idOf(asked!.id)).toBe(asked!.prompt.reference)
  return asked!
}

async function idOf(request: number): Promise<string> {
  const { body } = await shop.service.shop.get(`/api/collectionrequests/${request}`)
  const found = await shop.service.shop.get(`/api/collections/${(body as Json).collection}`)
  return found.body.remote_transaction_id as string
}

const refund = (id: number, more = {}) =>
  shop.service.shop.post(`/api/collectionrequests/${id}/refund`, { reason: 'not_delivered', ...more })

async function readWallet(): Promise<object> {
  const { body } = await shop.service.shop.get(`/api/accounts/${shop.account}`)
  return { balance: body.balance, available: body.available_balance }
}

it('A refund looks up the receipt in the list of payments before it is accepted, and reverses by it', async () => {
  await shop.connect('shop-list', { ...PULL, payout_short_code: '' })
  const { id, prompt } = await paidWithoutReceipt(300)
  const { status, body } = await refund(id)
  expect([status, body.amount]).toEqual([201, '300.0000'])
  expect(await idOf(id)).toBe(prompt.receipt)
  await eventually('the reversal', async () => shop.network.reversed.includes(prompt.receipt!) || undefined)
  expect(shop.network.payouts.size).toBe(0)
})

it('A refund at a till finds the payment by its phone, amount and time', async () => {
  await shop.connect('shop-till', { ...PULL, kind: 'till', payout_short_code: '' })
  const { id, prompt } = await paidWithoutReceipt(310)
  expect((await refund(id)).status).toBe(201)
  expect(await idOf(id)).toBe(prompt.receipt)
})

it('A receipt missing from the list refuses the refund before money is held, with the reason', async () => {
  await shop.connect('shop-lost', { ...PULL, payout_short_code: '' })
  const { id, prompt } = await paidWithoutReceipt(320)
  const before = await readWallet()
  // The list forgets it, as after 48 hours.
  shop.network.prompts.delete(prompt.reference)
  const { status, body } = await refund(id)
  expect([status, body]).toEqual([
    400,
    {
      collection: [
        expect.stringMatching(/has not told its own id of this payment.* not in the list of the last 48 hours/),
      ],
    },
  ])
  expect(await readWallet()).toEqual(before)
  expect(shop.network.reversed).not.toContain(prompt.receipt)
})

it('A refund without the list is refused in the same way, or paid out over an account for payouts', async () => {
  await shop.connect('shop-blind', { payout_short_code: '' })
  const { id } = await paidWithoutReceipt(330)
  expect((await refund(id)).body).toEqual({ collection: [expect.stringContaining('has not told its own id')] })
  await shop.connect('shop-paying', {})
  const paid = await paidWithoutReceipt(340)
  expect((await refund(paid.id)).status).toBe(201)
  await eventually('the payout', async () => shop.network.payouts.size === 1 || undefined)
})

it('A part of a payment asks for no receipt, because M-Pesa reverses whole payments only', async () => {
  await shop.connect('shop-parts', PULL)
  const { id } = await paidWithoutReceipt(350)
  const asked = shop.network.calls.get(LIST)
  expect((await refund(id, { amount: '100' })).status).toBe(201)
  expect(shop.network.calls.get(LIST)).toBe(asked)
})
