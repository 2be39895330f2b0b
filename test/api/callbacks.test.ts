import { createHash, createHmac, randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAccounts, receiversOf } from '../../src/core/ledger/accounts.ts'
import { buildTestApp, createApiClient, type TestApp } from '../test-app.ts'

/*
 * The callback address of networks, called by the sandbox network and by strangers. No jobs run, so a credit here comes
 * directly from the callback.
 */

let testApp: TestApp
let url: string
let api: ReturnType<typeof createApiClient>
let receiver: string
let payments = 0

beforeAll(async () => {
  testApp = await buildTestApp()
  url = (await testApp.startService({ jobs: false })).url
  api = createApiClient(url, testApp.api_key)
  const [account] = await listAccounts(testApp.db, testApp.organization)
  receiver = (await receiversOf(testApp.db, [account!.id])).get(`sandbox:${account!.id}`)!
})
afterAll(() => testApp.close())

describe('a signed callback about a payment', () => {
  it('is credited at once and gets the response that the network expects', async () => {
    const body = report()
    const answer = await sendCallback(body, sign(body))
    expect(answer).toEqual({ status: 200, type: 'application/json', text: '{"status":"received"}' })
    expect(await collections(body)).toMatchObject([{ amount: 15_000_000n, status: 'successful' }])
    expect(await lastCallback()).toMatchObject({ body, verified: true, state: 'settled', note: null, due_at: null })
  })

  it('that arrives three times is credited once and stored three times', async () => {
    const body = report()
    await Promise.all([sendCallback(body, sign(body)), sendCallback(body, sign(body))])
    await sendCallback(body, sign(body))
    expect(await collections(body)).toHaveLength(1)
    const kept = await testApp.db`select 1 from callbacks where body = ${body}`
    expect(kept).toHaveLength(3)
  })

  it('fulfils the request whose id the customer typed', async () => {
    const { id } = (
      await api.post('/api/collectionrequests', { phonenumber: '+80000000003', amount: 9, currency: 'BXC' })
    ).body
    const body = report({ amount: '9', reference: String(id) })
    await sendCallback(body, sign(body))
    expect((await api.get(`/api/collectionrequests/${id}`)).body).toMatchObject({ status: 'successful' })
  })

  it('may use PUT, with any Content-Type or none', async () => {
    for (const [method, type] of [
      ['PUT', 'text/xml'],
      ['POST', 'application/x-www-form-urlencoded'],
      ['POST', ''],
      ['POST', 'json'],
      ['POST', 'application/json; charset=iso-8859-1'],
    ] as const) {
      const body = report()
      expect((await sendCallback(body, { ...sign(body), 'content-type': type }, method)).status).toBe(200)
      expect(await collections(body)).toHaveLength(1)
    }
  })

  it('may begin with a byte order mark, which is signed with it', async () => {
    const body = report()
    const sent = `\ufeff${body}`
    expect((await sendCallback(sent, sign(sent))).status).toBe(200)
    expect(await collections(body)).toHaveLength(1)
    expect(await lastCallback()).toMatchObject({ body, bytes: Buffer.from(sent), state: 'settled' })
  })

  it('in an unreadable coding is kept whole, and refused', async () => {
    const body = JSON.stringify({ ...JSON.parse(report()), padding: randomBytes(3_000).toString('hex') })
    const sent = gzipSync(body)
    const answer = await sendCallback(sent, { ...sign(sent), 'content-encoding': 'gzip' })
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      415,
      { detail: 'Unsupported content encoding "gzip" in request.' },
    ])
    const kept = await lastCallback()
    expect(kept).toMatchObject({ state: 'failed', size: null, note: expect.stringContaining('gzip') })
    expect(gunzipSync(kept.bytes as Buffer).toString()).toBe(body)
    expect(await collections(body)).toHaveLength(0)
    const plain = report()
    expect((await sendCallback(plain, { ...sign(plain), 'content-encoding': 'identity' })).status).toBe(200)
  })

  it('for an unknown receiver credits no account, and its money is kept', async () => {
    const before = await testApp.db`select count(*) from collections`
    const body = report({ receiver: 'unknown-receiver', currency: 'ZZZ' })
    expect((await sendCallback(body, sign(body))).status).toBe(200)
    expect(await testApp.db`select count(*) from collections`).toEqual(before)
    const { remote_id } = JSON.parse(body).transaction
    expect(
      await testApp.db`select * from unassigned_payments where remote_transaction_id = ${remote_id}`,
    ).toMatchObject([{ state: 'unassigned', receiver: 'unknown-receiver', currency: 'ZZZ', amount: 15_000_000n }])
  })

  it('with null characters is verified as sent, and stored so that it can be verified again', async () => {
    const raw = report({ reference: 'rent' }).replace('"rent"', '"re\0nt"')
    expect((await sendCallback(raw, sign(raw))).status).toBe(200)
    expect(await collections(raw.replace('\0', ''))).toHaveLength(1)
    const stored = await lastCallback()
    expect(stored).toMatchObject({ verified: true, state: 'settled', body: raw.replace('\0', '\uFFFD') })
    expect(Buffer.from(stored.bytes as Buffer).toString()).toBe(raw)
    // Without the null character it is another text, which the network has not signed.
    const stripped = raw.replace('\0', '')
    await sendCallback(stripped, sign(raw))
    expect(await lastCallback()).toMatchObject({ verified: false })
  })
})

