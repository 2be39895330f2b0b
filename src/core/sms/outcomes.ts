import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import type { SmsFailureReason } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import type { Amount } from '../../lib/money.ts'
import { prepareText } from '../../lib/sms-text.ts'
import { nextAttemptAt, retrySchedules } from '../retry-schedules.ts'
import { type Outcome, type StartedSms, type smsAttemptTable, startSmsAttempts, toRouteQuery } from './attempts.ts'
import { type SmsPurpose, type SmsState, smsTable } from './message.ts'
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
  'transactional',
  'connection',
  'sender_id',
  'encoding',
  'created',
  'valid_until',
)
type LockedSms = Row<typeof lockedSms> & { valid_until: Date }

interface LockedAttempt extends Omit<Row<typeof smsAttemptTable>, 'sender_id' | 'month' | 'created'> {
  /** `YYYY-MM-DD`. */
  month: string | null
  /** The outcomes that were stored as answers. */
  said: Outcome[]
}

const answerTable = table('sms_answers', {
  sms_attempt: column.bigint().key(),
  id: column.id(),
  at: column.timestamptz(),
  source: column.text<SmsUpdate['source']>(),
  outcome: column.text<Outcome>(),
  reason: column.text().nullable(),
  code: column.text().nullable(),
  message: column.text().nullable(),
})

type Answer = Pick<SmsUpdate, 'reason' | 'code' | 'message' | 'source'> & { sms_attempt: number; outcome: Outcome }

/** Changes from the updates of one transaction. */
interface Changes {
  answers: Answer[]
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
  // The statements run in this order: the attempts are read under the locks.
  const [messages, found] = await Promise.all([lockMessages(tx, ids), readAttempts(tx, ids)])
  const attempts = found.filter(({ sms_message }) => messages.has(sms_message))
  const by_reference = new Map(attempts.map((attempt) => [attempt.reference, attempt]))
  const organizations = [...messages.values()].map(({ organization }) => organization)
  // Nothing else may go over a second route.
  const has_failures = updates.some(({ outcome }) => outcome === 'failed' || outcome === 'unknown')
  const plan = await readRoutePlan(tx, has_failures ? organizations : [])
  const changes: Changes = { answers: [], started: [], usage: [], costs: [] }
  const before = new Map([...messages.values()].map(({ id, state }) => [id, state]))
  for (const one of updates) {
    const attempt = by_reference.get(one.reference)
    const sms = attempt && messages.get(attempt.sms_message)
    if (!sms) continue
    const used = attempts.filter(({ sms_message }) => sms_message === sms.id).map(({ connection }) => connection)
    const chooseSecond = (): ChosenRoute | undefined => {
      if (sms.route_attempt !== 1 || sms.valid_until <= now || sms.body === '') return undefined
      const route = chooseRoute(plan, connections.routes, toRouteQuery(sms, used))
      return route === 'waits' ? undefined : route
    }
    noteFacts(sms, attempt, one, changes)
    decide(sms, attempt, one, { now, changes, chooseSecond, can_ask: connections.canAsk(attempt.connection) })
  }
  store(tx, now, [...messages.values()], attempts, changes)
  await startSmsAttempts(tx, now, plan, changes.started)
  return [...messages.values()].flatMap((sms) => {
    const { id, organization, collection_request, purpose, state } = sms
    const earlier = before.get(id)!
    return earlier === state ? [] : [{ id, organization, collection_request, purpose, before: earlier, state }]
  })
}

