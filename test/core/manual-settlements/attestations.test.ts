import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Permission } from '../../../src/core/access/api-keys.ts'
import { createUser, setMembership } from '../../../src/core/access/organizations.ts'
import type { Decider } from '../../../src/core/approvals/proposals.ts'
import type { NetworkOrder } from '../../../src/core/connections/network-orders.ts'
import { getAttestation, listAttestations, readDocument } from '../../../src/core/manual-settlements/attestation.ts'
import {
  type AttestationContext,
  attestOrder,
  type NewAttestation,
} from '../../../src/core/manual-settlements/attestations.ts'
import { checkAttestedOrders, reviewOrder } from '../../../src/core/manual-settlements/review.ts'
import { findTarget, listOrders } from '../../../src/core/manual-settlements/targets.ts'
import { createPayments } from '../../../src/core/payments/create.ts'
import { listLatePayouts } from '../../../src/core/payments/late-payouts.ts'
import { begin } from '../../../src/db/client.ts'
import { decideAttestation } from '../approvals/decisions.ts'
import { answer, sendOrder } from '../charges.ts'
import { answerTo, applyEach, startPayoutsOf } from '../payouts.ts'
import { amount, NETWORK, openShop, PHONE, type Shop } from '../shop.ts'

const DAY_S = 24 * 60 * 60
const HOUR_MS = 3_600_000
const CSV = { name: 'March.csv', bytes: Buffer.from('id,amount\nQ1,1500\n') }
const READER = 'It says so in row 7.'

let shop: Shop
let owner: number
let clerk: number
let approver: number

beforeAll(async () => {
  shop = await openShop()
  ;({ author: owner } = await shop.wallet())
  clerk = await hire('clerk@demo.example', ['view', 'initiate_payments'])
  approver = await hire('approver@demo.example', ['view', 'approve_payments'])
})
afterAll(() => shop.close())
beforeEach(() => own(shop.organization))

/** Set the owner of the connection's merchant account. */
async function own(organization: number | null) {
  await shop.db`
    insert into connections (slug, driver, environment, callback_secret, state, created, modified, organization)
    values ('sandbox', 'sandbox', 'sandbox', ${'0'.repeat(32)}, 'active', now(), now(), ${organization})
    on conflict (slug) do update set organization = excluded.organization`
}

function hire(email: string, permissions: Permission[]): Promise<number> {
  return begin(shop.db, async (tx) => {
    const user = await createUser(tx, shop.now(), { name: email, email })
    await setMembership(tx, shop.now(), { organization: shop.organization, user: user.id, permissions })
    return user.id
  })
}

const context = (): AttestationContext => ({
  now: shop.now(),
  min_age_ms: 24 * HOUR_MS,
  mail: { service_name: 'Kusanya', console_url: 'https://pay.example/console' },
  findNetwork: () => NETWORK,
})

let money = 0
function attest(order: { reference: string }, changes: Partial<NewAttestation> = {}) {
  money += 1
  const input: NewAttestation = {
    organization: shop.organization,
    user: clerk,
    order: order.reference,
    outcome: 'successful',
    remote_id: `Q${money}`,
    amount: amount('1500'),
    statement: 'March, page 2',
    note: READER,
    document: CSV,
    ...changes,
  }
  return begin(shop.db, (tx) => attestOrder(tx, context(), input))
}
const failed = { outcome: 'failed', remote_id: null, amount: null } as const

const as = (user: number): Decider => ({ organization: shop.organization, user })
const operator = (name: string): Decider => ({ organization: null, user: null, name })
const decide = (id: number, decider: Decider, verdict: 'approve' | 'reject' | 'withdraw' = 'approve') =>
  begin(shop.db, (tx) => decideAttestation(tx, context(), decider, { id, verdict, note: null }))

/** A charge that was sent more than a day ago, and never answered. */
async function lostCharge(phonenumber = PHONE): Promise<NetworkOrder> {
  const expiry_date = new Date(shop.now().getTime() + 5 * DAY_S * 1_000)
  const { id } = await shop.createRequest({ phonenumber, expiry_date })
  const order = await sendOrder(shop, id)
  shop.testApp.clock.advance(DAY_S)
  return order
}

