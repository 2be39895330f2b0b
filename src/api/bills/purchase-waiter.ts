import { createBatchedRead } from '../../actions/batched-calls.ts'
import type { App } from '../../app.ts'
import { awaitsApproval, findPurchasesById, type Purchase } from '../../core/bills/purchases.ts'
import { SETTLED_CHANNEL } from '../../core/bills/vends/settle.ts'

/** Let a request wait for the result of its purchase, which any process may receive. */
export interface PurchaseWaiter {
  /**
   * Wait until a purchase is settled, its biller has accepted it, it waits for an approval, or `timeout_ms` is over.
   * Returns the purchase as it is then. If it is still pending and not accepted, its outcome is unknown.
   */
  wait(id: number, timeout_ms: number): Promise<Purchase>
  close(): Promise<void>
}

/** Interval for reading waiting purchases, in case a notification is lost. */
const POLL_MS = 1_000
/** Maximum remembered notifications that came before their request began to wait, which takes milliseconds. */
const MAX_EARLY = 4_096

type Waiting = Map<number, (purchase: Purchase) => void>

export function createPurchaseWaiter(app: App): PurchaseWaiter {
  const waiting: Waiting = new Map()
  const check = createCheck(app, waiting)
  const checkAll = () => {
    for (const id of waiting.keys()) check(id)
  }
  const notifications = createNotifications(app, waiting, { check, checkAll })
  let timer: NodeJS.Timeout | undefined

  return {
    async wait(id, timeout_ms) {
      notifications.subscribe()
      timer ??= setInterval(checkAll, POLL_MS)
      let timeout: NodeJS.Timeout | undefined
      try {
        const answered = new Promise<Purchase | undefined>((resolve) => {
          waiting.set(id, resolve)
          timeout = setTimeout(() => resolve(undefined), timeout_ms)
        })
        // It may have been settled before this request began to wait.
        if (notifications.mayHaveMissed(id)) check(id)
        return (await answered) ?? (await findPurchasesById(app.db, [id])).get(id)!
      } finally {
        clearTimeout(timeout)
        waiting.delete(id)
        if (waiting.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
      }
    },
    async close() {
      clearInterval(timer)
      await notifications.close()
    },
  }
}

/**
 * Make the function that reads a purchase and resolve its request if there is a result. Calls of one turn share a
 * statement.
 */
function createCheck(app: App, waiting: Waiting): (id: number) => void {
  const read = createBatchedRead(app, async (ids: number[]) => {
    const found = await findPurchasesById(app.db, ids)
    return ids.map((id) => found.get(id))
  })
  const resolve = (purchase: Purchase | undefined) => {
    if (purchase && isAnswered(purchase)) waiting.get(purchase.id)?.(purchase)
  }
  return (id) => {
    // A failed read is ignored: the timer repeats it.
    read(id).then(resolve, () => {})
  }
}

/** The notifications of settled purchases. */
function createNotifications(app: App, waiting: Waiting, on: { check(id: number): void; checkAll(): void }) {
  /** The purchases that were settled before a request here waited for them, the oldest first. */
  const early = new Set<number>()
  let subscription: Promise<{ unlisten(): Promise<void> }> | undefined
  let is_listening = false

  const onSettled = (payload: string) => {
    const id = Number(payload)
    if (waiting.has(id)) on.check(id)
    else early.add(id)
    if (early.size > MAX_EARLY) early.delete(early.values().next().value!)
  }
  return {
    /** Subscribe at the first purchase only: `openapi` creates the server without a database. */
    subscribe(): void {
      subscription ??= app.db.listen(SETTLED_CHANNEL, onSettled, () => {
        is_listening = true
        on.checkAll()
      })
      subscription.catch(() => {
        // The timer works without notifications, and the next purchase subscribes again.
        subscription = undefined
      })
    },
    /**
     * Return true if a purchase may have been settled before its request began to wait. A notification reports it only
     * once.
     */
    mayHaveMissed(id: number): boolean {
      return early.delete(id) || !is_listening
    },
    async close(): Promise<void> {
      await (await subscription)?.unlisten()
    },
  }
}

/** Return true if a purchase is answered, or waits for a person, which takes longer than a request. */
function isAnswered(purchase: Purchase): boolean {
  return purchase.status !== 'pending' || purchase.outcome === 'accepted' || awaitsApproval(purchase)
}
