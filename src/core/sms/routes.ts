import type { Reader, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type Row, table } from '../../db/table.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { Invalid, NotFound } from '../refusals.ts'
import type { SmsPurpose } from './message.ts'
import { readSmsLimits, type SmsLimit } from './usage.ts'

/** A rule that says which connection carries which SMS. Null means all. */
const routeTable = table('sms_routes', {
  id: column.id(),
  organization: column.bigint().nullable(),
  /** ISO 3166-1 of the phone. */
  country: column.text().nullable(),
  purpose: column.text<SmsPurpose>().nullable(),
  /** The slug of the connection. */
  connection: column.text(),
  /** Sender that phones show on this route, instead of the sender id of the organization and country. */
  sender_id: column.text().nullable(),
  /** The smallest number is preferred. */
  priority: column.integer().default(100).given(),
  /** Price of one part. Of routes with the same priority and currency the cheapest is preferred. */
  price: column.numeric().nullable(),
  currency: column.text().nullable(),
  created: column.timestamptz(),
})
export type SmsRoute = Row<typeof routeTable>

export type NewSmsRoute = Omit<SmsRoute, 'id' | 'created'>

/** Facts about an SMS that decide its route. */
export interface RouteQuery {
  organization: number
  country: string | null
  purpose: SmsPurpose
  /** The connections over which it was sent already. */
  used: readonly string[]
}

/** Facts about a connection that decide if it can carry an SMS. */
export interface RouteConnection {
  slug: string
  /** Owner of the account; null for the operator's own. */
  organization: number | null
  priority: number
  /** The countries to which it sends; null for all. */
  countries: readonly string[] | null
  /** True if it is in use, though it may not be able to send now. */
  is_active: boolean
  /** True if it serves only where no other active connection can, or where a route names it. */
  is_fallback: boolean
  /** True if it can send now: it is in use, and its session is open if it needs one. */
  is_usable: boolean
  /** True if most recent calls had no answer. */
  is_degraded: boolean
}

/** A connection for an SMS, with the sender id of its route. */
export interface ChosenRoute {
  connection: string
  sender_id: string | null
}

/** Routes and sender ids of some organizations, and those that count for all; and the limits of these organizations. */
export interface RoutePlan {
  routes: readonly SmsRoute[]
  sender_ids: readonly SmsSenderId[]
  limits: readonly SmsLimit[]
}

/** Sender that phones show, by organization and country. */
const senderIdTable = table('sms_sender_ids', {
  id: column.id(),
  organization: column.bigint().nullable(),
  country: column.text().nullable(),
  sender_id: column.text(),
  created: column.timestamptz(),
})
export type SmsSenderId = Row<typeof senderIdTable>

/** Reads the facts that decide about the routes of these organizations. Without organizations it reads nothing. */
export async function readRoutePlan(db: Reader, organizations: readonly number[]): Promise<RoutePlan> {
  if (organizations.length === 0) return { routes: [], sender_ids: [], limits: [] }
  const theirs = sql`organization is null or organization = any(${[...new Set(organizations)]}::bigint[])`
  const [routes, sender_ids, limits] = await Promise.all([
    db<SmsRoute[]>`select ${routeTable.columns} from sms_routes where ${theirs} order by id`,
    db<SmsSenderId[]>`select ${senderIdTable.columns} from sms_sender_ids where ${theirs} order by id`,
    readSmsLimits(db, organizations),
  ])
  return { routes, sender_ids, limits }
}

/**
 * Chooses the route of an SMS. Of the fitting ones, the organization's own come before the operator's; then the
 * priority, the price and the precision decide. Without a fitting route, active connections serve in the order of their
 * priorities; a fallback serves if there is no other. A connection that cannot send now is skipped while another can,
 * and a degraded one is taken only if all are.
 * @returns undefined when nothing can carry it; `waits`: something could, and cannot now
 */
export function chooseRoute(
  plan: RoutePlan,
  connections: readonly RouteConnection[],
  need: RouteQuery,
): ChosenRoute | 'waits' | undefined {
  const able = candidatesFor(plan, connections, need)
  const usable = able.filter(({ connection }) => connection.is_usable)
  const found = usable.find(({ connection }) => !connection.is_degraded) ?? usable[0]
  if (!found) return able.length > 0 ? 'waits' : undefined
  const { connection, route } = found
  return {
    connection: connection.slug,
    sender_id: route?.sender_id ?? findSenderId(plan, need),
  }
}

function candidatesFor({ routes }: RoutePlan, connections: readonly RouteConnection[], need: RouteQuery) {
  const reaching = connections.filter(
    ({ organization, countries }) =>
      (organization === null || organization === need.organization) &&
      (countries === null || need.country === null || countries.includes(need.country)),
  )
  const able = reaching.filter(({ slug }) => !need.used.includes(slug))
  const fitting = routes.filter((route) => fits(route, need))
  if (fitting.length > 0)
    return fitting.sort(compareRoutes).flatMap((route) => {
      const connection = able.find(({ slug }) => slug === route.connection)
      return connection ? [{ connection, route }] : []
    })
  return orderConnections(reaching)
    .filter(({ slug }) => !need.used.includes(slug))
    .map((connection) => ({ connection, route: undefined }))
}

