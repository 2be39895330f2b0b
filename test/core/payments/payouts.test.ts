import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NetworkOrder, OrderAnswer } from '../../../src/core/connections/network-orders.ts'
import { readContactTotals } from '../../../src/core/contacts/totals.ts'
import { fundAccount } from '../../../src/core/ledger/accounts.ts'
import { setFee } from '../../../src/core/ledger/fees.ts'
import { createPayments } from '../../../src/core/payments/create.ts'
import { findPaymentsById, type Payment } from '../../../src/core/payments/payments.ts'
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

async function pay(): Promise<Payment> {
  const recipient = {
    phonenumber: '+80000000002',
    amount: amount('100'),
    network: { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' },
    description: 'Wages',
    metadata: {},
    national_id: null,
    national_id_type: null,
  }
  const [created] = await begin(shop.db, (tx) =>
    createPayments(tx, shop.now(), [
      {
        organization: shop.organization,
        author: owner,
        purpose: 'payment',
        collection: null,
        payment_type: 'money',
        amount: amount('100'),
        currency: 'BXC',
        account,
        source: account,
        description: 'Wages',
        metadata: {},
        send_sms_message: false,
        start_date: null,
        recipients: [recipient],
      },
    ]),
  )
  if (!created!.ok) throw created!.error
  return created!.value
}

const read = async ({ id }: Payment) => (await findPaymentsById(shop.db, [id])).get(id)!
const stateOf = async (payment: Payment) => (await read(payment)).phone_nos.map(({ state }) => state).join()

describe('the answer about a payout that has ended', () => {
  const apply = (order: NetworkOrder, ...answers: OrderAnswer[]) =>
    applyEach(
      shop,
      answers.map((answer) => answerTo(order, answer)),
    )
  const sent = (value: string, reversals?: { remote_id: string; amount: bigint }[]): OrderAnswer => ({
    outcome: 'successful',
    remote_id: 'TX9',
    amount: amount(value),
    reversals,
  })
  const failed: OrderAnswer = { outcome: 'failed', reason: 'rejected', message: 'No' }
  const reversed: OrderAnswer = { outcome: 'reversed', message: 'Taken back' }

  /** A payment of 100 that waits for the answer of the network, and the balance before it. */
  async function start() {
    const { balance } = await shop.wallet()
    const payment = await pay()
    const recipients = await shop.db<{ id: number }[]>`select id from payment_recipients where payment = ${payment.id}`
    const ids = recipients.map(({ id }) => id)
    const [action] = await startPayoutsOf(shop, ids)
    return { payment, action: action!, balance }
  }

  it('takes money that was sent after a failure from the wallet once, and reports it once', async () => {
    const { payment, action, balance } = await start()
    await apply(action, failed)
    expect((await shop.wallet()).balance).toBe(balance)
    const results = await Promise.all([apply(action, sent('100')), apply(action, sent('100'), failed)])
    expect(results.flat()).toMatchObject([{ payment: payment.id, amount: amount('100'), booked: true }])
    expect(await apply(action, sent('100'))).toEqual([])
    expect(await read(payment)).toMatchObject({ state: 'processed' })
    expect((await shop.wallet()).balance).toBe(balance - amount('100'))
  })

  it('overdraws a wallet that has spent the money meanwhile', async () => {
    const { action } = await start()
    await apply(action, failed)
    const wallet = await shop.wallet()
    const spend = (value: bigint) =>
      begin(shop.db, (tx) =>
        fundAccount(tx, shop.now(), { account: wallet.id, amount: value, description: 'Spent', author: owner }),
      )
    await spend(-wallet.balance)
    await apply(action, sent('100'))
    expect((await shop.wallet()).balance).toBe(amount('-100'))
    await spend(wallet.balance)
  })

  it('does not book another amount than the ordered one, and reports it once', async () => {
    const { payment, action, balance } = await start()
    await apply(action, failed)
    expect(await apply(action, sent('99'))).toMatchObject([{ amount: amount('99'), booked: false }])
    expect(await apply(action, sent('99'))).toEqual([])
    expect(await stateOf(payment)).toBe('error')
    expect((await shop.wallet()).balance).toBe(balance)
  })

  it('takes no money for a success that is reported after the reversal', async () => {
    const { payment, action, balance } = await start()
    await apply(action, sent('100'))
    await apply(action, reversed)
    expect(await apply(action, sent('100'))).toEqual([])
    expect(await stateOf(payment)).toBe('error')
    expect((await shop.wallet()).balance).toBe(balance)
    // The same when the service knew of no success before, or was told of a failure.
    for (const before of [[reversed], [failed, reversed]]) {
      const other = await start()
      for (const answer of before) await apply(other.action, answer)
      expect(await apply(other.action, sent('100'))).toEqual([])
      expect((await shop.wallet()).balance).toBe(balance)
    }
  })

  it('is paid out to its contact without the parts that came back', async () => {
    const { payment, action } = await start()
    const [{ contact } = { contact: 0 }] = await shop.db<{ contact: number }[]>`
      select contact from payment_recipients where payment = ${payment.id}`
    const paidOut = async () => (await readContactTotals(shop.db, shop.organization, contact))[0]?.paid_out ?? 0n
    const before = await paidOut()
    await apply(action, sent('100', [{ remote_id: 'V40', amount: amount('40') }]))
    expect(await paidOut()).toBe(before + amount('60'))
  })

  it('names the money that the network first reported without its id', async () => {
    for (const remote_id of [null, 'O1']) {
      const { payment, action, balance } = await start()
      if (remote_id !== null) await apply(action, { outcome: 'accepted', remote_id })
      await apply(action, { outcome: 'successful', amount: amount('100') })
      expect(await read(payment)).toMatchObject({ remote_transaction_id: remote_id ?? action.reference })
      expect(await apply(action, sent('100'))).toEqual([])
      await apply(action, { ...sent('100'), remote_id: 'TX10' } as OrderAnswer)
      expect(await read(payment)).toMatchObject({ state: 'processed', remote_transaction_id: 'TX9' })
      expect((await shop.wallet()).balance).toBe(balance - amount('100'))
    }
  })

  it('returns parts once each, and the rest with the fee when everything comes back', async () => {
    await begin(shop.db, (tx) =>
      setFee(tx, shop.now(), {
        organization: shop.organization,
        kind: 'payment',
        currency: 'BXC',
        network: null,
        fixed: amount('5'),
        percent: 0n,
        min_fee: 0n,
        max_fee: null,
      }),
    )
    const { payment, action, balance } = await start()
    const [first, second] = [
      { remote_id: 'V1', amount: amount('30') },
      { remote_id: 'V2', amount: amount('20') },
    ]
    await apply(action, sent('100', [first]))
    expect(await read(payment)).toMatchObject({
      state: 'processed_with_errors',
      last_error: 'The network has taken back 30 of 100.',
      charged_fee: amount('5'),
    })
    await Promise.all([apply(action, sent('100', [first, second])), apply(action, sent('100', [second]))])
    expect((await read(payment)).phone_nos[0]).toMatchObject({ state: 'complete', reversed_amount: amount('50') })
    expect((await shop.wallet()).balance).toBe(balance - amount('55'))
    await apply(action, reversed)
    expect((await read(payment)).phone_nos[0]).toMatchObject({ state: 'error', reversed_amount: amount('100') })
    expect((await shop.wallet()).balance).toBe(balance)
    await apply(action, sent('100', [{ remote_id: 'V3', amount: amount('1') }]))
    expect((await shop.wallet()).balance).toBe(balance)
    await shop.db`delete from fees`
  })
})
