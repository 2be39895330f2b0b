import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signBody } from '../../src/simulator/doors/sandbox/wire.ts'
import { SANDBOX_SECRET } from '../../src/simulator/standalone.ts'

/*
 * A process: the network of the sandbox (`src/simulator/doors/sandbox`) as far as collections use it, in memory. It is not the
 * product, so it takes as little of the machine as it can. Each customer pays once, PAYS_AFTER_MS after the prompt. The
 * argument is the address of the callbacks.
 */

/** Counters of the process since its start, in answer to any message. */
export interface NetworkStats {
  calls: number
  prompts: number
  /** Status queries about orders. */
  questions: number
  /** Payments that the business has accepted. */
  reported: number
  /** Callbacks that were sent again, because the business did not answer 200. */
  repeated: number
}

const PAYS_AFTER_MS = 1_000
const REPEATS_AFTER_MS = 1_000
/** Time for which an order is kept after its payment was accepted. */
const KEPT_MS = 600_000
const CALLBACK_CONNECTIONS = 64
const HOLDER = 'Grace Auma'

interface Order {
  reference: string
  receiver: string
  phonenumber: string
  amount: string
  currency: string
  remote_id: string
  /** Set when the customer has paid. */
  transaction: object | null
  reported_ms: number | null
}

const stats: NetworkStats = { calls: 0, prompts: 0, questions: 0, reported: 0, repeated: 0 }
const orders = new Map<string, Order>()
const transactions = new Map<string, Order>()
const agent = new Agent({ keepAlive: true, maxSockets: CALLBACK_CONNECTIONS })
const callback_url = process.argv[2]!

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text
  })
  request.on('end', () => answer(request, response, body))
})

function answer({ method, url = '', headers }: IncomingMessage, response: ServerResponse, body: string): void {
  stats.calls += 1
  const [, noun = '', id = ''] = url.split('/').map(decodeURIComponent)
  if (headers.authorization !== `Bearer ${SANDBOX_SECRET}`) reply(response, 401, { error: 'unauthorized' })
  else if (method === 'POST' && noun === 'orders') reply(response, 202, showOrder(place(JSON.parse(body))))
  else if (noun === 'orders') {
    stats.questions += 1
    replyFound(response, orders.get(id), showOrder, 'order_not_found')
  } else if (noun === 'transactions')
    replyFound(response, transactions.get(id), ({ transaction }) => transaction!, 'transaction_not_found')
  else if (noun === 'holders') reply(response, 200, { phonenumber: id, name: HOLDER })
  else reply(response, 404, { error: 'not_found', message: 'There is nothing at this address.' })
}

function replyFound(
  response: ServerResponse,
  order: Order | undefined,
  show: (order: Order) => object,
  error: string,
): void {
  if (order) reply(response, 200, show(order))
  else reply(response, 404, { error, message: 'There is no such thing.' })
}

function reply(response: ServerResponse, status: number, content: object): void {
  const text = JSON.stringify(content)
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text)
}

/** Take an order. The same order again is answered as before. */
function place(body: Omit<Order, 'remote_id' | 'transaction' | 'reported_ms'>): Order {
  const { reference, receiver, phonenumber, amount, currency } = body
  const known = orders.get(reference)
  if (known) return known
  stats.prompts += 1
  const remote_id = `BN${stats.prompts}`
  const order: Order = {
    reference,
    receiver,
    phonenumber,
    amount,
    currency,
    remote_id,
    transaction: null,
    reported_ms: null,
  }
  orders.set(reference, order)
  setTimeout(() => pay(order), PAYS_AFTER_MS)
  return order
}

function pay(order: Order): void {
  const { reference, receiver, phonenumber, amount, currency, remote_id } = order
  order.transaction = {
    remote_id,
    status: 'successful',
    receiver,
    phonenumber,
    amount,
    currency,
    order_reference: reference,
    reference: null,
    name: HOLDER,
    reversals: [],
    paid_at: new Date().toISOString(),
  }
  transactions.set(remote_id, order)
  report(order, JSON.stringify({ event: 'payment.received', transaction: order.transaction }))
}

/** Report a payment until the business accepts it. */
function report(order: Order, body: string): void {
  let is_over = false
  const end = (status: number) => {
    if (is_over) return
    is_over = true
    if (status === 200) {
      stats.reported += 1
      order.reported_ms = Date.now()
      return
    }
    stats.repeated += 1
    setTimeout(() => report(order, body), REPEATS_AFTER_MS)
  }
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-sandbox-signature': signBody(SANDBOX_SECRET, body),
  }
  send(callback_url, { method: 'POST', agent, headers }, (answer) => {
    answer.resume()
    answer.once('end', () => end(answer.statusCode!))
    answer.once('error', () => end(0))
  })
    .once('error', () => end(0))
    .end(body)
}

function showOrder({ reference, remote_id, transaction }: Order): object {
  return transaction ? { reference, state: 'paid', transaction } : { reference, state: 'pending', remote_id }
}

/** Forget orders whose payments were accepted long ago. Maps have them in the order of their prompts. */
setInterval(() => {
  const since = Date.now() - KEPT_MS
  for (const { reference, remote_id, reported_ms } of orders.values()) {
    if (reported_ms === null || reported_ms > since) break
    orders.delete(reference)
    transactions.delete(remote_id)
  }
}, KEPT_MS / 10).unref()

process.on('message', () => process.send!(stats))
process.once('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
