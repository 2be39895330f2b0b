import { expect } from 'vitest'
import type { CheckResult, DriverTools, OpenedConnection, OutgoingCall } from '../../src/drivers/contract.ts'
import type { RawCallback } from '../../src/drivers/raw-callback.ts'
import type { UnknownOutcome } from '../../src/lib/adapter-types.ts'
import type { HttpAnswer } from '../../src/lib/http/http-call.ts'
import { openSocket } from '../../src/lib/http/reach.ts'
import type { AnySmsDriver, OutgoingSms, SmsCallback, SmsOperations } from '../../src/senders/contract.ts'
import { type Bound, openBound } from '../drivers/bound.ts'

/** An answer of a provider of a test. */
export interface Answer {
  status?: number
  body?: unknown
  headers?: Record<string, string>
  incomplete?: string
}

export const sms: OutgoingSms = {
  id: 7,
  reference: 'k7q2m9x4b8w3r6t1y5z0a2c4',
  phonenumber: '+256772123456',
  body: 'Pay 1500 & confirm + "*165#"',
  sender: 'MAMASHOP',
  valid_s: 7_200,
}

/** A driver in front of answers that a test gives, with all that it did. */
export interface Opened {
  operations: Bound<SmsOperations>
  calls: OutgoingCall[]
  alarms: string[]
  /** Answer the next calls so; the last answer repeats. */
  answer(...answers: (Answer | UnknownOutcome)[]): void
  /** Send the SMS after the provider answers so. */
  sendWith(answer: Answer | UnknownOutcome, changes?: Partial<OutgoingSms>): ReturnType<SmsOperations['send']>
  testWith(answer: Answer | UnknownOutcome): Promise<CheckResult[]>
  read(callback: Partial<RawCallback>): SmsCallback
}

/** The address of the connection for callbacks. */
export const CALLBACK_URL = 'https://pay.example.com/api/callbacks/sms-1/0123456789abcdef0123456789abcdef'

/** Open a driver whose calls get the answers of a test. */
export function openSms(
  driver: AnySmsDriver,
  settings: Record<string, unknown>,
  hosts: Record<string, string> = { api: 'https://api.example.com/' },
): Opened {
  const [calls, alarms] = [[] as OutgoingCall[], [] as string[]]
  let answers: (Answer | UnknownOutcome)[] = [{}]
  const tools: DriverTools = {
    async http(call) {
      calls.push(call)
      return toAnswer(answers.length > 1 ? answers.shift()! : answers[0]!)
    },
    openSocket,
    tokens: { get: () => expect.unreachable('No SMS provider has tokens.'), refuse: () => {} },
    now: () => new Date('2026-11-22T09:30:00Z'),
    callbackUrl: (reference, purpose) => [CALLBACK_URL, reference, purpose].filter(Boolean).join('/'),
    alarm: (message) => void alarms.push(message),
  }
  const environment = Object.keys(driver.environments)[0]!
  const connection: OpenedConnection = {
    slug: 'sms-1',
    environment,
    hosts,
    settings: driver.settings.parse(settings) as Record<string, unknown>,
  }
  const operations = openBound(driver, connection as OpenedConnection<never>, tools)
  const answer: Opened['answer'] = (...given) => {
    answers = given
  }
  return {
    operations,
    calls,
    alarms,
    answer,
    sendWith(given, changes) {
      answer(given)
      return operations.send({ ...sms, ...changes })
    },
    testWith(given) {
      answer(given)
      return operations.test!()
    },
    read: (callback) =>
      operations.readCallback!({
        method: 'POST',
        path: '',
        query: '',
        headers: {},
        body: '',
        address: null,
        ...callback,
      }),
  }
}

function toAnswer(given: Answer | UnknownOutcome): HttpAnswer | UnknownOutcome {
  if ('outcome' in given) return given
  const { status = 200, body = '', headers = {}, incomplete = null } = given
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { outcome: 'answered', status, headers: new Headers(headers), text, incomplete }
}

/** Return the faults in a connection's settings in this environment. */
export function faultsOf(driver: AnySmsDriver, environment: string, settings: Record<string, unknown>) {
  const parsed = driver.settings.parse(settings) as never
  return driver.checkSettings?.({ slug: 'sms-1', environment, hosts: {}, settings: parsed }, CALLBACK_URL) ?? {}
}

/** Answers that say nothing about an SMS, whoever gives them. */
export const nonsense: readonly [string, Answer | UnknownOutcome][] = [
  ['no answer', { outcome: 'unknown', message: 'The network did not answer: timeout' }],
  ['an HTML page', { status: 200, body: '<html><h1>It works</h1></html>' }],
  ['an HTML page of a proxy', { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' }],
  ['an empty answer', { status: 200 }],
  ['half an answer', { status: 200, body: '{"mess', incomplete: 'The network did not answer: terminated' }],
  ['JSON of another kind', { status: 200, body: { ok: true } }],
  ['a list', { status: 200, body: [] }],
  ['a 500', { status: 500, body: { message: 'Internal server error' } }],
  ['a 503', { status: 503, body: 'Service Unavailable' }],
  ['a 408', { status: 408 }],
  ['a redirect', { status: 302, headers: { location: 'https://example.com/login' } }],
  ['a 404', { status: 404, body: 'not found' }],
]
