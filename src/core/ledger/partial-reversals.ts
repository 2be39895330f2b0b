import type { PartialReversal } from '../../lib/adapter-types.ts'
import type { Amount } from '../../lib/money.ts'

/** Takes parts of an amount, each at most as large as the rest. Parts of which nothing can be taken are left out. */
export function takeParts(
  amount: Amount,
  parts: readonly PartialReversal[],
): { taken: PartialReversal[]; left: Amount } {
  let left = amount
  const taken = parts.flatMap(({ remote_id, amount: reported }) => {
    let part = reported
    if (part > left) part = left
    if (part <= 0n) return []
    left -= part
    return [{ remote_id, amount: part }]
  })
  return { taken, left }
}
