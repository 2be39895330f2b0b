import { describe, expect, it } from 'vitest'
import { checkPartitions, partitionTimes } from '../../../bench/hour/partition-turn.ts'
import { partitionedTables } from '../../../src/core/partitions.ts'

const MINUTE_MS = 60_000

describe('the turn of partitions', () => {
  it.each([2, 60, 90])(
    'comes in the middle of %i minutes, with the maintenance at three quarters or within the hour',
    (minutes) => {
      const { first_maintenance, start, turn } = partitionTimes(Date.parse('2026-11-23T11:00:00Z'), minutes)
      // The rows of this week may go 35 days after its end, which is a Monday, too.
      expect(new Date(turn).toISOString()).toBe('2027-01-04T00:00:00.000Z')
      expect((turn - start) / MINUTE_MS).toBe(minutes / 2)
      const second_maintenance = (first_maintenance - start) / MINUTE_MS + 60
      expect(first_maintenance).toBeLessThanOrEqual(start)
      expect(second_maintenance).toBe(Math.min(60, 0.75 * minutes))
      expect(second_maintenance).toBeGreaterThan(minutes / 2)
    },
  )

  it('is checked: the new week has rows, the default partitions have none, and the old ones are gone', () => {
    const times = { first_maintenance: 0, start: 0, turn: Date.UTC(2027, 0, 4) }
    const before = partitionsOf({ default: 0, earlier: 10, '2027-01-04': 0 })
    const after = partitionsOf({ default: 0, '2027-01-04': 5, '2027-01-11': 0 })
    const { claim, holds } = checkPartitions(before, after, times)
    expect(holds).toBe(true)
    expect(claim).toBe(
      '3 of 3 partitioned tables in use have rows of the week that began, 0 rows are without a partition; 3 tables lost old partitions, with 30 rows',
    )
    const wrong = [
      partitionsOf({ default: 0, '2027-01-04': 0 }),
      partitionsOf({ default: 1, '2027-01-04': 5 }),
      partitionsOf({ default: 0, earlier: 10, '2027-01-04': 5 }),
    ]
    expect(wrong.map((one) => checkPartitions(before, one, times).holds)).toEqual([false, false, false])
  })

  it('names the tables that kept their old partitions', () => {
    const before = partitionsOf({ default: 0, earlier: 10 })
    const after = partitionsOf({ default: 0, '2027-01-04': 5 })
    after.set('events', new Map([...before.get('events')!, ['2027-01-04', 5]]))
    const { claim, holds } = checkPartitions(before, after, {
      first_maintenance: 0,
      start: 0,
      turn: Date.UTC(2027, 0, 4),
    })
    expect(holds).toBe(false)
    expect(claim).toContain('2 tables lost old partitions, with 20 rows; events lost none')
  })
})

function partitionsOf(rows: Record<string, number>) {
  return new Map(partitionedTables.map(({ table }) => [table, new Map(Object.entries(rows))]))
}
