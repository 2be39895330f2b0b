import { describe, expect, it } from 'vitest'
import { toPast, toPastEnd } from '../../src/cli/arguments.ts'

const NOW = new Date('2030-01-31T18:00:00Z')

describe('a time in the past', () => {
  it.each([
    ['10 minutes ago', '2030-01-31T17:50:00.000Z'],
    ['2 days', '2030-01-29T18:00:00.000Z'],
    ['2030-01-30', '2030-01-29T21:00:00.000Z'],
    ['30/1/2030', '2030-01-29T21:00:00.000Z'],
    ['30/01/2030 18:30', '2030-01-30T15:30:00.000Z'],
    ['2030-01-30T18:30', '2030-01-30T15:30:00.000Z'],
    ['2030-01-30T18:30Z', '2030-01-30T18:30:00.000Z'],
  ])('is parsed from %s, in the time zone of the organization', (text, time) => {
    expect(toPast(text)(NOW, 'Africa/Kampala').toISOString()).toBe(time)
  })

  it('ends a period with the end of a day', () => {
    const read = (text: string) => toPastEnd(text)(NOW, 'Africa/Kampala').toISOString()
    expect(read('31/12/2029')).toBe('2029-12-31T21:00:00.000Z')
    expect(read('2029-12-31')).toBe('2029-12-31T21:00:00.000Z')
    expect(read('31/12/2029 18:00')).toBe('2029-12-31T15:00:00.000Z')
    expect(read('1 day ago')).toBe('2030-01-30T18:00:00.000Z')
  })

  it.each(['yesterdayish', '10', '', '2030-02-31'])('refuses %j', (text) => {
    expect(() => toPast(text)).toThrow('It must be a date such as 2030-01-31 or 31/1/2030 18:00, or "10 minutes ago".')
  })
})
