import { constants, createDecipheriv, generateKeyPairSync, type KeyObject, privateDecrypt } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Order, Payout, Refund, UnknownOutcome } from '../../../src/lib/adapter-types.ts'
import { callHttp } from '../../../src/lib/http/http-call.ts'
import { openSocket } from '../../../src/lib/http/reach.ts'
import { airtelMoney } from '../../../src/networks/airtel-money/index.ts'
import type {
  AccessToken,
  DriverTools,
  NetworkOperations,
  TokenAnswer,
  TokenStore,
} from '../../../src/networks/contract.ts'
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
  headers?: Record<string, string>
  hang_up?: boolean
}

export const settings = { country: 'UG', client_id: 'our-client', client_secret: 'our-secret', pin: '4321' }

/** Airtel's pair of keys. */
export const airtel_key = generateKeyPairSync('rsa', { modulusLength: 1024 })
export const public_key = airtel_key.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')

const token: Answer = { body: { token_type: 'bearer', access_token: 'token-1', expires_in: '180' } }
export const encryption_key: Answer = {
  body: {
    data: { key_id: 100, key: public_key, valid_upto: '12-08-2037 21:29:26' },
    status: {
      code: '200',
      message: 'Success',
      response_code: 'DP02010001001',
      result_code: 'ESB000010',
      success: true,
    },
  },
}

/** The envelope of Airtel around a transaction, with its codes. */
export function envelope(transaction: object | undefined, response_code?: string, status: object = {}): Answer {
  const data = transaction && { data: { transaction } }
  const base = { code: '200', message: 'SUCCESS', result_code: 'ESB000010', success: true }
  return { body: { ...data, status: { ...base, ...(response_code && { response_code }), ...status } } }
}

/**
 * A server that records what it receives, and answers each path from its own row of answers; the last one repeats. The
 * driver talks to it with real HTTP.
 */
export async function openRecorder(rows: Record<string, Answer | Answer[]> = {}, given: Record<string, unknown> = {}) {
  const requests: Recorded[] = []
  const answers = new Map<string, Answer[]>()
  const answer = (route: string, ...row: Answer[]) => answers.set(route, row)
  answer('POST /auth/oauth2/token', token)
  answer('GET /v1/rsa/encryption-keys', encryption_key)
  for (const [route, row] of Object.entries(rows)) answer(route, ...[row].flat())
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body })
    const row = answers.get(`${method} ${path}`) ?? answers.get(`${method} ${path.split('?')[0]}`)
    give(response, (row && row.length > 1 ? row.shift() : row?.[0]) ?? { status: 404, body: 'no row for this path' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const alarms: string[] = []
  const lifetimes: number[] = []
  const tools = testTools(alarms, lifetimes)
  const connection = { slug: 'airtel-ug', environment: 'staging', hosts: { api: url } }
  const parsed = airtelMoney.settings.parse({ ...settings, ...given })
  const operations = openBound(airtelMoney, { ...connection, settings: parsed } as never, tools)
  return {
    url,
    requests,
    alarms,
    /** For how many seconds each token was said to be valid. */
    lifetimes,
    answer,
    operations: operations as Required<Bound<NetworkOperations>>,
    close: () => new Promise((resolve) => server.close(resolve)),
    /** Return the calls, without tokens and keys. */
    calls: () =>
      requests.filter(({ path }) => !/token|encryption/.test(path)).map(({ method, path }) => `${method} ${path}`),
  }
}

export type Recorder = Awaited<ReturnType<typeof openRecorder>>

function give(response: ServerResponse, { status = 200, body = '', headers = {}, hang_up }: Answer): void {
  if (hang_up) {
    response.socket?.destroy()
    return
  }
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** The tools of the service, with one try for each call and no logs. */
export function testTools(alarms: string[] = [], lifetimes: number[] = []): DriverTools {
  return {
    http: ({ url, method, headers = {}, body, timeout_s = 5 }) =>
      callHttp({ url, method, headers, body, timeout_ms: timeout_s * 1000, callee: 'network' }),
    openSocket,
    tokens: testTokens(lifetimes),
    now: () => new Date(),
    callbackUrl: () => 'https://pay.example.com/api/callbacks/airtel-ug/abcdef',
    alarm: (message) => void alarms.push(message),
  }
}

function testTokens(lifetimes: number[]): TokenStore {
  const known = new Map<string, Promise<TokenAnswer>>()
  const keep = (found: AccessToken | UnknownOutcome): TokenAnswer => {
    if (!('token' in found)) return found
    lifetimes.push(found.expires_in_s)
    return { outcome: 'token', token: found.token }
  }
  return {
    async get(name, fetch) {
      const fetched = known.get(name) ?? fetch().then(keep)
      known.set(name, fetched)
      const answer = await fetched
      if (answer.outcome === 'unknown') known.delete(name)
      return answer
    },
    refuse: (name) => void known.delete(name),
  }
}

export const order: Order = {
  reference: 'KR12x1',
  receiver: '700100',
  phonenumber: '+256752000001',
  amount: 15_000_000n,
  currency: 'UGX',
  reason: 'Order 12',
  remote_id: null,
}

export const payout: Payout = {
  reference: 'KP17',
  kind: 'money',
  sender: '700100',
  phonenumber: '+256752000001',
  amount: 10_000_000n,
  currency: 'UGX',
  reason: 'Wages',
  remote_id: null,
}

export const refund: Refund = {
  ...payout,
  reference: 'KF3',
  amount: 15_000_000n,
  charge: { reference: 'KR12x1', remote_id: 'KR12x1', transaction: 'MP261122.0930.L06941', amount: 15_000_000n },
}

/** Decrypt with the padding of PKCS#1 1.5, which newer versions of Node.js do not remove themselves. */
export function decrypt(key: KeyObject, text: string): string {
  const plain = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, Buffer.from(text, 'base64'))
  if (plain[0] !== 0 || plain[1] !== 2) throw new Error('The padding is not that of PKCS#1 1.5.')
  return plain.subarray(plain.indexOf(0, 2) + 1).toString()
}

/** The body that a pair of signature headers was made of. */
export function signedBody(key: KeyObject, headers: IncomingHttpHeaders): string {
  const [aes, iv] = decrypt(key, String(headers['x-key'])).split(':')
  const decipher = createDecipheriv('aes-256-cbc', Buffer.from(aes!, 'base64'), Buffer.from(iv!, 'base64'))
  return decipher.update(String(headers['x-signature']), 'base64', 'utf8') + decipher.final('utf8')
}
