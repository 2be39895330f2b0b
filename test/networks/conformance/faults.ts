import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OrderKind } from '../../../src/networks/contract.ts'
import type { FaultBody } from '../../../src/simulator/faults.ts'
import { makeOrder } from './orders.ts'
import type { Rig } from './rig.ts'
import { type ConformanceSubject, newOrder, ORDER_KINDS, traitsOf } from './subject.ts'

type FaultKind = FaultBody['kind']

/** Time limit of a call whose answer never comes. By then the network has the order. */
const NO_ANSWER_S = 1

/** Faults that may hit any call. */
const TROUBLES: readonly { kind: FaultKind; taken: boolean }[] = [
  { kind: 'no_answer', taken: true },
  { kind: 'hang_up_before', taken: false },
  { kind: 'hang_up_after', taken: true },
  { kind: 'error_500', taken: false },
  { kind: 'error_500', taken: true },
  { kind: 'html', taken: false },
  { kind: 'html', taken: true },
  { kind: 'empty', taken: false },
  { kind: 'empty', taken: true },
  { kind: 'truncated', taken: true },
  { kind: 'rate_limited', taken: false },
  { kind: 'rate_limited_retry_after', taken: false },
]
/** Faults tried with other calls than a charge: a lost answer, and one that says nothing. */
const REPRESENTATIVES = TROUBLES.filter(
  ({ kind, taken }) => (kind === 'hang_up_after' && taken) || (kind === 'error_500' && !taken),
)
const named = (faults: typeof TROUBLES) =>
  faults.map((one) => [`${one.kind}${one.taken ? ', and the network did it' : ''}`, one] as const)

/** Faults of each kind of call by itself. What is not known stays unknown, and is found out later. */
export function testFaults(subject: ConformanceSubject, rig: () => Rig, kinds: readonly OrderKind[]): void {
  const verb = (usual: string) => subject.verbs?.[usual] ?? usual
  const fault = (body: Omit<FaultBody, 'door'>) => {
    if (body.kind === 'no_answer' && body.verb) rig().limits.set(body.verb, NO_ANSWER_S)
    rig().simulator.faults.add({ door: subject.door.code, ...body })
  }
  afterEach(() => {
    rig().simulator.faults.clear()
    rig().limits.clear()
  })
  const phone = subject.place.phone('000002')

  for (const kind of ORDER_KINDS.filter((one) => kinds.includes(one))) {
    describe(`faults of a ${kind}`, () => testOrderCalls(subject, rig, kind, { verb, fault, phone }))
    describe(`faults of the status of a ${kind}`, () => testStatusCalls(subject, rig, kind, { verb, fault, phone }))
  }
  describe('faults of a token', () => testTokens(subject, rig, { verb, fault, phone }))
  describe('faults of the account holder', () => testHolder(subject, rig, { verb, fault, phone }))
}

interface Means {
  verb(usual: string): string
  fault(body: Omit<FaultBody, 'door'>): void
  phone: string
}

function testOrderCalls(subject: ConformanceSubject, rig: () => Rig, kind: OrderKind, means: Means): void {
  const traits = traitsOf(subject, kind)
  // Other tests end tokens. With a token that has ended, the network would not do what the first call asks.
  beforeAll(async () => {
    await rig().send(kind, await makeOrder(subject, rig(), kind, means.phone))
    await rig().advance(subject.ends_after_s ?? 2)
  })

  it.each(named(kind === 'charge' ? TROUBLES : REPRESENTATIVES))('%s', async (_, { kind: wrong, taken }) => {
    const order = await makeOrder(subject, rig(), kind, means.phone)
    means.fault({ kind: wrong, taken, verb: means.verb(kind) })
    const answer = await rig().send(kind, order)
    // If a status line alone is the network's answer, an empty body hides nothing.
    const allowed = taken && (wrong === 'empty' || wrong === 'truncated') ? ['unknown', 'accepted'] : ['unknown']
    expect(allowed, JSON.stringify(answer)).toContain(answer.outcome)
    await rig().advance((subject.ends_after_s ?? 2) + traits.in_flight_s)
    if (traits.asked_by === 'remote_id' && order.remote_id === null) return
    const found = await rig().ask(kind, order)
    if (taken) expect(found).toMatchObject({ outcome: 'successful' })
    else expect(['not_found', 'unknown'], JSON.stringify(found)).toContain(found.outcome)
    if (!taken && traits.unseen === 'certain') expect(found).toEqual({ outcome: 'not_found' })
  })

  it('a token that expires in the middle costs one more call', async () => {
    const order = await makeOrder(subject, rig(), kind, means.phone)
    means.fault({ kind: 'token_expired', verb: means.verb(kind) })
    const before = rig().tools.token_fetches
    const answer = await rig().send(kind, order)
    expect(['accepted', 'successful'], JSON.stringify(answer)).toContain(answer.outcome)
    expect(rig().tools.token_fetches - before).toBeLessThanOrEqual(1)
  })

  it('tokens that never work send no order, after one repetition', async () => {
    const order = await makeOrder(subject, rig(), kind, means.phone)
    const calls = () => rig().simulator.calls(subject.door.code).get(means.verb(kind)) ?? 0
    const before = calls()
    const alarms = rig().tools.alarms.length
    means.fault({ kind: 'token_expired', verb: means.verb(kind), times: 100 })
    const answer = await rig().send(kind, order)
    if (rig().tools.token_fetches > 0) {
      expect(answer).toMatchObject({ outcome: 'failed', reason: 'unreachable' })
      expect(calls() - before).toBe(2)
      expect(rig().tools.alarms.length - alarms).toBeGreaterThan(0)
    }
  })
}

