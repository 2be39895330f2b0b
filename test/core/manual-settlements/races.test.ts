import { afterAll, beforeAll, expect, it } from 'vitest'
import { createUser, setMembership } from '../../../src/core/access/organizations.ts'
import type { NetworkOrder, OrderAnswer } from '../../../src/core/connections/network-orders.ts'
import { getAttestation } from '../../../src/core/manual-settlements/attestation.ts'
import { type AttestationContext, attestOrder } from '../../../src/core/manual-settlements/attestations.ts'
import { createPayments } from '../../../src/core/payments/create.ts'
import { settle } from '../../../src/core/settlements/settle.ts'
import { begin } from '../../../src/db/client.ts'
import { decideAttestation } from '../approvals/decisions.ts'
import { sendOrder, toChargeAnswer } from '../charges.ts'
import { answerTo, startPayoutsOf } from '../payouts.ts'
import { amount, NETWORK, openShop, type Shop } from '../shop.ts'

/* Approvals that overlap each other and the answers of networks: one of them decides, and money moves once. */

const DAY_S = 24 * 60 * 60
const CSV = { name: 'March.csv', bytes: Buffer.from('id,amount\n') }

let shop: Shop
let owner: number
let approvers: number[]
let phones = 1_000

beforeAll(async () => {
  shop = await openShop()
  ;({ author: owner } = await shop.wallet())
  approvers = [await hire('one@demo.example'), await hire('other@demo.example')]
  await shop.db`
    insert into connections (slug, driver, environment, callback_secret, state, created, modified, organization)
    values ('sandbox', 'sandbox', 'sandbox', ${'0'.repeat(32)}, 'active', now(), now(), ${shop.organization})
    on conflict (slug) do update set organization = excluded.organization`
})
afterAll(() => shop.close())

function hire(email: string): Promise<number> {
  return begin(shop.db, async (tx) => {
    const { id: user } = await createUser(tx, shop.now(), { name: email, email })
    const permissions = ['view', 'approve_payments'] as const
    await setMembership(tx, shop.now(), { organization: shop.organization, user, permissions })
    return user
  })
}

const context = (): AttestationContext => ({
  now: shop.now(),
  min_age_ms: 1,
  mail: null,
  findNetwork: () => NETWORK,
})

async function lostCharge(): Promise<NetworkOrder> {
  phones += 1
  const expiry_date = new Date(shop.now().getTime() + 5 * DAY_S * 1_000)
  const { id } = await shop.createRequest({ phonenumber: `+8000000${phones}`, expiry_date })
  const order = await sendOrder(shop, id)
  shop.testApp.clock.advance(60)
  return order
}

async function lostPayout(): Promise<NetworkOrder> {
  const { id: account } = await shop.wallet()
  const sum = amount('1500')
  const recipient = {
    phonenumber: '+80000000003',
    amount: sum,
    network: NETWORK,
    description: 'Rent',
    metadata: {},
    national_id: null,
    national_id_type: null,
  }
  const [made] = await begin(shop.db, (tx) =>
    createPayments(tx, shop.now(), [
      {
        organization: shop.organization,
        author: owner,
        purpose: 'payment',
        collection: null,
        payment_type: 'money',
        amount: sum,
        currency: 'BXC',
        account,
        source: account,
        description: 'Rent',
        metadata: {},
        send_sms_message: false,
        start_date: null,
        recipients: [recipient],
      },
    ]),
  )
  if (!made!.ok) throw made!.error
  const [row] = await shop.db<{ id: number }[]>`select id from payment_recipients where payment = ${made!.value.id}`
  const [order] = await startPayoutsOf(shop, [row!.id])
  await shop.db`
    update network_orders set state = 'sent', sent = ${shop.now()}, due_at = ${shop.now()} where id = ${order!.id}`
  shop.testApp.clock.advance(60)
  return { ...order!, state: 'sent', sent: shop.now() }
}

