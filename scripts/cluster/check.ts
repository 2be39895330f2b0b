import type { Database } from '../../src/db/client.ts'
import { findInconsistencies } from '../../src/jobs/check-consistency.ts'
import { waitFor } from './children.ts'
import type { LoadReport } from './load.ts'

/** Comparison of the database with the answers that a load's callers got. */
export interface Verdict {
  answered: number
  /** Requests that were answered and are not stored. */
  lost: number[]
  /** Requests that are stored more than once. */
  doubled: number[]
  /** Faults of the money and the books, in sentences. */
  findings: string[]
}

/** Time limit for payments. Orders with an unknown outcome are queried later, after waits of up to minutes. */
const PAID_TIMEOUT_MS = 240_000

/**
 * Compare the database with the answers to a load's callers, wait until their customers have paid, and run all data
 * checks.
 */
export async function checkLoad(db: Database, load: LoadReport): Promise<Verdict> {
  const numbers = load.collections.map(({ number }) => number)
  const rows = await readRequests(db, numbers)
  const stored = new Map(rows.map(({ number, ids }) => [number, ids]))
  const lost = load.collections.filter(({ number, id }) => !stored.get(number)?.includes(id))
  const doubled = rows.filter(({ ids }) => ids.length > 1)
  const wrong = load.wrong.map((text) => `A caller got the answer ${text}`)
  const unpaid = await waitUntilPaid(db, numbers)
  return {
    answered: numbers.length,
    lost: lost.map(({ number }) => number),
    doubled: doubled.map(({ number }) => number),
    findings: [...wrong, ...unpaid, ...(await checkPayments(db)), ...(await findInconsistencies(db))],
  }
}

function readRequests(db: Database, numbers: number[]): Promise<{ number: number; ids: number[] }[]> {
  return db`
    select (metadata->>'order')::integer as number, array_agg(id) as ids from collection_requests
    where (metadata->>'order')::integer = any(${numbers}::integer[]) group by 1`
}

async function waitUntilPaid(db: Database, numbers: number[]): Promise<string[]> {
  const countOpen = async () => {
    const [row] = await db<{ open: number }[]>`
      select count(*) as open from collection_requests
      where status <> 'successful' and (metadata->>'order')::integer = any(${numbers}::integer[])`
    return row!.open
  }
  try {
    await waitFor('all requests are paid', async () => (await countOpen()) === 0, PAID_TIMEOUT_MS)
    return []
  } catch {
    return [`${await countOpen()} requests are not paid.`]
  }
}

/** Check that each customer paid once, for one request, and the business has one event of it. */
async function checkPayments(db: Database): Promise<string[]> {
  const [row] = await db<{ paid: number; collections: number; unmatched: number; events: number }[]>`
    select (select count(*) from collection_requests where status = 'successful') as paid,
      count(*) as collections, count(*) filter (where collection_request is null) as unmatched,
      (select count(*) from events where type = 'collection.received') as events
    from collections`
  const { paid, collections, unmatched, events } = row!
  return [
    ...(collections === paid ? [] : [`${paid} requests are paid by ${collections} payments.`]),
    ...(unmatched === 0 ? [] : [`${unmatched} payments belong to no request.`]),
    ...(events === collections ? [] : [`${collections} payments have ${events} events.`]),
  ]
}