function testStatusCalls(subject: ConformanceSubject, rig: () => Rig, kind: OrderKind, means: Means): void {
  const traits = traitsOf(subject, kind)
  it.each(named(kind === 'charge' ? TROUBLES : REPRESENTATIVES))('%s', async (_, { kind: wrong, taken }) => {
    const order = await makeOrder(subject, rig(), kind, means.phone)
    await rig().send(kind, order)
    await rig().advance(subject.ends_after_s ?? 2)
    means.fault({ kind: wrong, taken, verb: means.verb(`${kind} status`) })
    const answer = await rig().ask(kind, order)
    // A question that arrived may be answered by callback although its reply was lost.
    const allowed = traits.answers === 'by-callback' && taken ? ['unknown', 'successful'] : ['unknown']
    expect(allowed, JSON.stringify(answer)).toContain(answer.outcome)
    expect(await rig().ask(kind, order)).toMatchObject({ outcome: 'successful' })
  })
}

function testTokens(subject: ConformanceSubject, rig: () => Rig, means: Means): void {
  it.each(named(REPRESENTATIVES))('%s', async (_, { kind: wrong, taken }) => {
    const { operations, tools } = rig().reopen()
    const order = newOrder(subject, means.phone)
    means.fault({ kind: wrong, taken, verb: means.verb('token') })
    const charges = () => rig().simulator.calls(subject.door.code).get(means.verb('charge')) ?? 0
    const before = charges()
    const answer = await rig().send('charge', order, operations)
    if (tools.token_fetches === 0) return
    // Without a token the charge does not leave. A driver may say so: then it certainly has not happened.
    if (answer.outcome === 'failed') expect([answer.reason, charges() - before]).toEqual(['unreachable', 0])
    else expect(answer).toMatchObject({ outcome: 'unknown' })
    const again = await rig().send('charge', newOrder(subject, means.phone), operations)
    expect(again).toMatchObject({ outcome: 'accepted' })
    await rig().advance(subject.ends_after_s ?? 2)
  })

  it.each([7_200, -7_200])('a clock that is wrong by %i seconds', async (seconds) => {
    means.fault({ kind: 'clock_skew', seconds })
    const { operations } = rig().reopen()
    const order = newOrder(subject, means.phone)
    expect(await rig().send('charge', order, operations)).toMatchObject({ outcome: 'accepted' })
    await rig().advance(subject.ends_after_s ?? 2)
    expect(await rig().ask('charge', order, operations)).toMatchObject({ outcome: 'successful' })
  })

  it('a clock that jumps while tokens are valid', async () => {
    const { operations } = rig().reopen()
    const first = newOrder(subject, means.phone)
    expect(await rig().send('charge', first, operations)).toMatchObject({ outcome: 'accepted' })
    await rig().advance(subject.ends_after_s ?? 2)
    means.fault({ kind: 'clock_skew', seconds: 80_000 })
    const second = newOrder(subject, means.phone)
    expect(await rig().send('charge', second, operations)).toMatchObject({ outcome: 'accepted' })
    await rig().advance(subject.ends_after_s ?? 2)
  })

  it('two hundred orders at once use one token call', async () => {
    const { operations, tools } = rig().reopen(60)
    const calls = () => rig().simulator.calls(subject.door.code).get(means.verb('token')) ?? 0
    const before = calls()
    // Every order has its own phone, because some networks show one prompt at a time.
    const orders = Array.from({ length: 200 }, (_, index) =>
      newOrder(subject, subject.place.phone(String(300_000 + index))),
    )
    const answers = await Promise.all(orders.map((order) => rig().send('charge', order, operations)))
    expect(answers.filter(({ outcome }) => outcome !== 'accepted')).toEqual([])
    expect(tools.token_fetches).toBeLessThanOrEqual(1)
    expect(calls() - before).toBe(tools.token_fetches)
    await rig().advance(subject.ends_after_s ?? 2)
  })
}

function testHolder(subject: ConformanceSubject, rig: () => Rig, means: Means): void {
  it.each(named(REPRESENTATIVES))('%s', async (_, { kind: wrong, taken }) => {
    if (!rig().operations.accountHolder) return
    means.fault({ kind: wrong, taken, verb: means.verb('account holder') })
    expect(await rig().operations.accountHolder!(means.phone)).toMatchObject({ outcome: 'unknown' })
    expect(await rig().operations.accountHolder!(means.phone)).toMatchObject({ outcome: 'found' })
  })

  it('none: knows whether an account exists', async () => {
    const { accountHolder } = rig().operations
    if (!accountHolder) return
    expect(await accountHolder(subject.place.phone('000401'))).toEqual({ outcome: 'not_found' })
    expect(await accountHolder(subject.place.phone('000403'))).toMatchObject({ outcome: 'found' })
    expect(await accountHolder(subject.place.phone('000404'))).toMatchObject({ outcome: 'unknown' })
  })
}
