import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../web/api.ts'
import { type Column, chooseColumns, toggleColumn } from '../../../web/parts/list/column.ts'
import { groupRefusals, type Outcome, runBulk } from '../../../web/parts/list/run-bulk.ts'
import { formatTotals } from '../../../web/parts/list/totals.ts'

const column = (name?: string): Column<object> => ({ name, title: name ?? 'unnamed', value: () => null })

describe('the columns of a list', () => {
  const all = [column('customer'), column('amount'), column('status'), column()]
  const namesOf = (chosen: string | undefined) => chooseColumns(all, chosen).map(({ title }) => title)

  it('follow the address, always with the first one and the unnamed ones', () => {
    expect(namesOf(undefined)).toEqual(['customer', 'amount', 'status', 'unnamed'])
    expect(namesOf('status,unknown')).toEqual(['customer', 'status', 'unnamed'])
    expect(namesOf('unknown')).toEqual(['customer', 'unnamed'])
  })

  it('are hidden and shown one by one', () => {
    const without = toggleColumn(all, all, all[1]!)
    expect(without).toBe('customer,status')
    expect(toggleColumn(all, chooseColumns(all, without), all[2]!)).toBe('customer')
    expect(toggleColumn(all, chooseColumns(all, without), all[1]!)).toBeUndefined()
  })
})

/** Run an action over the rows 1 to 5, whose n-th call fails as told. */
async function run(errors: Record<number, Error[]>, stop_after?: number) {
  const outcomes = new Map<number, Outcome>()
  const calls: number[] = []
  const waits: number[] = []
  const stopping = new AbortController()
  await runBulk({
    rows: [1, 2, 3, 4, 5],
    async act(row) {
      calls.push(row)
      if (row === stop_after) stopping.abort()
      const error = errors[row]?.shift()
      if (error) throw error
    },
    onOutcome: (row, outcome) => outcomes.set(row, outcome),
    onWait: (seconds) => waits.push(seconds),
    signal: stopping.signal,
    pause: async () => {},
  })
  return { calls, waits, outcomes, kinds: [...outcomes.values()].map(({ kind }) => kind) }
}

const refusal = (message: string) => new ApiError(400, 'Please check the fields.', { status: [message] })

describe('an action on several rows', () => {
  it('shows the result for each row, and groups the refusals', async () => {
    const errors = { 2: [refusal('It is paid.')], 3: [refusal('It is expired.')], 5: [refusal('It is expired.')] }
    const { kinds, outcomes } = await run(errors)
    expect(kinds).toEqual(['done', 'refused', 'refused', 'done', 'refused'])
    expect(groupRefusals(outcomes)).toEqual([
      ['It is expired.', [3, 5]],
      ['It is paid.', [2]],
    ])
  })

  it('ends without an answer of the service: that row may be done or not', async () => {
    for (const error of [new ApiError(0, 'unreachable'), new ApiError(503, 'failed'), new TypeError('broken')]) {
      const { calls, kinds } = await run({ 2: [error] })
      expect([calls, kinds]).toEqual([
        [1, 2],
        ['done', 'unknown'],
      ])
    }
  })

  it('waits as long as the service wants, then sends the same row again', async () => {
    const slow = new ApiError(429, 'slow', {}, 12)
    const { calls, waits, kinds } = await run({ 3: [slow, slow] })
    expect([calls, waits]).toEqual([
      [1, 2, 3, 3, 3, 4, 5],
      [12, 0, 12, 0],
    ])
    expect(kinds).toEqual(Array(5).fill('done'))
  })

  it('ends when it is stopped or the session has ended', async () => {
    expect((await run({}, 2)).calls).toEqual([1, 2])
    const { calls, kinds } = await run({ 3: [new ApiError(401, 'signed out')] })
    expect([calls, kinds]).toEqual([
      [1, 2, 3],
      ['done', 'done'],
    ])
  })
})

it('sums amounts by currency, to the last digit', () => {
  const rows = [
    { amount: '99999999999999.0100', currency: 'UGX' },
    { amount: '0.0200', currency: 'UGX' },
    { amount: '5.0000', currency: 'KES' },
  ]
  expect(formatTotals(rows)).toBe('KES 5 and UGX 99,999,999,999,999.03')
})
