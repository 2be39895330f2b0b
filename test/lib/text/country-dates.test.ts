import { describe, expect, it } from 'vitest'
import { countryDay, documentDay, documentTime } from '../../../src/lib/text/country-dates.ts'

describe('a day on a document', () => {
  it.each([
    ['UG', '28/11/2030'],
    ['KE', '28/11/2030'],
    ['NG', '28/11/2030'],
    ['FR', '28/11/2030'],
    ['DE', '28.11.2030'],
    ['NL', '28-11-2030'],
    ['US', '11/28/2030'],
    ['ZA', '2030/11/28'],
    ['SE', '2030-11-28'],
    [null, '2030-11-28'],
  ])('has the form of %s: %s', (country, day) => {
    expect(countryDay('2030-11-28', country)).toBe(day)
  })

  it('is written in words where the organization has no country', () => {
    expect(documentDay('2030-11-28', 'fr', null)).toBe('28 novembre 2030')
    expect(documentDay('2030-11-28', 'fr', 'CI')).toBe('28/11/2030')
  })

  it('has the time of the organization, with its zone', () => {
    const place = { country: 'UG', time_zone: 'Africa/Kampala' }
    expect(documentTime(new Date('2030-11-28T21:30:00Z'), 'en', place)).toBe('29/11/2030, 00:30 GMT+3')
    expect(documentTime(new Date('2030-11-28T21:30:00Z'), 'en', { ...place, country: null })).toMatch(
      /^November 29, 2030/,
    )
  })
})
