import { randomUUID } from 'node:crypto'
import { createPurchases } from '../../src/core/bills/purchases.ts'
import { findBillWallet } from '../../src/core/bills/wallets.ts'
import { createAcceptanceCheck, type NewAcceptanceCheck } from '../../src/core/collections/acceptance-checks.ts'
import { transitionAlone } from '../../src/core/collections/orders.ts'
import { storeCallbacks } from '../../src/core/connections/callbacks.ts'
import { recordEvents } from '../../src/core/events/events.ts'
import { createWebhook } from '../../src/core/events/webhooks.ts'
import { listAccounts } from '../../src/core/ledger/accounts.ts'
import { createPayments } from '../../src/core/payments/create.ts'
import { queueSms } from '../../src/core/sms/outbox.ts'
import { begin, type Tx } from '../../src/db/client.ts'
import { placeOrder } from './charges.ts'
import { amount, NETWORK, type Shop } from './shop.ts'

/** Number of rows that each of these functions makes: enough for PostgreSQL to join them by a nested loop. */
export const COUNT = 23
export const EACH = Array.from({ length: COUNT }, (_, index) => index)

export const phoneOf = (index: number) => `+8000001${1000 + index}`

/** Open requests, each of another customer. */
export async function createManyRequests(shop: Shop): Promise<number[]> {
  const made = await shop.createRequests(EACH.map((index) => shop.requestInput({ phonenumber: phoneOf(index) })))
  return made.map((one) => (one.ok ? one.value.id : 0))
}

/** Bill purchases that wait for their biller. */
export async function createManyPurchases(shop: Shop): Promise<number[]> {
  const account = (await findBillWallet(shop.db, shop.organization))!.id
  const made = await begin(shop.db, (tx) =>
    createPurchases(
      tx,
      shop.now(),
      EACH.map(() => ({
        organization: shop.organization,
        account,
        agent_reference: randomUUID(),
        agent_id: null,
        biller: 'sandbox',
        kind: 'electricity' as const,
        service_type: 'ikeja_electric_prepaid',
        account_number: '04042404048',
        phone: '08031234567',
        amount: amount('100'),
        details: {},
        scenario: null,
        metadata: {},
        author: 1,
        pin: null,
      })),
    ),
  )
  return made.map((one) => (one.ok ? one.value : 0)).sort((a, b) => a - b)
}

/** Payments of one recipient each, and the recipients. */
export async function createManyPayments(shop: Shop): Promise<{ payments: number[]; recipients: number[] }> {
  const account = (await shop.wallet()).id
  const { author } = shop.requestInput()
  const made = await begin(shop.db, (tx) =>
    createPayments(
      tx,
      shop.now(),
      EACH.map((index) => ({
        organization: shop.organization,
        author,
        purpose: 'payment' as const,
        collection: null,
        payment_type: 'money' as const,
        amount: amount('1'),
        currency: 'BXC',
        account,
        source: account,
        description: 'Wages',
        metadata: {},
        send_sms_message: false,
        start_date: null,
        recipients: [
          {
            phonenumber: phoneOf(index),
            amount: amount('1'),
            network: NETWORK,
            description: '',
            metadata: {},
            national_id: null,
            national_id_type: null,
          },
        ],
      })),
    ),
  )
  const payments = made.map((one) => (one.ok ? one.value.id : 0))
  const rows = await shop.db<{ id: number }[]>`
    select id from payment_recipients where payment = any(${payments}::bigint[]) order by id`
  return { payments, recipients: rows.map((row) => row.id) }
}

/** SMS that wait to be sent, one for each of these requests. */
export async function createManySms(shop: Shop): Promise<number[]> {
  const requests = await createManyRequests(shop)
  const { organization } = shop
  await begin(shop.db, (tx) =>
    queueSms(
      tx,
      shop.now(),
      requests.map((collection_request, index) => ({
        organization,
        collection_request,
        purpose: 'instructions' as const,
        phonenumber: phoneOf(index),
        body: 'Pay!',
      })),
    ),
  )
  return readIds(shop.db<{ id: number }[]>`select id from sms_messages order by id`)
}

/** Unverified callbacks that wait to be read back. */
export async function createManyCallbacks(shop: Shop): Promise<number[]> {
  const callback = {
    network: 'sandbox',
    connection: 'sandbox',
    headers: {},
    body: '{}',
    verified: false,
    state: 'waiting' as const,
    note: null,
  }
  return begin(shop.db, (tx) =>
    storeCallbacks(
      tx,
      shop.now(),
      EACH.map(() => callback),
    ),
  )
}

/** Plans whose next date has come. */
export async function createManyPlans(shop: Shop): Promise<number[]> {
  const requests = await createManyRequests(shop)
  return readIds(shop.db<{ id: number }[]>`
    insert into plans (organization, collection_request, start_date, end_date, weekdays, months, frequencies,
      expires_after_s, due_at)
    select ${shop.organization}, request, ${shop.now()}, ${shop.now()}::timestamptz + interval '1 year', '{}', '{}',
      '{daily}', 86400, ${shop.now()}
    from unnest(${requests}::bigint[]) as r(request) returning id`)
}

