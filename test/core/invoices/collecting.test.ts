import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { networksForInvoices } from '../../../src/connections/invoice-networks.ts'
import { requestsById } from '../../../src/core/collections/requests.ts'
import { readOutcome } from '../../../src/core/follow-ups/outcomes.ts'
import { collectInvoice } from '../../../src/core/invoices/collecting.ts'
import { voidInvoice } from '../../../src/core/invoices/states.ts'
import { begin, type Tx } from '../../../src/db/client.ts'
import { openInvoiceShop } from './invoice-shop.ts'

let shop: Awaited<ReturnType<typeof openInvoiceShop>>
beforeAll(async () => {
  shop = await openInvoiceShop()
})
afterAll(() => shop.close())

it('is told of a request that belongs to it, so that the money is requested on its page', async () => {
  const { id } = await shop.issue()
  await shop.collect(id)
  const [{ id: request }] = (await shop.read(id)).requests
  const found = (await requestsById(shop.shop.db, [request])).get(request)!
  expect(await readOutcome(shop.shop.db, shop.shop.now(), { ...found, status: 'failed' })).toEqual({
    money: null,
    reason: 'failed',
    invoice: id,
    not_retryable: `This request belongs to invoice ${id}. Request the money there.`,
  })
})

/** More statements than either needs before it decides. */
const STATEMENTS = 6

/** A transaction in which something else happens once, after this many of its statements. */
function interrupt(tx: Tx, after: number, happen: () => Promise<unknown>): Tx {
  let statements = 0
  const run = async (...args: Parameters<Tx>) => {
    const result = await tx(...args)
    statements += 1
    if (statements === after) await happen()
    return result
  }
  return Object.assign(run, tx) as unknown as Tx
}

describe.each(Array.from({ length: STATEMENTS }, (_, index) => index + 1))('a payment after statement %i', (after) => {
  const cases: Record<string, (tx: Tx, id: number) => Promise<unknown>> = {
    'does not let the money be requested again': (tx, id) => {
      const { app, clock } = shop.shop.testApp
      return collectInvoice(tx, id, {
        now: clock.now(),
        base_url: shop.url,
        author: 1,
        chooseNetwork: networksForInvoices(app.connections),
      })
    },
    'does not let the invoice be voided': (tx, id) =>
      voidInvoice(tx, id, { now: shop.shop.testApp.clock.now(), base_url: shop.url, user: null, reason: 'Wrong' }),
  }
  it.each(Object.entries(cases))('%s', async (_, act) => {
    const { id } = await shop.issue()
    expect((await shop.collect(id)).status).toBe(200)
    const acting = begin(shop.shop.db, (tx) =>
      act(
        interrupt(tx, after, () => shop.pay(id)),
        id,
      ),
    )
    await expect(acting).rejects.toThrow(/can still be paid|There is nothing to pay|Refund it first/)
    expect((await shop.read(id)).requests).toHaveLength(1)
  })
})
