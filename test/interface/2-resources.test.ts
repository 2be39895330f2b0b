import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldTypes, openTestService, type TestService } from './test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

describe('interface 2: every object has exactly the fields that the interface lists', () => {
  it('2.1 Currency and 2.2 Country', async () => {
    for (const currency of (await service.shop.get('/api/currencies')).body.results) {
      expect(fieldTypes(currency)).toEqual({
        id: 'number',
        name: 'string',
        code: 'string',
        country: 'object',
        usd_rate: 'number',
      })
      expect(fieldTypes(currency.country)).toEqual({
        iso: 'string',
        iso3: 'string',
        iso_numeric: 'number',
        name: 'string',
        printable_name: 'string',
        phone_prefix: 'string',
        supported: 'boolean',
      })
      expect(currency.country.iso).toMatch(/^[A-Z]{2}$/)
      expect(currency.country.iso3).toMatch(/^[A-Z]{3}$/)
      expect(Number.isInteger(currency.country.iso_numeric)).toBe(true)
      expect(currency.country.phone_prefix).toMatch(/^\d+$/)
    }
  })

  it('2.3 Webhook', async () => {
    const body = { event: 'payment.status.changed', target: 'https://shop.example/hook' }
    const { body: created } = await service.shop.post('/api/webhooks', body)
    expect(fieldTypes(created)).toEqual({
      id: 'number',
      user: 'number',
      event: 'string',
      created: 'string',
      updated: 'string',
      target: 'string',
    })
    expect(created).toMatchObject({ user: service.user, ...body })
    expect(created.created).toMatch(TIMESTAMP)
    expect(created.updated).toMatch(TIMESTAMP)
  })

  it('2.4 Event', async () => {
    await service.createRequest({ phonenumber: '+80000000024' })
    await service.waitForFeed()
    const [event] = (await service.shop.get('/api/events?type=contact.created')).body.results
    expect(fieldTypes(event)).toEqual({
      id: 'number',
      organization: 'number',
      type: 'string',
      data: 'object',
      created: 'string',
      author: 'number',
      modified: 'string',
      updated_by: 'null',
    })
    expect(event).toMatchObject({ organization: service.organization, author: service.user })
    expect(event.created).toMatch(TIMESTAMP)
  })

  it('2.5 Collection request and 2.6 Contact, with the defaults', async () => {
    const created = await service.createRequest({ phonenumber: '+80000000025', amount: '1500.5' })
    expect(created).toEqual({
      id: expect.any(Number),
      organization: service.organization,
      amount: '1500.5000',
      currency: 'BXC',
      account: expect.any(Number),
      phonenumber: '+80000000025',
      contact: {
        id: expect.any(Number),
        organization: service.organization,
        first_name: 'Anonymous',
        last_name: 'Contact',
        email: null,
        phone_number: '+80000000025',
        type: 'employee',
        status: 'active',
        metadata: expect.toSatisfy((value) => value === null || JSON.stringify(value) === '{}'),
        phone_is_supported: 'yes',
        phone_is_mm_registered: 'unknown',
        name_on_network: '',
        name_matches_network_status: 'unchecked',
        name_matches_network_score: 0,
        network_name: expect.stringMatching(/./),
        created: '2030-01-15T12:00:00Z',
        modified: '2030-01-15T12:00:00Z',
        author: service.user,
        updated_by: null,
      },
      reason: '',
      metadata: {},
      created: '2030-01-15T12:00:00Z',
      author: service.user,
      modified: '2030-01-15T12:00:00Z',
      updated_by: null,
      collection: null,
      success_message: '',
      send_instructions: false,
      instructions: null,
      status: 'pending',
      error_message: null,
      expiry_date: '2030-01-16 12:00:00.000000+00:00',
      start_date: null,
      retry_interval_minutes: null,
      max_attempts: 3,
      subscription_settings: null,
    })
  })

  it('2.5 the same object at creation, read alone, and in a list', async () => {
    await service.createRequest({ phonenumber: '+80000000026' })
    await service.waitForContactLookups()
    const created = await service.createRequest({
      phonenumber: '+80000000026',
      start_date: 'tomorrow',
      metadata: { nested: { list: [1, 'two', null] }, number: 7, text: 'ä' },
      reason: 'Order 26',
      instructions: 'skip',
      success_message: 'Thanks, {customer}',
      max_attempts: 2,
      retry_interval_minutes: 15,
    })
    const { body: alone } = await service.shop.get(`/api/collectionrequests/${created.id}`)
    const { body: list } = await service.shop.get('/api/collectionrequests?reason=Order 26')
    expect(alone).toEqual(created)
    expect(list.results).toEqual([created])
    expect(Object.keys(alone)).toEqual(Object.keys(created))
  })

  it('2.5 expiry_date and start_date leave "in a form like YYYY-MM-DD HH:MM:SS.ffffff+00:00"', async () => {
    const created = await service.createRequest({ start_date: '20/01/2030 08:00:00', expiry_date: '21/01/2030' })
    expect(created).toMatchObject({
      start_date: '2030-01-20 08:00:00.000000+00:00',
      expiry_date: '2030-01-21 00:00:00.000000+00:00',
    })
  })

  it('2.5 updated_by is a string of digits after an update', async () => {
    const created = await service.createRequest({ phonenumber: '+80000000001', send_instructions: true })
    const failed = await service.advanceUntilStatus(created.id, 'failed')
    expect(failed.updated_by).toMatch(/^\d+$/)
    expect(failed.error_message).toBe('Cancelled By User')
  })

  it('2.5 subscription_settings are a "JSON string or null", whatever form they came in', async () => {
    const settings = { start_date: '20/01/2030 08:00:00', end_date: '20/03/2030 08:00:00', frequency: 'weekly' }
    const json = JSON.stringify(settings)
    const form = { phonenumber: '+80000000001', send_instructions: true, expiry_date: '1 minute' }
    for (const subscription_settings of [settings, json, `${json} `, json.replaceAll('"', "'")]) {
      const created = await service.createRequest({ ...form, subscription_settings })
      expect(created.subscription_settings).toBe(json)
      expect(created.start_date).toBe('2030-01-20 08:00:00.000000+00:00')
      expect((await service.shop.get(`/api/collectionrequests/${created.id}`)).body.subscription_settings).toBe(json)
    }
    expect((await service.createRequest()).subscription_settings).toBeNull()
  })

  it('2.5 subscription_settings are a JSON string in events, too', async () => {
    const settings = { end_date: '20/03/2030 08:00:00', frequency: 'weekly' }
    const form = { phonenumber: '+80000000001', send_instructions: true, subscription_settings: settings }
    const { id } = await service.createRequest(form)
    await service.advanceUntilStatus(id, 'failed')
    await service.waitForFeed()
    const { body } = await service.shop.get('/api/events?type=collectionrequest.status.changed&limit=50')
    const changes: { data: { id: number; status: string } }[] = body.results
    expect(changes.find(({ data }) => data.id === id && data.status === 'failed')?.data).toMatchObject({
      subscription_settings: JSON.stringify(settings),
    })
  })
})
