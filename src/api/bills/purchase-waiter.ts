import type { App } from '../../app.ts'
import { findPurchasesById, type Purchase } from '../../core/bills/purchases.ts'
import { SETTLED_CHANNEL } from '../../core/bills/vends.ts'

/** Lets a request wait for the result of its purchase, which any process may receive. */
export interface PurchaseWaiter {
  /**
   * Waits until a purchase is settled, its biller has accepted it, or `timeout_ms` is over. Returns the purchase as it is
   * then. If it is still pending and not accepted, its outcome is unknown.
   */
  wait(id: number, timeout_ms: number): Promise<Purchase>
  close(): Promise<void>
}

/** How often to read the waiting purchases, in case a notification is lost. */
const POLL_MS = 1_000

export function createPurchaseWaiter(app: App): PurchaseWaiter {
  const waiting = new Map<number, (purchase: Purchase) => void>()
  let subscription: Promise<{ unlisten(): Promise<void> }> | undefined
  let timer: NodeJS.Timeout | undefined

  /** Reads purchases with one statement and resolves those that have a result. */
  async function check(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    for (const purchase of (await findPurchasesById(app.db, ids)).values())
      if (isAnswered(purchase)) waiting.get(purchase.id)?.(purchase)
  }
  const tryCheck = (ids: readonly number[]) => {
    // A failed read is ignored: the timer repeats it.
    check(ids).catch(() => {})
  }
  const checkAll = () => tryCheck([...waiting.keys()])

  return {
    async wait(id, timeout_ms) {
      // Not before the first purchase: `openapi` creates the server without a database.
      subscription ??= app.db.listen(SETTLED_CHANNEL, (payload) => {
        if (waiting.has(Number(payload))) tryCheck([Number(payload)])
      })
      subscription.catch(() => {
        // The timer works without notifications, and the next purchase subscribes again.
        subscription = undefined
      })
      timer ??= setInterval(checkAll, POLL_MS)
      let timeout: NodeJS.Timeout | undefined
      try {
        const answered = new Promise<Purchase | undefined>((resolve) => {
          waiting.set(id, resolve)
          timeout = setTimeout(() => resolve(undefined), timeout_ms)
        })
        // It may have been settled before this request began to wait.
        tryCheck([id])
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
      await (await subscription)?.unlisten()
    },
  }
}

function isAnswered({ status, outcome }: Purchase): boolean {
  return status !== 'pending' || outcome === 'accepted'
}