/** Money about which the organization is being asked. */
export async function createManyAcceptanceChecks(
  shop: Shop,
): Promise<{ inputs: NewAcceptanceCheck[]; checks: number[] }> {
  const account = (await shop.wallet()).id
  const inputs = EACH.map((index) => ({
    organization: shop.organization,
    account,
    network: 'sandbox',
    connection: 'sandbox',
    remote_transaction_id: randomUUID(),
    phonenumber: phoneOf(index),
    amount: amount('5'),
    currency: 'BXC',
    reference: null,
    timeout_s: 60,
  }))
  const checks = await begin(shop.db, async (tx) => {
    const ids: number[] = []
    for (const offer of inputs) ids.push(await createAcceptanceCheck(tx, shop.now(), offer))
    return ids
  })
  return { inputs, checks }
}

/** Webhooks of which each has one event to be told. */
export async function createManyWebhooks(shop: Shop): Promise<number[]> {
  const { organization } = shop
  const { author } = shop.requestInput()
  const input = { organization, user: author, event: 'contact.created', target: 'https://shop.example/' }
  return begin(shop.db, async (tx) => {
    const ids: number[] = []
    for (const _ of EACH) ids.push((await createWebhook(tx, shop.now(), input, 'ab'.repeat(32))).id)
    await recordEvents(tx, shop.now(), [{ organization, type: 'contact.created', data: {}, author }])
    return ids
  })
}

/** Contacts without names. */
export async function createManyContacts(shop: Shop): Promise<number[]> {
  await createManyRequests(shop)
  return readIds(shop.db<{ id: number }[]>`select id from contacts order by id`)
}

/** All wallets and counter accounts of the shop. */
export async function accountsOf(shop: Shop): Promise<number[]> {
  return (await listAccounts(shop.db, shop.organization)).map((account) => account.id)
}

/** Changes of rows that are of no consequence, by table. */
export const touch = {
  collection_requests: (ids: readonly number[]) => (tx: Tx) =>
    tx`update collection_requests set attempt = attempt where id = any(${[...ids]}::bigint[])`,
  collections: (ids: readonly number[]) => (tx: Tx) =>
    tx`update collections set modified = modified where id = any(${[...ids]}::bigint[])`,
  acceptance_checks: (ids: readonly number[]) => (tx: Tx) =>
    tx`update acceptance_checks set attempts = attempts + 1 where id = any(${[...ids]}::bigint[])`,
  bill_purchases: (ids: readonly number[]) => (tx: Tx) =>
    tx`update bill_purchases set approvals = approvals where id = any(${[...ids]}::bigint[])`,
  payments: (ids: readonly number[]) => (tx: Tx) =>
    tx`update payments set modified = modified where id = any(${[...ids]}::bigint[])`,
  payment_recipients: (ids: readonly number[]) => (tx: Tx) =>
    tx`update payment_recipients set modified = modified where id = any(${[...ids]}::bigint[])`,
  contacts: (ids: readonly number[]) => (tx: Tx) =>
    tx`update contacts set attempts = attempts + 1 where id = any(${[...ids]}::bigint[])`,
  accounts: (ids: readonly number[]) => (tx: Tx) =>
    tx`update accounts set modified = modified where id = any(${[...ids]}::bigint[])`,
  plans: (ids: readonly number[]) => (tx: Tx) =>
    tx`update plans set leased_until = null where id = any(${[...ids]}::bigint[])`,
  webhooks: (ids: readonly number[]) => (tx: Tx) =>
    tx`update webhooks set failing_since = failing_since where id = any(${[...ids]}::bigint[])`,
  users: (ids: readonly number[]) => (tx: Tx) => tx`update users set name = name where id = any(${[...ids]}::bigint[])`,
  simulator_orders: (references: readonly string[]) => (tx: Tx) =>
    tx`update simulator_orders set times_received = times_received + 1 where reference = any(${[...references]}::text[])`,
  simulator_payouts: (references: readonly string[]) => (tx: Tx) =>
    tx`update simulator_payouts set times_received = times_received + 1 where reference = any(${[...references]}::text[])`,
}

/** Leave the order of an open request paid and its money unmatched, as no transaction of the service does. */
export async function leavePaidRequestOpen(
  shop: Shop,
  changes: Parameters<Shop['paymentReport']>[0] = {},
): Promise<{ id: number; collection: number; reference: string }> {
  const report = shop.paymentReport({ phonenumber: '+80000000004', ...changes })
  await shop.ingest(report)
  const { id } = await shop.createRequest()
  const request = await shop.request(id)
  const reference = await placeOrder(shop, id)
  const collection = (await shop.collections()).find((one) => one.remote_transaction_id === report.remote_id)!
  await shop.db`
    with paid as (
      update network_orders set state = 'successful', remote_transaction_id = ${report.remote_id}, closed = ${shop.now()}, due_at = null
      where reference = ${reference} returning id)
    update collections set network_order = paid.id from paid where collections.id = ${collection.id}`
  await begin(shop.db, (tx) =>
    transitionAlone(tx, shop.now(), {
      request,
      to: 'processing_started',
      author: request.author,
      due_at: request.expiry_date,
    }),
  )
  return { id, collection: collection.id, reference }
}

async function readIds(rows: PromiseLike<readonly { id: number }[]>): Promise<number[]> {
  return (await rows).map((row) => row.id)
}
