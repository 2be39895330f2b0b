import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  clockIn,
  dayIn,
  endOfDayIn,
  isoDay,
  readTimeZone,
  startOfDayIn,
  timeOfDayIn,
  timeZones,
} from '../../../src/lib/text/time-zones.ts'

const HOUR_MS = 3_600_000

describe('the name of a time zone', () => {
  it('is read in any case, and none else', () => {
    expect(readTimeZone(' africa/kampala ')).toBe('Africa/Kampala')
    expect(readTimeZone('utc')).toBe('UTC')
    for (const earlier of ['Asia/Kolkata', 'Asia/Calcutta']) expect(readTimeZone(earlier)).toBe(earlier)
    for (const wrong of ['', '+03:00', 'Kampala', 'Africa/Atlantis', 'EAT!', 'a'.repeat(100)])
      expect(readTimeZone(wrong)).toBeUndefined()
    expect(timeZones()[0]).toBe('UTC')
  })
})

describe('a day in a time zone', () => {
  it('begins at its own midnight', () => {
    expect(dayIn(new Date('2030-01-31T21:00:00Z'), 'Africa/Kampala')).toBe('2030-02-01')
    expect(dayIn(new Date('2030-01-31T20:59:59.999Z'), 'Africa/Kampala')).toBe('2030-01-31')
    expect(startOfDayIn('2030-02-01', 'Africa/Kampala')).toEqual(new Date('2030-01-31T21:00:00Z'))
    expect(startOfDayIn('2030-02-01', 'Pacific/Auckland')).toEqual(new Date('2030-01-31T11:00:00Z'))
  })

  it('has 23 or 25 hours when the clocks change', () => {
    const hours = (day: string, zone: string) =>
      (endOfDayIn(day, zone).getTime() - startOfDayIn(day, zone).getTime()) / HOUR_MS
    // In Cairo the clocks go from 00:00 to 01:00, and back from 24:00 to 23:00.
    expect([hours('2030-04-26', 'Africa/Cairo'), hours('2030-10-31', 'Africa/Cairo')]).toEqual([23, 25])
    expect(clockIn(startOfDayIn('2030-04-26', 'Africa/Cairo'), 'Africa/Cairo')).toBe('01:00:00')
    expect([hours('2030-03-31', 'Europe/Paris'), hours('2030-10-27', 'Europe/Paris')]).toEqual([23, 25])
    expect(hours('2030-04-26', 'Africa/Lagos')).toBe(24)
  })

  it('has the time of day before and after', () => {
    expect(timeOfDayIn('2030-04-25', '09:00:00', 'Africa/Cairo')).toEqual(new Date('2030-04-25T07:00:00Z'))
    expect(timeOfDayIn('2030-04-26', '09:00:00', 'Africa/Cairo')).toEqual(new Date('2030-04-26T06:00:00Z'))
    // 02:30 does not exist, and 02:30 exists twice.
    expect(timeOfDayIn('2030-03-31', '02:30:00', 'Europe/Paris')).toEqual(new Date('2030-03-31T01:30:00Z'))
    expect(timeOfDayIn('2030-10-27', '02:30:00', 'Europe/Paris')).toEqual(new Date('2030-10-27T00:30:00Z'))
  })

  it('follows the day before it without a gap', () => {
    for (const day of ['2030-10-29', '2030-10-30', '2030-10-31', '2030-11-01', '2030-11-02'])
      expect(endOfDayIn(day, 'Africa/Cairo')).toEqual(startOfDayIn(addDays(day, 1), 'Africa/Cairo'))
  })

  it('is a text that names a day which exists', () => {
    expect(isoDay('2028-02-29')).toBe('2028-02-29')
    for (const wrong of ['2030-02-29', '2030-2-1', '31/01/2030', '']) expect(isoDay(wrong)).toBeUndefined()
    expect(addDays('2028-02-28', 2)).toBe('2028-03-01')
  })
})

/** Africa/Casablanca leaves summer time for Ramadan, Australia/Lord_Howe moves half an hour, Asia/Kathmandu is at 5:45. */
const ZONES = [
  'UTC',
  'Africa/Kampala',
  'Africa/Lagos',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Europe/London',
  'Asia/Kathmandu',
  'America/New_York',
  'America/Santiago',
  'America/Havana',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Beirut',
]

describe('days in zones with and without summer time', () => {
  const moments = fc.date({ min: new Date('2012-01-01'), max: new Date('2045-01-01'), noInvalidDate: true })

  it('hold each moment, one after another, as Intl says it', () => {
    const seed = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31))
    console.log(`days in time zones: FC_SEED=${seed}`)
    fc.assert(
      fc.property(moments, fc.constantFrom(...ZONES), (at, zone) => {
        const day = dayIn(at, zone)
        expect(`${day} ${clockIn(at, zone)}`).toBe(byIntl(at, zone))
        const [start, end] = [startOfDayIn(day, zone), endOfDayIn(day, zone)]
        expect(start <= at && at < end).toBe(true)
        expect(dayIn(start, zone)).toBe(day)
        expect(dayIn(new Date(start.getTime() - 1), zone)).toBe(addDays(day, -1))
        expect(startOfDayIn(addDays(day, 1), zone)).toEqual(end)
        const nine = timeOfDayIn(day, '09:00:00', zone)
        expect(`${dayIn(nine, zone)} ${clockIn(nine, zone)}`).toBe(`${day} 09:00:00`)
      }),
      { numRuns: 500, seed },
    )
  })
})

const formats = new Map<string, Intl.DateTimeFormat>()

/** The second source: what the clocks show by the formatter of Node. */
function byIntl(at: Date, zone: string): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { ...parts, second: '2-digit', hourCycle: 'h23', timeZone: zone })
  formats.set(zone, format)
  return format.format(at)
}
