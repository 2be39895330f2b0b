import { z } from 'zod'
import type { AnyReader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { Amount } from '../../lib/money.ts'
import { readUnassignedTotals, UnassignedTotal } from '../connections/unassigned-payments.ts'
import { inState } from '../events/deliveries.ts'
import { amount, id, timestamp } from '../fields.ts'
import { listAccounts } from '../ledger/accounts.ts'
import { openStatuses } from './collection-request.ts'
import { requestCountQuery } from './request-counts.ts'

/** Overview of an organization: the figures that people want to see first when they sign in. */
export const Overview = z.object({
  now: timestamp,
  /** Number of requests: exact, from the kept counts. */
  requests: z.object({ total: z.int(), open: z.int(), successful: z.int() }),
  /** Wallets. `low`: the balance is zero, or less than the outflow of the last seven days. */
  wallets: z.array(z.object({ id, name: z.string(), currency: z.string(), balance: amount, low: z.boolean() })),
  /**
   * Networks, with the number of orders for the newest requests of the last day, and of those without a clear answer.
   */
  networks: z.array(z.object({ code: z.string(), asked: z.int(), unclear: z.int() })),
  webhooks: z.array(
    z.object({
      /** Id of the endpoint. */
      id,
      target: z.string(),
      failing_since: timestamp.nullable(),
      /** Number of deliveries that wait for it, counted up to 1,000. */
      waiting: z.int(),
    }),
  ),
  /** Money that waits for an account; empty unless this is the only organization here. */
  unassigned: z.array(UnassignedTotal),
  /** Newest open requests whose customers did not get the SMS with instructions, according to the providers. */
  not_instructed: z.array(
    z.object({ collection_request: id, phonenumber: z.string(), state: z.string(), problem: z.string().nullable() }),
  ),
  /** Newest payments that a network sent after it had reported a failure, until a person has looked into them. */
  late_payouts: z.array(z.object({ payment: id, currency: z.string(), amount })),
})
export type Overview = z.output<typeof Overview>

const DAY_MS = 24 * 60 * 60 * 1_000
const WEEK_DAYS = 7
/** Maximum number of orders: enough to see if a network answers, and few enough to read at every visit. */
const MAX_ORDERS = 1_000
const MAX_WAITING_DELIVERIES = 1_000
const MAX_LATE_PAYOUTS = 5
/**
 * Number of newest transfers added up for outflows of a wallet: enough for a busy week, and few enough for every visit.
 */
const MAX_TRANSFERS = 5_000
const MAX_NOT_INSTRUCTED = 5
/** Older ones belong to requests that have ended. */
const MAX_FAILED_SMS = 500

/**
 * Reads the overview of an organization, with the indexes of its lists. Pass a snapshot, so that the numbers agree.
 * @param is_only true if it is the only organization here, which sees money without an account (`isOnlyOrganization`)
 */
export async function readOverview(
  db: AnyReader,
  now: Date,
  { organization, is_only }: { organization: number; is_only: boolean },
): Promise<Overview> {
  const [requests, wallets, networks, webhooks, unassigned, late_payouts, not_instructed] = await Promise.all([
    countRequests(db, organization),
    readWallets(db, now, organization),
    readNetworks(db, now, organization),
    readWebhooks(db, organization),
    is_only ? readUnassignedTotals(db) : [],
    readLatePayouts(db, organization),
    readNotInstructed(db, organization),
  ])
  return { now, requests, wallets, networks, webhooks, unassigned, late_payouts, not_instructed }
}

async function countRequests(db: AnyReader, organization: number): Promise<Overview['requests']> {
  const open = openStatuses.map((status) => requestCountQuery(organization, status))
  const [row] = await db<Overview['requests'][]>`
    select ${requestCountQuery(organization, undefined)} as total, ${requestCountQuery(organization, 'successful')} as successful,
      ${sql.join(open, ' + ')} as open`
  return row!
}

async function readWallets(db: AnyReader, now: Date, organization: number): Promise<Overview['wallets']> {
  const wallets = (await listAccounts(db, organization)).filter(({ status }) => status === 'active')
  const spent = await db<{ wallet: number; amount: Amount }[]>`
    select w.id as wallet, sum(t.amount) as amount from unnest(${wallets.map((wallet) => wallet.id)}::bigint[]) as w(id)
    cross join lateral (
      select amount, created from transfers where from_account = w.id and kind <> 'mobile_collection'
      order by id desc limit ${MAX_TRANSFERS}) t
    where t.created >= ${daysBefore(now, WEEK_DAYS)}
    group by 1`
  const spentByWallet = new Map(spent.map((row) => [row.wallet, row.amount]))
  return wallets.map(({ id, name, currency, balance }) => ({
    id,
    name,
    currency,
    balance,
    low: balance <= 0n || balance < (spentByWallet.get(id) ?? 0n),
  }))
}

async function readNetworks(db: AnyReader, now: Date, organization: number): Promise<Overview['networks']> {
  return db`
    select o.code, count(*) as asked, count(*) filter (where o.unclear) as unclear
    from (select id from collection_requests
      where organization = ${organization} and created >= ${daysBefore(now, 1)} order by created desc, id desc
      limit ${MAX_ORDERS}) r
    cross join lateral (
      select connection as code, state = 'sent' and network_calls > 0 as unclear from network_orders
      where collection_request = r.id) o
    group by 1 order by 1`
}

async function readWebhooks(db: AnyReader, organization: number): Promise<Overview['webhooks']> {
  return db`
    select coalesce(w.endpoint, w.id) as id, min(w.target) as target, min(w.failing_since) as failing_since,
      sum(d.waiting)::bigint as waiting
    from webhooks w cross join lateral (
      select count(*) as waiting from (
        select from webhook_deliveries d where d.webhook = w.id and ${inState('waiting')} limit ${MAX_WAITING_DELIVERIES}) d) d
    where w.organization = ${organization} and w.deleted is null group by 1 order by 1`
}

async function readNotInstructed(db: AnyReader, organization: number): Promise<Overview['not_instructed']> {
  return db`
    select m.collection_request, m.phonenumber, m.state, m.last_error as problem
    from (select * from sms_messages where organization = ${organization} and state in ('failed', 'unknown') and last_error is not null
      order by id desc limit ${MAX_FAILED_SMS}) m
    join collection_requests r on r.id = m.collection_request and r.status = any(${[...openStatuses]}::text[])
    where m.purpose = 'instructions' order by m.id desc limit ${MAX_NOT_INSTRUCTED}`
}

async function readLatePayouts(db: AnyReader, organization: number): Promise<Overview['late_payouts']> {
  return db`
    select l.payment, p.currency, sum(l.amount) as amount from late_payouts l join payments p on p.id = l.payment
    where l.organization = ${organization} and l.reviewed is null
    group by 1, 2 order by 1 desc limit ${MAX_LATE_PAYOUTS}`
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}
