import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Order, Payout, Refund } from '../../../src/lib/adapter-types.ts'
import { callHttp } from '../../../src/lib/http/http-call.ts'
import { openSocket } from '../../../src/lib/http/reach.ts'
import type { DriverTools, NetworkOperations, OpenedConnection } from '../../../src/networks/contract.ts'
import { mtnMomo } from '../../../src/networks/mtn-momo/index.ts'
import type { Settings } from '../../../src/networks/mtn-momo/settings.ts'
import { type Bound, openBound } from '../../drivers/bound.ts'

/** A request as it reached the network: the request line, the headers that the driver chose, and the body. */
export interface Seen {
  line: string
  headers: Record<string, string>
  body: string
}

/** A small server in the place of MTN, which answers as it is told. */
export interface MtnServer {
  url: string
  seen: Seen[]
  /** The requests of business, without those for tokens. */
  calls(): Seen[]
  /** Answers by method and path without the host; what is not listed gets the answer for `*`, or 500. */
  answers: Record<string, Responder>
  close(): Promise<void>
}

export type Answer = { status: number; body?: unknown; text?: string }
export type Responder = Answer | Answer[] | ((request: IncomingMessage, response: ServerResponse) => void)

export const REFERENCE = '3f0c2a4e-8a53-4f0e-9d57-6c1b2a7e9f10'
export const COLLECTION_USER = 'c72025f5-5cd1-4630-99e4-8ba4722fad56'
export const DISBURSEMENT_USER = '5c3a7d1e-8f4b-4b6f-9a51-0d6f2c9d8e11'

/** Secrets with a mark, so that a test finds them where they must not be. */
export const secrets = {
  collection_subscription_key: 'marked-collection-subscription',
  collection_api_key: 'marked-collection-key',
  disbursement_subscription_key: 'marked-disbursement-subscription',
  disbursement_api_key: 'marked-disbursement-key',
}

export const uganda: Settings = {
  target_environment: 'mtnuganda',
  collection_api_user: COLLECTION_USER,
  disbursement_api_user: DISBURSEMENT_USER,
  payout_operation: 'transfer',
  callbacks: true,
  holder_names: true,
  ...secrets,
}

export const order: Order = {
  reference: REFERENCE,
  receiver: '12345',
  phonenumber: '+256772000001',
  amount: 15_000_000n,
  currency: 'UGX',
  reason: "Mama's café, order 12",
  remote_id: null,
}

export const payout: Payout = {
  reference: REFERENCE,
  kind: 'money',
  sender: '12345',
  phonenumber: '+256772000001',
  amount: 25_000_000n,
  currency: 'UGX',
  reason: 'Wages',
  remote_id: null,
}

export const CHARGE_REFERENCE = '9b1f6c1e-0a2b-4c3d-8e4f-5a6b7c8d9e0f'

export const refund: Refund = {
  reference: REFERENCE,
  sender: '12345',
  phonenumber: '+256772000001',
  amount: 5_000_000n,
  currency: 'UGX',
  reason: 'Out of stock',
  remote_id: null,
  charge: { reference: CHARGE_REFERENCE, remote_id: CHARGE_REFERENCE, transaction: '23503452', amount: 15_000_000n },
}

export const tokenAnswer: Answer = {
  status: 200,
  body: { access_token: 'token-1', token_type: 'access_token', expires_in: 3600 },
}
export const notFound: Answer = {
  status: 404,
  body: { message: 'Requested resource was not found.', code: 'RESOURCE_NOT_FOUND' },
}

/** The state of an order of these tests, as MTN returns it. */
export function state(more: Record<string, unknown>): Answer {
  const payer = { partyIdType: 'MSISDN', partyId: '256772000001' }
  const body = {
    amount: '1500',
    currency: 'UGX',
    externalId: REFERENCE,
    payer,
    payerMessage: 'x',
    payeeNote: 'y',
    ...more,
  }
  return { status: 200, body }
}

/** The driver opened at a server, and what it told the operator. */
export interface OpenedDriver extends Bound<NetworkOperations> {
  alarms: string[]
}

/** Open the driver with these settings at this server. */
export function openDriver(
  url: string,
  settings: Partial<Settings> = {},
  given: Partial<DriverTools> = {},
): OpenedDriver {
  const alarms: string[] = []
  const tools = { ...testTools(), alarm: (message: string) => void alarms.push(message), ...given }
  return { ...openBound(mtnMomo, connectionAt(url, settings), tools), alarms }
}

/** A connection with these settings to this server, with the type of settings hidden as the driver hides it. */
export function connectionAt(url: string, settings: Partial<Settings> = {}, environment = 'production') {
  const opened = { slug: 'mtn-ug', environment, hosts: { api: url }, settings: { ...uganda, ...settings } }
  return opened as unknown as OpenedConnection<never>
}

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
    now: () => new Date(),
    callbackUrl: (reference, purpose) =>
      ['https://pay.example.com/api/callbacks/mtn-ug/00ff', reference, purpose].filter(Boolean).join('/'),
    alarm: () => {},
  }
}

/** Headers that node adds to every request by itself. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'accept',
  'accept-language',
  'accept-encoding',
  'sec-fetch-mode',
  'user-agent',
])

export async function openMtn(answers: Record<string, Responder> = {}): Promise<MtnServer> {
  const seen: Seen[] = []
  const all: Record<string, Responder> = {
    'POST /collection/token/': tokenAnswer,
    'POST /disbursement/token/': tokenAnswer,
    ...answers,
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray().catch(() => [])).toString()
    const line = `${request.method} ${request.url}`
    const headers = Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.has(name))
    seen.push({ line, headers: Object.fromEntries(headers) as Record<string, string>, body })
    let responder = all[line] ?? all['*'] ?? { status: 500 }
    if (Array.isArray(responder)) responder = (responder.length > 1 ? responder.shift() : responder[0])!
    if (typeof responder === 'function') return responder(request, response)
    const { status, body: json, text } = responder as Answer
    const content = text ?? (json === undefined ? '' : JSON.stringify(json))
    response.writeHead(status, content ? { 'content-type': 'application/json' } : { 'content-length': 0 }).end(content)
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    calls: () => seen.filter(({ line }) => !line.endsWith('/token/')),
    answers: all,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Run a test against a server with these answers. */
export async function withMtn(
  answers: Record<string, Responder>,
  test: (server: MtnServer) => Promise<void>,
): Promise<void> {
  const server = await openMtn(answers)
  try {
    await test(server)
  } finally {
    await server.close()
  }
}

export const CHARGE = 'POST /collection/v1_0/requesttopay'
export const CHARGE_STATUS = `GET /collection/v1_0/requesttopay/${REFERENCE}`
export const TRANSFER = 'POST /disbursement/v1_0/transfer'
export const TRANSFER_STATUS = `GET /disbursement/v1_0/transfer/${REFERENCE}`
export const DEPOSIT_STATUS = `GET /disbursement/v1_0/deposit/${REFERENCE}`
export const REFUND_STATUS = `GET /disbursement/v1_0/refund/${REFERENCE}`
