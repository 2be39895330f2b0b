import { generateSync } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acceptCode, startSecondFactorSetup } from '../../src/core/access/second-factors.ts'
import { lockPurchases } from '../../src/core/bills/purchases.ts'
import { readVerdicts } from '../../src/core/collections/acceptance-checks.ts'
import { cancelRequest, matchManually } from '../../src/core/collections/actions.ts'
import { claimCollection } from '../../src/core/collections/collections.ts'
import { ingestIncomingPayments } from '../../src/core/collections/incoming-payments.ts'
import { lockOpenRequests, transitionAlone } from '../../src/core/collections/orders.ts'
import { lockDuePlans } from '../../src/core/collections/plans.ts'
import { findOrCreateContacts } from '../../src/core/contacts/contacts.ts'
import { changeContact, createContact } from '../../src/core/contacts/details.ts'
import { eraseContact } from '../../src/core/contacts/erasure.ts'
import { applyLookupResults } from '../../src/core/contacts/lookups.ts'
import { endLeases } from '../../src/core/events/attempts.ts'
import { moveMoney } from '../../src/core/ledger/transfers.ts'
import { cancelPayment } from '../../src/core/payments/approvals.ts'
import { findPaymentsById } from '../../src/core/payments/payments.ts'
import { startPayouts } from '../../src/core/payments/payouts.ts'
import { returnCollection } from '../../src/core/payments/refunds.ts'
import { settle } from '../../src/core/settlements/settle.ts'
import { begin, type Tx } from '../../src/db/client.ts'
import { CUSTOMER_PIN } from '../../src/simulator/world/behaviours.ts'
import { createChargeBatcher } from '../../src/simulator/world/charges.ts'
import { approvePrompt } from '../../src/simulator/world/customers.ts'
import { createPayoutBatcher } from '../../src/simulator/world/payouts.ts'
import { worldContext } from '../simulator/simulator-test.ts'
import { placeOrder } from './charges.ts'
import {
  accountsOf,
  COUNT,
  createManyAcceptanceChecks,
  createManyContacts,
  createManyPayments,
  createManyPlans,
  createManyPurchases,
  createManyRequests,
  createManyWebhooks,
  EACH,
  phoneOf,
  touch,
} from './many-rows.ts'
import { answerTo, SENDERS, startPayoutsOf } from './payouts.ts'
import { amount, NETWORK, openShop, type Shop } from './shop.ts'
import { openTwoConnections, type TwoConnections } from './two-connections.ts'

/*
 * Functions that lock rows and then rely on having all of them. Meanwhile another transaction holds these rows and has
 * made an irrelevant change to them. PostgreSQL checks each such row again once it has the lock.
 */

let shop: Shop
let connections: TwoConnections
let clocks: { now(): Date; real(): Date }
let author: number

beforeAll(async () => {
  shop = await openShop()
  connections = await openTwoConnections(shop.testApp.app.config.DATABASE_URL!)
  clocks = shop.testApp.clock
  author = shop.requestInput().author
})
beforeEach(() => shop.clear())
afterAll(async () => {
  await connections.close()
  await shop.close()
})

const expire = (id: number) => async (tx: Tx) =>
  transitionAlone(tx, shop.now(), { request: await shop.request(id), to: 'expired', author, due_at: null })

describe('money for requests that another transaction is changing', () => {
  it('fulfils every request that it names', async () => {
    const ids = await createManyRequests(shop)
    const references: string[] = []
    for (const id of ids) references.push(await placeOrder(shop, id))
    const reports = references.map((order_reference, index) =>
      shop.paymentReport({ phonenumber: phoneOf(index), order_reference }),
    )
    await connections.runWhileHeld(touch.collection_requests(ids), (tx) =>
      ingestIncomingPayments(tx, shop.now(), reports),
    )
    expect((await shop.collections()).map((row) => row.collection_request)).toEqual(ids)
  })

  it('fulfils every request that it fits', async () => {
    const ids = await createManyRequests(shop)
    const reports = ids.map((_, index) => shop.paymentReport({ phonenumber: phoneOf(index) }))
    await connections.runWhileHeld(touch.collection_requests(ids), (tx) =>
      ingestIncomingPayments(tx, shop.now(), reports),
    )
    expect((await shop.collections()).map((row) => row.collection_request)).toEqual(ids)
  })

  it('fulfils the next one if the oldest ends meanwhile', async () => {
    const [oldest, next] = [await shop.createRequest(), await shop.createRequest()]
    await connections.runWhileHeld(expire(oldest.id), (tx) =>
      ingestIncomingPayments(tx, shop.now(), [shop.paymentReport()]),
    )
    expect(await shop.collections()).toMatchObject([{ collection_request: next.id }])
    expect(await shop.request(oldest.id)).toMatchObject({ status: 'expired' })
  })

  it('fulfils none if the one that it names ends meanwhile', async () => {
    const { id } = await shop.createRequest()
    const order_reference = await placeOrder(shop, id)
    await connections.runWhileHeld(expire(id), (tx) =>
      ingestIncomingPayments(tx, shop.now(), [shop.paymentReport({ order_reference })]),
    )
    expect(await shop.collections()).toMatchObject([{ collection_request: null, status: 'successful' }])
    expect(await shop.request(id)).toMatchObject({ status: 'expired' })
  })

  it('reopens every request that it had fulfilled, if the network reverses it', async () => {
    const ids = await createManyRequests(shop)
    const reports = ids.map((_, index) => shop.paymentReport({ phonenumber: phoneOf(index) }))
    await shop.ingest(...reports)
    const reversals = reports.map((report) => ({ ...report, status: 'reversed' as const }))
    await connections.runWhileHeld(touch.collection_requests(ids), (tx) =>
      ingestIncomingPayments(tx, shop.now(), reversals),
    )
    const [row] = await shop.db<{ count: number }[]>`
      select count(*) from collection_requests where status = 'reversed'`
    expect(row!.count).toBe(COUNT)
  })
})

