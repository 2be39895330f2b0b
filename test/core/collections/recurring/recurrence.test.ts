import fc from 'fast-check'
import rrule from 'rrule'
import { describe, expect, it } from 'vitest'
import {
  type Frequency,
  frequencies,
  generateOccurrences,
  nextOccurrence,
  type Recurrence,
  readSchedule,
} from '../../../../src/core/collections/recurring/recurrence.ts'

const { RRule } = rrule

const NOW = new Date('2030-01-15T12:00:00.700Z')
const AT = { now: NOW, time_zone: 'UTC' }
const DAY_MS = 24 * 60 * 60 * 1_000

/** The dates of settings that are read on 15 January 2030, a Tuesday. */
function datesOf(settings: object, max_dates = 100): string[] {
  const schedule = readSchedule(settings, null, AT)
  if (Array.isArray(schedule)) throw new Error(schedule.join(' '))
  const dates: string[] = []
  for (const date of generateOccurrences(schedule.recurrence)) {
    if (dates.length === max_dates) break
    dates.push(date.toISOString().slice(0, 16))
  }
  return dates
}

describe('the dates of a recurrence', () => {
  const from = (start_date: string, end_date: string, rest: object) => ({ start_date, end_date, ...rest })

  it('begin with the second in which the plan is created if there is no start date', () => {
    const schedule = readSchedule({ end_date: '17/01/2030 12:00:00', frequency: 'daily' }, null, AT)
    expect(schedule).toMatchObject({ first: new Date('2030-01-15T12:00:00Z') })
    expect(datesOf({ end_date: '17/01/2030 12:00:00', frequency: 'daily' })).toEqual([
      '2030-01-15T12:00',
      '2030-01-16T12:00',
      '2030-01-17T12:00',
    ])
  })

  it('use the last day of a month without a 31st, and the 31st again in the next month that has one', () => {
    const settings = from('31/01/2030 09:30:00', '01/06/2030 00:00:00', { frequency: 'monthly' })
    expect(datesOf(settings)).toEqual([
      '2030-01-31T09:30',
      '2030-02-28T09:30',
      '2030-03-31T09:30',
      '2030-04-30T09:30',
      '2030-05-31T09:30',
    ])
  })

  it('use 28 February instead of 29 February except in leap years', () => {
    const settings = from('29/02/2032 00:00:00', '01/03/2036 00:00:00', { frequency: 'yearly' })
    expect(datesOf(settings).map((date) => date.slice(0, 10))).toEqual([
      '2032-02-29',
      '2033-02-28',
      '2034-02-28',
      '2035-02-28',
      '2036-02-29',
    ])
  })

  it('are daily on given weekdays, and monthly in given months, if there is no frequency', () => {
    const weekdays = from('21/01/2030 08:00:00', '28/01/2030 23:00:00', { weekdays: 'Mon, FRIDAY' })
    expect(datesOf(weekdays)).toEqual(['2030-01-21T08:00', '2030-01-25T08:00', '2030-01-28T08:00'])
    const months = from('05/02/2030 08:00:00', '01/01/2031 00:00:00', { months: 'dec,March' })
    expect(datesOf(months)).toEqual(['2030-03-05T08:00', '2030-12-05T08:00'])
  })

  it('of several frequencies are combined, each date once', () => {
    const settings = from('20/01/2030 00:00:00', '20/02/2030 00:00:00', { frequency: 'monthly,weekly' })
    expect(datesOf(settings).map((date) => date.slice(5, 10))).toEqual([
      '01-20',
      '01-27',
      '02-03',
      '02-10',
      '02-17',
      '02-20',
    ])
  })

  it('count hours and minutes from the start, only on the given days', () => {
    const hourly = from('18/01/2030 22:40:00', '21/01/2030 01:00:00', { frequency: 'hourly', weekdays: 'fri,mon' })
    expect(datesOf(hourly)).toEqual(['2030-01-18T22:40', '2030-01-18T23:40', '2030-01-21T00:40'])
    const minutely = from('18/01/2030 22:58:30', '18/01/2030 23:01:00', { frequency: 'minutely' })
    expect(datesOf(minutely)).toEqual(['2030-01-18T22:58', '2030-01-18T22:59', '2030-01-18T23:00'])
  })

  it('include the end date', () => {
    expect(datesOf(from('20/01/2030 10:00:00', '21/01/2030 10:00:00', { frequency: 'daily' }))).toHaveLength(2)
    expect(datesOf(from('20/01/2030 10:00:00', '21/01/2030 09:59:59', { frequency: 'daily' }))).toHaveLength(1)
  })

  it('are found as fast long after the start as near to it', () => {
    const recurrence = anyRecurrence({ frequencies: ['minutely', 'yearly'], end: new Date('2300-01-01T00:00:00Z') })
    const started = performance.now()
    const after = new Date('2299-12-30T23:59:59Z')
    for (let i = 0; i < 1_000; i += 1)
      expect(nextOccurrence(recurrence, after)?.getTime()).toBe(after.getTime() + 1_000)
    // A loop from the start needs 142 million steps, a thousand times.
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('are those of RFC 5545, as far as it has such a rule', () => {
    fc.assert(
      fc.property(recurrences, (recurrence) => {
        const actual = [...generateOccurrences(recurrence)].map((date) => date.toISOString())
        const expected = recurrence.frequencies.flatMap((frequency) => datesByRfc(recurrence, frequency))
        expect(actual).toEqual([...new Set(expected)].sort())
      }),
      { numRuns: 300 },
    )
  })

  it('continue from any date in between', () => {
    fc.assert(
      fc.property(recurrences, fc.nat(), (recurrence, pick) => {
        const dates = [...generateOccurrences(recurrence)]
        fc.pre(dates.length > 0)
        const index = pick % dates.length
        expect(nextOccurrence(recurrence, dates[index]!)).toEqual(dates[index + 1] ?? null)
        expect(nextOccurrence(recurrence, new Date(dates[index]!.getTime() - 1))).toEqual(dates[index])
      }),
      { numRuns: 200 },
    )
  })
})

describe('the dates in a time zone', () => {
  /** At 09:00 in Cairo, where summer time begins on 26 April 2030 at midnight and ends on 1 November. */
  const cairo = (start: string, end: string, changes: Partial<Recurrence> = {}) =>
    datesIn({ ...anyRecurrence(changes), start: new Date(start), end: new Date(end), time_zone: 'Africa/Cairo' })

  it('keep their time of day when the clocks change', () => {
    expect(cairo('2030-04-24T07:00:00Z', '2030-04-27T12:00:00Z')).toEqual([
      '2030-04-24T07:00',
      '2030-04-25T07:00',
      '2030-04-26T06:00',
      '2030-04-27T06:00',
    ])
    const monthly = cairo('2030-03-26T07:00:00Z', '2030-11-30T12:00:00Z', { frequencies: ['monthly'] })
    expect(monthly.map((date) => date.slice(5, 13))).toEqual([
      '03-26T07',
      '04-26T06',
      '05-26T06',
      '06-26T06',
      '07-26T06',
      '08-26T06',
      '09-26T06',
      '10-26T06',
      '11-26T07',
    ])
  })

  it('are an hour later on a day whose clocks leave the time out', () => {
    expect(cairo('2030-04-24T22:30:00Z', '2030-04-27T12:00:00Z')).toEqual([
      '2030-04-24T22:30',
      '2030-04-25T22:30',
      '2030-04-26T21:30',
    ])
  })

  it('begin with the start, also if the clocks show it a second time', () => {
    expect(cairo('2030-10-31T21:30:00Z', '2030-11-02T12:00:00Z')).toEqual(['2030-10-31T21:30', '2030-11-01T21:30'])
  })

  it('count hours that pass, on weekdays of the time zone', () => {
    // A Thursday evening; Friday has 23 hours.
    const friday = cairo('2030-04-25T21:00:00Z', '2030-04-27T12:00:00Z', { frequencies: ['hourly'], weekdays: [4] })
    expect([friday[0], friday.at(-1), friday.length]).toEqual(['2030-04-25T22:00', '2030-04-26T20:00', 23])
  })

  it('are those of UTC where the clocks are always the same distance ahead', () => {
    fc.assert(
      fc.property(recurrences, (recurrence) => {
        const ahead = (date: Date, hours: number) => new Date(date.getTime() + hours * 3_600_000)
        const there = { ...recurrence, start: ahead(recurrence.start, -3), end: ahead(recurrence.end, -3) }
        const dates = [...generateOccurrences({ ...there, time_zone: 'Africa/Kampala' })]
        expect(dates.map((date) => ahead(date, 3))).toEqual([...generateOccurrences(recurrence)])
      }),
      { numRuns: 50 },
    )
  })
})

function datesIn(recurrence: Recurrence): string[] {
  return [...generateOccurrences(recurrence)].map((date) => date.toISOString().slice(0, 16))
}

describe('the number of dates', () => {
  it('may not be more than 10,000, which is found without counting all of them', () => {
    const started = performance.now()
    const refused = readSchedule({ end_date: '31/12/9999 00:00:00', frequency: 'minutely' }, null, AT)
    expect(refused).toEqual([expect.stringContaining('more than 10,000 dates')])
    expect(Array.isArray(readSchedule({ end_date: '31/05/2057 12:00:00', frequency: 'daily' }, null, AT))).toBe(false)
    expect(readSchedule({ end_date: '02/06/2057 12:00:00', frequency: 'daily' }, null, AT)).toEqual([
      expect.stringContaining('more than 10,000 dates'),
    ])
    expect(Array.isArray(readSchedule({ end_date: '31/12/9999 00:00:00', frequency: 'yearly' }, null, AT))).toBe(false)
    // The first settings give more than four thousand million dates.
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

function anyRecurrence(changes: Partial<Recurrence>): Recurrence {
  const start = new Date('2030-01-15T12:00:00Z')
  const end = new Date('2031-01-15T12:00:00Z')
  return { start, end, weekdays: [], months: [], frequencies: ['daily'], time_zone: 'UTC', ...changes }
}

/** Short recurrences, because rrule computes every date from the start. */
const recurrences = fc
  .record({
    start: fc.date({ min: new Date('2027-01-01'), max: new Date('2033-01-01'), noInvalidDate: true }),
    days: fc.integer({ min: 1, max: 500 }),
    weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
    months: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
    frequencies: fc.uniqueArray(fc.constantFrom(...frequencies.slice(0, 5)), { minLength: 1, maxLength: 3 }),
  })
  .map(({ start, days, ...rest }): Recurrence => {
    const whole = new Date(Math.floor(start.getTime() / 1_000) * 1_000)
    const hourly = rest.frequencies.includes('hourly')
    const end = new Date(whole.getTime() + (hourly ? days % 40 : days) * DAY_MS)
    return { ...rest, start: whole, end, time_zone: 'UTC' }
  })

function datesByRfc(recurrence: Recurrence, frequency: Frequency): string[] {
  const { start, end, weekdays, months } = recurrence
  const byDay = (frequency === 'monthly' || frequency === 'yearly') && weekdays.length === 0
  const day = start.getUTCDate()
  const rule = new RRule({
    // "Yearly" is a choice of months. As a monthly rule it can use the last day of a shorter month.
    freq: {
      yearly: RRule.MONTHLY,
      monthly: RRule.MONTHLY,
      weekly: RRule.WEEKLY,
      daily: RRule.DAILY,
      hourly: RRule.HOURLY,
      minutely: RRule.MINUTELY,
    }[frequency],
    dtstart: start,
    until: end,
    bymonth: months.length > 0 ? months : frequency === 'yearly' ? [start.getUTCMonth() + 1] : null,
    byweekday: weekdays.length > 0 ? weekdays : null,
    ...(byDay && day <= 28 ? { bymonthday: [day] } : {}),
    ...(byDay && day > 28 ? { bymonthday: [28, 29, 30, 31].filter((last) => last <= day), bysetpos: [-1] } : {}),
  })
  return rule.all().map((date) => date.toISOString())
}
