import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatExpiry,
  formatMilliseconds,
  formatTimestamp,
  parseFilterDate,
  parsePastTimestamp,
  parseSubscriptionDate,
  parseTimestamp,
  truncateToSecond,
} from '../../src/lib/time.ts'

const now = new Date('2030-01-31T10:00:00.123Z')
const anyMoment = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
const parsers = [
  parseFilterDate,
  parseSubscriptionDate,
  (text: string) => parseTimestamp(text, now),
  (text: string) => parsePastTimestamp(text, now),
]

describe('writing timestamps', () => {
  it('writes a timestamp to the second', () => {
    expect(formatTimestamp(now)).toBe('2030-01-31T10:00:00Z')
  })

  it('writes an expiry date with microseconds and a zone', () => {
    expect(formatExpiry(now)).toBe('2030-01-31 10:00:00.123000+00:00')
  })

  it('writes the timestamps of payments with milliseconds', () => {
    expect(formatMilliseconds(now)).toBe('2030-01-31T10:00:00.123Z')
  })

  it('writes any moment as toISOString does', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        const text = date.toISOString()
        expect(formatMilliseconds(date)).toBe(text)
        expect(formatTimestamp(date)).toBe(`${text.slice(0, -5)}Z`)
        expect(formatExpiry(date)).toBe(`${text.slice(0, -1).replace('T', ' ')}000+00:00`)
      }),
      { numRuns: 2_000 },
    )
  })

  it('refuses an invalid date', () => {
    expect(() => formatTimestamp(new Date(Number.NaN))).toThrow(RangeError)
  })

  it('rounds down to the second, also before 1970', () => {
    expect(truncateToSecond(now)).toEqual(new Date('2030-01-31T10:00:00Z'))
    expect(truncateToSecond(new Date(-1))).toEqual(new Date(-1000))
  })

  it('reads back all written forms', () => {
    fc.assert(
      fc.property(anyMoment, (date) => {
        expect(parseFilterDate(formatTimestamp(date))).toEqual(truncateToSecond(date))
        expect(parseFilterDate(formatExpiry(date))).toEqual(date)
        expect(parseFilterDate(formatMilliseconds(date))).toEqual(date)
        expect(parseTimestamp(formatExpiry(date), now)).toEqual(date)
      }),
    )
  })
})

describe('parseTimestamp', () => {
  it.each([
    ['tomorrow', '2030-02-01T10:00:00.123Z'],
    ['Tomorrow ', '2030-02-01T10:00:00.123Z'],
    ['24 hours', '2030-02-01T10:00:00.123Z'],
    ['2 minutes', '2030-01-31T10:02:00.123Z'],
    ['3 MINUTES', '2030-01-31T10:03:00.123Z'],
    ['30 seconds', '2030-01-31T10:00:30.123Z'],
    ['1 day', '2030-02-01T10:00:00.123Z'],
    ['3 weeks', '2030-02-21T10:00:00.123Z'],
    ['in 2 hours', '2030-01-31T12:00:00.123Z'],
    ['2hrs', '2030-01-31T12:00:00.123Z'],
    ['0 minutes', '2030-01-31T10:00:00.123Z'],
    ['2 months', '2030-03-31T10:00:00.123Z'],
    ['1 year', '2031-01-31T10:00:00.123Z'],
    ['29 days 23 hours', '2030-03-02T09:00:00.123Z'],
    ['1 day, 2 hours and 3 minutes', '2030-02-01T12:03:00.123Z'],
    ['in 1d2h 3min', '2030-02-01T12:03:00.123Z'],
    ['1 month 1 day', '2030-03-01T10:00:00.123Z'],
  ])('counts "%s" from now', (text, expected) => {
    expect(parseTimestamp(text, now)?.toISOString()).toBe(expected)
  })

  it('uses the last day where a month is too short', () => {
    expect(parseTimestamp('1 month', now)).toEqual(new Date('2030-02-28T10:00:00.123Z'))
    expect(parseTimestamp('1 year', new Date('2028-02-29T00:00:00Z'))).toEqual(new Date('2029-02-28T00:00:00Z'))
  })

  it.each([
    ['01/02/2030', '2030-02-01T00:00:00.000Z'],
    ['1/2/2030', '2030-02-01T00:00:00.000Z'],
    ['01/02/2030 13:14', '2030-02-01T13:14:00.000Z'],
    ['01/02/2030 13:14:15', '2030-02-01T13:14:15.000Z'],
    ['2030-02-01', '2030-02-01T00:00:00.000Z'],
    ['2030-02-01 13:14', '2030-02-01T13:14:00.000Z'],
    ['2030-02-01T13:14:15Z', '2030-02-01T13:14:15.000Z'],
    ['2030-02-01T13:14:15.1234567Z', '2030-02-01T13:14:15.123Z'],
    ['2030-02-01T13:14:15+03:00', '2030-02-01T10:14:15.000Z'],
    ['2030-02-01T13:14:15-0330', '2030-02-01T16:44:15.000Z'],
    ['2030-02-01 13:14:15.123456+00:00', '2030-02-01T13:14:15.123Z'],
  ])('reads "%s" as UTC unless a zone is given', (text, expected) => {
    expect(parseTimestamp(text, now)?.toISOString()).toBe(expected)
  })

  it.each([
    '',
    'soon',
    'hours',
    '24',
    '-2 hours',
    '1.5 hours',
    '2 moons',
    '24 hours ago',
    'tomorrow at noon',
    '31/02/2030',
    '00/01/2030',
    '01/13/2030',
    '29/02/2030',
    '2030-02-29',
    '2030-2-1',
    '31/01/2030 24:00:00',
    '31/01/2030 23:60',
    '2030-01-31T10:00:00+99:00',
    '2030-01-31T10:00:00+03:75',
    '2030-01-31Z',
    '1900000000',
    '٣١/٠١/٢٠٣٠',
  ])('refuses "%s"', (text) => {
    expect(parseTimestamp(text, now)).toBeUndefined()
  })

  it.each(['101 years', '9999999999 weeks', '9999999999 years', '01/01/2131', '1929-01-01', '0000-01-01'])(
    'refuses "%s", which is more than 100 years away',
    (text) => {
      expect(parseTimestamp(text, now)).toBeUndefined()
    },
  )

  it('adds exactly the given span', () => {
    const units = { seconds: 1, minutes: 60, hours: 3600, days: 86_400, weeks: 604_800 }
    fc.assert(
      fc.property(fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])), fc.nat(5000), (unit, count) => {
        expect(parseTimestamp(`${count} ${unit}`, now)!.getTime() - now.getTime()).toBe(count * units[unit] * 1000)
      }),
    )
  })
})