describe('of rows that another transaction is changing, all are found:', () => {
  it('open requests', async () => {
    const ids = await createManyRequests(shop)
    const rows = await connections.runWhileHeld(touch.collection_requests(ids), (tx) => lockOpenRequests(tx, ids))
    expect(rows.map((row) => row.id)).toEqual(ids)
  })

  it('the answers about unrequested money', async () => {
    const { inputs, checks } = await createManyAcceptanceChecks(shop)
    const change = async (tx: Tx) => {
      await touch.acceptance_checks(checks)(tx)
      await tx`
        update acceptance_checks set verdict = 'accept', answered = created, due_at = null where id = any(${checks.slice(0, 3)}::bigint[])`
    }
    const verdicts = await connections.runWhileHeld(change, (tx) => readVerdicts(tx, inputs))
    expect(verdicts).toEqual(EACH.map((index) => (index < 3 ? 'accept' : null)))
  })

  it('pending bill purchases', async () => {
    const ids = await createManyPurchases(shop)
    const rows = await connections.runWhileHeld(touch.bill_purchases(ids), (tx) => lockPurchases(tx, ids))
    expect([...rows.keys()].sort((a, b) => a - b)).toEqual(ids)
  })

  it.each(['payments', 'payment_recipients'] as const)('payments to send (%s)', async (table) => {
    const { payments, recipients } = await createManyPayments(shop)
    const ids = table === 'payments' ? payments : recipients
    const steps = await connections.runWhileHeld(touch[table](ids), (tx) =>
      startPayouts(tx, shop.now(), recipients, SENDERS),
    )
    expect(steps.map((step) => step.payment_recipient)).toEqual(recipients)
  })

  it.each(['payments', 'payment_recipients'] as const)('completed payments (%s)', async (table) => {
    const { payments, recipients } = await createManyPayments(shop)
    const ids = table === 'payments' ? payments : recipients
    const orders = await startPayoutsOf(shop, recipients)
    const answers = orders.map((order) =>
      answerTo(order, { outcome: 'successful', remote_id: `P${order.payment_recipient}`, amount: amount('1') }),
    )
    await connections.runWhileHeld(touch[table](ids), (tx) => settle(tx, shop.now(), answers))
    const [row] = await shop.db<{ count: number }[]>`
      select count(*) from payments where state = 'processed' and id = any(${payments}::bigint[])`
    expect(row!.count).toBe(COUNT)
  })

  it('plans that are due', async () => {
    const ids = await createManyPlans(shop)
    const plans = await connections.runWhileHeld(touch.plans(ids), (tx) => lockDuePlans(tx, shop.now(), ids))
    expect(plans.map((plan) => plan.id)).toEqual(ids)
  })

  it('contacts that were looked up', async () => {
    const ids = await createManyContacts(shop)
    const answers = ids.map((contact) => ({ contact, outcome: 'found' as const, name: 'Jane Doe' }))
    await connections.runWhileHeld(touch.contacts(ids), (tx) => applyLookupResults(tx, shop.now(), answers))
    const [row] = await shop.db<{ count: number }[]>`select count(*) from contacts where name_on_network = 'Jane Doe'`
    expect(row!.count).toBe(COUNT)
  })

  it('contacts that get a name', async () => {
    const ids = await createManyContacts(shop)
    const people = EACH.map((index) => ({
      organization: shop.organization,
      phone_number: phoneOf(index),
      first_name: 'Jane',
      last_name: 'Doe',
      network_name: NETWORK.name,
      author,
    }))
    await connections.runWhileHeld(touch.contacts(ids), (tx) => findOrCreateContacts(tx, shop.now(), people))
    const [row] = await shop.db<{ count: number }[]>`select count(*) from contacts where first_name = 'Jane'`
    expect(row!.count).toBe(COUNT)
  })

  it('wallets between which money moves', async () => {
    const wallet = await shop.wallet()
    const [external] = await shop.db<{ id: number }[]>`
      select id from accounts where organization = ${shop.organization} and currency = 'BXC' and kind = 'external'`
    const transfer = {
      reference: 'funds:test',
      kind: 'admin_funds_update' as const,
      from_account: external!.id,
      to_account: wallet.id,
      currency: 'BXC',
      amount: amount('5'),
      description: 'Funds',
      author,
    }
    await connections.runWhileHeld(touch.accounts(await accountsOf(shop)), (tx) =>
      moveMoney(tx, shop.now(), [transfer]),
    )
    expect((await shop.wallet()).balance).toBe(wallet.balance + amount('5'))
  })

  it('webhooks whose leases end', async () => {
    const ids = await createManyWebhooks(shop)
    const leased_until = clocks.real()
    await shop.db`update webhooks set leased_until = ${leased_until} where id = any(${ids}::bigint[])`
    const leases = ids.map((webhook) => ({ webhook, position: 0, leased_until }))
    await connections.runWhileHeld(touch.webhooks(ids), async (tx) => endLeases(tx, leases))
    const [row] = await shop.db<{ count: number }[]>`
      select count(*) from webhooks where leased_until is null and id = any(${ids}::bigint[])`
    expect(row!.count).toBe(COUNT)
  })

  it('orders and payouts that the simulated network gets again', async () => {
    const references = EACH.map((index) => `R${index}`)
    const rest = { door: 'sandbox', phonenumber: phoneOf(1), amount: amount('5'), currency: 'BXC', reason: 'Order' }
    const place = (db: Shop['db']) => {
      const desk = createChargeBatcher({ ...clocks, db })
      return Promise.all(
        references.map((reference) => desk({ ...rest, key: reference, receiver: '100', prompt: true })),
      )
    }
    const send = (db: Shop['db']) => {
      const desk = createPayoutBatcher({ ...clocks, db })
      return Promise.all(references.map((reference) => desk({ ...rest, key: reference, sender: '100', kind: 'money' })))
    }
    await place(shop.db)
    await send(shop.db)
    const placed = await connections.runWhileHeldIn(touch.simulator_orders(references), place)
    const sent = await connections.runWhileHeldIn(touch.simulator_payouts(references), send)
    for (const answer of [...placed, ...sent]) expect(answer).toMatchObject({ outcome: 'accepted', first: false })
    await shop.db`delete from simulator_orders`
    await shop.db`delete from simulator_payouts`
  })
})

