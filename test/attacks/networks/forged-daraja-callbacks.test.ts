import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConnectionRow } from '../../../src/core/connections/connections.ts'
import { type DarajaShop, openDarajaShop } from '../../networks/daraja/daraja-shop.ts'
import { confirmationOf, endOf, postReport, type SentPrompt } from '../../networks/daraja/paying-network.ts'
import { eventually } from '../../test-app.ts'
import { printFigure } from '../figures.ts'

/*
 * Daraja signs nothing, so anybody can forge its callbacks. The attacker wants unpaid orders to count as paid, open
 * payouts to count as failed, or others' money to stay uncredited. Step by step he knows more: nothing, the secret
 * address of the connection, the address of an order, and the actual payments.
 */

const STRANGER = '127.0.0.9'
const PULL = { pull_transactions: true, nominated_number: '254722000000' }

let shop: DarajaShop
let other: ConnectionRow
let connection: ConnectionRow
let asked: { id: number; prompt: SentPrompt }[]
let sent = 0

beforeAll(async () => {
  shop = await openDarajaShop()
  other = await shop.connect('other-shop', {})
  connection = await shop.connect('shop', PULL)
  asked = await shop.ask([1000, 1100, 1200, 1300])
})
afterAll(() => shop.close())

/** Send a forged report and return the status of the answer. */
function forge(url: string, content: object, from?: string): Promise<number> {
  sent += 1
  return postReport(url, content, from)
}

/** The prompt as if it had been paid with this receipt. */
const asPaid = (prompt: SentPrompt, receipt = 'UA0FORGED1') => ({ ...prompt, receipt })

async function expectNothingPaid(): Promise<void> {
  await shop.settle()
  const { db } = shop.service.testApp
  const ids = asked.map(({ id }) => id)
  const open = await db`
    select 1 from collection_requests where id = any(${ids}::bigint[]) and status = 'instructions_sent'`
  expect(open).toHaveLength(asked.length)
  expect([...(await db`select * from collections`)]).toEqual([])
  expect([...(await db`select * from unassigned_payments`)]).toEqual([])
}

it('without the secret address, not even a record is kept', async () => {
  const { db } = shop.service.testApp
  for (const { prompt } of asked) {
    const path = prompt.callback_url.slice(shop.addressOf(connection).length)
    const guessed = { ...connection, callback_secret: '0'.repeat(48) }
    expect(await forge(shop.addressOf(guessed) + path, endOf(asPaid(prompt), 'clear'))).toBe(404)
    const confirmation = `${shop.addressOf(guessed)}/confirmation`
    expect(await forge(confirmation, confirmationOf(asPaid(prompt), 'clear'))).toBe(404)
  }
  expect([...(await db`select * from callbacks where connection in ('shop', 'other-shop')`)]).toEqual([])
  await expectNothingPaid()
})

it('the address of another connection reaches no order', async () => {
  for (const { prompt } of asked) {
    const path = prompt.callback_url.slice(shop.addressOf(connection).length)
    expect(await forge(shop.addressOf(other) + path, endOf(asPaid(prompt), 'clear'))).toBe(200)
    await forge(`${shop.addressOf(other)}/confirmation`, confirmationOf(asPaid(prompt), 'clear'))
  }
  await expectNothingPaid()
})

it('a success that the status query denies pays nothing, whoever sends it', async () => {
  for (const { prompt } of asked)
    for (const from of ['127.0.0.1', STRANGER]) {
      await forge(prompt.callback_url, endOf(asPaid(prompt), 'clear'), from)
      await forge(prompt.callback_url.replace(/.$/, 'x'), endOf(asPaid(prompt), 'clear'), from)
      await forge(`${shop.addressOf(connection)}/confirmation`, confirmationOf(asPaid(prompt), 'clear'), from)
    }
  await expectNothingPaid()
})

