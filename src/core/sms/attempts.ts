import type { Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { readKnownPhone } from '../../lib/phone.ts'
import { countParts } from '../../lib/sms-text.ts'
import type { ClaimedSms, DueSms, SmsClaim } from './claims.ts'
import type { SmsPurpose } from './message.ts'
import { type SmsProvider, storeProviders } from './providers.ts'
import { createReferenceStart, toSmsReference } from './references.ts'
import { type ChosenRoute, chooseRoute, type RouteConnection, type RoutePlan, readRoutePlan } from './routes.ts'
import { monthOf, takeFromLimits } from './usage.ts'

/** An SMS that goes over another provider now. */
export interface StartedSms {
  id: number
  organization: number
  /** The whole text, as it is sent. */
  body: string
  /** The end of the text. An SMS keeps the one that it has on its first route. */
  suffix: string | null
  attempt: number
  route_attempt: number
  route: ChosenRoute
  /** End of the lease of an SMS that this process sends at once. Others are due at once. */
  leased_until?: Date
}

/** Refusal of an SMS by ourselves, without a provider. */
export interface OwnRefusal {
  id: number
  organization: number
  reason: string
  message: string
}

const LIMIT_REFUSAL = { reason: 'limit_reached', message: getMessage('sms.month_limit') }

/**
 * Gives SMS to providers, each with its own reference. SMS beyond the limit of the month fail.
 * @param plan plan of their organizations
 * @returns the references of the others, by SMS
 */
export async function startSmsAttempts(
  tx: Tx,
  now: Date,
  { limits }: RoutePlan,
  started: readonly StartedSms[],
): Promise<Map<number, string>> {
  if (started.length === 0) return new Map()
  const sized = started.map((one) => ({ ...one, ...countParts(one.body) }))
  const allowed = await takeFromLimits(tx, now, limits, sized)
  const going = sized
    .filter((_, index) => allowed[index])
    .map((one) => ({ ...one, reference: toSmsReference(createReferenceStart(), one.id) }))
  if (going.length > 0) {
    const r = rows(going, {
      id: 'bigint',
      organization: 'bigint',
      attempt: ['integer', ({ attempt }) => attempt + 1],
      connection: ['text', ({ route }) => route.connection],
      sender_id: ['text', ({ route }) => route.sender_id],
      suffix: 'text',
      parts: 'integer',
      encoding: 'text',
      route_attempt: 'integer',
      leased_until: 'timestamptz',
      provider: ['json', (one) => storeProviders([newProvider(one, now)])],
    })
    tx.send`
      update sms_messages m set state = 'waiting', connection = r.connection, sender_id = r.sender_id, attempt = r.attempt,
        route_attempt = r.route_attempt, suffix = r.suffix, parts = r.parts, encoding = r.encoding,
        queue = case when r.leased_until is null then r.connection else m.queue end,
        due_at = case when r.leased_until is null then ${now} else m.due_at end, leased_until = r.leased_until,
        attempts = m.attempts + (r.leased_until is not null)::integer, remote_id = null, status_queries = 0,
        providers = case when m.attempt = 0 then r.provider else (m.providers::jsonb || r.provider::jsonb)::json end
      from ${r.as('r')} where m.id = r.id and m.organization = r.organization`
  }
  const refused = sized.filter((_, index) => !allowed[index])
  refuseSms(
    tx,
    refused.map(({ id, organization }) => ({ id, organization, ...LIMIT_REFUSAL })),
  )
  return new Map(going.map(({ id, reference }) => [id, reference]))
}

function newProvider(
  { route, reference, parts }: StartedSms & { reference: string; parts: number },
  now: Date,
): SmsProvider {
  return {
    connection: route.connection,
    sender_id: route.sender_id,
    reference,
    remote_id: null,
    outcome: null,
    parts,
    cost: null,
    currency: null,
    month: monthOf(now),
    created: now,
    answers: [],
  }
}

/** Ends SMS that we do not send. Parts that were counted for them and not sent no longer count. */
export function refuseSms(tx: Tx, refusals: readonly OwnRefusal[]): void {
  if (refusals.length === 0) return
  const r = rows(refusals, { id: 'bigint', organization: 'bigint', reason: 'text', message: 'text' })
  tx.send`
    update sms_messages m set state = 'failed', reason = r.reason, last_error = r.message, due_at = null,
      leased_until = null
    from ${r.as('r')} where m.id = r.id and m.organization = r.organization and m.state = 'waiting'`
  releaseUnsent(
    tx,
    refusals.map(({ id }) => id),
  )
}

/** Subtracts attempts that no provider was asked to carry out, or only refused, from the usage of their months. */
function releaseUnsent(tx: Tx, messages: readonly number[]): void {
  if (messages.length === 0) return
  tx.send`
    with released as (
      update sms_messages m set providers = (
        select json_agg(case when ${isUntaken(sql`p`)} then jsonb_set(p::jsonb, '{8}', 'false')::json else p end order by place)
        from json_array_elements(m.providers) with ordinality as all_of_it (p, place))
      from (select a.sms_message, a.organization, a.month, sum(a.parts) as parts, count(*) as messages
        from sms_providers a join sms_messages s on s.id = a.sms_message
        where a.sms_message = any(${[...messages]}::bigint[]) and a.month is not null
          and ${isUntaken(sql`(s.providers -> (a.attempt - 1)::integer)`)} group by 1, 2, 3) unsent
      where m.id = unsent.sms_message returning unsent.*)
    insert into sms_months (organization, month, messages, parts)
    select organization, month, -sum(messages), -sum(parts) from released
    group by month, organization order by month, organization
    on conflict (organization, month) do update set messages = sms_months.messages + excluded.messages,
      parts = sms_months.parts + excluded.parts`
}

/** Number of members of a stored provider before its answers. */
const MEMBERS = 10

/** SQL: a stored provider was not asked, or has only answered the sending with refusals. */
function isUntaken(provider: Fragment): Fragment {
  return sql`(${provider} ->> 4 is null or (${provider} ->> 4 = 'failed' and not exists (
    select from json_array_elements(${provider}) with ordinality as members (member, number)
    where number > ${MEMBERS} and (member ->> 1 <> 'reply' or member ->> 2 <> 'failed'))))`
}

/** Lets claimed or locked SMS wait, null for ever. The claim does not count as an attempt. */
export function holdSms(tx: Tx, held: readonly HeldSms[]): void {
  if (held.length === 0) return
  const r = rows(held, { id: 'bigint', organization: 'bigint', due_at: 'timestamptz', counted: 'boolean' })
  tx.send`
    update sms_messages m set due_at = r.due_at, leased_until = null, attempts = m.attempts - r.counted::integer
    from ${r.as('r')}
    where m.id = r.id and m.organization = r.organization and (m.state = 'waiting') = (r.due_at is not null)`
}

/** An SMS that waits. `counted`: its claim was counted as an attempt. */
export interface HeldSms {
  id: number
  organization: number
  due_at: Date | null
  counted: boolean
}

/** Maximum wait of an SMS for a connection that can send. */
const WAIT_MS = 30_000

/**
 * Chooses routes for locked SMS that have none yet, or whose connection cannot send now. Without any possible
 * connection, an SMS has failed. While none can send now, it waits until it is not valid any more. An SMS that is new
 * to its connection is claimed in the same statement, as long as this process has a slot for its call. One whose first
 * process has ended before its call did joins the turn of its connection, if that can send.
 * @param claims the free slots of this process
 * @returns the claimed SMS
 */
export async function routeSms(
  tx: Tx,
  now: Date,
  locked: readonly DueSms[],
  connections: readonly RouteConnection[],
  claims: readonly SmsClaim[],
): Promise<ClaimedSms[]> {
  if (locked.length === 0) return []
  const usable = connections.filter((one) => one.is_usable && !one.is_degraded).map(({ slug }) => slug)
  const isLost = ({ queue, connection }: DueSms) => queue === '' && usable.includes(connection)
  requeueSms(tx, locked.filter(isLost))
  const free = new Map(claims.map(({ connection, slots, lease_end }) => [connection, { slots, lease_end }]))
  const takeSlot = (sms: DueSms, { connection }: ChosenRoute): Date | undefined => {
    const slots = sms.queue === '' ? free.get(connection) : undefined
    if (!slots || slots.slots === 0) return undefined
    slots.slots -= 1
    return slots.lease_end
  }
  const organizations = locked.map(({ organization }) => organization)
  const [plan, used] = await Promise.all([readRoutePlan(tx, organizations), readUsedConnections(tx, locked)])
  const started: (DueSms & StartedSms)[] = []
  const refused: OwnRefusal[] = []
  const held: HeldSms[] = []
  for (const sms of locked.filter((one) => !isLost(one))) {
    const { id, organization } = sms
    const need = toRouteQuery(sms, sms.route_attempt === 0 ? [] : (used.get(sms.id) ?? []))
    const route = sms.valid_until <= now ? undefined : chooseRoute(plan, connections, need)
    const is_queued = sms.connection !== ''
    // An SMS that a provider got already may move to the second route, and from there to none.
    const route_attempt = is_queued && sms.outcome !== null ? sms.route_attempt + 1 : Math.max(1, sms.route_attempt)
    if (sms.valid_until <= now) refused.push({ id, organization, reason: 'expired', message: EXPIRED })
    else if (route === undefined && !is_queued)
      refused.push({ id, organization, reason: 'no_route', message: NO_ROUTE })
    else if (route === undefined || route === 'waits' || route.connection === sms.connection || route_attempt > 2)
      held.push({ id, organization, due_at: new Date(now.getTime() + WAIT_MS), counted: false })
    else started.push({ ...sms, route, route_attempt, leased_until: takeSlot(sms, route) })
  }
  releaseUnsent(
    tx,
    started.filter(({ attempt }) => attempt > 0).map(({ id }) => id),
  )
  const references = await startSmsAttempts(tx, now, plan, started)
  refuseSms(tx, refused)
  holdSms(tx, held)
  return started.flatMap(({ route, leased_until, ...sms }) =>
    leased_until && references.has(sms.id)
      ? {
          ...sms,
          ...route,
          leased_until,
          attempt: sms.attempt + 1,
          attempts: sms.attempts + 1,
          reference: references.get(sms.id)!,
          status_queries: 0,
          remote_id: null,
          outcome: null,
          started: now,
        }
      : [],
  )
}

/** Puts SMS into the turn of their connections. */
function requeueSms(tx: Tx, lost: readonly DueSms[]): void {
  if (lost.length === 0) return
  const ids = lost.map(({ id }) => id)
  tx.send`update sms_messages set queue = connection, leased_until = null where id = any(${ids}::bigint[])`
}

export const EXPIRED = getMessage('sms.too_late')
const NO_ROUTE = getMessage('sms.no_connection')

/** Returns the route requirements of an SMS. */
export function toRouteQuery(
  sms: { organization: number; phonenumber: string; country: string | null; purpose: SmsPurpose },
  used: readonly string[],
) {
  const { organization, purpose } = sms
  return { organization, purpose, country: sms.country ?? readKnownPhone(sms.phonenumber)?.country ?? null, used }
}

/** The connections over which SMS were sent, by SMS. */
async function readUsedConnections(tx: Tx, locked: readonly DueSms[]): Promise<Map<number, string[]>> {
  const sent = locked.filter(({ route_attempt }) => route_attempt > 0).map(({ id }) => id)
  if (sent.length === 0) return new Map()
  const found = await tx<{ sms: number; connection: string }[]>`
    select sms_message as sms, connection from sms_providers
    where sms_message = any(${sent}::bigint[]) and outcome is not null`
  const by_sms = Map.groupBy(found, ({ sms }) => sms)
  return new Map([...by_sms].map(([id, all]) => [id, all.map(({ connection }) => connection)]))
}