describe('a forged callback', () => {
  it.each([
    ['without a signature', () => ({})],
    ['with an empty signature', () => ({ 'x-sandbox-signature': '' })],
    ['with a signature of something else', () => sign('{}')],
    ['with a signature under another secret', (body: string) => sign(body, 'guess')],
    [
      'with half a signature',
      (body: string) => ({ 'x-sandbox-signature': sign(body)['x-sandbox-signature'].slice(0, 32) }),
    ],
    ['with our own API key', () => ({ authorization: `Token ${testApp.api_key}` })],
  ])('%s is stored as unverified and credits nothing', async (_how, headers) => {
    const body = report()
    expect((await sendCallback(body, headers(body))).status).toBe(200)
    expect(await collections(body)).toEqual([])
    expect(await lastCallback()).toMatchObject({ body, verified: false, state: 'waiting', due_at: testApp.clock.now() })
  })

  it('with a changed body credits nothing', async () => {
    const body = report()
    const changed = body.replace('"1500"', '"15000"')
    await sendCallback(changed, sign(body))
    expect(await collections(changed)).toEqual([])
  })
})

describe('a signed callback that cannot be applied', () => {
  const impossible: [string, Record<string, unknown>, number][] = [
    ['an amount of 30 digits', { amount: '9'.repeat(30) }, 200],
    ['an amount of 41 digits', { amount: '9'.repeat(41) }, 400],
    ['a receiver that is no text', { receiver: {} }, 400],
  ]
  it.each(impossible)('because of %s is stored as failed and shown', async (_what, changes, status) => {
    const body = report(changes)
    expect((await sendCallback(body, sign(body))).status).toBe(status)
    expect(await lastCallback()).toMatchObject({ body, verified: true, state: 'failed', note: expect.any(String) })
    expect(await collections(body)).toEqual([])
  })

  const odd: [string, Record<string, unknown>][] = [
    ['null characters and halves of surrogates', { reference: 'a\0b\ud800', name: '\0' }],
    ['the year zero', { paid_at: '0000-01-01T00:00:00Z' }],
  ]
  it.each(odd)('is credited in spite of %s', async (_what, changes) => {
    const body = report(changes)
    expect((await sendCallback(body, sign(body))).status).toBe(200)
    expect(await collections(body)).toMatchObject([{ status: 'successful' }])
  })

  it('does not stop the others that arrive with it', async () => {
    const bodies = Array.from({ length: 20 }, (_, index) => report(index % 5 === 0 ? { amount: '9'.repeat(30) } : {}))
    const answers = await Promise.all(bodies.map((body) => sendCallback(body, sign(body))))
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200))
    const found = await Promise.all(bodies.map(collections))
    expect(found.map((rows) => rows.length)).toEqual(bodies.map((_, index) => (index % 5 === 0 ? 0 : 1)))
    const stored = await testApp.db`select 1 from callbacks where body = any(${bodies}::text[])`
    expect(stored).toHaveLength(20)
  })
})

