import { formatAmount } from '../../../src/lib/money.ts'
import { checkSales } from '../bills.ts'
import type { ExpectedResults } from '../finish.ts'
import type { Payment } from '../networks.ts'
import { checkFinalPayouts } from '../payments.ts'
import { checkPlans } from '../plans.ts'
import type { Simulation } from '../simulation.ts'
import { checkMatches } from './matching-checks.ts'

/** The rules at the end: the books and the requests agree with the networks. */
export async function checkFinalState(world: Simulation, outlook: ExpectedResults): Promise<string[]> {
  const found = await Promise.all([
    checkBooks(world),
    checkImpossible(world),
    checkRequests(world, outlook),
    checkCreations(world),
    checkNotifications(world),
    checkFeeds(world),
    checkPlans(world.store.checks),
    checkAcceptanceChecks(world),
    checkSales(world),
    checkFinalPayouts(world),
    world.step_per_statement ? [] : checkMatches(world.store.checks, world.networks),
  ])
  return found.flat()
}

interface Booked {
  key: string
  status: Payment['status']
  amount: bigint
  account: number
  phonenumber: string
  collection_request: number | null
  reversed_in_parts: bigint
}

interface Kept {
  key: string
  state: 'unassigned' | 'assigned' | 'reversed'
  amount: bigint
  account: number | null
  phonenumber: string
}

/**
 * Every payment that a network has reported is in the books exactly once or, while it has no account, kept as unassigned
 * money. Nothing else is.
 */
async function checkBooks({ store, networks: outside }: Simulation): Promise<string[]> {
  const [rows, kept, receivers] = await Promise.all([
    store.checks<Booked[]>`
      select network || ':' || remote_transaction_id as key, status, amount, account, phonenumber, collection_request,
        reversed_in_parts
      from collections`,
    store.checks<Kept[]>`
      select network || ':' || remote_transaction_id as key, state, amount, account, phonenumber from unassigned_payments`,
    store.checks<
      { key: string; account: number }[]
    >`select connection || ':' || number as key, account from connection_places`,
  ])
  const booked = new Map(rows.map((row) => [row.key, row]))
  const unassigned = new Map(kept.map((row) => [row.key, row]))
  const ours = new Map(receivers.map(({ key, account }) => [key, account]))
  const invented = [...rows, ...kept].filter(({ key }) => !outside.payments.has(key))
  const faults = invented.map(({ key }) => `${key} is booked and was never paid.`)
  for (const [key, payment] of outside.payments) {
    const row = booked.get(key)
    const money = unassigned.get(key)
    const receiver_account = ours.get(`${payment.network}:${payment.receiver}`)
    // Orders are asked about until their end, so their money is never lost, also when nobody tells of it.
    if (!row && !money && payment.notified) faults.push(`${key} was paid and told, and is nowhere.`)
    if (!row && payment.order_reference !== null) faults.push(`${key} has paid an order, and is not in the books.`)
    if (row) faults.push(...checkBooked(key, payment, row, money?.account ?? receiver_account))
    if (money) faults.push(...checkUnassigned(key, payment, money, { is_booked: !!row, receiver_account }))
  }
  return faults
}

function checkBooked(key: string, payment: Payment, row: Booked, account: number | undefined): string[] {
  const faults = checkReversal(key, row, payment)
  const { amount, phonenumber } = payment
  if (row.amount !== amount || row.account !== account || row.phonenumber !== phonenumber)
    faults.push(`${key} is booked as ${formatAmount(row.amount)} from ${row.phonenumber} to account ${row.account}.`)
  return faults
}

/** At least what the service was told of was taken back, and at most what the network has taken. */
function checkReversal(key: string, row: Booked, payment: Payment): string[] {
  const sum = (parts: readonly { amount: bigint }[]) => parts.reduce((total, part) => total + part.amount, 0n)
  const taken = row.status === 'reversed' ? row.amount : row.reversed_in_parts
  const least = payment.reversal_notified ? payment.amount : sum(payment.reversals.filter(({ notified }) => notified))
  const most = payment.status === 'reversed' ? payment.amount : sum(payment.reversals)
  if (taken >= least && taken <= most) return []
  return [
    `Of ${key} ${formatAmount(taken)} is taken back, and it must be ${formatAmount(least)} to ${formatAmount(most)}.`,
  ]
}

function checkUnassigned(
  key: string,
  payment: Payment,
  { state, amount, phonenumber }: Kept,
  { is_booked, receiver_account }: { is_booked: boolean; receiver_account: number | undefined },
): string[] {
  const faults: string[] = []
  if (amount !== payment.amount || phonenumber !== payment.phonenumber)
    faults.push(`${key} is kept as ${formatAmount(amount)} from ${phonenumber}.`)
  if (is_booked !== (state === 'assigned'))
    faults.push(`${key} is ${state}, and ${is_booked ? '' : 'not '}in the books.`)
  if (state === 'unassigned' && receiver_account !== undefined)
    faults.push(`${key} waits, although its receiver has account ${receiver_account}.`)
  if (state === 'unassigned' && payment.reversal_notified)
    faults.push(`${key} was taken back and told, and still waits.`)
  if (state === 'reversed' && payment.status !== 'reversed') faults.push(`${key} was never taken back.`)
  return faults
}

