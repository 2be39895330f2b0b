import { generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callHttp } from '../../../src/lib/http/http-call.ts'
import { openSocket } from '../../../src/lib/http/reach.ts'
import type { AccessToken, DriverTools, NetworkOperations, UnknownOutcome } from '../../../src/networks/contract.ts'
import { daraja } from '../../../src/networks/daraja/index.ts'
import { type DarajaConnection, type DarajaSettings, darajaSettings } from '../../../src/networks/daraja/settings.ts'
import { type Bound, openBound } from '../../drivers/bound.ts'

/** A request as it left the driver. */
export interface Recorded {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Answer of the server: a status and a body; null hangs up without an answer. */
export type Answer = { status?: number; body: string | object; headers?: Record<string, string> } | null

/** A server that records what it gets. Tokens are given out by themselves; every other call gets the next answer. */
export interface RecordedNetwork {
  url: string
  requests: Recorded[]
  tokens: number
  /** The answers to come. The last one repeats; without any, the server hangs up. */
  answers: Answer[]
  /** The answer to the token call, where it is not a token. */
  token_answer: Answer | undefined
  /** The calls besides those for tokens. */
  calls(): Recorded[]
  close(): Promise<void>
}

export async function openRecordedNetwork(): Promise<RecordedNetwork> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    network.requests.push({ method: request.method!, path: request.url!, headers: request.headers, body })
    const answer = request.url!.startsWith('/oauth/') ? tokenAnswer() : nextAnswer()
    if (!answer) return void request.socket.destroy()
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(text)
  })
  const tokenAnswer = (): Answer => {
    network.tokens += 1
    if (network.token_answer !== undefined) return network.token_answer
    return { body: { access_token: `token-${network.tokens}`, expires_in: '3599' } }
  }
  const nextAnswer = (): Answer =>
    network.answers.length > 1 ? network.answers.shift()! : (network.answers[0] as Answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const network: RecordedNetwork = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    tokens: 0,
    answers: [],
    token_answer: undefined,
    calls: () => network.requests.filter(({ path }) => !path.startsWith('/oauth/')),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return network
}

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
/** A public key in the place of Safaricom's certificate. */
export const publicKeyPem = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** Decrypt the content of a SecurityCredential. */
export function decryptCredential(text: string): string {
  // RSA without padding, because some versions of Node refuse to take PKCS #1 v1.5 off. The text follows the first zero.
  const padded = privateDecrypt({ key: keys.privateKey, padding: 3 }, Buffer.from(text, 'base64'))
  return padded.subarray(padded.indexOf(0, 2) + 1).toString()
}

/** 22 November 2026, 9:30 in Nairobi. */
export const NOW = new Date('2026-11-22T06:30:00Z')

export const SECRET_ADDRESS = 'https://pay.example.com/api/callbacks/shop-ke/0123456789abcdef'

export const settings = {
  consumer_key: 'the-key',
  consumer_secret: 'the-secret',
  short_code: '174379',
  passkey: 'the-passkey',
  payout_short_code: '600996',
  initiator: 'apiop',
  initiator_password: 'p#ss%word',
  certificate: publicKeyPem,
}

export interface OpenedDriver {
  operations: Required<Bound<NetworkOperations>>
  connection: DarajaConnection
  alarms: string[]
  tools: DriverTools
}

/** Open the driver for a network, with small tools of its own. */
export function openDriver(
  url: string,
  changes: Partial<Record<keyof DarajaSettings, unknown>> = {},
  { now = () => NOW, callback_base = SECRET_ADDRESS } = {},
): OpenedDriver {
  const alarms: string[] = []
  let token: string | undefined
  const tools: DriverTools = {
    http: ({ timeout_s = 5, headers = {}, ...call }) =>
      callHttp({ ...call, headers, timeout_ms: timeout_s * 1_000, callee: 'network' }),
    openSocket,
    tokens: {
      async get(_name, fetchToken: () => Promise<AccessToken | UnknownOutcome>) {
        if (token === undefined) {
          const answer = await fetchToken()
          if ('outcome' in answer) return answer
          token = answer.token
        }
        return { outcome: 'token', token }
      },
      refuse(_name, refused) {
        if (token === refused) token = undefined
      },
    },
    now,
    callbackUrl: (reference, purpose) => [callback_base, reference, purpose].filter((part) => part != null).join('/'),
    alarm: (message) => alarms.push(message),
  }
  const parsed = darajaSettings.parse({ ...settings, ...changes })
  const connection: DarajaConnection = {
    slug: 'shop-ke',
    environment: 'sandbox',
    hosts: { api: url },
    settings: parsed,
  }
  const operations = openBound(daraja, connection as never, tools) as Required<Bound<NetworkOperations>>
  return { operations, connection, alarms, tools }
}

export const order = {
  reference: 'k7f3m2q9x4ab',
  receiver: '174379',
  phonenumber: '+254708374149',
  amount: 1500_0000n,
  currency: 'KES',
  reason: 'Order 12 – Café',
  remote_id: null,
}

export const CHECKOUT_ID = 'ws_CO_22112026093001123456789'
export const sent = { ...order, remote_id: CHECKOUT_ID }

export const payout = {
  reference: '0c1f0a5e-7f0b-4b1c-9a51-2f6f9f3c7d10',
  kind: 'money' as const,
  sender: '600996',
  phonenumber: '+254708374149',
  amount: 500_0000n,
  currency: 'KES',
  reason: 'Refund of order 12',
  remote_id: null,
}

export const refund = {
  reference: 'a5a2d9c4-53cd-4d2e-b3c8-0a6de7f1a111',
  sender: '174379',
  phonenumber: '+254708374149',
  amount: 1500_0000n,
  currency: 'KES',
  reason: 'Wrong size',
  remote_id: null,
  charge: { reference: order.reference, remote_id: CHECKOUT_ID, transaction: 'UKM1ABC234', amount: 1500_0000n },
}

/** The error envelope of Daraja. */
export const refusal = (errorCode: string, errorMessage: string, status = 400): Answer => ({
  status,
  body: { requestId: '16813-1590513-1', errorCode, errorMessage },
})
