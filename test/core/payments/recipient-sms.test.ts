import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NetworkOrder, OrderAnswer } from '../../../src/core/connections/network-orders.ts'
import { createPayments } from '../../../src/core/payments/create.ts'
import { buildRecipientText } from '../../../src/core/payments/recipient-sms.ts'
import { settle } from '../../../src/core/settlements/settle.ts'
import { listSms } from '../../../src/core/sms/outbox.ts'
import { begin } from '../../../src/db/client.ts'
import { answerTo, applyEach, startPayoutsOf } from '../payouts.ts'
import { amount, openShop, type Shop } from '../shop.ts'

let shop: Shop
let owner: number
let account: number
beforeAll(async () => {
  shop = await openShop()
  ;({ id: account, author: owner } = await shop.wallet())
})
afterAll(() => shop.close())

const PHONES = ['+80000000002', '+80000000003']

/** A payment of 1,500 to each of these phones, with the orders of its recipients. */
async function start(send_sms_message: boolean, phones: readonly string[] = PHONES.slice(0, 1)) {
  const recipients = phones.map((phonenumber) => ({
    phonenumber,
    amount: amount('1500'),
    description: 'Wages',
    metadata: {},
    network: { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' },
    national_id: null,
    national_id_type: null,
  }))
  const total = amount('1500') * BigInt(phones.length)
  const [created] = await begin(shop.db, (tx) =>
    createPayments(tx, shop.now(), [
      {
        organization: shop.organization,
        author: owner,
        purpose: 'payment',
        collection: null,
        payment_type: 'money',
        amount: total,
        currency: 'BXC',
        account,
        source: account,
        description: 'Wages',
        metadata: {},
        send_sms_message,
        start_date: null,
        recipients,
      },
    ]),
  )
  if (!created!.ok) throw created!.error
  const { id } = created!.value
  const rows = await shop.db<{ id: number }[]>`select id from payment_recipients where payment = ${id} order by id`
  const orders = await startPayoutsOf(
    shop,
    rows.map((row) => row.id),
  )
  return { payment: id, orders, order: orders[0]! }
}

const sent: OrderAnswer = { outcome: 'successful', remote_id: 'TX9', amount: amount('1500') }
const failed: OrderAnswer = { outcome: 'failed', reason: 'rejected', message: 'No' }
const reversed: OrderAnswer = { outcome: 'reversed', message: 'Taken back' }
const smsOf = (payment: number) => listSms(shop.db, { payment }, 10, '')
const apply = (order: NetworkOrder, ...answers: OrderAnswer[]) =>
  applyEach(
    shop,
    answers.map((answer) => answerTo(order, answer)),
  )

describe('the SMS to the recipient of a payment', () => {
  it('says the amount, who sent it and the reference, once for each recipient', async () => {
    const { payment, orders } = await start(true, PHONES)
    for (const order of orders) await apply(order, { outcome: 'accepted', remote_id: 'TX9' }, sent, sent)
    const [shop_row] = await shop.db<{ name: string }[]>`
      select name from organizations where id = ${shop.organization}`
    const messages = await smsOf(payment)
    expect(messages.map(({ phonenumber }) => phonenumber).sort()).toEqual(PHONES)
    for (const sms of messages)
      expect(sms).toMatchObject({
        purpose: 'success',
        payment,
        transactional: true,
        state: 'waiting',
        collection_request: null,
        body: `You have received BXC 1,500 from ${shop_row!.name}. Reference TX9.`,
      })
  })

  it('is not sent when the payment does not ask for it, or while the recipient has no money', async () => {
    const silent = await start(false)
    await apply(silent.order, sent)
    expect(await smsOf(silent.payment)).toEqual([])
    const refused = await start(true)
    await apply(refused.order, failed)
    expect(await smsOf(refused.payment)).toEqual([])
    const returned = await start(true)
    await apply(returned.order, reversed)
    expect(await smsOf(returned.payment)).toEqual([])
  })

  it('is queued once when processes report the same end at the same time, or the money is sent after a failure', async () => {
    const { payment, order } = await start(true)
    await apply(order, failed)
    await Promise.all([apply(order, sent), apply(order, sent), apply(order, sent, sent)])
    expect(await smsOf(payment)).toHaveLength(1)
    await apply(order, reversed)
    await apply(order, sent)
    expect(await smsOf(payment)).toHaveLength(1)
  })

  it('is queued with the money or not at all, when a process dies in between', async () => {
    const { payment, order } = await start(true)
    const dying = begin(shop.db, async (tx) => {
      await settle(tx, shop.now(), [answerTo(order, sent)])
      throw new Error('The process dies.')
    })
    await expect(dying).rejects.toThrow('The process dies.')
    expect(await smsOf(payment)).toEqual([])
    await apply(order, sent)
    expect(await smsOf(payment)).toHaveLength(1)
  })

  it('names airtime, and what is left of money of which a part came back at once', () => {
    const recipient = { amount: amount('5000'), reversed_in_parts: 0n, remote_transaction_id: 'A1' }
    expect(buildRecipientText({ payment_type: 'airtime', currency: 'UGX' }, recipient, 'Demo Shop')).toBe(
      'You have received airtime of UGX 5,000 from Demo Shop. Reference A1.',
    )
    const part = { ...recipient, reversed_in_parts: amount('999.50'), remote_transaction_id: null }
    expect(buildRecipientText({ payment_type: 'money', currency: 'UGX' }, part, 'Demo Shop')).toBe(
      'You have received UGX 4,000.50 from Demo Shop.',
    )
  })
})