it('money of another prompt, and another amount, pay no order', async () => {
  const [{ prompt: paid }, ...others] = asked as [(typeof asked)[0], ...typeof asked]
  // A prompt that the books do not know, so that its money is nobody's yet.
  const [bait] = await shop.ask([50])
  shop.network.pay(bait!.prompt)
  for (const { prompt } of others)
    for (const from of ['127.0.0.1', STRANGER]) {
      const claim = { ...asPaid(prompt, bait!.prompt.receipt!), amount: 999_999 }
      await forge(`${shop.addressOf(connection)}/confirmation`, confirmationOf(claim, 'clear'), from)
      // Only a stranger, and whoever guesses the proof, can say that the order has the id of another one.
      const end = endOf({ ...claim, checkout_id: bait!.prompt.checkout_id }, 'clear')
      await forge(prompt.callback_url, end, STRANGER)
      await forge(`${prompt.callback_url.slice(0, -1)}x`, end, from)
    }
  await shop.settle()
  const { db } = shop.service.testApp
  const credited = await db`select collection_request, amount from collections`
  expect([...credited]).toEqual([{ collection_request: bait!.id, amount: 50_0000n }])
  for (const { id } of asked)
    expect((await shop.service.shop.get(`/api/collectionrequests/${id}`)).body.status).toBe('instructions_sent')
  expect(paid.receipt).toBeNull()
})

it('an order accepts a new id only from its own address', async () => {
  const { db } = shop.service.testApp
  const [lost] = await shop.ask([75])
  await db`update network_orders set state = 'sent', remote_id = null where reference = ${lost!.prompt.reference}`
  const [rich] = await shop.ask([80])
  shop.network.pay(rich!.prompt)
  const end = endOf({ ...asPaid(lost!.prompt), checkout_id: rich!.prompt.checkout_id }, 'clear')
  await forge(lost!.prompt.callback_url, end, STRANGER)
  await forge(`${lost!.prompt.callback_url.slice(0, -1)}x`, end)
  await shop.settle()
  expect((await shop.service.shop.get(`/api/collectionrequests/${lost!.id}`)).body.collection).toBeNull()
})

it("a stranger's reports neither fail nor complete a payout", async () => {
  const { testApp, shop: api } = shop.service
  const phonenumber = '+254711999001'
  const payment = await api.post('/api/payments', { phonenumber, amount: '500', currency: 'KES', description: 'Wages' })
  expect(payment.status).toBe(201)
  const [reference, address] = await eventually('the payout', async () => [...shop.network.payouts][0])
  for (const ResultCode of [0, 1, 2040]) {
    const ids = { OriginatorConversationID: reference, ConversationID: 'AG_1', TransactionID: 'UA0FORGED2' }
    const Result = { ResultType: 0, ResultCode, ResultDesc: 'Words.', ...ids }
    await forge(address, { Result }, STRANGER)
    await forge(`${address.slice(0, -1)}x`, { Result })
    await forge(address.replace('/result-', '/refund-'), { Result })
    await forge(address.replace('/result-', '/status-'), { Result })
  }
  await shop.settle()
  const [recipient] = await testApp.db`select state from payment_recipients where payment = ${payment.body.id}`
  expect(recipient).toMatchObject({ state: expect.not.stringMatching(/complete|error/) })
})

it('actual payments are credited once afterwards, despite repeated reports', async () => {
  const before = await shop.service.testApp.db<{ id: number }[]>`select id from collections`
  for (const { prompt } of asked) shop.network.pay(prompt)
  const reports = asked.flatMap(({ prompt }) =>
    Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0
        ? forge(prompt.callback_url, endOf(prompt, 'clear'))
        : forge(`${shop.addressOf(connection)}/confirmation`, confirmationOf(prompt, 'masked')),
    ),
  )
  await Promise.all(reports)
  for (const { id } of asked) await shop.service.waitForStatus(id, 'successful')
  await shop.settle()
  const { db } = shop.service.testApp
  const after = await db<{ amount: bigint; collection_request: number }[]>`
    select amount, collection_request from collections where id <> all(${before.map(({ id }) => id)}::bigint[]) order by amount`
  expect([...after]).toEqual(
    asked.map(({ id, prompt }) => ({ collection_request: id, amount: BigInt(prompt.amount) * 10_000n })),
  )
  printFigure(
    'forged-daraja-callbacks',
    `${sent} reports sent; ${asked.length - after.length} of ${asked.length} requests paid by forged ones, and ${after.length} credited once by real ones`,
  )
})
