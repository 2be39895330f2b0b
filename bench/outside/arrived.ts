import { setTimeout as sleep } from 'node:timers/promises'
import { beginFrequent, beginLong, type Database, type Reader } from '../../src/db/client.ts'
import type { Check } from '../measurements.ts'
import type { OutsideCalls } from './outside.ts'

/** Time without an end after which nothing more will end. */
const STUCK_AFTER_MS = 120_000
/** Interval for counting the rest. */
const COUNT_MS = 5_000
const POLL_MS = 100

/** Time at which each kind of work was done, in ms since the wait began. */
export interface DoneTimes {
  requests: number
  notifications: number
  sms: number
  look_ups: number
}

/**
 * Wait until all requests have ended, and all notifications, SMS and look-ups are done, as long as there is progress.
 * @throws Error if nothing has ended for two minutes
 */
export async function waitUntilDone(db: Database): Promise<DoneTimes> {
  const started_at = performance.now()
  const times: DoneTimes = { requests: 0, notifications: 0, sms: 0, look_ups: 0 }
  const left = { count: -1, counted: started_at, changed: started_at }
  for (;;) {
    const open = await readOpen(db)
    const elapsed = performance.now() - started_at
    const kinds = (Object.keys(times) as (keyof DoneTimes)[]).filter((kind) => open[kind])
    for (const kind of kinds) times[kind] = elapsed
    if (kinds.length === 0) return times
    const now = performance.now()
    if (now - left.counted > COUNT_MS) {
      const count = await countLeft(db)
      Object.assign(left, { count, counted: now, ...(count !== left.count && { changed: now }) })
    }
    if (now - left.changed > STUCK_AFTER_MS)
      throw new Error(`${kinds.join(', ')} are open, and nothing has ended for ${STUCK_AFTER_MS / 1_000} seconds.`)
    await sleep(POLL_MS)
  }
}

async function countLeft(db: Database): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select (select count(*) from open_collection_requests)
      + (select count(*) from webhook_deliveries where state = 'waiting')
      + (select count(*) from sms_messages where due_at is not null)
      + (select count(*) from contacts where due_at is not null) as count`
  return row!.count
}

/**
 * Read the open work. It reads indexes: a scan of tables full of ended work took 70 ms. That was two thirds of
 * PostgreSQL's work while the last notifications were sent.
 */
function readOpen(db: Database): Promise<Record<keyof DoneTimes, boolean>> {
  return beginFrequent(db, async (tx) => {
    const [row] = await tx<Record<keyof DoneTimes, boolean>[]>`
      select exists (select from open_collection_requests)
          or exists (select from network_orders where due_at is not null)
          or exists (select from callbacks_open where due_at is not null) as requests,
        exists (select from webhook_deliveries where state = 'waiting') as notifications,
        exists (select from sms_messages where due_at is not null) as sms,
        exists (select from contacts where due_at is not null) as look_ups`
    return row!
  })
}

/** Wait until the counts of the lists have everything, which is the last work for a request. */
export async function waitUntilAllIsCounted(db: Database): Promise<void> {
  for (;;) {
    const [row] = await db<{ open: boolean }[]>`
      select exists (select from events where id > p.event)
        or exists (select from collection_requests where id > p.collection_request)
        or exists (select from count_new_sms()) as open
      from collection_request_count_position p`
    if (!row!.open) return
    await sleep(POLL_MS)
  }
}

/** Expected arrivals: the created requests, the outside calls, and the start of the comparison of events. */
export interface Expected {
  requests: number
  calls: Pick<OutsideCalls, 'notifications'>
  /** Events before it are in partitions that may be dropped by now; their notifications are not part of `calls`. */
  since?: Date
  /** True if attempts may have failed before they arrived, because the service stood still. */
  may_fail?: boolean
}

/** Check that each request was paid once, each notification was received, and each SMS of use was sent. */
export function checkArrived(db: Database, expected: Expected): Promise<Check[]> {
  return beginLong(db, 'consistency check', (tx) => checkRows(tx, expected))
}

async function checkRows(db: Reader, expected: Expected): Promise<Check[]> {
  const { requests, calls, since = new Date(0), may_fail = false } = expected
  const [row] = await db<
    Record<'successful' | 'collections' | 'unmatched' | 'due' | 'delivered' | 'attempts', number>[]
  >`
    select (select count(*) from collection_requests where status = 'successful') as successful,
      (select count(*) from collections) as collections,
      (select count(*) from collections where collection_request is null) as unmatched,
      (select count(*) from events e join webhooks w on w.organization = e.organization and w.event = e.type
       where e.created >= ${since}) as due,
      (select count(*) from webhook_deliveries where state = 'delivered' and ended >= ${since}) as delivered,
      (select count(*) from webhook_attempts where recorded >= ${since}) as attempts`
  const { successful, collections, unmatched, due, delivered, attempts } = row!
  return [
    {
      claim: `${successful} of ${requests} requests are successful, with ${collections} collections, ${unmatched} of them unmatched`,
      holds: successful === requests && collections === requests && unmatched === 0,
    },
    await checkSms(db, requests),
    {
      claim: `${due} notifications were due, ${delivered} are recorded as delivered; ${calls.notifications} arrived in ${attempts} attempts`,
      holds:
        due === delivered &&
        attempts >= delivered &&
        (may_fail ? calls.notifications >= delivered : calls.notifications === attempts),
    },
  ]
}

/**
 * Check the two SMS of each request. Instructions are useless once the customer has paid, before they were sent or
 * because the network answered late: they are skipped. All others are sent.
 */
async function checkSms(db: Reader, requests: number): Promise<Check> {
  const [row] = await db<{ confirmations: number; instructions: number; refused: number; unwritten: number }[]>`
    select count(*) filter (where purpose = 'success' and state = 'sent') as confirmations,
      count(*) filter (where purpose = 'instructions' and state = 'sent') as instructions,
      count(*) filter (where purpose = 'instructions' and reason = 'request_ended') as refused,
      ${requests}::bigint - count(*) filter (where purpose = 'instructions') as unwritten
    from sms_messages`
  const { confirmations, instructions, refused, unwritten } = row!
  return {
    claim: `${confirmations} confirmations and ${instructions} instructions are sent; ${refused + unwritten} customers paid before their instructions (${unwritten} before these were written)`,
    holds: confirmations === requests && instructions + refused + unwritten === requests,
  }
}