describe('parseFilterDate', () => {
  it.each([
    ['2030-02-01', '2030-02-01T00:00:00.000Z'],
    ['2030-02-01 10:30', '2030-02-01T10:30:00.000Z'],
    ['2030-02-01T10:30:15', '2030-02-01T10:30:15.000Z'],
    ['2030-02-01T10:30:15+03:00', '2030-02-01T07:30:15.000Z'],
    ['01/02/2030', '2030-02-01T00:00:00.000Z'],
    ['01/02/2030 10:30:15', '2030-02-01T10:30:15.000Z'],
  ])('reads "%s"', (text, expected) => {
    expect(parseFilterDate(text)?.toISOString()).toBe(expected)
  })

  it('reads an offset whose plus sign the URL turned into a blank', () => {
    expect(parseFilterDate('2030-02-01T10:30:15 03:00')).toEqual(new Date('2030-02-01T07:30:15Z'))
  })

  it.each(['tomorrow', '24 hours', '2030-02-30', 'yesterday', '9999-12-31T23:00:00-05:00', ''])(
    'refuses "%s"',
    (text) => {
      expect(parseFilterDate(text)).toBeUndefined()
    },
  )
})

describe('parseSubscriptionDate', () => {
  it('reads DD/MM/YYYY HH:MM:SS in UTC', () => {
    expect(parseSubscriptionDate('28/02/2030 23:59:58')).toEqual(new Date('2030-02-28T23:59:58Z'))
  })

  it.each(['28/02/2030', '28/02/2030 10:00', '2030-02-28 10:00:00', '30/02/2030 10:00:00', 'tomorrow'])(
    'refuses "%s"',
    (text) => {
      expect(parseSubscriptionDate(text)).toBeUndefined()
    },
  )

  it('agrees with the calendar on which days exist', () => {
    const two = (part: number) => String(part).padStart(2, '0')
    fc.assert(
      fc.property(fc.nat(40), fc.nat(14), fc.integer({ min: 1900, max: 2200 }), (day, month, year) => {
        const date = parseSubscriptionDate(`${two(day)}/${two(month)}/${year} 01:02:03`)
        const days = month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0
        const expected = `${year}-${two(month)}-${two(day)}T01:02:03.000Z`
        expect(date?.toISOString()).toBe(day >= 1 && day <= days ? expected : undefined)
      }),
    )
  })
})

describe('parsePastTimestamp', () => {
  it.each([
    ['10 minutes ago', '2030-01-31T09:50:00.123Z'],
    [' 2 Hours AGO ', '2030-01-31T08:00:00.123Z'],
    ['3 days', '2030-01-28T10:00:00.123Z'],
    ['90s ago', '2030-01-31T09:58:30.123Z'],
    ['2030-01-31T09:00:00Z', '2030-01-31T09:00:00.000Z'],
    ['31/01/2030 09:00', '2030-01-31T09:00:00.000Z'],
  ])('reads %s', (text, timestamp) => {
    expect(parsePastTimestamp(text, now)?.toISOString()).toBe(timestamp)
  })

  it.each(['tomorrow', 'in 2 days', 'ago', '10 ago', '10', '999999999 years ago', 'soon'])('refuses %s', (text) => {
    expect(parsePastTimestamp(text, now)).toBeUndefined()
  })
})

describe('any text', () => {
  it('gives a valid timestamp or undefined', () => {
    const nearlyDates = fc.stringMatching(/^[0-9/\-:+ TZ.]{0,30}$/)
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearlyDates), (text) => {
        for (const parse of parsers) {
          const date = parse(text)
          if (date) expect(date.getTime()).not.toBeNaN()
        }
      }),
    )
  })

  it('takes time proportional to its length', () => {
    const started_at = performance.now()
    for (const filler of [' ', '9', '/', '1 ']) {
      for (const parse of parsers) parse(`1${filler.repeat(200_000)}`)
    }
    // Quadratic time would take minutes.
    expect(performance.now() - started_at).toBeLessThan(30_000)
  })
})