/** Notes ids, lengths and costs, which may come with any report. */
function noteFacts(sms: LockedSms, attempt: LockedAttempt, update: SmsUpdate, { costs, usage }: Changes): void {
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

function decide(sms: LockedSms, attempt: LockedAttempt, update: SmsUpdate, decision: Decision): void {
  const { changes } = decision
  const { outcome, source } = update
  if (outcome === 'nothing') {
    if (sms.state === 'sent') releaseUntilNextStatusQuery(sms, decision, 1)
    else if (sms.state === 'delivered') releaseDelivered(sms, attempt, decision, 1)
    return
  }
  // A repeated report is not stored again, so that no provider fills the table.
  if (source === 'reply' || !attempt.said.includes(outcome)) {
    changes.answers.push({ ...update, outcome, sms_attempt: attempt.id })
    attempt.said.push(outcome)
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
  setFailedOrNext(sms, attempt, { ...update, outcome }, decision)
}

function setSent(sms: LockedSms, attempt: LockedAttempt, source: SmsUpdate['source'], decision: Decision): void {
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

function setDelivered(sms: LockedSms, attempt: LockedAttempt, update: SmsUpdate, decision: Decision): void {
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
function releaseDelivered(sms: LockedSms, attempt: LockedAttempt, { now, can_ask }: Decision, asked: 0 | 1): void {
  sms.status_queries += asked
  const asks_price = can_ask && attempt.cost === null && sms.status_queries < MAX_PRICE_QUERIES
  release(sms, asks_price ? nextAttemptAt(now, retrySchedules.sms_report, sms.status_queries + 1) : null)
}

/** The second route, another try, or the end. */
function setFailedOrNext(
  sms: LockedSms,
  attempt: LockedAttempt,
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
      ...{ id: sms.id, organization: sms.organization, attempt: sms.attempt, route_attempt: 2, route: second },
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
function dropUsage({ organization }: LockedSms, attempt: LockedAttempt, { usage }: Changes): void {
  if (attempt.month === null) return
  usage.push({ organization, month: attempt.month, messages: -1, parts: -attempt.parts })
  attempt.month = null
}

function release(sms: LockedSms, due_at: Date | null): void {
  sms.due_at = due_at
  sms.leased_until = null
}

async function lockMessages(tx: Tx, ids: readonly number[]): Promise<Map<number, LockedSms>> {
  const locked = await tx<LockedSms[]>`
    select ${lockedSms.columns}, coalesce(valid_until, created + interval '1 day') as valid_until
    from sms_messages where id = any(${[...ids]}::bigint[]) order by id for update`
  return new Map(locked.map((sms) => [sms.id, sms]))
}

/** The attempts of locked SMS. Whoever changes them locks their SMS first. */
async function readAttempts(tx: Tx, messages: readonly number[]): Promise<LockedAttempt[]> {
  return tx<LockedAttempt[]>`
    select id, sms_message, attempt, connection, reference, remote_id, outcome, parts, cost, currency,
      to_char(month, 'YYYY-MM-DD') as month,
      array(select distinct outcome from sms_answers where sms_attempt = sms_attempts.id) as said
    from sms_attempts where sms_message = any(${[...messages]}::bigint[]) order by id`
}

function store(
  tx: Tx,
  now: Date,
  messages: readonly LockedSms[],
  attempts: readonly LockedAttempt[],
  { answers, usage, costs }: Changes,
): void {
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
  })
  tx.send`
    update sms_messages t set queue = case when m.due_at is null then t.queue else t.connection end,
      ${m.assignments('m', 'id', 'organization')} from ${m.as('m')} where t.id = m.id and t.organization = m.organization`
  const a = rows(attempts, {
    sms_message: 'bigint',
    attempt: 'integer',
    remote_id: 'text',
    outcome: 'text',
    parts: 'integer',
    cost: 'numeric',
    currency: 'text',
    month: 'text',
  })
  tx.send`
    update sms_attempts t set month = a.month::date, ${a.assignments('a', 'sms_message', 'attempt', 'month')}
    from ${a.as('a')} where t.sms_message = a.sms_message and t.attempt = a.attempt`
  if (answers.length > 0) tx.send`${insert(answerTable, answers, { at: now })}`
  changeUsage(tx, usage)
  bookSmsCosts(tx, costs)
}
