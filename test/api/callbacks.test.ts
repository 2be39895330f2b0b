import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAccounts, receiversOf } from '../../src/core/ledger/accounts.ts'
import { buildTestApp, createApiClient, type TestApp } from '../test-app.ts'

/*
 * The door at which networks report, as the sandbox network and everybody else may knock at it. No jobs run, so what is
 * credited here was believed at once.
 */

let house: TestApp
let url: string
let api: ReturnType<typeof createApiClient>
let receiver: string
let payments = 0

beforeAll(async () => {
  house = await buildTestApp()
  url = (await house.startService({ jobs: false })).url
  api = createApiClient(url, house.api_key)
  const [account] = await listAccounts(house.db, house.organization)
  receiver = (await receiversOf(house.db, [account!.id])).get(`sandbox:${account!.id}`)!
})
afterAll(() => house.close())

describe('a signed report of money', () => {
  it('is believed at once, and answered in the words of the network', async () => {
    const body = report()
    const answer = await knock(body, sign(body))
    expect(answer).toEqual({ status: 200, type: 'application/json', text: '{"status":"received"}' })
    expect(await collections(body)).toMatchObject([{ amount: 15_000_000n, status: 'successful' }])
    expect(await lastCallback()).toMatchObject({ body, verified: true, state: 'settled', note: null, due_at: null })
  })

  it('that comes three times, at once and again, is counted once and kept three times', async () => {
    const body = report()
    await Promise.all([knock(body, sign(body)), knock(body, sign(body))])
    await knock(body, sign(body))
    expect(await collections(body)).toHaveLength(1)
    const kept = await house.db`select 1 from callbacks where body = ${body}`
    expect(kept).toHaveLength(3)
  })

  it('fulfils the request that it names', async () => {
    const { id } = (
      await api.post('/api/collectionrequests', { phonenumber: '+80000000003', amount: 9, currency: 'BXC' })
    ).body
    const body = report({ amount: '9', order_reference: `KR${id}-1` })
    await knock(body, sign(body))
    expect((await api.get(`/api/collectionrequests/${id}`)).body).toMatchObject({ status: 'successful' })
  })

  it('may come by PUT, with any content type or none', async () => {
    for (const [method, type] of [
      ['PUT', 'text/xml'],
      ['POST', 'application/x-www-form-urlencoded'],
      ['POST', ''],
      ['POST', 'json'],
      ['POST', 'application/json; charset=iso-8859-1'],
    ] as const) {
      const body = report()
      expect((await knock(body, { ...sign(body), 'content-type': type }, method)).status).toBe(200)
      expect(await collections(body)).toHaveLength(1)
    }
  })

  it('for a receiver that is not ours is kept and credits nobody', async () => {
    const before = await house.db`select count(*) from collections`
    const body = report({ receiver: 'somebody-else' })
    expect((await knock(body, sign(body))).status).toBe(200)
    expect(await house.db`select count(*) from collections`).toEqual(before)
  })
})

describe('a forged report', () => {
  it.each([
    ['without a signature', () => ({})],
    ['with an empty signature', () => ({ 'x-sandbox-signature': '' })],
    ['with a signature of something else', () => sign('{}')],
    ['with a signature under another secret', (body: string) => sign(body, 'guess')],
    [
      'with half a signature',
      (body: string) => ({ 'x-sandbox-signature': sign(body)['x-sandbox-signature'].slice(0, 32) }),
    ],
    ['with our own API key', () => ({ authorization: `Token ${house.api_key}` })],
  ])('%s is a knock, and credits nothing', async (_how, headers) => {
    const body = report()
    expect((await knock(body, headers(body))).status).toBe(200)
    expect(await collections(body)).toEqual([])
    expect(await lastCallback()).toMatchObject({ body, verified: false, state: 'waiting', due_at: house.clock.now() })
  })

  it('whose body was changed on the way credits nothing', async () => {
    const body = report()
    const changed = body.replace('"1500"', '"15000"')
    await knock(changed, sign(body))
    expect(await collections(changed)).toEqual([])
  })
})

describe('what cannot be read', () => {
  it.each([
    '',
    'hello',
    '{',
    '[]',
    'null',
    '{"event":"payment.received"}',
    `{"event":"party","transaction":{}}`,
    '\0\0',
    '🌊',
  ])('is kept and left alone: %j', async (body) => {
    expect((await knock(body, sign(body))).status).toBe(200)
    expect(await lastCallback()).toMatchObject({
      body: body.replaceAll('\0', ''),
      verified: false,
      state: 'ignored',
      note: 'This is not a callback of the sandbox network.',
      due_at: null,
    })
  })

  it('keeps the headers, but no credentials', async () => {
    await knock('{}', { authorization: 'Bearer secret', cookie: 'session=secret', 'x-forwarded-for': '192.0.2.1' })
    const { headers } = await lastCallback()
    expect(headers).toMatchObject({ 'x-forwarded-for': '192.0.2.1', host: expect.any(String) })
    expect(JSON.stringify(headers)).not.toContain('secret')
  })
})

describe('the door', () => {
  it('is there for networks that are configured, and for nobody else', async () => {
    const answer = await fetch(`${url}/api/callbacks/mtn`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ detail: 'Not found.' })
  })

  it('takes reports only', async () => {
    const answer = await fetch(`${url}/api/callbacks/sandbox`)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST, PUT, OPTIONS')
  })

  it('takes nothing larger than 1 MB', async () => {
    expect((await knock('x'.repeat(1_048_577))).status).toBe(413)
  })
})

function report(changes: Record<string, unknown> = {}, event = 'payment.received'): string {
  payments += 1
  const transaction = {
    remote_id: `TEST${payments}`,
    status: 'successful',
    receiver,
    phonenumber: '+80000000042',
    amount: '1500',
    currency: 'BXC',
    order_reference: null,
    reference: null,
    name: 'Somebody',
    paid_at: house.clock.now().toISOString(),
    ...changes,
  }
  return JSON.stringify({ event, transaction })
}

function sign(body: string, secret = house.app.deriveSecret('sandbox network')) {
  return { 'x-sandbox-signature': createHmac('sha256', secret).update(body).digest('hex') }
}

async function knock(body: string, headers: Record<string, string> = {}, method = 'POST') {
  const answer = await fetch(`${url}/api/callbacks/sandbox`, { method, body, headers })
  return { status: answer.status, type: answer.headers.get('content-type')?.split(';')[0], text: await answer.text() }
}

async function collections(body: string) {
  const { remote_id } = (JSON.parse(body) as { transaction: { remote_id: string } }).transaction
  return [...(await house.db`select amount, status from collections where remote_transaction_id = ${remote_id}`)]
}

async function lastCallback() {
  const [row] = await house.db`select * from callbacks order by id desc limit 1`
  return row!
}
