import { describe, expect, it } from 'vitest'
import { toPast } from '../../src/cli/arguments.ts'

const NOW = new Date('2030-01-31T18:00:00Z')

describe('a time in the past', () => {
  it.each([
    ['10 minutes ago', '2030-01-31T17:50:00.000Z'],
    ['2 days', '2030-01-29T18:00:00.000Z'],
    ['2030-01-30', '2030-01-30T00:00:00.000Z'],
    ['2030-01-30T18:30', '2030-01-30T18:30:00.000Z'],
  ])('is parsed from %s', (text, time) => {
    expect(toPast(text)(NOW).toISOString()).toBe(time)
  })

  it.each(['yesterdayish', '10', '', '2030-02-31'])('refuses %j', (text) => {
    expect(() => toPast(text)).toThrow('It must be a date such as 2030-01-31 or 2030-01-31T18:00, or "10 minutes ago".')
  })
})
