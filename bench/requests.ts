import { signBody } from '../src/simulator/doors/sandbox/wire.ts'
import { insertRequests } from './insert-rows.ts'
import type { Job } from './load.ts'
import { printProgress } from './measurements.ts'
import { type BenchService, network_secret } from './postgres.ts'
import { assignCustomers, CURRENCY, type Customer, FIRST_CUSTOMER, type Shop } from './shops.ts'

/** An HTTP request as raw text. */
export function rawRequest(method: string, path: string, headers: Record<string, string>, body = ''): string {
  const all = { host: 'localhost', ...headers, ...(body ? { 'content-length': Buffer.byteLength(body) } : {}) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** A POST request with a JSON body, as raw text. */
export function rawPost(path: string, headers: Record<string, string>, body: object): string {
  return rawRequest('POST', path, { ...headers, 'content-type': 'application/json' }, JSON.stringify(body))
}

export function authorization({ key }: Shop): Record<string, string> {
  return { authorization: `Token ${key}` }
}

const AMOUNT = '1500.0000'

/** The body of a collection request to a customer. */
export function newRequestBody({ phone, number }: Customer): object {
  return {
    phonenumber: `+${phone}`,
    amount: '1500',
    currency: CURRENCY,
    reason: `Order ${number}`,
    metadata: { order: number },
    send_instructions: true,
  }
}

/**
 * Make one create request for each customer, with these extra fields. No customer has a number with special behaviour
 * in the sandbox.
 */
export function rawCreates(shops: readonly Shop[], extra: object = {}): string[] {
  return assignCustomers(shops).map((customer) =>
    rawPost('/api/collectionrequests', authorization(customer.shop), { ...newRequestBody(customer), ...extra }),
  )
}

/** Mark that the generator replaces in `numberedCreates`: a phone, and a number without leading zeros. */
const MARK = 99_999_999

/**
 * Return the parts of a job that creates requests without end, each for a new customer. Their numbers begin with
 * `first`.
 */
export function numberedCreates(shops: readonly Shop[], first: number): Pick<Job, 'requests' | 'numbered'> {
  const requests = shops.map((shop) =>
    rawPost(
      '/api/collectionrequests',
      authorization(shop),
      newRequestBody({ shop, number: MARK, phone: `800${MARK}` }),
    ),
  )
  return { requests, numbered: { mark: String(MARK), first: FIRST_CUSTOMER + first } }
}

/** A collection request that waits for its payment. */
export interface OpenRequest {
  id: number
  phonenumber: string
  organization: number
}

/** Return `count` open requests of these shops, and insert missing ones first. */
export async function openRequests(
  { db, shops: all }: BenchService,
  count: number,
  shops: readonly Shop[] = all,
): Promise<OpenRequest[]> {
  const organizations = shops.map(({ organization }) => organization)
  const read = () => db<OpenRequest[]>`
    select id, phonenumber, organization from collection_requests
    where status = 'pending' and organization = any(${organizations}::bigint[]) order by id limit ${count}`
  const found = await read()
  if (found.length >= count) return [...found]
  printProgress(`inserting ${count - found.length} open requests`)
  await insertRequests(db, assignCustomers(shops), { rows: count - found.length, ended: false })
  return [...(await read())]
}

/** Make one GET for each of these requests. */
export function rawGets({ shops }: BenchService, requests: readonly OpenRequest[]): string[] {
  const owners = byOrganization(shops)
  return requests.map(({ id, organization }) =>
    rawRequest('GET', `/api/collectionrequests/${id}`, authorization(owners.get(organization)!)),
  )
}

/** A signed callback of the network for each of these requests, which says that it was paid. */
export function rawPaymentCallbacks({ shops }: BenchService, requests: readonly OpenRequest[]): string[] {
  const owners = byOrganization(shops)
  return requests.map((request) => rawPaymentCallback(request, owners.get(request.organization)!))
}

function rawPaymentCallback({ id, phonenumber }: OpenRequest, { receiver }: Shop): string {
  const transaction = {
    remote_id: `BENCH${id}`,
    status: 'successful',
    receiver,
    phonenumber,
    amount: AMOUNT,
    currency: CURRENCY,
    order_reference: null,
    reference: String(id),
    name: null,
    paid_at: new Date().toISOString(),
  }
  const body = JSON.stringify({ event: 'payment.received', transaction })
  const headers = { 'content-type': 'application/json', 'x-sandbox-signature': signBody(network_secret, body) }
  return rawRequest('POST', '/api/callbacks/sandbox', headers, body)
}

function byOrganization(shops: readonly Shop[]): Map<number, Shop> {
  return new Map(shops.map((shop) => [shop.organization, shop]))
}