describe('an unrecognized callback', () => {
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
  ])('is stored, and ignored unless it is signed: %j', async (body) => {
    const stored = {
      body: body.replaceAll('\0', '\uFFFD'),
      note: 'This is not a callback of the sandbox network.',
      due_at: null,
    }
    expect((await sendCallback(body)).status).toBe(200)
    expect(await lastCallback()).toMatchObject({ ...stored, verified: false, state: 'ignored' })
    const { status, text } = await sendCallback(body, sign(body))
    expect([status, text]).toEqual([400, expect.stringContaining('It is kept, and not processed.')])
    expect(await lastCallback()).toMatchObject({ ...stored, verified: true, state: 'failed' })
  })

  it('is stored with its first kilobyte, its size and its digest', async () => {
    const body = `é${'x'.repeat(60_000)}`
    expect((await sendCallback(body)).status).toBe(200)
    const stored = await lastCallback()
    expect(stored).toMatchObject({ body: body.slice(0, 1_023), size: 60_002 })
    expect(Buffer.from(stored.digest as Buffer)).toEqual(createHash('sha256').update(body).digest())
  })

  it('is stored with little of long headers', async () => {
    await sendCallback(
      '{}',
      Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`x-${index}`, 'y'.repeat(1_000)])),
    )
    expect(JSON.stringify((await lastCallback()).headers).length).toBeLessThan(2_500)
  })

  it('is stored with its headers but without credentials', async () => {
    await sendCallback('{}', {
      authorization: 'Bearer secret',
      cookie: 'session=secret',
      'x-forwarded-for': '192.0.2.1',
    })
    const { headers } = await lastCallback()
    expect(headers).toMatchObject({ 'x-forwarded-for': '192.0.2.1', host: expect.any(String) })
    expect(JSON.stringify(headers)).not.toContain('secret')
  })
})

describe('the callback address', () => {
  it('exists only for configured networks', async () => {
    const answer = await fetch(`${url}/api/callbacks/mtn`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ detail: 'Not found.' })
  })

  it('accepts only POST and PUT', async () => {
    const answer = await fetch(`${url}/api/callbacks/sandbox`)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST, PUT, OPTIONS')
  })

  it('refuses bodies larger than 64 kB, also signed ones', async () => {
    expect((await sendCallback('x'.repeat(65_536))).status).toBe(200)
    const body = 'x'.repeat(65_537)
    const refused = await sendCallback(body, sign(body))
    expect([refused.status, refused.text]).toEqual([413, '{"detail":"The request body is larger than 64 kB."}'])
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
    paid_at: testApp.clock.now().toISOString(),
    ...changes,
  }
  return JSON.stringify({ event, transaction })
}

function sign(body: string | Uint8Array, secret = testApp.app.deriveSecret('sandbox network')) {
  return { 'x-sandbox-signature': createHmac('sha256', secret).update(body).digest('hex') }
}

async function sendCallback(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  method = 'POST',
) {
  const answer = await fetch(`${url}/api/callbacks/sandbox`, { method, body, headers })
  return { status: answer.status, type: answer.headers.get('content-type')?.split(';')[0], text: await answer.text() }
}

async function collections(body: string) {
  const { remote_id } = (JSON.parse(body) as { transaction: { remote_id: string } }).transaction
  return [...(await testApp.db`select amount, status from collections where remote_transaction_id = ${remote_id}`)]
}

async function lastCallback() {
  const [row] = await testApp.db`select * from callbacks order by id desc limit 1`
  return row!
}
