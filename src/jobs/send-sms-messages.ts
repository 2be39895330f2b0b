import type { App } from '../app.ts'
import type { SmsConnection } from '../connections/connection.ts'
import { describeSmsConnections, listSmsConnections } from '../connections/sms.ts'
import { callDriver } from '../connections/tools/call-driver.ts'
import { laneOf, type Release, unlimited } from '../connections/tools/index.ts'
import { findEndedRequests } from '../core/collections/sms.ts'
import { holdSms, refuseSms, routeSms } from '../core/sms/attempts.ts'
import {
  type ClaimedSms,
  claimSms,
  type DueSms,
  findOtherQueues,
  lockDueSms,
  nextDueSms,
  type SmsClaim,
  type SmsWant,
} from '../core/sms/claims.ts'
import { smsSuffix } from '../core/sms/message.ts'
import { applySmsUpdates, type SmsUpdate } from '../core/sms/outcomes.ts'
import { permitSms } from '../core/sms/permission.ts'
import { applyEarlyReports, findEarlyReports, shorten } from '../core/sms/reports.ts'
import { begin, beginFrequent, isUnavailable, type Tx } from '../db/client.ts'
import { createBatcher } from '../lib/batches/batch.ts'
import { logEvent } from '../lib/log-events.ts'
import type { Job } from '../lib/loop.ts'
import { rememberFor } from '../lib/remember-for.ts'
import type { SmsReport } from '../senders/contract.ts'
import { callTime, createRequeuing, DirectSms, type SmsCall } from './shared/direct-sms.ts'
import { LEASE_MS } from './shared/lease-times.ts'
import { createSmsSessions, type SmsSessions } from './shared/sms-sessions.ts'
import { findTrace, traced } from './shared/traced.ts'

/**
 * Maximum number of batches routed in one claim while nothing can be sent: SMS for a slow provider must not hide the
 * rest.
 */
const MAX_ROUTED_BATCHES = 10
/** Lifetime of the list of queues without a connection. */
const OTHER_QUEUES_MS = 10_000

/**
 * Sends the SMS of the outbox over the connections of their routes, and makes status queries to those providers that do
 * not report by themselves. If the process is killed after the provider's answer and before the commit, the SMS is sent
 * again: an SMS that arrives twice is better than an SMS that never arrives. A slow provider delays no other: an SMS is
 * claimed only when its connection has a slot for a call.
 */
