/** Digits that a thumb may have changed: one wrong, missing, added, or two in the wrong order. */
export function nearDigits(digits: string): string[] {
  const near = new Set<string>()
  for (let at = 0; at <= digits.length; at++) {
    const before = digits.slice(0, at)
    const after = digits.slice(at)
    for (let digit = 0; digit <= 9; digit++) {
      near.add(`${before}${digit}${after}`)
      if (after) near.add(`${before}${digit}${after.slice(1)}`)
    }
    if (after) near.add(before + after.slice(1))
    if (after.length > 1) near.add(before + after[1] + after[0] + after.slice(2))
  }
  return [...near].map((text) => text.replace(/^0+(?=\d)/, '')).filter((text) => text !== '' && text !== digits)
}

/** Maximum number of summed objects: more than a person pays for at once, and few enough to try all sums. */
const MAX_SUMMED = 12

/** The sets of at least two items whose amounts add up to a sum, at most `limit`. */
export function findSums<Item extends { amount: bigint }>(
  items: readonly Item[],
  sum: bigint,
  limit: number,
): Item[][] {
  const some = items.slice(0, MAX_SUMMED)
  const found: Item[][] = []
  for (let set = 1; set < 2 ** some.length && found.length < limit; set++) {
    const chosen = some.filter((_, index) => Math.floor(set / 2 ** index) % 2 === 1)
    if (chosen.length > 1 && chosen.reduce((total, { amount }) => total + amount, 0n) === sum) found.push(chosen)
  }
  return found
}