/** A payout that was sent more than a day ago, and never answered. */
async function lostPayout(): Promise<NetworkOrder> {
  const { id: account } = await shop.wallet()
  const sum = amount('1500')
  const recipient = {
    phonenumber: PHONE,
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
  shop.testApp.clock.advance(DAY_S)
  return { ...order!, state: 'sent', sent: shop.now() }
}

async function orderNow({ reference }: { reference: string }): Promise<NetworkOrder> {
  const [row] = await shop.db<NetworkOrder[]>`select * from network_orders where reference = ${reference}`
  return row!
}

async function recipientOf({ payment_recipient }: NetworkOrder): Promise<string> {
  const [row] = await shop.db<{ state: string }[]>`select state from payment_recipients where id = ${payment_recipient}`
  return row!.state
}

const balance = async () => (await shop.wallet()).balance
const collectionsOf = async ({ id }: NetworkOrder) =>
  (await shop.collections()).filter(({ network_order }) => network_order === id)

describe('an attestation', () => {
  it('changes nothing before a second person has approved it', async () => {
    const order = await lostCharge()
    const before = await balance()
    const made = await attest(order, { remote_id: 'S1' })
    expect(made).toMatchObject({ state: 'waiting', document_type: 'text/csv', document_size: CSV.bytes.length })
    expect(await balance()).toBe(before)
    expect((await orderNow(order)).state).toBe('sent')
    expect((await orderNow(order)).due_at).not.toBeNull()
    const approved = await decide(made.id, as(approver))
    expect(approved).toMatchObject({ state: 'approved', decided_by: approver })
    expect(await balance()).toBe(before + amount('1500'))
    expect(await orderNow(order)).toMatchObject({ state: 'successful', remote_transaction_id: 'S1' })
    expect((await shop.request(order.collection_request!)).status).toBe('successful')
    expect(await collectionsOf(order)).toMatchObject([{ remote_transaction_id: 'S1', status: 'successful' }])
    const [said] = await shop.db`
      select source, outcome, amount from network_order_answers where network_order = ${order.id} order by id desc`
    expect(said).toMatchObject({ source: 'operator', outcome: 'successful' })
  })

  it('keeps its document and its record, and tells those who may approve', async () => {
    const made = await attest(await lostCharge())
    const document = await readDocument(shop.db, made.id, shop.organization)
    expect(document.bytes.equals(CSV.bytes)).toBe(true)
    expect(document.sha256).toBe(createHash('sha256').update(CSV.bytes).digest('hex'))
    await expect(readDocument(shop.db, made.id, shop.organization + 1)).rejects.toThrow('There is no attestation')
    await expect(getAttestation(shop.db, made.id, shop.organization + 1)).rejects.toThrow('There is no attestation')
    const mails = await shop.db<{ recipient: string; body: string }[]>`
      select recipient, body from mails where body like ${`%${made.reference}%`}`
    expect(mails.map(({ recipient }) => recipient)).toContain('approver@demo.example')
    expect(mails[0]!.body).toContain('It waits for a second person')
    expect(await decide(made.id, as(approver), 'reject')).toMatchObject({ state: 'rejected' })
    const kept = await listAttestations(shop.db, { reference: made.reference }, { limit: 10, offset: 0 })
    expect(kept).toMatchObject({ count: 1, rows: [{ state: 'rejected', note: READER }] })
  })

  it('is refused for orders that were not sent, are young or have ended, and where one waits', async () => {
    const { id } = await shop.createRequest()
    const young = await sendOrder(shop, id)
    await expect(attest(young)).rejects.toThrow('The order can be settled by hand from 20')
    await shop.db`update network_orders set state = 'new', sent = null where id = ${young.id}`
    shop.testApp.clock.advance(2 * DAY_S)
    await expect(attest(young)).rejects.toThrow('it was not sent')
    await shop.db`delete from network_orders where id = ${young.id}`
    const order = await lostCharge()
    await expect(attest({ reference: 'unknown' })).rejects.toThrow('There is no order unknown')
    await expect(attest(order, { organization: shop.organization + 1 })).rejects.toThrow('There is no order')
    const made = await attest(order)
    await expect(attest(order)).rejects.toThrow(`Attestation ${made.id} of this order waits`)
    await decide(made.id, as(clerk), 'withdraw')
    await answer(shop, order, { outcome: 'successful', remote_id: 'N1' })
    await expect(attest(order)).rejects.toThrow('it is successful already')
  })

  it('needs what the statement has to say, and a document that is one', async () => {
    const order = await lostCharge()
    await expect(attest(order, { remote_id: null })).rejects.toThrow('The id of the money')
    await expect(attest(order, { amount: null })).rejects.toThrow('The amount in the statement')
    await expect(attest(order, { outcome: 'failed' })).rejects.toThrow('No money has moved')
    await expect(attest(order, { token: '1' })).rejects.toThrow('Only prepaid electricity')
    const sent = (name: string, bytes: Uint8Array) => attest(order, { document: { name, bytes } })
    await expect(sent('a.pdf', Buffer.from(''))).rejects.toThrow('empty')
    await expect(sent('a.pdf', Buffer.from('MZ\u0000\u0001'))).rejects.toThrow('The file must be')
    await expect(sent('a.csv', Buffer.alloc(2 * 1024 * 1024 + 1, 'a'))).rejects.toThrow('2 MB')
    const page = await sent('../../<b>.html', Buffer.from('<script>alert(1)</script>'))
    expect(page).toMatchObject({ document_name: '_b_.html', document_type: 'text/plain' })
    const payout = await lostPayout()
    await expect(attest(payout, { amount: amount('1400') })).rejects.toThrow('The order was for BXC 1,500')
  })

  it('cannot claim money that the books have for something else', async () => {
    const [one, other] = [await lostCharge('+80000000007'), await lostCharge('+80000000008')]
    await decide((await attest(one, { remote_id: 'TWICE' })).id, as(approver))
    await expect(attest(other, { remote_id: 'TWICE' })).rejects.toThrow('The books have this money already')
    const [first, second] = [await lostPayout(), await lostPayout()]
    const waiting = await attest(second, { remote_id: 'OUT' })
    await decide((await attest(first, { remote_id: 'OUT' })).id, as(approver))
    await expect(decide(waiting.id, as(approver))).rejects.toThrow('The books have this money already')
    expect((await orderNow(second)).state).toBe('sent')
  })

  it('settles and releases the holds of payouts', async () => {
    const before = await balance()
    const sent = await lostPayout()
    await decide((await attest(sent, { remote_id: 'P1' })).id, as(approver))
    expect(await recipientOf(sent)).toBe('complete')
    expect(await balance()).toBe(before - amount('1500'))
    const lost = await lostPayout()
    await decide((await attest(lost, failed)).id, as(approver))
    expect(await recipientOf(lost)).toBe('error')
    expect(await balance()).toBe(before - amount('1500'))
    expect(await orderNow(lost)).toMatchObject({ state: 'failed', failure_reason: 'rejected', attested: 'failed' })
  })
})

describe('the second person', () => {
  it('is another user who may approve payments', async () => {
    const viewer = await hire('viewer@demo.example', ['view'])
    await expect(attest(await lostCharge(), { user: viewer })).rejects.toThrow('permission')
    const made = await attest(await lostCharge(), { user: approver })
    await expect(decide(made.id, { organization: shop.organization + 1, user: approver })).rejects.toThrow(
      'There is no attestation',
    )
    expect((await decide(made.id, as(owner))).state).toBe('approved')
  })

  it('is the operator where the merchant account is the operator’s, or nobody else may approve', async () => {
    await own(null)
    const made = await attest(await lostCharge())
    await expect(decide(made.id, as(approver))).rejects.toThrow('the operator has to approve')
    await expect(decide(made.id, operator('Clerk@demo.example '))).rejects.toThrow('A person other than')
    expect(await decide(made.id, operator('Grace'))).toMatchObject({ decided_by: null, decided_by_name: 'Grace' })
    await own(shop.organization)
    const alone = await attest(await lostCharge(), { user: approver })
    await shop.db`update memberships set permissions = '{view}' where "user" = ${owner}`
    expect((await decide(alone.id, operator('Grace'))).state).toBe('approved')
    await shop.db`update memberships set permissions = '{view,approve_payments}' where "user" = ${owner}`
  })
})

describe('a network that answers', () => {
  it('before the approval closes the attestation', async () => {
    const order = await lostCharge()
    const made = await attest(order, failed)
    await answer(shop, order, { outcome: 'unknown', message: 'Busy' })
    expect((await getAttestation(shop.db, made.id)).state).toBe('waiting')
    await answer(shop, order, { outcome: 'successful', remote_id: 'N2' })
    expect(await getAttestation(shop.db, made.id)).toMatchObject({ state: 'superseded', decided_by: null })
    await expect(decide(made.id, as(approver))).rejects.toThrow('The attestation is superseded')
    expect(await collectionsOf(order)).toHaveLength(1)
  })

  it('with something else after the approval books money once, and is shown to a person', async () => {
    const payout = await lostPayout()
    const before = await balance()
    await decide((await attest(payout, failed)).id, as(approver))
    expect(await balance()).toBe(before + amount('1500'))
    const again = await applyEach(shop, [
      answerTo(await orderNow(payout), { outcome: 'successful', remote_id: 'L1' }),
      answerTo(await orderNow(payout), { outcome: 'successful', remote_id: 'L1' }),
    ])
    expect(again).toHaveLength(1)
    expect(await balance()).toBe(before)
    expect(await listLatePayouts(shop.db, { open: true })).toHaveLength(1)
    expect((await orderNow(payout)).attention).toContain('people have attested that it has not')
    expect((await checkAttestedOrders(shop.db)).join()).toContain(payout.reference)
    const listed = await listOrders(shop.db, { needs_attention: true, old: new Date(0) }, 100)
    expect(listed.map(({ reference }) => reference)).toContain(payout.reference)
    const target = await findTarget(shop.db, payout.reference)
    await begin(shop.db, (tx) => reviewOrder(tx, target))
    expect((await checkAttestedOrders(shop.db)).join()).not.toContain(payout.reference)
    await expect(begin(shop.db, (tx) => reviewOrder(tx, target))).rejects.toThrow('no attention')
  })

  it('that it has the order after an attested failure does not open it again', async () => {
    const payout = await lostPayout()
    await decide((await attest(payout, failed)).id, as(approver))
    const accepted = { outcome: 'accepted', remote_id: 'L2' } as const
    await applyEach(shop, [answerTo(await orderNow(payout), accepted)])
    expect(await orderNow(payout)).toMatchObject({ state: 'failed', due_at: null })
    const paid = { outcome: 'successful', remote_id: 'L2' } as const
    expect(await applyEach(shop, [answerTo(await orderNow(payout), paid)])).toHaveLength(1)
    expect(await orderNow(payout)).toMatchObject({ state: 'successful' })
  })

  it('with other money, another amount or a failure credits nothing again', async () => {
    const order = await lostCharge('+80000000009')
    const before = await balance()
    await decide((await attest(order, { remote_id: 'A1' })).id, as(approver))
    const settled = before + amount('1500')
    await answer(shop, order, { outcome: 'successful', remote_id: 'A1', amount: amount('1500') })
    expect((await orderNow(order)).attention).toBeNull()
    await answer(shop, order, { outcome: 'failed', reason: 'cancelled', message: 'No' })
    expect((await orderNow(order)).attention).toContain('the order has failed')
    await answer(shop, order, { outcome: 'successful', remote_id: 'A1', amount: amount('1499') })
    expect((await orderNow(order)).attention).toContain('another amount')
    await answer(shop, order, { outcome: 'successful', remote_id: 'B1' })
    expect((await orderNow(order)).attention).toContain('names other money')
    expect((await orderNow(order)).state).toBe('successful')
    expect(await balance()).toBe(settled)
    expect(await collectionsOf(order)).toHaveLength(1)
  })
})