export function sendSmsMessages(app: App): Job<SmsCall> {
  const sessions = createSmsSessions(app)
  const readOthers = watchOtherQueues(app)
  const settle = createSettler(app, sessions)
  const requeueLost = createRequeuing(app)
  const direct = new DirectSms(app, sessions, {
    leaseEnd: (connection) => leaseEnd(app, connection),
    maySend: (connection) => canSendHere(sessions, connection),
  })
  /** True if SMS may wait for a slot. */
  let waits = true
  const run: Job<SmsCall>['run'] = async (calls, wake) => {
    const results = await Promise.allSettled(
      calls.map(async (call) => {
        const update = await makeCall(app, call).finally(() => {
          call.release()
          if (waits) wake?.()
        })
        if (update) await settle(update)
      }),
    )
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
    const outage = errors.find(isUnavailable)
    if (outage) throw outage
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} of ${calls.length} answers could not be applied.`)
  }
  return {
    name: 'send-sms-messages',
    limit: 100,
    // Calls are limited by the slots of each connection. A further limit would let one provider use up all of it.
    concurrency: Number.POSITIVE_INFINITY,
    async claim(limit) {
      const claimed = waits || !direct.hasCalls() ? await claimCalls(app, sessions, limit, await readOthers()) : []
      return [...direct.takeCalls(), ...claimed]
    },
    async nextDue() {
      await sessions.refresh()
      await requeueLost()
      const all = listSmsConnections(app)
      const free = all.filter(({ slots = unlimited, driver }) => slots.nextFree(laneOf(driver.traits.call_s)) === 0)
      const wants = [...toWants(app, sessions, free, () => 1), ...toRoutingWants(sessions, all, await readOthers(), 1)]
      const due = await nextDueSms(app.db.polling, app.clock.real(), mergeWants(wants))
      waits = due !== null && due <= app.clock.now()
      direct.noteIdle(waits ? [] : free)
      return direct.hasCalls() ? app.clock.now() : due
    },
    next_due_is_complete: true,
    run,
    async close() {
      await direct.close()
      await run(direct.takeCalls()).finally(sessions.close)
    },
  }
}

/** End of the lease of an SMS that is sent over this connection now. */
function leaseEnd(app: App, connection: SmsConnection): Date {
  return new Date(app.clock.real().getTime() + Math.max(LEASE_MS, callTime(connection) + 5_000))
}

/** Reads the connections that SMS wait for and that this process does not have, such as one that was removed. */
function watchOtherQueues(app: App): () => Promise<readonly string[]> {
  return rememberFor(OTHER_QUEUES_MS, app.clock, () =>
    findOtherQueues(app.db, ['', ...listSmsConnections(app).map(({ slug }) => slug)]),
  )
}

function canSendHere(sessions: SmsSessions, { slug, state, operations }: SmsConnection): boolean {
  return state === 'active' && (!operations.openSession || sessions.isOpenHere(slug))
}

/** Returns the claims for sending and status queries over these connections. */
function toWants(
  app: App,
  sessions: SmsSessions,
  connections: readonly SmsConnection[],
  slots: (connection: SmsConnection) => number,
): SmsClaim[] {
  return connections.flatMap((connection): SmsClaim[] => {
    const may_send = canSendHere(sessions, connection)
    if (!may_send && !connection.operations.report) return []
    const lease_end = leaseEnd(app, connection)
    return [{ connection: connection.slug, slots: slots(connection), states: may_send ? 'all' : 'sent', lease_end }]
  })
}

/** Returns the claims for SMS that need a route: those that have none, and those whose connection cannot send now. */
function toRoutingWants(
  sessions: SmsSessions,
  connections: readonly SmsConnection[],
  others: readonly string[],
  slots: number,
): SmsWant[] {
  const { routes } = describeSmsConnections(connections, sessions.open())
  const weak = routes.filter((route) => !route.is_usable || route.is_degraded).map(({ slug }) => slug)
  return [
    ...['', ...weak].map((connection): SmsWant => ({ connection, slots, states: 'waiting' })),
    ...others.map((connection): SmsWant => ({ connection, slots, states: 'all' })),
  ]
}

/** Each connection once, with everything that is wanted of it. */
function mergeWants(wants: readonly SmsWant[]): SmsWant[] {
  const merged = new Map<string, SmsWant>()
  for (const want of wants) {
    const known = merged.get(want.connection)
    merged.set(want.connection, known && known.states !== want.states ? { ...want, states: 'all' } : want)
  }
  return [...merged.values()]
}

/**
 * Takes slots, claims SMS that wait for their connections, then new ones with their routes, and gives back the unused
 * slots. A degraded connection gets its try before its SMS are given to others.
 */
async function claimCalls(
  app: App,
  sessions: SmsSessions,
  limit: number,
  others: readonly string[],
): Promise<SmsCall[]> {
  const connections = listSmsConnections(app)
  const taken = new Map(connections.map((one) => [one.slug, { connection: one, slots: takeSlots(one, limit) }]))
  const toCall = (sms: ClaimedSms): SmsCall => {
    const { connection, slots } = taken.get(sms.connection)!
    return { sms, connection, release: slots.pop()! }
  }
  try {
    const claimed = await beginFrequent(app.db, (tx) => {
      const slotsOf = ({ slug }: SmsConnection) => taken.get(slug)!.slots.length
      return claimForSlots(tx, app, sessions, { connections, limit, others, slotsOf })
    })
    // Only now: a transaction that is undone begins anew, with all slots.
    return claimed.map(toCall)
  } finally {
    for (const { slots } of taken.values()) for (const release of slots) release(false)
  }
}

/** Slots that this process has taken, and the connections whose SMS may get a route. */
interface FreeSlots {
  connections: readonly SmsConnection[]
  limit: number
  others: readonly string[]
  slotsOf(connection: SmsConnection): number
}

/** Claims SMS, first those of connections, then new ones with their routes, as many as there are slots. */
async function claimForSlots(tx: Tx, app: App, sessions: SmsSessions, free: FreeSlots): Promise<ClaimedSms[]> {
  const { connections, limit, others, slotsOf } = free
  const claimed: ClaimedSms[] = []
  const unused = (one: SmsConnection) =>
    slotsOf(one) - claimed.filter(({ connection }) => connection === one.slug).length
  const freeSlots = () => toWants(app, sessions, connections, unused).filter(({ slots }) => slots > 0)
  claimed.push(...(await claimWanted(tx, app, freeSlots())))
  for (let batch = 0; batch < MAX_ROUTED_BATCHES; batch += 1) {
    const wants = toRoutingWants(sessions, connections, others, limit)
    const routed = await routeWanted(tx, app, sessions, wants, freeSlots())
    claimed.push(...routed.claimed)
    if (routed.count > routed.claimed.length) claimed.push(...(await claimWanted(tx, app, freeSlots())))
    if (routed.count === 0 || claimed.length > 0) break
  }
  return claimed
}

function takeSlots({ slots = unlimited, driver }: SmsConnection, limit: number): Release[] {
  const taken: Release[] = []
  while (taken.length < limit) {
    const release = slots.tryAcquire(laneOf(driver.traits.call_s))
    if (!release) break
    taken.push(release)
  }
  return taken
}

/** Chooses routes for SMS without one, and claims those for which there are slots. `count`: the number of all. */
async function routeWanted(
  tx: Tx,
  app: App,
  sessions: SmsSessions,
  wants: readonly SmsWant[],
  claims: readonly SmsClaim[],
): Promise<{ claimed: ClaimedSms[]; count: number }> {
  const now = app.clock.now()
  const due = await lockDueSms(tx, { now, real: app.clock.real() }, wants, smsSuffix(app.config.SERVICE_NAME))
  const { routes } = describeSmsConnections(listSmsConnections(app), sessions.open())
  // A provider that is not connected any more cannot be asked.
  holdSms(
    tx,
    due
      .filter(({ state }) => state !== 'waiting')
      .map(({ id, organization }) => ({ id, organization, due_at: null, counted: false })),
  )
  const waiting = due.filter(({ state }) => state === 'waiting')
  const allowed = await keepAllowed(tx, now, waiting, false)
  const sending = claims.filter(({ states }) => states === 'all')
  return { claimed: await routeSms(tx, now, allowed, routes, sending), count: due.length }
}

/** Claims SMS. Those that must not be sent, or not now, are ended or wait. */
async function claimWanted(tx: Tx, app: App, claims: readonly SmsClaim[]): Promise<ClaimedSms[]> {
  const now = app.clock.now()
  const claimed = await claimSms(tx, { now, real: app.clock.real() }, claims)
  const waiting = claimed.filter(({ state }) => state === 'waiting')
  const allowed = await keepAllowed(tx, now, waiting, true)
  return [...allowed, ...claimed.filter(({ state }) => state !== 'waiting')]
}

/** Ends SMS that must not be sent, and lets those wait that must not be sent now. Returns the others. */
async function keepAllowed<Sms extends DueSms>(
  tx: Tx,
  now: Date,
  waiting: readonly Sms[],
  counted: boolean,
): Promise<Sms[]> {
  if (waiting.length === 0) return []
  const { allowed, refused, held } = await permitSms(tx, now, waiting, counted, (ids) => findEndedRequests(tx, ids))
  refuseSms(tx, refused)
  holdSms(tx, held)
  return allowed
}

/**
 * Makes the call that an SMS needs now. If its lease has ended another process may have claimed it, so nothing is sent and
 * nothing is returned.
 */
async function makeCall(app: App, { sms, connection, release }: SmsCall): Promise<SmsUpdate | undefined> {
  const { id, collection_request, reference } = sms
  // Looked up before the lease is checked, because nothing may delay the call after that.
  const parent = await findTrace(app, collection_request)
  if (sms.leased_until <= app.clock.real() || reference === null) {
    release(false)
    return undefined
  }
  const started = performance.now()
  const attributes = { 'kusanya.sms': id, 'kusanya.connection': connection.slug }
  return traced(app, { name: 'sms_call', collection_request, parent, attributes }, async (span) => {
    const update = await callProvider(app, { ...sms, reference }, connection)
    const { outcome } = update
    span?.set({ 'kusanya.outcome': outcome })
    const duration_ms = Math.round(performance.now() - started)
    logEvent(app.log, 'sms_called', { collection_request, sms: id, connection: connection.slug, outcome, duration_ms })
    return update
  })
}

/** Sends an SMS, or asks its provider about it. */
async function callProvider(
  app: App,
  sms: ClaimedSms & { reference: string },
  connection: SmsConnection,
): Promise<SmsUpdate> {
  const { id, collection_request, reference, remote_id, phonenumber, body, sender_id: sender, valid_until } = sms
  const attempt = { sms: id, reference }
  const caller = { log: app.log, sms: id }
  const can_ask = connection.operations.report !== undefined
  // After an unknown outcome the provider is asked first, where that is possible.
  if (sms.state !== 'waiting' && !can_ask) return { ...attempt, outcome: 'nothing', source: 'status' }
  if (can_ask && (sms.state !== 'waiting' || sms.outcome === 'unknown')) {
    const sent = sms.started && { sent: sms.started }
    const asked = { reference, remote_id, phonenumber, body, ...sent }
    const report = await callDriver(caller, connection, 'report', asked)
    // An error of the driver counts as one try of this SMS.
    if (report && 'outcome' in report) return { ...attempt, source: 'reply', ...report }
    if (report) return toStatus(attempt, report)
    if (sms.state !== 'waiting') return { ...attempt, outcome: 'nothing', source: 'status' }
  }
  const valid_s = Math.max(60, Math.floor((valid_until.getTime() - app.clock.now().getTime()) / 1_000))
  const outgoing = { id, reference, phonenumber, body, sender, valid_s, collection_request }
  const answer = await callDriver(caller, connection, 'send', outgoing)
  return { ...attempt, source: 'reply', ...answer, ...storable(answer) }
}

function toStatus(attempt: Pick<SmsUpdate, 'sms' | 'reference'>, { sms: _, state, ...report }: SmsReport): SmsUpdate {
  return { ...report, ...attempt, outcome: state, source: 'status', ...storable(report) }
}

/** The texts of a provider, as they can be stored. */
function storable(said: { message?: string; code?: string; remote_id?: string }) {
  return { message: shorten(said.message), code: shorten(said.code), remote_id: shorten(said.remote_id) }
}

/** Stores the answers that come within the same milliseconds in one transaction. */
function createSettler(app: App, sessions: SmsSessions) {
  return createBatcher<SmsUpdate, void>({
    async flush(updates) {
      const now = app.clock.now()
      const connections = describeSmsConnections(listSmsConnections(app), sessions.open())
      await beginFrequent(app.db, (tx) => applySmsUpdates(tx, now, updates, connections))
      await applyEarly(app, updates, connections)
      app.wake('sms_answered')
      return updates.map(() => ({ ok: true, value: undefined }))
    },
    max_items: app.config.BATCH_MOST,
    mayRetry: (error) => !isUnavailable(error),
    onRepeat(error, size) {
      if (size > 1) logEvent(app.log, 'batch_failed', { size, error })
    },
  })
}

/** Reports may have come before the ids that they name. */
async function applyEarly(
  app: App,
  updates: readonly SmsUpdate[],
  connections: ReturnType<typeof describeSmsConnections>,
): Promise<void> {
  const named = updates.filter(({ remote_id }) => remote_id !== undefined).map(({ reference }) => reference)
  if (named.length === 0) return
  const ids = await findEarlyReports(app.db, named)
  if (ids.length === 0) return
  await begin(app.db, (tx) => applyEarlyReports(tx, app.clock.now(), ids, connections))
}
