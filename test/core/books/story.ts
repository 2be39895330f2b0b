import { chooseRefundConnection } from '../../../src/connections/choose.ts'
import { createUser, getOrganization } from '../../../src/core/access/organizations.ts'
import type { OrderAnswer } from '../../../src/core/connections/network-orders.ts'
import { fundAccount } from '../../../src/core/ledger/accounts.ts'
import { type FeeKind, setFee } from '../../../src/core/ledger/fees.ts'
import { bookNetworkFees } from '../../../src/core/ledger/network-fees.ts'
import { createPayments } from '../../../src/core/payments/create.ts'
import { type RefundedMoney, refundCollection, returnCollection } from '../../../src/core/payments/refunds.ts'
import { begin } from '../../../src/db/client.ts'
import { answerTo, applyEach, startPayoutsOf } from '../payouts.ts'
import { amount, NETWORK, type Shop } from '../shop.ts'

const DAY_S = 24 * 60 * 60

/** Three days of a shop: money that comes, a part and a whole of it taken back, fees, payments, a refund, a return, entries by hand. */
export async function liveThreeDays(shop: Shop): Promise<void> {
  await setFees(shop)
  const { id: account, author } = await shop.wallet()
  const { service_user } = await getOrganization(shop.db, shop.organization)
  const whole = shop.paymentReport({ amount: amount('700.5') })
  const parted = shop.paymentReport({ amount: amount('900') })
  await shop.createRequest({ phonenumber: '+80000000003' })
  await shop.ingest(shop.paymentReport(), whole, parted)
  await begin(shop.db, (tx) =>
    fundAccount(tx, shop.now(), { account, amount: amount('250.25'), description: 'Paid in', author: service_user }),
  )
  await shop.testApp.clock.advance(DAY_S)
  await shop.ingest({ ...whole, status: 'reversed' })
  await shop.ingest({ ...parted, reversals: [{ remote_id: 'PART1', amount: amount('100') }] })
  await pay(shop, '100', { outcome: 'successful', remote_id: 'OUT1', amount: amount('100') })
  await pay(shop, '60', { outcome: 'failed', reason: 'rejected', message: 'No' })
  await shop.testApp.clock.advance(DAY_S)
  await pay(
    shop,
    '40',
    { outcome: 'successful', remote_id: 'OUT2', amount: amount('40') },
    { outcome: 'reversed', message: 'Taken back' },
  )
  await giveBack(shop)
  await begin(shop.db, async (tx) => {
    const [first] = await tx<{ id: number }[]>`select min(id) as id from collections`
    await bookNetworkFees(tx, shop.now(), [
      { subject: `collection:${first!.id}`, connection: 'sandbox', currency: 'BXC', amount: amount('7.75'), author },
    ])
    const { id: grace } = await createUser(tx, shop.now(), { name: 'Grace', email: 'grace@shop.example' })
    await fundAccount(tx, shop.now(), { account, amount: amount('-30'), description: 'To the bank', author: grace })
  })
}

async function setFees({ db, organization, now }: Shop): Promise<void> {
  const rates = { fixed: amount('1'), percent: amount('0.5'), min_fee: 0n, max_fee: null, network: null }
  for (const kind of ['collection', 'payment', 'refund', 'return'] satisfies FeeKind[])
    await begin(db, (tx) => setFee(tx, now(), { ...rates, organization, kind, currency: 'BXC' }))
}

/** Send money, and apply what the network answers. */
async function pay(shop: Shop, value: string, ...answers: OrderAnswer[]): Promise<void> {
  const { id: account, author } = await shop.wallet()
  const recipient = {
    phonenumber: '+80000000002',
    amount: amount(value),
    network: NETWORK,
    description: '=Wages()',
    metadata: {},
    national_id: null,
    national_id_type: null,
  }
  const [created] = await begin(shop.db, (tx) =>
    createPayments(tx, shop.now(), [
      {
        organization: shop.organization,
        author,
        purpose: 'payment',
        collection: null,
        payment_type: 'money',
        amount: amount(value),
        currency: 'BXC',
        account,
        source: account,
        description: '=Wages()',
        metadata: {},
        send_sms_message: false,
        start_date: null,
        recipients: [recipient],
      },
    ]),
  )
  if (!created!.ok) throw created!.error
  await settle(shop, created!.value.id, answers)
}

async function settle(shop: Shop, payment: number, answers: readonly OrderAnswer[]): Promise<void> {
  const recipients = await shop.db<{ id: number }[]>`select id from payment_recipients where payment = ${payment}`
  const [order] = await startPayoutsOf(
    shop,
    recipients.map(({ id }) => id),
  )
  await applyEach(
    shop,
    answers.map((answer) => answerTo(order!, answer)),
  )
}

/** Refund a part of the matched collection, and return one that matches nothing. */
async function giveBack(shop: Shop): Promise<void> {
  const { author } = await shop.wallet()
  const unmatched = shop.paymentReport({ phonenumber: '+80000000009', amount: amount('80') })
  await shop.ingest(unmatched)
  const collections = await shop.collections()
  const matched = collections.find((one) => one.collection_request !== null && one.status === 'successful')!
  const chooseNetwork = (money: RefundedMoney) => chooseRefundConnection(shop.testApp.app.connections.list(), money)
  const input = { organization: shop.organization, author, chooseNetwork }
  const refund = await begin(shop.db, (tx) =>
    refundCollection(tx, shop.now(), { ...input, collection: matched.id, amount: amount('500') }),
  )
  const returned = await begin(shop.db, (tx) =>
    returnCollection(tx, shop.now(), { ...input, collection: collections.at(-1)!.id }),
  )
  await settle(shop, refund.id, [{ outcome: 'successful', remote_id: 'BACK1', amount: amount('500') }])
  await settle(shop, returned.id, [{ outcome: 'successful', remote_id: 'BACK2', amount: amount('80') }])
}