async function attest({ reference }: NetworkOrder, outcome: 'successful' | 'failed'): Promise<number> {
  const paid = outcome === 'successful'
  const { id } = await begin(shop.db, (tx) =>
    attestOrder(tx, context(), {
      organization: shop.organization,
      user: owner,
      order: reference,
      outcome,
      statement: 'March',
      note: 'Row 7',
      remote_id: paid ? `S-${reference}` : null,
      amount: paid ? amount('1500') : null,
      document: CSV,
    }),
  )
  return id
}

const approve = (id: number, user = approvers[0]!) =>
  begin(shop.db, (tx) =>
    decideAttestation(tx, context(), { organization: shop.organization, user }, { id, verdict: 'approve', note: null }),
  ).then(
    () => 'approved',
    (error: Error) => error.message,
  )

const say = (order: NetworkOrder, answer: OrderAnswer, hold?: () => Promise<void>) =>
  begin(shop.db, async (tx) => {
    await settle(tx, shop.now(), [
      order.kind === 'charge' ? toChargeAnswer(shop, order, answer) : answerTo(order, answer),
    ])
    await hold?.()
  })

/** Wait until a transaction of this database waits for the lock of another one. */
async function untilBlocked(): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const [waiting] = await shop.db`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`
    if (waiting) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('Nothing waits for a lock.')
}

const balance = async () => (await shop.wallet()).balance
const stateOf = async ({ id }: NetworkOrder) =>
  (await shop.db<{ state: string }[]>`select state from network_orders where id = ${id}`)[0]!.state

it('of many approvals at once exactly one settles the order', async () => {
  const order = await lostCharge()
  const id = await attest(order, 'successful')
  const before = await balance()
  const results = await Promise.all(Array.from({ length: 10 }, (_, index) => approve(id, approvers[index % 2])))
  expect(results.filter((result) => result === 'approved')).toHaveLength(1)
  expect(results.filter((result) => result.includes('is no longer waiting'))).toHaveLength(9)
  expect(await balance()).toBe(before + amount('1500'))
})

it('of many attestations at once exactly one waits', async () => {
  const order = await lostCharge()
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => attest(order, 'failed')))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

it('an approval that waits for the answer of the network finds the attestation superseded', async () => {
  for (const order of [await lostCharge(), await lostPayout()]) {
    const id = await attest(order, 'failed')
    const before = await balance()
    let approval: Promise<string> | undefined
    await say(order, { outcome: 'successful', remote_id: `N-${order.reference}` }, async () => {
      approval = approve(id)
      await untilBlocked()
    })
    expect(await approval).toContain('The attestation is superseded')
    expect((await getAttestation(shop.db, id)).state).toBe('superseded')
    expect(await stateOf(order)).toBe('successful')
    expect(await balance()).toBe(order.kind === 'charge' ? before + amount('1500') : before)
  }
})

it('an answer that waits for the approval books money once', async () => {
  for (const order of [await lostCharge(), await lostPayout()]) {
    const id = await attest(order, 'successful')
    const before = await balance()
    let answered: Promise<void> | undefined
    await begin(shop.db, async (tx) => {
      const decider = { organization: shop.organization, user: approvers[0]! }
      await decideAttestation(tx, context(), decider, { id, verdict: 'approve', note: null })
      answered = say(order, { outcome: 'successful', remote_id: `S-${order.reference}` })
      await untilBlocked()
    })
    await answered
    expect(await balance()).toBe(order.kind === 'charge' ? before + amount('1500') : before)
    const [said] =
      await shop.db`select count(*)::int as count from network_order_answers where network_order = ${order.id}`
    expect(said!.count).toBe(1)
  }
})

it('approvals and answers that run into each other never end in a deadlock', async () => {
  for (let round = 0; round < 6; round += 1) {
    const order = round % 2 === 0 ? await lostCharge() : await lostPayout()
    const id = await attest(order, 'successful')
    const before = await balance()
    const [approved] = await Promise.all([
      approve(id),
      say(order, { outcome: 'successful', remote_id: `S-${order.reference}` }),
    ])
    expect(approved).toMatch(/^approved$|superseded/)
    expect(await stateOf(order)).toBe('successful')
    expect(await balance()).toBe(order.kind === 'charge' ? before + amount('1500') : before)
  }
})
