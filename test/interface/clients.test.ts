import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver } from '../receiver.ts'
import { eventually } from '../test-app.ts'
import { callRaw, type Json, openTestService, REQUIRED_FIELDS, type TestService } from './test-service.ts'

/*
 * The requests of existing client libraries and plugins, and the parts of responses that they need. Each must work after
 * only its host name and key change.
 */

let service: TestService
const PATH = '/api/collectionrequests'

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

function send(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  return callRaw(service.url, method, path, { headers: { authorization: `Token ${service.key}`, ...headers }, body })
}

/** Send a form body exactly as given: `a=1&b=2`, encoded by the test where necessary. */
function sendForm(body: string, path = PATH) {
  return send('POST', path, { 'content-type': 'application/x-www-form-urlencoded' }, body)
}

const FORM = 'phonenumber=%2B80000000003&amount=1500&currency=BXC'

describe('clients that send forms (Python, Ruby)', () => {
  it('can make every write', async () => {
    const created = await sendForm(`${FORM}&first_name=Jane&reason=Order+7&send_instructions=True&max_attempts=0`)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      phonenumber: '+80000000003',
      amount: '1500.0000',
      reason: 'Order 7',
      send_instructions: true,
      max_attempts: 0,
    })
    const hook = await sendForm('event=payment.status.changed&target=https%3A%2F%2Fshop.example%2Fx', '/api/webhooks')
    expect(hook.status).toBe(201)
  })

  it('send metadata as dotted keys, bracket keys, a JSON text or a Python literal', async () => {
    const literal = encodeURIComponent("{'my_id': '1234', 'count': 7, 'paid': True, 'none': None}")
    for (const [fields, metadata] of [
      ['metadata.my_id=1234&metadata.name=Jane', { my_id: '1234', name: 'Jane' }],
      ['metadata[my_id]=1234&metadata[name]=Jane', { my_id: '1234', name: 'Jane' }],
      ['metadata%5Bmy_id%5D=1234', { my_id: '1234' }],
      [`metadata=${encodeURIComponent('{"my_id": 1234}')}`, { my_id: 1234 }],
      [`metadata=${literal}`, { my_id: '1234', count: 7, paid: true, none: null }],
      ['metadata=', {}],
    ] as const)
      expect([fields, (await sendForm(`${FORM}&${fields}`)).body.metadata]).toEqual([fields, metadata])
  })

  it('send subscription_settings in the same forms; two bare names are refused on that field', async () => {
    const dates = { start_date: '20/01/2030 08:00:00', end_date: '20/02/2030 08:00:00', frequency: 'daily' }
    const dotted = Object.entries(dates).map(
      ([name, value]) => `subscription_settings.${name}=${encodeURIComponent(value)}`,
    )
    const created = await sendForm(`${FORM}&${dotted.join('&')}`)
    expect([created.status, created.body.start_date]).toEqual([201, '2030-01-20 08:00:00.000000+00:00'])
    const literal = JSON.stringify(dates).replaceAll('"', "'")
    expect((await sendForm(`${FORM}&subscription_settings=${encodeURIComponent(literal)}`)).status).toBe(201)
    const bare = await sendForm(`${FORM}&subscription_settings=start_date&subscription_settings=end_date`)
    expect([bare.status, Object.keys(bare.body)]).toEqual([400, ['subscription_settings']])
  })
})

