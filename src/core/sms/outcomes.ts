import type { Tx } from '../../db/client.ts'
import { writeArray } from '../../db/column-types.ts'
import { rows } from '../../db/rows.ts'
import type { Row } from '../../db/table.ts'
import type { SmsFailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { prepareText } from '../../lib/sms-text.ts'
import { nextAttemptAt, retrySchedules } from '../retry-schedules.ts'
import { type StartedSms, startSmsAttempts, toRouteQuery } from './attempts.ts'
import { type SmsPurpose, type SmsState, smsTable } from './message.ts'
import {
  type Outcome,
  providerId,
  readProviders,
  type SmsProvider,
  type StoredProvider,
  storeProviders,
} from './providers.ts'
import { type ChosenRoute, chooseRoute, type RouteConnection, readRoutePlan } from './routes.ts'
import { bookSmsCosts, type CostChange, changeUsage, type UsageChange } from './usage.ts'

/** Report of a provider about an SMS that it was given. */
export interface SmsUpdate {
  sms: number
  /** The reference of the attempt. */
  reference: string
  /** `nothing`: the provider was asked, and knows no more than before. */
  outcome: Outcome | 'nothing'
  /** Source: `reply` to the sending, answer to a `status` query, or `report` of the provider. */
  source: 'reply' | 'status' | 'report'
  reason?: SmsFailureReason | undefined
  code?: string | undefined
  message?: string | undefined
  /** True if another try at this provider may succeed. Replies only. */
  retry?: boolean
  retry_after_s?: number | undefined
  remote_id?: string | undefined
  parts?: number | undefined
  cost?: { amount: Amount; currency: string } | undefined
  at?: Date | undefined
}

/** Facts about the connections that core needs to decide the next step. */
export interface SmsConnections {
  routes: readonly RouteConnection[]
  /** True if the connection's provider supports status queries for an SMS. */
  canAsk(slug: string): boolean
}

/** An SMS whose state changed. */
export interface ChangedSms {
  id: number
  organization: number
  collection_request: number | null
  purpose: SmsPurpose
  before: SmsState
  state: SmsState
}

const lockedSms = smsTable.omit(
  'bill_purchase',
  'payment_recipient',
  'number',
  'stored_parts',
  'transactional',
  'connection',
  'sender_id',
  'encoding',
  'created',
  'valid_until',
  'provider_ids',
)
type LockedSms = Omit<Row<typeof lockedSms>, 'providers'> & { valid_until: Date; providers: LockedProvider[] }

/** A provider of a locked SMS. The number of its attempt is its place among them. */
interface LockedProvider extends SmsProvider {
  attempt: number
}

/** Changes from the updates of one transaction. */
interface Changes {
  started: StartedSms[]
  usage: UsageChange[]
  costs: CostChange[]
}

/** Reasons for which no other provider would reach the phone either. */
const FINAL_REASONS: ReadonlySet<string> = new Set<SmsFailureReason>(['invalid_number', 'opted_out', 'too_long'])
/** Maximum wait for a throttling provider; above it, the second route takes over. */
const MAX_THROTTLE_S = 60
const DEFAULT_THROTTLE_S = 10

/**
 * Stores the reports of providers about SMS, and decides the next steps. Reports come late, twice and out of order, so
 * each has one right effect. A delivered SMS stays delivered. A failure of an earlier provider changes nothing any
 * more. The same words are stored once. An SMS that failed or had no answer goes over the second route, once.
 * @returns the SMS whose state changed
 */
export async function applySmsUpdates(
  tx: Tx,
  now: Date,
  updates: readonly SmsUpdate[],
  connections: SmsConnections,
): Promise<ChangedSms[]> {
  if (updates.length === 0) return []
  const ids = [...new Set(updates.map(({ sms }) => sms))]
  const messages = await lockMessages(tx, ids)
  const by_reference = new Map(
    [...messages.values()].flatMap((sms) =>
      sms.providers.map((attempt) => [attempt.reference, { sms, attempt }] as const),
    ),
  )
  const organizations = [...messages.values()].map(({ organization }) => organization)
  // Nothing else may go over a second route.
  const has_failures = updates.some(({ outcome }) => outcome === 'failed' || outcome === 'unknown')
  const plan = await readRoutePlan(tx, has_failures ? organizations : [])
  const changes: Changes = { started: [], usage: [], costs: [] }
  const before = new Map([...messages.values()].map(({ id, state }) => [id, state]))
  for (const one of updates) {
    const named = by_reference.get(one.reference)
    if (!named) continue
    const { sms, attempt } = named
    const used = sms.providers.map(({ connection }) => connection)
    const chooseSecond = (): ChosenRoute | undefined => {
      if (sms.route_attempt !== 1 || sms.valid_until <= now || sms.body === '') return undefined
      const route = chooseRoute(plan, connections.routes, toRouteQuery(sms, used))
      return route === 'waits' ? undefined : route
    }
    noteFacts(sms, attempt, one, changes)
    decide(sms, attempt, one, { now, changes, chooseSecond, can_ask: connections.canAsk(attempt.connection) })
  }
  store(tx, [...messages.values()], changes)
  await startSmsAttempts(tx, now, plan, changes.started)
  return [...messages.values()].flatMap((sms) => {
    const { id, organization, collection_request, purpose, state } = sms
    const earlier = before.get(id)!
    return earlier === state ? [] : [{ id, organization, collection_request, purpose, before: earlier, state }]
  })
}

/** Notes ids, lengths and costs, which may come with any report. */
function noteFacts(sms: LockedSms, attempt: LockedProvider, update: SmsUpdate, { costs, usage }: Changes): void {
  const { organization } = sms
  const month = attempt.month ?? undefined
  if (update.remote_id !== undefined) attempt.remote_id = update.remote_id
  const { parts = attempt.parts, cost } = update
  if (parts !== attempt.parts && parts >= 1 && parts <= MAX_PARTS) {
    if (month) usage.push({ organization, month, messages: 0, parts: parts - attempt.parts })
    attempt.parts = parts
    if (attempt.attempt === sms.attempt) sms.parts = parts
  }
  if (!cost || !isPlausible(cost) || (attempt.cost === cost.amount && attempt.currency === cost.currency)) return
  const place = { organization, month: month ?? attempt.month ?? '', connection: attempt.connection }
  if (month) {
    if (attempt.cost !== null) costs.push({ ...place, currency: attempt.currency!, messages: -1, cost: -attempt.cost })
    costs.push({ ...place, currency: cost.currency, messages: 1, cost: cost.amount })
  }
  // Costs in two currencies have no sum: the last one is shown.
  const others = sms.currency === cost.currency ? (sms.cost ?? 0n) - (attempt.cost ?? 0n) : 0n
  sms.cost = others + cost.amount
  sms.currency = cost.currency
  attempt.cost = cost.amount
  attempt.currency = cost.currency
}

/** Maximum number of status queries about an SMS for its price alone. */
const MAX_PRICE_QUERIES = 2
/** Maximum number of parts: more than any network carries. */
const MAX_PARTS = 255
const MAX_COST: Amount = 1_000_000_000n * 10_000n

/** True if a cost is plausible: nonsense from a provider must not block the rest of its report. */
function isPlausible({ amount, currency }: { amount: Amount; currency: string }): boolean {
  return amount >= 0n && amount <= MAX_COST && /^[A-Z]{3}$/.test(currency)
}

interface Decision {
  now: Date
  changes: Changes
  chooseSecond(): ChosenRoute | undefined
  can_ask: boolean
}

function decide(sms: LockedSms, attempt: LockedProvider, update: SmsUpdate, decision: Decision): void {
  const { outcome, source } = update
  if (outcome === 'nothing') {
    if (sms.state === 'sent') releaseUntilNextStatusQuery(sms, decision, 1)
    else if (sms.state === 'delivered') releaseDelivered(sms, attempt, decision, 1)
    return
  }
  // A repeated report is not stored again, so that no provider fills the row.
  if (source === 'reply' || attempt.answers.every((answer) => answer.outcome !== outcome)) {
    const { reason = null, code = null, message = null } = update
    attempt.answers.push({ at: decision.now, source, outcome, reason, code, message })
  }
  const is_newest = attempt.attempt === sms.attempt
  const earlier = attempt.outcome
  if (isLater(earlier, outcome, update.source)) attempt.outcome = outcome
  if (outcome === 'delivered') {
    setDelivered(sms, attempt, update, decision)
    return
  }
  // A delivered SMS stays delivered; an earlier provider knows nothing about the newest attempt.
  if (sms.state === 'delivered' || !is_newest) return
  if (source === 'reply' && sms.state !== 'waiting') return
  if (sms.state === 'failed') return
  if (outcome === 'sent') {
    if (earlier !== 'failed' || source === 'reply') setSent(sms, attempt, source, decision)
    return
  }
  // A person sends it again, and it has no new route yet: what the last provider says is about the attempt before.
  if (sms.route_attempt === 0) return
  setFailedOrNext(sms, attempt, { ...update, outcome }, decision)
}

function setSent(sms: LockedSms, attempt: LockedProvider, source: SmsUpdate['source'], decision: Decision): void {
  if (sms.state === 'sent' && source === 'report') return
  Object.assign(sms, { state: 'sent', sender: attempt.connection, remote_id: attempt.remote_id })
  Object.assign(sms, { sent_at: sms.sent_at ?? decision.now, reason: null, code: null, last_error: null })
  releaseUntilNextStatusQuery(sms, decision, source === 'status' ? 1 : 0)
}

/** Releases an SMS until its next status query, if the provider can be asked. There are a few of them. */
function releaseUntilNextStatusQuery(sms: LockedSms, { now, can_ask }: Decision, asked: 0 | 1): void {
  sms.status_queries += asked
  release(sms, can_ask ? nextAttemptAt(now, retrySchedules.sms_report, sms.status_queries + 1) : null)
}

/** True if an outcome replaces the earlier one of the same attempt. */
function isLater(earlier: Outcome | null, outcome: Outcome, source: SmsUpdate['source']): boolean {
  if (earlier === 'delivered') return false
  if (outcome === 'delivered') return true
  if (outcome === 'unknown') return earlier !== 'sent'
  return outcome === 'failed' || earlier !== 'failed' || source === 'reply'
}

function setDelivered(sms: LockedSms, attempt: LockedProvider, update: SmsUpdate, decision: Decision): void {
  const { now } = decision
  const asked = update.source === 'status' ? 1 : 0
  if (sms.state === 'delivered') {
    if (asked === 1) releaseDelivered(sms, attempt, decision, 1)
    return
  }
  const at = update.at && update.at < now ? update.at : now
  Object.assign(sms, { state: 'delivered', delivered_at: at, sent_at: sms.sent_at ?? at })
  Object.assign(sms, { reason: null, code: null, last_error: null })
  releaseDelivered(sms, attempt, decision, asked)
}

/** Releases a delivered SMS. Some providers tell the price only when they are asked after the delivery. */
function releaseDelivered(sms: LockedSms, attempt: LockedProvider, { now, can_ask }: Decision, asked: 0 | 1): void {
  sms.status_queries += asked
  const asks_price = can_ask && attempt.cost === null && sms.status_queries < MAX_PRICE_QUERIES
  release(sms, asks_price ? nextAttemptAt(now, retrySchedules.sms_report, sms.status_queries + 1) : null)
}

/** The second route, another try, or the end. */
function setFailedOrNext(
  sms: LockedSms,
  attempt: LockedProvider,
  update: SmsUpdate & { outcome: 'failed' | 'unknown' },
  { now, changes, chooseSecond }: Decision,
): void {
  const { outcome, reason, message, retry = outcome === 'unknown', source } = update
  Object.assign(sms, { sender: attempt.connection, reason: reason ?? null, code: update.code ?? null })
  sms.last_error = message ?? reason ?? getMessage('sms.not_delivered')
  const wait_s = reason === 'throttled' && retry ? (update.retry_after_s ?? DEFAULT_THROTTLE_S) : undefined
  if (wait_s !== undefined && wait_s <= MAX_THROTTLE_S && sms.valid_until > now) {
    // The provider says that it did not take the SMS. That does not count as an attempt.
    sms.attempts = Math.max(0, sms.attempts - 1)
    release(sms, new Date(now.getTime() + wait_s * 1_000))
    return
  }
  const second = FINAL_REASONS.has(reason ?? '') ? undefined : chooseSecond()
  if (outcome === 'failed' && source === 'reply' && (second || !retry)) dropUsage(sms, attempt, changes)
  if (second) {
    sms.state = 'waiting'
    changes.started.push({
      id: sms.id,
      organization: sms.organization,
      attempt: sms.attempt,
      route_attempt: 2,
      route: second,
      body: prepareText(sms.body + (sms.suffix ?? '')),
      suffix: sms.suffix,
    })
    release(sms, now)
    return
  }
  const scheduled = source === 'reply' && retry ? nextAttemptAt(now, retrySchedules.sms, sms.attempts) : null
  const requested = update.retry_after_s === undefined ? null : new Date(now.getTime() + update.retry_after_s * 1_000)
  const next = scheduled && requested && requested > scheduled ? requested : scheduled
  const is_over = next === null || next >= sms.valid_until
  sms.state = is_over ? outcome : 'waiting'
  if (is_over && outcome === 'failed' && source === 'reply' && retry) dropUsage(sms, attempt, changes)
  release(sms, is_over ? null : next)
}

/** A provider that refused an SMS did not send it. */
function dropUsage({ organization }: LockedSms, attempt: LockedProvider, { usage }: Changes): void {
  if (attempt.month === null) return
  usage.push({ organization, month: attempt.month, messages: -1, parts: -attempt.parts })
  attempt.month = null
}

function release(sms: LockedSms, due_at: Date | null): void {
  sms.due_at = due_at
  sms.leased_until = null
}

async function lockMessages(tx: Tx, ids: readonly number[]): Promise<Map<number, LockedSms>> {
  const locked = await tx<(Omit<LockedSms, 'providers'> & { providers: StoredProvider[] })[]>`
    select ${lockedSms.columns}, coalesce(valid_until, created + interval '1 day') as valid_until
    from sms_messages where id = any(${[...ids]}::bigint[]) order by id for update`
  return new Map(
    locked.map(({ providers, ...sms }) => [
      sms.id,
      {
        ...sms,
        providers: readProviders(sms.id, providers).map((provider, index) => ({ ...provider, attempt: index + 1 })),
      },
    ]),
  )
}

function store(tx: Tx, messages: readonly LockedSms[], { usage, costs }: Changes): void {
  const m = rows(messages, {
    id: 'bigint',
    organization: 'bigint',
    state: 'text',
    sender: 'text',
    attempts: 'integer',
    status_queries: 'integer',
    remote_id: 'text',
    reason: 'text',
    code: 'text',
    last_error: 'text',
    parts: 'integer',
    cost: 'numeric',
    currency: 'text',
    sent_at: 'timestamptz',
    delivered_at: 'timestamptz',
    due_at: 'timestamptz',
    leased_until: 'timestamptz',
    providers: ['json', ({ providers }) => storeProviders(providers.map(({ attempt: _, ...provider }) => provider))],
    provider_ids: ['text', ({ providers }) => idsOf(providers)],
  })
  tx.send`
    update sms_messages t set queue = case when m.due_at is null then t.queue else t.connection end,
      provider_ids = m.provider_ids::text[], ${m.assignments('m', 'id', 'organization', 'provider_ids')}
    from ${m.as('m')} where t.id = m.id and t.organization = m.organization`
  changeUsage(tx, usage)
  bookSmsCosts(tx, costs)
}

/** The ids of providers by which reports find an SMS, as PostgreSQL writes an array; null for none. */
function idsOf(providers: readonly SmsProvider[]): string | null {
  const ids = providers.flatMap(({ connection, remote_id }) =>
    remote_id === null ? [] : providerId(connection, remote_id),
  )
  return ids.length === 0 ? null : writeArray(ids)
}
