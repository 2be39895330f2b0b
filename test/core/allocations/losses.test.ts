import { describe, expect, it } from 'vitest'
import { spreadLosses } from '../../../src/core/allocations/losses.ts'

const invoice = (amount: bigint) => ({ amount, contact: null })
const credit = (amount: bigint) => ({ amount, contact: 7 })

function spread(
  losses: { reversed?: bigint; refunded?: bigint },
  amount: bigint,
  parts: { amount: bigint; contact: number | null }[],
) {
  const kept = spreadLosses({ amount, reversed: 0n, refunded: 0n, ...losses }, parts)
  return kept.map(({ arrived, refunded }) => [arrived, refunded])
}

describe('what was taken of a collection', () => {
  it('comes first out of what is for nothing', () => {
    expect(spread({ reversed: 30n }, 100n, [invoice(70n)])).toEqual([[70n, 0n]])
  })

  it('then out of credit, and last out of the newest invoice', () => {
    expect(spread({ reversed: 60n }, 100n, [invoice(30n), credit(20n), invoice(50n)])).toEqual([
      [30n, 0n],
      [0n, 0n],
      [10n, 0n],
    ])
  })

  it('is everything when the network takes everything back', () => {
    expect(spread({ reversed: 100n }, 100n, [invoice(60n), credit(40n)])).toEqual([
      [0n, 0n],
      [0n, 0n],
    ])
  })

  it('leaves what a refund took as arrived, and says how much went back', () => {
    expect(spread({ reversed: 10n, refunded: 40n }, 100n, [invoice(60n), credit(40n)])).toEqual([
      [60n, 10n],
      [30n, 30n],
    ])
  })

  it('never takes more than there is, although a refund that had failed was sent after all', () => {
    expect(spread({ refunded: 150n }, 100n, [invoice(100n)])).toEqual([[100n, 100n]])
  })
})
