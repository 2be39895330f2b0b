import type { App } from '../../app.ts'
import { findPurchasesById, type Purchase } from '../../core/bills/purchases.ts'
import { SETTLED_CHANNEL } from '../../core/bills/vends.ts'

/** Where a door waits until the biller has spoken of a purchase, whichever process it spoke to. */
export interface PurchaseWaiter {
  /**
   * Waits until a purchase is settled, or until its biller says that it is under way, or until the patience is over.
   * Gives the purchase as it is then; while its `outcome` is none of the biller's words nobody knows.
   */
  wait(id: number, patience_ms: number): Promise<Purchase>
  close(): Promise<void>
}

/** A notification that is lost costs so much and no more. */
const POLL_MS = 1_000

export function createPurchaseWaiter(app: App): PurchaseWaiter {
  const waiting = new Map<number, (purchase: Purchase) => void>()
  let subscription: Promise<{ unlisten(): Promise<void> }> | undefined
  let timer: NodeJS.Timeout | undefined

  /** One read for all that wait, and only while anybody waits. */
  async function look(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    for (const purchase of (await findPurchasesById(app.db, ids)).values())
      if (isAnswered(purchase)) waiting.get(purchase.id)?.(purchase)
  }
  const lookQuietly = (ids: readonly number[]) => {
    // While the database is away there is nothing to see; the next look comes by itself.
    look(ids).catch(() => {})
  }
  const lookAtAll = () => lookQuietly([...waiting.keys()])

  return {
    async wait(id, patience_ms) {
      // With the first purchase and not before: whoever only describes the server needs no database.
      subscription ??= app.db.listen(SETTLED_CHANNEL, (payload) => {
        if (waiting.has(Number(payload))) lookQuietly([Number(payload)])
      })
      subscription.catch(() => {
        // The looks of each second go on without it, and the next purchase tries again.
        subscription = undefined
      })
      timer ??= setInterval(lookAtAll, POLL_MS)
      let patience: NodeJS.Timeout | undefined
      try {
        const spoken = new Promise<Purchase | undefined>((resolve) => {
          waiting.set(id, resolve)
          patience = setTimeout(() => resolve(undefined), patience_ms)
        })
        // It may have been settled before anybody listened.
        lookQuietly([id])
        return (await spoken) ?? (await findPurchasesById(app.db, [id])).get(id)!
      } finally {
        clearTimeout(patience)
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