/** Every signed callback that was confirmed and that no books can hold is kept for a person. */
async function checkImpossible({ store, networks: outside }: Simulation): Promise<string[]> {
  const kept = await store.checks<{ body: string }[]>`select body from callbacks where state = 'failed'`
  const bodies = new Set(kept.map(({ body }) => body))
  return outside.confirmed_impossible.flatMap((body) => (bodies.has(body) ? [] : `A callback is lost: ${body}`))
}

/** The errors of a request that could not start (interface-gaps: Collection requests), or that a person ended. */
const OWN_FAULTS = /^(Cancelled by|The (BXC )?account (has no funds|is not active|has no receiver))/

/** Every request has ended, in agreement with the networks. */
async function checkRequests({ store, networks: outside }: Simulation, outlook: ExpectedResults): Promise<string[]> {
  const rows = await store.checks<
    { id: number; status: string; error_message: string | null; max_attempts: number; early: boolean }[]
  >`
    select r.id, r.status, r.error_message, r.max_attempts, m.at < r.expiry_date as early
    from collection_requests r left join lateral (
      select at from collection_request_transitions where collection_request = r.id order by id desc limit 1) m on true`
  const orders = Map.groupBy(outside.orders.values(), (order) => order.request)
  return rows.flatMap(({ id, status, error_message, max_attempts, early }) => {
    const mine = orders.get(id) ?? []
    if (['pending', 'processing_started', 'instructions_sent'].includes(status)) return `Request ${id} stays ${status}.`
    if (status === 'expired' && early) return `Request ${id} has expired before its time.`
    if (outlook.paid.has(id) && status !== 'successful' && status !== 'reversed')
      return `Request ${id} is ${status}, although its order was paid in time.`
    if (mine.length > max_attempts + 1) return `Request ${id} was asked for ${mine.length} times.`
    if (status !== 'failed' || OWN_FAULTS.test(error_message ?? '')) return []
    const last = mine.at(-1)
    const final = last?.state === 'failed' && (!isRetryable(last.failure_reason!) || mine.length === max_attempts + 1)
    return final ? [] : `Request ${id} has failed (${error_message}), and no network has said so.`
  })
}

function isRetryable(reason: string): boolean {
  return reason === 'prompt_expired' || reason === 'unreachable'
}

/** The answers to a client about its request are true, and no try made two requests. */
async function checkCreations({ store, creations }: Simulation): Promise<string[]> {
  const rows = await store.checks<{ id: number; n: number }[]>`
    select id, (metadata->>'n')::int as n from collection_requests r
    where not exists (select from occurrences o join plans p on p.id = o.plan
      where o.collection_request = r.id and p.collection_request <> r.id)`
  const made = Map.groupBy(rows, (row) => row.n)
  return creations.flatMap(({ n, outcome, id }) => {
    const ids = (made.get(n) ?? []).map((row) => row.id)
    if (ids.length > 1) return `Try ${n} has made ${ids.length} requests.`
    if (outcome === 'made' && ids[0] !== id) return `Try ${n} was told of request ${id}, and there is ${ids[0]}.`
    return outcome === 'refused' && ids.length > 0 ? `Try ${n} was refused and made request ${ids[0]}.` : []
  })
}

/** Every acceptance check has ended with the shop's answer or, without one, with the default of its acceptance URL. */
async function checkAcceptanceChecks({ store, acceptanceUrls: hooks }: Simulation): Promise<string[]> {
  const rows = await store.checks<{ id: number; remote: string; verdict: string | null; heard: boolean }[]>`
    select id, remote_transaction_id as remote, verdict, last_error is null as heard from acceptance_checks`
  return rows.flatMap(({ id, remote, verdict, heard }) => {
    if (verdict === null) return `Question ${id} stays open.`
    return heard && verdict !== hooks.verdicts.get(remote) ? `Question ${id} ended with ${verdict}.` : []
  })
}

/** With healthy receivers, every notification is delivered. */
async function checkNotifications({ store }: Simulation): Promise<string[]> {
  const rows = await store.checks<{ webhook: number; event: number; state: string }[]>`
    select d.webhook, d.event, d.state from webhook_deliveries d join webhooks w on w.id = d.webhook
    where d.state = 'waiting' or (d.state = 'cancelled' and w.deleted is null)
      or (d.state = 'failed' and d.attempts < 10 and w.deleted is null)`
  return rows.map(({ webhook, event, state }) => `Event ${event} stays ${state} for webhook ${webhook}.`)
}

/** A client that reads the feed to its end has seen every event once. */
async function checkFeeds({ feeds, store }: Simulation): Promise<string[]> {
  const faults: string[] = []
  for (const feed of feeds) {
    const late = await feed.poll()
    if (late) faults.push(late)
    const rows = await store.checks<{ id: number }[]>`
      select id from events where organization = ${feed.organization} order by id`
    const seen = feed.seen.map(({ id }) => id)
    if (seen.join() !== rows.map(({ id }) => id).join())
      faults.push(`The feed of shop ${feed.organization} showed ${seen.length} events of ${rows.length}.`)
  }
  return faults
}
