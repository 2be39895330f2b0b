import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RawCallback, toRawBody } from '../../../src/drivers/raw-callback.ts'
import type { Order, Payout, Refund } from '../../../src/lib/adapter-types.ts'
import { callHttp } from '../../../src/lib/http/http-call.ts'
import { openSocket } from '../../../src/lib/http/reach.ts'
import type { DriverTools, NetworkOperations } from '../../../src/networks/contract.ts'
import { pawapay } from '../../../src/networks/pawapay/index.ts'
import { signRequest } from '../../../src/networks/pawapay/signatures.ts'
import { type Bound, openBound } from '../../drivers/bound.ts'

/** Request that has left the driver. */
export interface Recorded {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** An answer of the recorded server. `hang_up` ends the connection instead. */
export interface Answer {
  status?: number
  body?: string | object
  hang_up?: boolean
}

export const TOKEN = 'the-api-token-of-a-test'
export const CALLBACK_URL = 'https://pay.example.com/api/callbacks/pawapay/00ff'
export const ID = '0d3c1f2e-5a6b-4c7d-8e9f-1a2b3c4d5e6f'
export const OTHER_ID = '1d3c1f2e-5a6b-4c7d-8e9f-1a2b3c4d5e6f'

const prediction = { country: 'UGA', provider: 'MTN_MOMO_UGA', phoneNumber: '256783456789' }

/** pawaPay's refusal of a call, or the reason of an order that has failed. */
export const failureReason = (failureCode: string, failureMessage = 'Words of pawaPay') => ({
  failureReason: { failureCode, failureMessage },
})

export const order: Order = {
  reference: ID,
  receiver: 'UGA',
  phonenumber: '+256783456789',
  amount: 50_000_000n,
  currency: 'UGX',
  reason: "Mama's café, rent for March",
  remote_id: null,
}
const { receiver: sender, ...rest } = order
export const payout: Payout = { ...rest, sender, kind: 'money' }
export const refund: Refund = {
  ...rest,
  sender,
  amount: 20_000_000n,
  charge: { reference: OTHER_ID, remote_id: OTHER_ID, transaction: '12356789', amount: 50_000_000n },
}

/** The state of an order as pawaPay tells it. */
export const state = (status: string, more: object = {}, id: object = { depositId: ID }) => ({
  ...id,
  status,
  amount: '5000.00',
  currency: 'UGX',
  country: 'UGA',
  created: '2026-11-22T08:00:00Z',
  providerTransactionId: '12356789',
  ...more,
})
export const found = (data: object) => ({ body: { status: 'FOUND', data } })

/**
 * A server that records what it receives, and answers each path from its own row of answers; the last one repeats. The
 * driver talks to it with real HTTP.
 */
export async function openRecorder(rows: Record<string, Answer | Answer[]> = {}, given: Record<string, unknown> = {}) {
  const requests: Recorded[] = []
  const answers = new Map<string, Answer[]>([
    ['POST /v2/predict-provider', [{ body: prediction }]],
    ['GET /v2/availability', [{ body: [] }]],
    [`GET /v2/deposits/${ID}`, [{ body: { status: 'NOT_FOUND' } }]],
    [`GET /v2/payouts/${ID}`, [{ body: { status: 'NOT_FOUND' } }]],
    [`GET /v2/refunds/${ID}`, [{ body: { status: 'NOT_FOUND' } }]],
  ])
  for (const [route, row] of Object.entries(rows)) answers.set(route, [row].flat())
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body })
    const row = answers.get(`${method} ${path}`) ?? answers.get(`${method} ${path.split('?')[0]}`)
    give(response, (row && row.length > 1 ? row.shift() : row?.[0]) ?? { status: 404, body: 'no row for this path' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const alarms: string[] = []
  const clock = { ms: Date.parse('2026-11-22T08:00:30Z') }
  const operations = openDriver({ url, given, alarms, now: () => new Date(clock.ms) })
  return {
    url,
    requests,
    alarms,
    clock,
    operations,
    answer: (route: string, ...row: Answer[]) => answers.set(route, row),
    close: () => new Promise((resolve) => server.close(resolve)),
    /** The requests to one path. */
    to: (path: string) => requests.filter((request) => request.path === path),
    paths: () => requests.map(({ method, path }) => `${method} ${path}`),
  }
}

export type Recorder = Awaited<ReturnType<typeof openRecorder>>

function give(response: ServerResponse, { status = 200, body = '', hang_up }: Answer): void {
  if (hang_up) {
    response.socket?.destroy()
    return
  }
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** The driver at this address. */
export function openDriver(options: {
  url: string
  given?: Record<string, unknown>
  alarms?: string[]
  now?: () => Date
}): Required<Bound<NetworkOperations>> {
  const { url, given = {}, alarms = [], now = () => new Date() } = options
  const tools: DriverTools = {
    http: ({ verb: _, timeout_s = 5, headers = {}, ...call }) =>
      callHttp({ ...call, headers, timeout_ms: timeout_s * 1_000, callee: 'network' }),
    openSocket,
    tokens: { get: async () => ({ outcome: 'unknown', message: 'There are no tokens.' }), refuse: () => {} },
    now,
    callbackUrl: (_reference, purpose) => [CALLBACK_URL, purpose].filter(Boolean).join('/'),
    alarm: (message) => void alarms.push(message),
  }
  const settings = pawapay.settings.parse({ api_token: TOKEN, ...given })
  const connection = { slug: 'pawapay', environment: 'sandbox', hosts: { api: url }, settings }
  return openBound(pawapay, connection as never, tools) as Required<Bound<NetworkOperations>>
}

/** A pair of keys as pawaPay and we use them. */
export function newKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return {
    privateKey,
    public_pem: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    private_pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

/** A callback at our address, signed with this key unless it is left out. */
export function callbackOf(
  body: object | string,
  signing?: { key: KeyObject; key_id?: string; at: Date; url?: string },
  path = '/deposits',
): RawCallback {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const content_type = 'application/json'
  const message = { method: 'POST', url: signing?.url ?? CALLBACK_URL + path, content_type, body: text }
  const signed = signing && signRequest(message, { key: signing.key, key_id: signing.key_id ?? 'KEY:1' }, signing.at)
  const headers = Object.entries({ 'Content-Type': content_type, ...signed })
  return {
    method: 'POST',
    path,
    query: '',
    address: '3.64.89.224',
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    ...toRawBody(Buffer.from(text)),
  }
}
