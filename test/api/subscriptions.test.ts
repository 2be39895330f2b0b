import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newestPlans } from '../core/collections/newest-plans.ts'
import { buildTestApp, createApiClient, type TestApp } from '../test-app.ts'

// The test clock stands still at Tuesday, 15 January 2030, 12:00 UTC.
let testApp: TestApp
let api: ReturnType<typeof createApiClient>

beforeAll(async () => {
  testApp = await buildTestApp()
  const service = await testApp.startService({ jobs: false })
  api = createApiClient(service.url, testApp.api_key)
})
beforeEach(() => testApp.db`truncate plans cascade`)
afterAll(() => testApp.close())

function ask(subscription_settings: unknown, fields: object = {}) {
  const body = { phonenumber: '+80000000003', amount: '1500', currency: 'BXC', subscription_settings, ...fields }
  return api.post('/api/collectionrequests', body)
}

const END = '31/12/2030 23:59:59'
const DATE = 'Enter a date as DD/MM/YYYY HH:MM:SS (UTC).'
const TOO_MANY_DATES = 'The settings give more than 10,000 dates. Choose a lower frequency or an earlier end_date.'
const FREQUENCY = 'frequency: This field is required without weekdays or months.'

describe('invalid subscription settings', () => {
  it.each<[unknown, string[]]>([
    ['daily', ['Expected a dictionary of items, or a JSON text of one.']],
    [7, ['Expected a dictionary of items, or a JSON text of one.']],
    ['[1]', ['Expected a dictionary of items, or a JSON text of one.']],
    [{}, ['end_date: This field is required.']],
    [{ frequency: 'daily' }, ['end_date: This field is required.']],
    [{ end_date: END }, [FREQUENCY]],
    [{ end_date: END, frequency: '' }, [FREQUENCY]],
    [{ end_date: '31/02/2030 00:00:00', frequency: 'daily' }, [`end_date: ${DATE}`]],
    [{ end_date: '29/02/2031 00:00:00', frequency: 'daily' }, [`end_date: ${DATE}`]],
    [{ end_date: '31/12/2030', frequency: 'daily' }, [`end_date: ${DATE}`]],
    [{ end_date: '2030-12-31 00:00:00', frequency: 'daily' }, [`end_date: ${DATE}`]],
    [{ end_date: '31/12/2030 24:00:00', frequency: 'daily' }, [`end_date: ${DATE}`]],
    [{ end_date: 20301231, frequency: 'daily' }, [`end_date: ${DATE}`]],
    [{ end_date: END, start_date: 'tomorrow', frequency: 'daily' }, [`start_date: ${DATE}`]],
    [
      { end_date: END, start_date: '15/01/2030 12:00:00', frequency: 'daily' },
      ['start_date: The start date must be in the future.'],
    ],
    [
      { end_date: '01/02/2030 00:00:00', start_date: '01/02/2030 00:00:00', frequency: 'daily' },
      ['end_date: The end date must be later than the start date.'],
    ],
    [
      { end_date: '15/01/2029 12:00:00', frequency: 'daily' },
      ['end_date: The end date must be later than the start date.'],
    ],
    [
      { end_date: END, frequency: 'fortnightly' },
      [expect.stringContaining('frequency: "fortnightly" is not a valid choice.')],
    ],
    [{ end_date: END, weekdays: 'mon,funday' }, [expect.stringContaining('weekdays: "funday" is not a valid choice.')]],
    [{ end_date: END, weekdays: 'mo' }, [expect.stringContaining('weekdays: "mo" is not a valid choice.')]],
    [
      { end_date: END, months: '13', frequency: 'daily' },
      [expect.stringContaining('months: "13" is not a valid choice.')],
    ],
    [
      { end_date: 'x', frequency: 'never', weekdays: 'x' },
      [
        `end_date: ${DATE}`,
        expect.stringContaining('weekdays: "x" is not a valid choice.'),
        expect.stringContaining('frequency: "never" is not a valid choice.'),
      ],
    ],
    [{ end_date: '15/01/2050 12:00:00', frequency: 'minutely' }, [TOO_MANY_DATES]],
    [{ end_date: '15/01/2050 12:00:00', frequency: 'hourly', months: 'jan' }, [TOO_MANY_DATES]],
    [{ end_date: '31/12/9999 23:59:59', frequency: 'daily' }, [TOO_MANY_DATES]],
    [
      { end_date: '20/01/2030 00:00:00', months: 'july' },
      ['The settings give no date between start_date and end_date.'],
    ],
    [
      { start_date: '22/01/2030 00:00:00', end_date: '23/01/2030 00:00:00', weekdays: 'sunday' },
      ['The settings give no date between start_date and end_date.'],
    ],
  ])('are refused with the reasons: %j', async (settings, errors) => {
    const { status, body } = await ask(settings)
    expect({ status, body }).toEqual({ status: 400, body: { subscription_settings: errors } })
    expect(await newestPlans(testApp.db, 1)).toEqual([])
  })

  it("are refused when they contradict the request's start_date", async () => {
    const settings = { start_date: '01/02/2030 00:00:00', end_date: END, frequency: 'daily' }
    expect((await ask(settings, { start_date: '02/02/2030' })).body).toEqual({
      subscription_settings: ["start_date: This differs from the request's own start_date."],
    })
    expect((await ask(settings, { start_date: '01/02/2030' })).status).toBe(201)
  })

  it('are refused together with all other invalid fields', async () => {
    const { body } = await ask({ frequency: 'daily' }, { expiry_date: '01/01/2020' })
    expect(Object.keys(body).sort()).toEqual(['expiry_date', 'subscription_settings'])
  })

  it('are refused for a cross-border account', async () => {
    const [account] = await testApp.db<{ id: number }[]>`
      update accounts set kind = 'cross_border' where currency = 'KES' and kind = 'local' returning id`
    const { status, body } = await ask({ end_date: END, frequency: 'daily' }, { currency: 'KES', account: account!.id })
    expect({ status, body }).toEqual({
      status: 400,
      body: { subscription_settings: ['Recurring requests need a local account.'] },
    })
  })
})

