/*
 * An installation can consist of cells (docs/scale.md). Each has a number, and a range of ids of its own. Codes of cell 3
 * begin with `3.`, so that a load balancer can route them. Random codes have no point, so those of cell 0 carry no mark.
 */

/** The highest number of a cell: its ids end below 2^53. */
export const MAX_CELL = 899

/** The number of ids that a cell may give. Cell 3 begins with 30,000,000,000,001. */
export const IDS_PER_CELL = 10_000_000_000_000

/** The beginning of a cell's codes; empty for cell 0. */
export function cellMark(cell: number): string {
  return cell === 0 ? '' : `${cell}.`
}

/** The cell that a code names; 0 without a mark. */
export function cellOf(code: string): number {
  const cell = Number(/^([1-9]\d{0,2})\./.exec(code)?.[1] ?? 0)
  return cell > MAX_CELL ? 0 : cell
}

/** The beginning of API keys. The mark of the cell follows. */
export const KEY_PREFIX = 'ksy_'

/** The cell that an API key names; undefined for a key that somebody has chosen. */
export function cellOfKey(key: string): number | undefined {
  return key.startsWith(KEY_PREFIX) ? cellOf(key.slice(KEY_PREFIX.length)) : undefined
}
