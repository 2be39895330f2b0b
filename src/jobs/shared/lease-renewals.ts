import type { App } from '../../app.ts'
import { renewLeases } from '../../core/leases.ts'
import { beginFrequent } from '../../db/client.ts'
import { LEASE_MS } from './lease-times.ts'

/** Renews the leases of rows for as long as this process works on them. */
interface LeaseRenewals {
  /** Renews the leases of these rows until the work has ended. */
  during<Result>(ids: readonly number[], work: () => Promise<Result>): Promise<Result>
}

/** Work that takes less than this needs no renewal. Several fit into a lease, so that a late one costs nothing. */
const RENEWAL_MS = 5_000

/**
 * Opens the renewals of a table. With them a claim is short even when a call takes long, and the rows of a killed process are free
 * soon. When a renewal fails, the lease ends, and another process may do the same work.
 */
export function openLeaseRenewals(app: App, table: string): LeaseRenewals {
  /** Start of the work on each row, by its id. */
  const in_work = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined

  async function renew(): Promise<void> {
    const before = performance.now() - RENEWAL_MS
    const ids = [...in_work].flatMap(([id, since]) => (since <= before ? [id] : []))
    if (ids.length === 0) return
    const real = app.clock.real()
    const lease_end = new Date(real.getTime() + LEASE_MS)
    // The next one tries again; whoever needs the database reports its outage.
    await beginFrequent(app.db, (tx) => renewLeases(tx, table, ids, { real, lease_end })).catch(() => {})
  }

  return {
    async during(ids, work) {
      for (const id of ids) in_work.set(id, performance.now())
      timer ??= setInterval(renew, RENEWAL_MS).unref()
      try {
        return await work()
      } finally {
        for (const id of ids) in_work.delete(id)
        if (in_work.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
      }
    },
  }
}