describe('clients that send JSON (PHP, Java, Node.js, Flutter)', () => {
  it('send metadata as an object or as a text in PHP style, and receive integers as integers', async () => {
    for (const [metadata, kept] of [
      [{ appId: 7 }, { appId: 7 }],
      ["{ 'appId': 'x' }", { appId: 'x' }],
      ['{"appId": 7}', { appId: 7 }],
      [[], {}],
    ])
      expect((await service.createRequest({ metadata })).metadata).toEqual(kept)
    expect((await service.createRequest({ 'metadata.appId': 7 })).metadata).toEqual({ appId: 7 })
    expect((await service.createRequest({ 'metadata[appId]': 7 })).metadata).toEqual({ appId: 7 })
  })

  it('send booleans as True, true, False, and amounts as "100.2", 3000, 5.0, 1200.0', async () => {
    for (const [send_instructions, kept] of [
      ['True', true],
      [true, true],
      ['true', true],
      ['False', false],
      [false, false],
    ])
      expect((await service.createRequest({ send_instructions })).send_instructions).toBe(kept)
    for (const [text, kept] of [
      ['"100.2"', '100.2000'],
      ['3000', '3000.0000'],
      ['5.0', '5.0000'],
      ['1200.0', '1200.0000'],
    ]) {
      const body = `{"phonenumber":"+80000000003","currency":"BXC","amount":${text}}`
      expect((await send('POST', PATH, { 'content-type': 'application/json' }, body)).body.amount).toBe(kept)
    }
  })

  it('receive exactly 201 for a POST, 200 for a GET, and the amount as a JSON string (Flutter)', async () => {
    const created = await send(
      'POST',
      PATH,
      { 'content-type': 'application/json; charset=utf-8' },
      JSON.stringify(REQUIRED_FIELDS),
    )
    expect(created.status).toBe(201)
    expect(created.text).toContain('"amount":"1500.0000"')
    expect((await send('GET', `${PATH}/${created.body.id}`)).status).toBe(200)
  })

  it('send explicit nulls, account 0, max_attempts 0, "3 minutes" and unknown fields', async () => {
    const created = await service.createRequest({
      phonenumber: '+80000000098',
      account: 0,
      max_attempts: 0,
      expiry_date: '3 minutes',
      first_name: null,
      last_name: null,
      reason: null,
      metadata: null,
      success_message: null,
      send_instructions: null,
      instructions: null,
      start_date: null,
      retry_interval_minutes: null,
      subscription_settings: null,
      description: 'ignored',
      callback_url: 'https://shop.example/ignored',
      email: 'jane@example.com',
      error_message: 'ignored',
      partner_transaction_id: 'ignored',
      status: 'successful',
      id: 1,
    })
    expect(created).toMatchObject({ max_attempts: 0, status: 'pending', error_message: null, metadata: {}, reason: '' })
    expect(created.contact).toMatchObject({ first_name: 'Anonymous', email: null })
    expect(created.account).toBeGreaterThan(0)
    const emptied = await sendForm(
      `${FORM}&account=&reason=&expiry_date=&metadata=&max_attempts=&send_instructions=&instructions=`,
    )
    expect([emptied.status, emptied.body.max_attempts, emptied.body.send_instructions]).toEqual([201, 3, false])
  })
})

describe('URLs that clients use', () => {
  it('may have a trailing slash, a version, an empty query or a query that ends in &', async () => {
    for (const path of [
      PATH,
      `${PATH}/`,
      `/api/v5${PATH.slice(4)}`,
      `/api/v5${PATH.slice(4)}/`,
      `${PATH}?`,
      `${PATH}/?limit=1&`,
    ]) {
      const { status, body, headers } = await send('GET', path)
      expect([path, status, headers.location]).toEqual([path, 200, undefined])
      expect(Object.keys(body).sort()).toEqual(['count', 'next', 'previous', 'results'])
    }
  })

  it('are never answered with a redirect, which PHP would treat as success', async () => {
    for (const [method, path] of [
      ['GET', '/api'],
      ['GET', '/api/'],
      ['POST', '/api/collectionrequest'],
      ['POST', '//api/collectionrequests'],
      ['POST', '/api//collectionrequests'],
      ['POST', '/api/collectionrequests//'],
      ['GET', '/api/collectionrequests/../currencies'],
    ] as const) {
      const { status } = await send(
        method,
        path,
        { 'content-type': 'application/json' },
        method === 'POST' ? '{}' : undefined,
      )
      expect([path, status < 300 || status >= 400]).toEqual([path, true])
    }
  })
})

describe('lists', () => {
  it('always have count, next, previous and results, and every item has an id, with any Beyonic-Version', async () => {
    for (const path of ['/api/currencies', PATH, '/api/events', '/api/webhooks'])
      for (const headers of [{}, { 'beyonic-version': '1' }, { 'beyonic-version': '2' }] as Record<string, string>[]) {
        const { body } = await send('GET', path, headers)
        expect(Object.keys(body).sort()).toEqual(['count', 'next', 'previous', 'results'])
        for (const item of body.results as Json[]) expect(item.id).toEqual(expect.any(Number))
      }
  })

  it('accept ordering=-created&limit=20&offset=0 on every path (Flutter)', async () => {
    for (const path of ['/api/currencies', PATH, '/api/events', '/api/webhooks'])
      expect([path, (await send('GET', `${path}?ordering=-created&limit=20&offset=0`)).status]).toEqual([path, 200])
  })

  it('accept limit=0 and then limit=<count>, which returns everything', async () => {
    const { body } = await send('GET', `${PATH}?limit=0`)
    expect((body.results as Json[]).length).toBeGreaterThan(0)
    const all = await send('GET', `${PATH}?limit=${body.count}`)
    expect(all.body.results).toHaveLength(body.count as number)
    expect(all.body.next).toBeNull()
  })

  it('ignore filters without a value', async () => {
    const { body } = await send(
      'GET',
      `${PATH}?amount=&currency=&status=&collection=&phonenumber=&created_after=&reason=&limit=&offset=&ordering=`,
    )
    expect(body.count).toBeGreaterThan(0)
  })
})

