import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Order, Payout, Refund } from '../../../src/lib/adapter-types.ts'
import { callHttp } from '../../../src/lib/http/http-call.ts'
import { openSocket } from '../../../src/lib/http/reach.ts'
import type { DriverTools, NetworkOperations, OpenedConnection } from '../../../src/networks/contract.ts'
import { gsmaMomo } from '../../../src/networks/gsma-momo/index.ts'
import { type Bound, openBound } from '../../drivers/bound.ts'

/** A request as it reached the provider: the request line, the headers that the driver chose, and the body. */
export interface Seen {
  line: string
  headers: Record<string, string>
  body: string
}

export interface Answer {
  status: number
  body?: unknown
  text?: string
  headers?: Record<string, string>
}
export type Responder = Answer | Answer[] | ((request: IncomingMessage, response: ServerResponse) => void)

/** A small server in the place of a provider, which answers as it is told. */
export interface GsmaServer {
  url: string
  seen: Seen[]
  /** The requests without those for tokens. */
  calls(): Seen[]
  close(): Promise<void>
}

export const REFERENCE = '3f0c2a4e-8a53-4f0e-9d57-6c1b2a7e9f10'
export const CHARGE_REFERENCE = '9b1f6c1e-0a2b-4c3d-8e4f-5a6b7c8d9e0f'
/** Ids of a request at the provider, and of its transaction. */
export const REQUEST = 'c2f1a5d0-6a5e-4a57-9f0e-2a1b3c4d5e6f'
export const MONEY = 'REF-1637907197912'
export const NOW = new Date('2026-11-22T08:00:00.250Z')

/** Secrets with a mark, so that a test finds them where they must not be. */
export const secrets = {
  consumer_secret: 'marked-consumer-secret',
  api_key: 'marked-api-key',
  user_credential_1: 'marked-credential',
}
export const settings = { consumer_key: 'the-key', account_id: 'kusanya-demo', ...secrets }

export const order: Order = {
  reference: REFERENCE,
  receiver: 'kusanya-demo',
  phonenumber: '+256772123456',
  amount: 50_000_000n,
  currency: 'UGX',
  reason: "Mama's café\nNakawa",
  remote_id: null,
}
export const taken: Order = { ...order, remote_id: REQUEST }

export const payout: Payout = {
  reference: REFERENCE,
  kind: 'money',
  sender: 'kusanya-demo',
  phonenumber: '+256772123456',
  amount: 15_005_000n,
  currency: 'KES',
  reason: 'Wages',
  remote_id: null,
}

export const refund: Refund = {
  reference: REFERENCE,
  sender: 'kusanya-demo',
  phonenumber: '+256772123456',
  amount: 50_000_000n,
  currency: 'UGX',
  reason: 'Out of stock',
  remote_id: null,
  charge: { reference: CHARGE_REFERENCE, remote_id: REQUEST, transaction: MONEY, amount: 50_000_000n },
}

export const TOKEN = 'POST /v1/oauth/accesstoken'
export const CHARGE = 'POST /1.2.0/mm/transactions/type/merchantpay'
export const PAYOUT = 'POST /1.2.0/mm/transactions/type/disbursement'
export const REVERSAL = `POST /1.2.0/mm/transactions/${MONEY}/reversals`
export const STATE = `GET /1.2.0/mm/requeststates/${REQUEST}`
export const RESPONSE = `GET /1.2.0/mm/responses/${REFERENCE}`
export const TRANSACTION = `GET /1.2.0/mm/transactions/${MONEY}`

export const tokenAnswer: Answer = {
  status: 200,
  body: { access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 },
}

/** The answer to an order that was taken, and to a question about it. */
export function state(more: Record<string, unknown> = {}, status = 200): Answer {
  const request = {
    serverCorrelationId: REQUEST,
    status: 'pending',
    notificationMethod: 'callback',
    objectReference: '',
  }
  return { status, body: { ...request, pollLimit: 100, ...more } }
}
export const accepted = state({}, 202)
export const completed = state({ status: 'completed', objectReference: MONEY })

