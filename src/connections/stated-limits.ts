import type { LimitedOrder, StatedLimits } from '../networks/contract.ts'

/** Lifetime of a network's stated limits. They are fetched again after a part of it. */
const VALID_MS = 60 * 60_000
const FRESH_MS = 5 * 60_000
/** More answers than this are not kept. */
const MAX_KEPT = 10_000

/**
 * Cache the limits that a network states today. Callers never wait: they get the known limits, and a refresh runs in
 * the background.
 * @param read asks the network; undefined without an answer
 * @param clock_ms for tests
 */
export function rememberLimits(
  read: (order: LimitedOrder) => Promise<StatedLimits | undefined>,
  clock_ms = () => performance.now(),
) {
  const known = new Map<string, { said?: { limits: StatedLimits | undefined; at_ms: number }; asked_ms: number }>()
  const ask = async (key: string, order: LimitedOrder) => {
    known.set(key, { ...known.get(key), asked_ms: clock_ms() })
    const found = await read(order)
    const entry = known.get(key)
    // Without an answer, the earlier limits count until they are too old.
    if (entry && found) known.set(key, { ...entry, said: { limits: found, at_ms: clock_ms() } })
  }
  return (order: LimitedOrder): StatedLimits | undefined => {
    const key = [order.kind, order.country, order.currency, order.phonenumber].join(' ')
    const entry = known.get(key)
    if (!entry || clock_ms() - entry.asked_ms > FRESH_MS) {
      if (!entry && known.size >= MAX_KEPT) known.clear()
      void ask(key, order)
    }
    return entry?.said && clock_ms() - entry.said.at_ms < VALID_MS ? entry.said.limits : undefined
  }
}