describe('headers', () => {
  it('that are unknown are ignored', async () => {
    const headers = {
      'beyonic-client': 'Php',
      'beyonic-client-version': '0.0.17',
      'content-language': 'en-US',
      'x-csrf-token': '',
      accept: '*/*; q=0.5, application/xml',
    }
    const { status, headers: answered } = await send('GET', PATH, headers)
    expect(status).toBe(200)
    expect(answered['content-type']).toMatch(/^application\/json/)
    const created = await send(
      'POST',
      PATH,
      { ...headers, 'content-type': 'application/json' },
      JSON.stringify(REQUIRED_FIELDS),
    )
    expect(created.status).toBe(201)
  })

  it('may announce JSON without a body on GET, HEAD and DELETE', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await send('GET', PATH, headers)).status).toBe(200)
    expect((await send('HEAD', PATH, headers)).status).toBe(200)
    expect((await send('DELETE', `${PATH}/1`, headers)).status).toBe(405)
    expect((await send('GET', PATH, { ...headers, 'content-length': '0' })).status).toBe(200)
  })

  it('may announce chunks, or Expect: 100-continue (PHP with curl)', async () => {
    const body = JSON.stringify({ ...REQUIRED_FIELDS, metadata: { long: 'x'.repeat(400) } })
    for (const header of [{ 'transfer-encoding': 'chunked' }, { expect: '100-continue' }] as Record<string, string>[])
      expect((await send('POST', PATH, { 'content-type': 'application/json', ...header }, body)).status).toBe(201)
  })

  it('contain WWW-Authenticate: Token with every 401', async () => {
    for (const authorization of ['', 'Token wrong'])
      expect((await send('GET', PATH, { authorization })).headers['www-authenticate']).toBe('Token')
  })

  it('Allow is "GET, POST, HEAD, OPTIONS" on the list, "GET, HEAD, OPTIONS" on one', async () => {
    const { id } = await service.createRequest()
    expect((await send('OPTIONS', PATH)).headers.allow).toBe('GET, POST, HEAD, OPTIONS')
    expect((await send('OPTIONS', `${PATH}/${id}`)).headers.allow).toBe('GET, HEAD, OPTIONS')
    expect((await send('PUT', `${PATH}/${id}`)).headers.allow).toBe('GET, HEAD, OPTIONS')
  })
})

describe('responses', () => {
  it('with status 400 are an object of fields and lists of texts, and name missing fields', async () => {
    const missing = await send('POST', PATH, { 'content-type': 'application/json' }, '{}')
    expect([missing.status, Object.keys(missing.body)]).toEqual([400, ['phonenumber', 'amount', 'currency']])
    const wrong = await sendForm('phonenumber=x&amount=1,000&currency=&metadata=x&expiry_date=x&account=x')
    expect(wrong.status).toBe(400)
    for (const messages of Object.values(wrong.body))
      for (const message of messages as unknown as string[]) expect(message).toMatch(/./)
    for (const query of ['amount=x', 'collection=x', 'created_before=x', 'ordering=x']) {
      const { status, body } = await send('GET', `${PATH}?${query}`)
      expect([query, status, body]).toEqual([query, 400, { [query.split('=')[0]!]: [expect.any(String)] }])
    }
  })

  it('have "" for reason and success_message, null for instructions and collection, {} for metadata', async () => {
    expect(await service.createRequest()).toMatchObject({
      reason: '',
      success_message: '',
      instructions: null,
      collection: null,
      metadata: {},
      updated_by: null,
    })
  })

  it('accept webhook targets without a path', async () => {
    const body = { event: 'payment.status.changed', target: 'https://site?ipn=1' }
    expect(await service.shop.post('/api/webhooks', body)).toMatchObject({ status: 201, body })
  })
})

describe('receivers of notifications', () => {
  it('receive hook.event, hook.target and all needed fields in data', async () => {
    const receiver = await openReceiver()
    try {
      const target = `${receiver.url}/?skip-cert-verify`
      for (const event of ['collectionrequest.status.changed', 'collection.received'])
        await service.shop.post('/api/webhooks', { event, target })
      const { id } = await service.createRequest({
        phonenumber: '+80000000099',
        amount: 99,
        metadata: { order: 7 },
        send_instructions: true,
      })
      await service.waitForContactLookups()
      const paid = await service.advanceUntilStatus(id, 'successful')
      const notifications = await eventually('the notifications', async () => {
        const bodies = receiver.received.map(({ body }) => JSON.parse(body) as { hook: Json; data: Json })
        const collection = bodies.find(
          ({ hook, data }) => hook.event === 'collection.received' && data.id === paid.collection,
        )
        const last = bodies.find(
          ({ hook, data }) =>
            hook.event === 'collectionrequest.status.changed' && data.id === id && data.status === 'successful',
        )
        return collection && last ? { collection, last } : undefined
      })
      expect(notifications.last.hook).toMatchObject({ target })
      expect(notifications.last.data).toEqual(paid)
      expect(notifications.last.data).toMatchObject({
        metadata: { order: 7 },
        amount: '99.0000',
        currency: 'BXC',
        phonenumber: '+80000000099',
        error_message: null,
      })
      expect(notifications.collection.data).toMatchObject({
        status: 'successful',
        amount: '99.0000',
        collection_request: { id, metadata: { order: 7 } },
      })
    } finally {
      await receiver.close()
    }
  })
})
