/** A list with at least one item. */
export type Some<Item> = readonly [Item, ...Item[]]

/** Groups items by a key, in the order of the first item of each. No group is empty. */
export function groupsOf<Item>(items: Iterable<Item>, keyOf: (item: Item) => unknown): Some<Item>[] {
  return [...Map.groupBy(items, keyOf).values()] as [Item, ...Item[]][]
}
