import type { Amount } from '../../lib/money.ts'

/** Remaining allocation, and the parts that a network or a refund took of it. */
export interface Kept<Row> {
  row: Row
  /** Amount that the network has not reversed. */
  arrived: Amount
  reversed: Amount
  refunded: Amount
}

/**
 * Spreads the losses of a collection over its allocations. Free money goes first, then credit, then invoices and links;
 * of each kind the newest first. Reversals by the network come before refunds.
 * @param allocations those that count, in the order of their ids
 */
export function spreadLosses<Row extends { amount: Amount; contact: number | null }>(
  collection: { amount: Amount; reversed: Amount; refunded: Amount },
  allocations: readonly Row[],
): Kept<Row>[] {
  const free = collection.amount - allocations.reduce((sum, { amount }) => sum + amount, 0n)
  const newest = allocations.toReversed()
  const order = [
    ...newest.filter(({ contact }) => contact !== null),
    ...newest.filter(({ contact }) => contact === null),
  ]
  const [takeReversed, takeRefunded] = [taker(collection.reversed), taker(collection.refunded)]
  takeRefunded(free - takeReversed(free))
  const kept = new Map(
    order.map((row) => {
      const reversed = takeReversed(row.amount)
      const arrived = row.amount - reversed
      return [row, { row, arrived, reversed, refunded: takeRefunded(arrived) }]
    }),
  )
  return allocations.map((row) => kept.get(row)!)
}

/** Returns a function that takes as much of an amount as each part has, one part after the other. */
function taker(amount: Amount): (part: Amount) => Amount {
  let left = amount
  return (part) => {
    const before = left
    left = before > part ? before - part : 0n
    return before - left
  }
}
