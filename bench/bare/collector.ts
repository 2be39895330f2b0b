import { randomBytes } from 'node:crypto'
import { callHttp } from '../../src/lib/http/http-call.ts'
import { createHttpClient } from '../../src/lib/http/outgoing-http.ts'
import { notificationHeaders, notificationId, signingKey } from '../../src/lib/http/standard-webhooks.ts'
import { openTransport } from '../../src/lib/http/transport.ts'
import { formatAmount } from '../../src/lib/money.ts'
import { signBody } from '../../src/simulator/doors/sandbox/wire.ts'
import { SANDBOX_SECRET } from '../../src/simulator/standalone.ts'
import { type BareRequest, createBareServer } from './route.ts'

/** Targets of the calls. */
export interface BareTargets {
  network: string
  sms: string
  notifications: string
}

/** Answer of the process to `read`. */
export interface BareProgress {
  created: number
  ended: number
  failed: number
}

/**
 * Upper limit for whole collections, in a separate process: the HTTP exchanges of a collection with everything on, with
 * the same clients, and nothing else. For each request that the bare route creates it sends one prompt, one name
 * look-up, two SMS and four signed notifications over TLS. It also answers one signed callback. There is no database,
 * no queue, no retry and no log.
 */
const MAX_IN_FLIGHT = 64
const TIMEOUT_MS = 30_000
const REASON = 'Order 1'
const SMS_TEXT = 'You have paid BXC 1,500 to The Shop. Receipt KR-1. Thank you!'

const progress: BareProgress = { created: 0, ended: 0, failed: 0 }
let targets: BareTargets
const { transport } = openTransport()
const outgoing = createHttpClient({ allowsAddress: () => true, timeout_ms: TIMEOUT_MS })
const key = signingKey(`whsec_${randomBytes(32).toString('base64')}`)

let waiting: (() => Promise<void>)[] = []
let next = 0
let in_flight = 0

/** Run calls in the order given, at most so many at a time. */
function enqueue(call: () => Promise<void>): void {
  waiting.push(call)
  if (in_flight < MAX_IN_FLIGHT) void runCalls()
}

async function runCalls(): Promise<void> {
  in_flight += 1
  while (next < waiting.length) {
    next += 1
    await waiting[next - 1]!()
  }
  in_flight -= 1
  if (in_flight > 0) return
  waiting = []
  next = 0
}

async function callJson(method: 'GET' | 'POST', url: string, content?: object, secret = ''): Promise<void> {
  const answer = await callHttp({
    method,
    url,
    transport,
    timeout_ms: TIMEOUT_MS,
    callee: 'network',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    ...(content && { body: JSON.stringify(content) }),
  })
  if (answer.outcome !== 'answered' || answer.status >= 300) progress.failed += 1
  else if (answer.text !== '') JSON.parse(answer.text)
}

async function notify(number: number, event: string, data: object): Promise<void> {
  const body = JSON.stringify({ event, data })
  const headers = notificationHeaders([key], notificationId('bench', number), new Date(), body)
  const { failure } = await outgoing.post(new URL(targets.notifications), headers, body, false)
  if (failure) progress.failed += 1
}

const sendSms = (to: string) => enqueue(() => callJson('POST', targets.sms, { to, text: SMS_TEXT }))

function begin(request: BareRequest): void {
  progress.created += 1
  const { phonenumber, currency } = request
  const data = { ...request, amount: formatAmount(request.amount) }
  const order = { reference: `KR-${progress.created}`, receiver: '600100', phonenumber, currency, reason: REASON }
  enqueue(() =>
    callJson('GET', `${targets.network}/holders/${encodeURIComponent(phonenumber)}`, undefined, SANDBOX_SECRET),
  )
  enqueue(async () => {
    const prompt = { ...order, amount: data.amount, prompt: true }
    await callJson('POST', `${targets.network}/orders`, prompt, SANDBOX_SECRET)
    for (const status of ['processing_started', 'instructions_sent'])
      enqueue(() => notify(progress.created, 'collectionrequest.status.changed', { ...data, status }))
    sendSms(phonenumber)
  })
}

function end(body: string): void {
  const { transaction } = JSON.parse(body) as { transaction: { phonenumber: string } }
  sendSms(transaction.phonenumber)
  enqueue(() => notify(progress.ended, 'collection.received', transaction))
  enqueue(async () => {
    await notify(progress.ended, 'collectionrequest.status.changed', { ...transaction, status: 'successful' })
    progress.ended += 1
  })
}

const server = createBareServer(begin)
server.removeContentTypeParser('application/json')
server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
  // The signature of a callback is over its text.
  done(null, request.url === '/callback' ? body : JSON.parse(body as string))
})
server.post('/callback', async (request, reply) => {
  const body = request.body as string
  if (signBody(SANDBOX_SECRET, body) !== request.headers['x-sandbox-signature']) return reply.code(401).send()
  end(body)
  return reply.code(200).send()
})

process.on('message', (message: BareTargets | 'read') => {
  if (message !== 'read') targets = message
  process.send!(progress)
})
process.send!(await server.listen({ host: '127.0.0.1', port: 0 }))
process.once('SIGTERM', () => process.exit())