describe('a row that another transaction is changing is found:', () => {
  const unmatched = async () => {
    await shop.ingest(shop.paymentReport())
    return (await shop.collections())[0]!
  }
  const claiming = (remote_transaction_id: string) => (tx: Tx) =>
    claimCollection(
      tx,
      shop.now(),
      { organization: shop.organization, user: author },
      { amount: amount('1500'), remote_transaction_id, phonenumber: shop.requestInput().phonenumber },
    )

  it('a collection that is claimed', async () => {
    const { id, remote_transaction_id } = await unmatched()
    const claimed = await connections.runWhileHeld(touch.collections([id]), claiming(remote_transaction_id))
    expect(claimed.map((one) => one.id)).toEqual([id])
  })

  it('a collection that is claimed, unless another user was faster', async () => {
    const { id, remote_transaction_id } = await unmatched()
    const take = (tx: Tx) => tx`update collections set claimed_by = ${author + 1} where id = ${id}`
    expect(await connections.runWhileHeld(take, claiming(remote_transaction_id))).toEqual([])
  })

  it('a collection that is returned', async () => {
    const { id } = await unmatched()
    const input = { organization: shop.organization, collection: id, author, chooseNetwork: () => undefined }
    const returning = connections.runWhileHeld(touch.collections([id]), (tx) => returnCollection(tx, shop.now(), input))
    await expect(returning).rejects.toThrow('cannot send money')
  })

  it('a collection that is matched manually', async () => {
    const { id } = await unmatched()
    const request = await shop.createRequest()
    const by = { user: null, name: 'an operator' }
    await connections.runWhileHeld(touch.collections([id]), (tx) =>
      matchManually(tx, shop.now(), { collection: id, request: request.id, by }),
    )
    expect(await shop.request(request.id)).toMatchObject({ status: 'successful', collection: id })
  })

  it('a request that is cancelled', async () => {
    const { id } = await shop.createRequest()
    const by = { user: null, name: 'an operator' }
    await connections.runWhileHeld(touch.collection_requests([id]), (tx) =>
      cancelRequest(tx, shop.now(), { request: id, by }),
    )
    expect(await shop.request(id)).toMatchObject({ status: 'failed' })
  })

  it('a payment that is cancelled', async () => {
    const { payments } = await createManyPayments(shop)
    const decision = { organization: shop.organization, payment: payments[0]!, user: author, reason: 'Too early' }
    await connections.runWhileHeld(touch.payments(payments), (tx) => cancelPayment(tx, shop.now(), decision))
    expect((await findPaymentsById(shop.db, payments)).get(payments[0]!)).toMatchObject({ state: 'cancelled' })
  })

  it('a contact that is completed, changed or erased', async () => {
    const [first, second] = await createManyContacts(shop)
    const { organization } = shop
    const context = { organization, author, network_name: NETWORK.name }
    const [row] = await shop.db<{ phone_number: string }[]>`select phone_number from contacts where id = ${first!}`
    const input = {
      first_name: 'Jane',
      last_name: 'Doe',
      phone_number: { number: row!.phone_number } as Parameters<typeof createContact>[3]['phone_number'],
    }
    const made = await connections.runWhileHeld(touch.contacts([first!]), (tx) =>
      createContact(tx, shop.now(), context, input),
    )
    expect(made).toMatchObject({ id: first, first_name: 'Jane' })
    const changed = await connections.runWhileHeld(touch.contacts([second!]), (tx) =>
      changeContact(tx, shop.now(), second!, { first_name: 'John' }, author),
    )
    expect(changed).toMatchObject({ id: second, first_name: 'John' })
    await shop.db`delete from collection_requests`
    const erased = await connections.runWhileHeld(touch.contacts([second!]), (tx) =>
      eraseContact(tx, shop.now(), second!, { author, lease_end: null }),
    )
    expect(erased.id).toBe(second)
  })

  it('the number of a contact that is erased meanwhile, and a new contact gets it', async () => {
    const [first] = await createManyContacts(shop)
    await shop.db`delete from collection_requests`
    const [row] = await shop.db<{ phone_number: string }[]>`select phone_number from contacts where id = ${first!}`
    const input = {
      first_name: 'Jane',
      last_name: 'Doe',
      phone_number: { number: row!.phone_number } as Parameters<typeof createContact>[3]['phone_number'],
    }
    const context = { organization: shop.organization, author, network_name: NETWORK.name }
    const made = await connections.runWhileHeld(
      (tx) => eraseContact(tx, shop.now(), first!, { author, lease_end: null }),
      (tx) => createContact(tx, shop.now(), context, input),
    )
    expect(made).toMatchObject({ first_name: 'Jane', phone_number: row!.phone_number })
    expect(made.id).not.toBe(first)
  })

  it('a user that enters a code of the authenticator app', async () => {
    const sealing_keys = 'ab'.repeat(32)
    const { secret } = await begin(shop.db, (tx) =>
      startSecondFactorSetup(tx, { id: author, email: 'owner@shop.example' }, { issuer: 'Kusanya', sealing_keys }),
    )
    const code = generateSync({ secret, epoch: Math.floor(clocks.real().getTime() / 1_000) })
    const spent = await connections.runWhileHeld(touch.users([author]), (tx) =>
      acceptCode(tx, clocks.real(), { user: author, code, sealing_keys }),
    )
    expect(spent).toBe('app')
  })

  it('a prompt on a simulated phone', async () => {
    const phonenumber = '+80000000109'
    const desk = createChargeBatcher({ ...clocks, db: shop.db })
    const money = { amount: amount('5'), currency: 'BXC', reason: 'Order' }
    const order = { ...money, door: 'sandbox', phonenumber, receiver: '100', prompt: true }
    await desk({ ...order, key: 'A' })
    await desk({ ...order, key: 'B' })
    const context = worldContext(clocks)
    const approve = (tx: Tx) => approvePrompt(tx, context, { phonenumber }, CUSTOMER_PIN)
    await connections.runWhileHeld(touch.simulator_orders(['A', 'B']), approve)
    await connections
      .runWhileHeld((tx) => approvePrompt(tx, context, { phonenumber, reference: 'B' }, '0000'), approve)
      .catch(() => {})
    const rows = await shop.db<{ reference: string; state: string }[]>`
      select reference, state from simulator_orders order by reference`
    expect([...rows]).toEqual([
      { reference: 'A', state: 'paid' },
      { reference: 'B', state: 'failed' },
    ])
    await shop.db`delete from simulator_orders`
  })
})
