import type { CollectionRequest, RequestRow } from '../../src/core/collections/collection-request.ts'
import type { CollectionRow } from '../../src/core/collections/collections.ts'
import {
  type IncomingPaymentReport,
  type IngestResult,
  ingestIncomingPayments,
} from '../../src/core/collections/incoming-payments.ts'
import { createCollectionRequests, type NewCollectionRequest } from '../../src/core/collections/requests.ts'
import { listOrdersOf, type NetworkOrder } from '../../src/core/connections/network-orders.ts'
import type { Event } from '../../src/core/events/events.ts'
import { type Account, listAccounts, receiversOf } from '../../src/core/ledger/accounts.ts'
import type { Database } from '../../src/db/client.ts'
import type { ItemResult } from '../../src/lib/batches/batch.ts'
import { type Amount, parseAmount } from '../../src/lib/money.ts'
import { readEvents } from '../recorded-events.ts'
import { buildTestApp, type TestApp, type TestAppOptions } from '../test-app.ts'
import { inParts } from './in-parts.ts'

/** The demo shop, worked without any door: what is asked for, what comes in, and what the books then say. */
export interface Shop {
  testApp: TestApp
  db: Database
  organization: number
  now(): Date
  /** The wallet in a currency, as it is now. */
  wallet(currency?: string): Promise<Account>
  /** The receiver number of the wallet in a currency. */
  receiver(currency?: string): string
  /** A valid request for 1,500 BXC with these changes. */
  requestInput(changes?: Partial<NewCollectionRequest>): NewCollectionRequest
  /** Make one request. @throws the refusal that it gets */
  createRequest(changes?: Partial<NewCollectionRequest>): Promise<CollectionRequest>
  /** Make many in one batch, in parts after a conflict. */
  createRequests(inputs: NewCollectionRequest[]): Promise<ItemResult<CollectionRequest>[]>
  /** A report of 1,500 BXC from the customer of `requestInput`, with these changes; each call has a new remote id. */
  paymentReport(changes?: Partial<IncomingPaymentReport>): IncomingPaymentReport
  /** Take reports in one transaction, in parts after a conflict. */
  ingest(...reports: IncomingPaymentReport[]): Promise<IngestResult[]>
  request(id: number): Promise<RequestRow & { due_at: Date | null; leased_until: Date | null }>
  collections(): Promise<CollectionRow[]>
  orders(request: number): Promise<NetworkOrder[]>
  /** The moves of a request as `pending → failed`. */
  history(request: number): Promise<string[]>
  /** All events in their order, also those that the feed does not show yet. */
  events(type?: string): Promise<Event[]>
  /** Forget all requests, collections, contacts and events; the books and the clock stay as they are. */
  clear(): Promise<void>
  close(): Promise<void>
}

export const PHONE = '+80000000003'
export const NETWORK = { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' }
const DEFAULT_INPUT = {
  amount: amount('1500'),
  currency: 'BXC',
  account: null,
  phonenumber: PHONE,
  network: NETWORK,
  reason: '',
  metadata: {},
  success_message: '',
  send_instructions: true,
  instructions: null,
  start_date: null,
  retry_interval_minutes: null,
  max_attempts: 3,
  subscription_settings: null,
}
const DAY_MS = 24 * 60 * 60 * 1_000

export async function openShop(options?: TestAppOptions): Promise<Shop> {
  const house = await buildTestApp(options)
  const { db, organization } = house
  const now = house.clock.now
  const accounts = await listAccounts(db, organization)
  const numbers = await receiversOf(
    db,
    accounts.map((account) => account.id),
  )
  const [owner] = await db<{ id: number }[]>`select id from users where kind = 'person'`
  const idOf = (currency: string) => accounts.find((account) => account.currency === currency)!.id
  const receiver = (currency = 'BXC') => numbers.get(`sandbox:${idOf(currency)}`)!
  const askAll = (inputs: NewCollectionRequest[]) =>
    inParts(db, inputs, (tx, part) => createCollectionRequests(tx, now(), part))
  let remote = 0

  const requestInput: Shop['requestInput'] = (changes = {}) => ({
    ...DEFAULT_INPUT,
    organization,
    author: owner!.id,
    expiry_date: new Date((changes.start_date ?? now()).getTime() + DAY_MS),
    ...changes,
  })

  return {
    testApp: house,
    db,
    organization,
    now,
    receiver,
    requestInput,
    createRequests: askAll,
    wallet: async (currency = 'BXC') =>
      (await listAccounts(db, organization)).find((one) => one.id === idOf(currency))!,
    async createRequest(changes) {
      const [made] = await askAll([requestInput(changes)])
      if (!made!.ok) throw made!.error
      return made!.value
    },
    paymentReport(changes = {}) {
      remote += 1
      return {
        network: NETWORK,
        remote_id: `R${String(remote).padStart(6, '0')}`,
        status: 'successful',
        receiver: receiver(changes.currency),
        phonenumber: PHONE,
        amount: amount('1500'),
        currency: 'BXC',
        order_reference: null,
        reference: null,
        paid_at: now(),
        ...changes,
      }
    },
    async ingest(...reports) {
      const ended = await inParts(db, reports, async (tx, part) =>
        (await ingestIncomingPayments(tx, now(), part)).map((value) => ({ ok: true, value })),
      )
      return ended.map((one) => {
        if (!one.ok) throw one.error
        return one.value
      })
    },
    ...readShop(db),
    close: house.close,
  }
}

/** Return functions that read the tables, and empty them. */
function readShop(db: Database): Pick<Shop, 'request' | 'collections' | 'orders' | 'history' | 'events' | 'clear'> {
  return {
    async request(id) {
      const [row] = await db`
        select r.*, o.due_at, o.leased_until from collection_requests r
        left join open_collection_requests o on o.collection_request = r.id where r.id = ${id}`
      return row as unknown as Awaited<ReturnType<Shop['request']>>
    },
    collections: async () => [...(await db<CollectionRow[]>`select * from collections order by id`)],
    orders: async (request) => [...(await listOrdersOf(db, { collection_request: request }))],
    async history(request) {
      const moves = await db<{ from_status: string; to_status: string }[]>`
        select from_status, to_status from collection_request_transitions where collection_request = ${request} order by id`
      return moves.map((move) => `${move.from_status} → ${move.to_status}`)
    },
    events: (type) => readEvents(db, type),
    async clear() {
      // Emptying by `truncate` takes ten times as long while there is little in the tables.
      const tables = [
        // Before the collections and requests to which they refer.
        'unassigned_payment_reversals',
        'unassigned_payments',
        'collection_reversals',
        'collections',
        'occurrences',
        'plans',
        'sms_messages',
        'sms_months',
        'open_collection_requests',
        'collection_requests',
        'collection_request_counts',
        'network_order_remote_ids',
        'network_orders',
      ]
      const parts = ['contact_number_keys', 'contact_tags', 'contact_payers']
      const more = [...parts, 'contacts', 'events', 'callbacks', 'idempotency_keys']
      // Jobs that still work lock requests first; what they write would refer to rows that are gone.
      const lock = 'lock table collection_requests, network_orders, collections in exclusive mode'
      await db.unsafe([lock, ...[...tables, ...more].map((table) => `delete from ${table}`)].join(';'))
    },
  }
}

/** An amount as people write it. */
export function amount(text: string): Amount {
  return parseAmount(text)!
}
