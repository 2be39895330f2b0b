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
  const reversed = take(collection.reversed, [free, ...order.map(({ amount }) => amount)])
  const left = [free, ...order.map(({ amount }) => amount)].map((amount, index) => amount - reversed[index]!)
  const refunded = take(collection.refunded, left)
  const kept = new Map(
    order.map((row, index) => [
      row,
      {
        row,
        arrived: row.amount - reversed[index + 1]!,
        reversed: reversed[index + 1]!,
        refunded: refunded[index + 1]!,
      },
    ]),
  )
  return allocations.map((row) => kept.get(row)!)
}

/** Takes an amount from parts, one after the other. */
function take(amount: Amount, parts: readonly Amount[]): Amount[] {
  let left = amount
  return parts.map((part) => {
    const before = left
    left = before > part ? before - part : 0n
    return before - left
  })
}
