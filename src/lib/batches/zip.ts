/** Pairs the items of two lists of the same length. @throws Error when one is longer */
export function zip<A, B>(first: readonly A[], second: readonly B[]): [A, B][] {
  if (first.length !== second.length) throw new Error(`Lists of ${first.length} and ${second.length} cannot be paired.`)
  return first.map((item, index) => [item, second[index] as B])
}