export function transaction(more: Record<string, unknown> = {}): Answer {
  const body = {
    transactionReference: MONEY,
    requestingOrganisationTransactionReference: REFERENCE,
    type: 'merchantpay',
    transactionStatus: 'completed',
    amount: '5000',
    currency: 'UGX',
    debitParty: [{ key: 'msisdn', value: '+256772123456' }],
    creditParty: [{ key: 'organisationid', value: 'kusanya-demo' }],
    creationDate: '2026-11-22T08:00:01Z',
    modificationDate: '2026-11-22T08:00:05.700Z',
    ...more,
  }
  return { status: 200, body }
}

/** An error in the words of the OpenAPI files of the standard. */
export function error(status: number, errorCategory: string, errorCode: string): Answer {
  return { status, body: { errorCategory, errorCode, errordescription: 'said by the provider' } }
}
export const notFound = error(404, 'identification', 'identifierError')
export const link = (to: string): Answer => ({ status: 200, body: { link: to } })

/** The driver opened at a server, and what it told the operator. */
export interface OpenedDriver extends Required<Bound<NetworkOperations>> {
  alarms: string[]
}

/** A connection with these settings to this server, with the type of settings hidden as the driver hides it. */
export function connectionAt(url: string, given: Record<string, unknown> = {}, environment = 'test') {
  const values = Object.fromEntries(
    Object.entries({ ...settings, ...given }).filter(([, value]) => value !== undefined),
  )
  return {
    slug: 'wallet',
    environment,
    settings: gsmaMomo.settings.parse(values),
    hosts: { api: `${url}/1.2.0/mm`, token: `${url}/v1/oauth/accesstoken` },
  } as unknown as OpenedConnection<never>
}

export function openDriver(
  url: string,
  given: Record<string, unknown> = {},
  tools: Partial<DriverTools> = {},
): OpenedDriver {
  const alarms: string[] = []
  const all = { ...testTools(), alarm: (message: string) => void alarms.push(message), ...tools }
  return { ...(openBound(gsmaMomo, connectionAt(url, given), all) as Required<Bound<NetworkOperations>>), alarms }
}

export const CALLBACK_BASE = 'https://pay.example.com/api/callbacks/wallet/00ff'

/** Tools with a real HTTP client and tokens in memory. */
export function testTools(timeout_ms = 5_000): DriverTools {
  const tokens = new Map<string, string>()
  return {
    http: ({ method, url, headers = {}, body }) =>
      callHttp({ method, url, headers, body, timeout_ms, callee: 'network' }),
    openSocket,
    tokens: {
      async get(name, fetch) {
        const kept = tokens.get(name)
        if (kept) return { outcome: 'token', token: kept }
        const fetched = await fetch()
        if ('outcome' in fetched) return fetched
        tokens.set(name, fetched.token)
        return { outcome: 'token', token: fetched.token }
      },
      refuse(name, token) {
        if (tokens.get(name) === token) tokens.delete(name)
      },
    },
    now: () => NOW,
    callbackUrl: (reference, purpose) => [CALLBACK_BASE, reference, purpose].filter(Boolean).join('/'),
    alarm: () => {},
  }
}

/** Headers that node adds to every request by itself. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'accept-language',
  'accept-encoding',
  'sec-fetch-mode',
  'user-agent',
])

/** Run a test against a server with these answers by method and path; what is not listed gets that for `*`, or 500. */
export async function withProvider(
  answers: Record<string, Responder>,
  test: (server: GsmaServer) => Promise<void>,
): Promise<void> {
  const server = await openProvider({ [TOKEN]: tokenAnswer, ...answers })
  try {
    await test(server)
  } finally {
    await server.close()
  }
}

async function openProvider(answers: Record<string, Responder>): Promise<GsmaServer> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray().catch(() => [])).toString()
    const line = `${request.method} ${request.url}`
    const headers = Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.has(name))
    seen.push({ line, headers: Object.fromEntries(headers) as Record<string, string>, body })
    let responder = answers[line] ?? answers[line.split('?', 1)[0]!] ?? answers['*'] ?? { status: 500 }
    if (Array.isArray(responder)) responder = (responder.length > 1 ? responder.shift() : responder[0])!
    if (typeof responder === 'function') return responder(request, response)
    const { status, body: json, text, headers: more } = responder as Answer
    const content = text ?? (json === undefined ? '' : JSON.stringify(json))
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    calls: () => seen.filter(({ line }) => line !== TOKEN),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
