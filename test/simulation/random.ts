/** Repeatable random values: the same seed always gives the same draws. */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  draw(): number
  /** A whole number from the first to the second argument, both included. */
  between(least: number, most: number): number
  /** True with this probability from 0 to 1. */
  chance(probability: number): boolean
  /** Pick a choice. There must be one. */
  pick<T>(choices: readonly T[]): T
  /** Pick a choice in proportion to its weight. At least one weight must be positive. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T
}

/** Chance from a seed: Mulberry32, whose 32 bits of state are plenty for a run of some hundred steps. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0
  const draw = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(draw() * (most - least + 1))
  return {
    draw,
    between,
    chance: (probability) => draw() < probability,
    pick: (choices) => choices[between(0, choices.length - 1)]!,
    weighted(choices) {
      const total = choices.reduce((sum, [weight]) => sum + weight, 0)
      let left = draw() * total
      for (const [weight, choice] of choices) {
        left -= weight
        if (left < 0) return choice
      }
      return choices.findLast(([weight]) => weight > 0)![1]
    },
  }
}
