import { describe, expect, it } from 'vitest'
import { isDay, readDay } from '../../../src/core/invoices/due-days.ts'

const at = { now: new Date('2030-03-15T22:00:00Z'), time_zone: 'Africa/Kampala' }

describe('a due day is read as people write it', () => {
  it.each([
    ['2030-04-30', '2030-04-30'],
    ['30/04/2030', '2030-04-30'],
    ['30-04-2030', '2030-04-30'],
    ['30.4.2030', '2030-04-30'],
    ['30 April 2030', '2030-04-30'],
    ['April 30, 2030', '2030-04-30'],
    ['the 30', undefined],
    ['30th of April', '2030-04-30'],
    ['30 avril', '2030-04-30'],
    ['1er août 2030', '2030-08-01'],
    ['30 Aprili', '2030-04-30'],
    ['7 days', '2030-03-23'],
    ['28 Feb', '2031-02-28'],
    ['16 march', '2030-03-16'],
    ['15 march', '2031-03-15'],
    ['29 Feb', '2032-02-29'],
    ['31 April 2030', undefined],
    ['30 jui', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('%s', (text, day) => {
    expect(readDay(text, at)).toBe(day)
    expect(isDay(text)).toBe(day !== undefined)
  })
})