describe('valid subscription settings', () => {
  it.each<[string, unknown]>([
    ['an object', { end_date: END, frequency: 'daily' }],
    ['a JSON text', `{"end_date": "${END}", "frequency": "daily"}`],
    ['a Python literal', `{'end_date': '${END}', 'frequency': 'daily'}`],
    ['names in any case, long or short', { end_date: END, weekdays: 'MONDAY, fri', months: 'Jan,december' }],
    ['several frequencies', { end_date: END, frequency: 'weekly, Monthly' }],
    ['empty and null fields', { end_date: END, frequency: 'yearly', weekdays: '', months: null, start_date: '' }],
  ])('are accepted as %s and returned as a JSON text', async (_, settings) => {
    const { status, body } = await ask(settings)
    expect(status, JSON.stringify(body)).toBe(201)
    const { subscription_settings } = body
    const given = typeof settings === 'string' ? JSON.parse(settings.replaceAll("'", '"')) : settings
    expect([typeof subscription_settings, JSON.parse(subscription_settings)]).toEqual(['string', given])
    const { body: read } = await api.get(`/api/collectionrequests/${body.id}`)
    expect(read.subscription_settings).toBe(subscription_settings)
    expect(await newestPlans(testApp.db, 10)).toMatchObject([{ collection_request: body.id }])
    // The stored settings equal the given ones.
    const stored = await testApp.db<{ settings: unknown }[]>`
      select subscription_settings as settings from collection_requests where id = ${body.id}`
    expect(stored).toEqual([{ settings }])
  })

  it('are accepted in a form body', async () => {
    const form = new URLSearchParams({
      phonenumber: '+80000000003',
      amount: '1500',
      currency: 'BXC',
      'subscription_settings.end_date': END,
      'subscription_settings.weekdays': 'mon,tue',
    })
    const { status } = await api.send('POST', '/api/collectionrequests', form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(status).toBe(201)
    expect(await newestPlans(testApp.db, 10)).toMatchObject([{ weekdays: [0, 1], frequencies: ['daily'] }])
  })

  it('start the request, and count its expiry, at their first date', async () => {
    const { body } = await ask({ end_date: END, weekdays: 'saturday' }, { expiry_date: '2 hours' })
    expect(body).toMatchObject({
      status: 'pending',
      start_date: '2030-01-19 12:00:00.000000+00:00',
      expiry_date: '2030-01-19 14:00:00.000000+00:00',
    })
  })

  it('start the request at once when their first date is now', async () => {
    const { body } = await ask({ end_date: END, frequency: 'weekly' })
    expect(body).toMatchObject({ start_date: null, expiry_date: '2030-01-16 12:00:00.000000+00:00' })
  })

  it('create one plan for a request that is sent twice with one Duplicate-Check-Key', async () => {
    const body = {
      phonenumber: '+80000000003',
      amount: '1500',
      currency: 'BXC',
      subscription_settings: { end_date: END, frequency: 'daily' },
    }
    const responses = await Promise.all(
      [1, 2, 3].map(() => api.post('/api/collectionrequests', body, { 'duplicate-check-key': 'once' })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(await newestPlans(testApp.db, 10)).toHaveLength(1)
  })
})
