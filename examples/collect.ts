/*
 * Requests money from a customer and waits until the request has ended. Needs a running service (npm start) and Node 24,
 * which `npm ci` installs:
 *
 *   KUSANYA_API_KEY=$(cat data/demo-api-key) npm exec -- node examples/collect.ts
 *   KUSANYA_URL=https://pay.example.com KUSANYA_API_KEY=… node examples/collect.ts +80000000001 500 BXC
 */
import { randomUUID } from 'node:crypto'

const url = process.env.KUSANYA_URL ?? 'http://127.0.0.1:3000'
const key = process.env.KUSANYA_API_KEY
const [phonenumber = '+80000000003', amount = '1500', currency = 'BXC'] = process.argv.slice(2)

interface CollectionRequest {
  id: number
  status: string
  error_message: string | null
  collection: number | null
}

/** The final states. New states may be added, so every other state means: in progress. */
const FINAL_STATES = ['successful', 'failed', 'expired', 'reversed']
const TIMEOUT_MS = 5 * 60 * 1_000
/** An API key may read 30 times a minute. A shop with many orders should use webhooks. */
const POLL_INTERVAL_MS = 2_500

if (!key) stop('Set KUSANYA_API_KEY to an API key. `npm start` prints one, which is also in data/demo-api-key.')

const order = randomUUID().slice(0, 8)
console.log(`Order ${order}: requesting ${currency} ${amount} from ${phonenumber} …`)
const id = await createOnce()
console.log(`Created collection request ${id}.`)
const request = await waitForEnd(id)
if (request.status !== 'successful') stop(`Not paid: ${request.error_message ?? request.status}`)
console.log(`Paid, by collection ${request.collection}. Order ${order} can be delivered.`)

/**
 * Creates the request. With a Duplicate-Check-Key of the order it is safe to repeat the call after a lost answer: the
 * second call gets 409 with the id of the request that the first call created.
 */
async function createOnce(): Promise<number> {
  const body = { phonenumber, amount, currency, reason: 'Order', send_instructions: true, metadata: { order } }
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call('POST', '/api/collectionrequests', body, { 'duplicate-check-key': `order-${order}` })
    if (answer.status === 201 || answer.status === 409) return answer.body.id
    if (answer.status < 500 || attempt === 5) stop(`The request was refused (${answer.status}): ${answer.text}`)
    await sleep(answer.retry_after_ms)
  }
}

async function waitForEnd(id: number): Promise<CollectionRequest> {
  let last_status = ''
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; ) {
    const { status, body, text, retry_after_ms } = await call('GET', `/api/collectionrequests/${id}`)
    if (status === 200) {
      if (body.status !== last_status) console.log(`  ${new Date().toISOString()}  ${body.status}`)
      last_status = body.status
      if (FINAL_STATES.includes(last_status)) return body
    } else if (status !== 429 && status < 500) stop(`The request cannot be read (${status}): ${text}`)
    await sleep(status === 200 ? POLL_INTERVAL_MS : retry_after_ms)
  }
  return stop(`Request ${id} is still ${last_status}. It continues without this program; read it again later.`)
}

interface Answer {
  status: number
  body: CollectionRequest
  text: string
  /** How long to wait before another try. */
  retry_after_ms: number
}

/** Sends one request. No answer is reported as 503, because the remedy is the same: try again. */
async function call(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Token ${key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await response.text()
    const retry_after_ms = Number(response.headers.get('retry-after') ?? 2) * 1_000
    return { status: response.status, body: parse(text), text, retry_after_ms }
  } catch (error) {
    console.error(`  No answer from ${url}: ${error instanceof Error ? (error.cause ?? error) : error}. Is it running?`)
    return { status: 503, body: parse(''), text: `no answer from ${url}`, retry_after_ms: 2_000 }
  }
}

function parse(text: string): CollectionRequest {
  try {
    return JSON.parse(text)
  } catch {
    return { id: 0, status: 'unknown', error_message: text, collection: null }
  }
}

function sleep(duration_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration_ms))
}

function stop(message: string): never {
  console.error(message)
  process.exit(1)
}