/**
 * Connections in the order in which they serve without routes: an organization's own before the operator's, then by priority.
 * Fallbacks are left out while another one is active.
 */
export function orderConnections(connections: readonly RouteConnection[]): RouteConnection[] {
  const has_others = connections.some((one) => one.is_active && !one.is_fallback)
  const own_first = (one: RouteConnection) => (one.organization === null ? 1 : 0)
  return connections
    .filter((one) => !one.is_fallback || !has_others)
    .toSorted((a, b) => own_first(a) - own_first(b) || a.priority - b.priority || (a.slug < b.slug ? -1 : 1))
}

function fits(route: SmsRoute, { organization, country, purpose }: RouteQuery): boolean {
  return (
    (route.organization === null || route.organization === organization) &&
    (route.country === null || route.country === country) &&
    (route.purpose === null || route.purpose === purpose)
  )
}

function compareRoutes(a: SmsRoute, b: SmsRoute): number {
  const given = (value: unknown) => (value === null ? 1 : 0)
  const price =
    a.price !== null && b.price !== null && a.currency === b.currency ? Math.sign(Number(a.price - b.price)) : 0
  return (
    given(a.organization) - given(b.organization) ||
    a.priority - b.priority ||
    price ||
    given(a.country) - given(b.country) ||
    given(a.purpose) - given(b.purpose) ||
    a.id - b.id
  )
}

/** Finds the sender id of an organization in a country: the most precise one. Null: the provider's own. */
function findSenderId({ sender_ids }: RoutePlan, { organization, country }: RouteQuery): string | null {
  const scopes: [number | null, string | null][] = [
    [organization, country],
    [organization, null],
    [null, country],
    [null, null],
  ]
  for (const [owner, place] of scopes) {
    const found = sender_ids.find((one) => one.organization === owner && one.country === place)
    if (found) return found.sender_id
  }
  return null
}

/** Adds a route, or changes the one with the same organization, country, purpose and connection. @throws Invalid */
export async function setSmsRoute(tx: Tx, now: Date, route: NewSmsRoute): Promise<SmsRoute> {
  if (route.sender_id !== null) checkSenderId(route.sender_id)
  if ((route.price === null) !== (route.currency === null))
    throw new Invalid({ price: [getMessage('sms.give_price_one')] })
  if (route.price !== null && route.price < 0n) throw new Invalid({ price: [getMessage('sms.price_not_negative')] })
  const [row] = await tx<SmsRoute[]>`
    ${insert(routeTable, [route], { created: now })}
    ${routeTable.replace(['sender_id', 'priority', 'price', 'currency'], ['organization', 'country', 'purpose', 'connection'])}
    returning *`
  return row!
}

/** Removes a route. SMS that are on their way stay there. @throws NotFound */
export async function removeSmsRoute(tx: Tx, route: number): Promise<SmsRoute> {
  const [removed] = await tx<SmsRoute[]>`delete from sms_routes where id = ${route} returning *`
  if (!removed) throw new NotFound(getMessage('sms.no_route', { route }))
  return removed
}

/** The routes in the order of their ids: all, or those that count for one organization. */
export async function listSmsRoutes(db: Reader, organization?: number): Promise<SmsRoute[]> {
  return db<SmsRoute[]>`
    select * from sms_routes
    where ${organization === undefined ? sql.always : sql`(organization is null or organization = ${organization})`}
    order by id`
}

/** Letters, digits, blanks, dots, hyphens and underscores, or a number or short code. */
const SENDER_ID = /^(\+?\d{3,15}|(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 ._-]{0,10})$/

/** @throws Invalid */
export function checkSenderId(sender_id: string): void {
  if (!SENDER_ID.test(sender_id) || sender_id.endsWith(' '))
    throw new Invalid({
      sender_id: [getMessage('sms.sender_id_up')],
    })
}

/** Sets the sender that phones show. @throws Invalid */
export async function setSenderId(
  tx: Tx,
  now: Date,
  sender: Omit<SmsSenderId, 'id' | 'created'>,
): Promise<SmsSenderId> {
  checkSenderId(sender.sender_id)
  const [row] = await tx<SmsSenderId[]>`
    ${insert(senderIdTable, [sender], { created: now })}
    ${senderIdTable.replace(['sender_id'], ['organization', 'country'])} returning *`
  return row!
}

/** @throws NotFound */
export async function removeSenderId(tx: Tx, id: number): Promise<SmsSenderId> {
  const [removed] = await tx<SmsSenderId[]>`delete from sms_sender_ids where id = ${id} returning *`
  if (!removed) throw new NotFound(getMessage('sms.no_sender_id', { id }))
  return removed
}

/** All sender ids, or those that count for one organization. */
export async function listSenderIds(db: Reader, organization?: number): Promise<SmsSenderId[]> {
  return db<SmsSenderId[]>`
    select * from sms_sender_ids
    where ${organization === undefined ? sql.always : sql`(organization is null or organization = ${organization})`}
    order by id`
}
