import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeKey } from '../../../src/core/access/api-keys.ts'
import { createSigningUser, revokeSigningUser, SIGNING_KEY_PURPOSE } from '../../../src/core/access/signing-users.ts'
import { begin } from '../../../src/db/client.ts'
import { signRequest } from '../../../src/lib/http/signed-requests.ts'
import { callRaw, openTestService, type TestService } from '../../interface/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
  await newSigner('integrator')
})
afterAll(() => service.close())

const SECRET = 'a secret of both sides'
const BALANCE = '/api/gateway/superagent/account/balance'
const PINS = '/api/gateway/services/epin/bundles'

/** Create a signing user for a key, by default the newest. */
async function newSigner(username: string, key?: number): Promise<void> {
  const [row] = await service.testApp.db<{ id: number }[]>`select max(id) as id from api_keys
    where organization = ${service.organization}`
  await begin(service.testApp.db, (tx) =>
    createSigningUser(
      tx,
      service.testApp.clock.now(),
      { username, api_key: key ?? row!.id, secret: SECRET },
      service.testApp.app.deriveSecret(SIGNING_KEY_PURPOSE),
    ),
  )
}

interface Signing {
  method?: string
  path?: string
  /** The signed path, when it differs from the requested path. */
  signed?: string
  body?: string
  date?: Date | string
  username?: string
  scheme?: string
  header?: string
  change?(signature: string): string
}

function sign(options: Signing = {}) {
  const { method = 'GET', path = BALANCE, body = '', username = 'integrator', scheme = 'Baxi' } = options
  const date = options.date ?? new Date()
  const timestamp = Math.floor(new Date(date).getTime() / 1_000)
  const signed = { method, path: options.signed ?? path, timestamp, body: Buffer.from(body) }
  const signature = (options.change ?? String)(signRequest(SECRET, signed))
  return callRaw(service.url, method, path, {
    headers: {
      authorization: `${scheme} ${username}:${signature}`,
      [options.header ?? 'Baxi-date']: typeof date === 'string' ? date : date.toUTCString(),
      ...(body && { 'content-type': 'application/json' }),
    },
    body,
  })
}

const withHeaders = (headers: Record<string, string>) => callRaw(service.url, 'GET', BALANCE, { headers })

describe('an API key for bill payments', () => {
  it('is accepted in every form that clients send', async () => {
    const { key } = service
    for (const headers of [
      { 'x-api-key': key },
      { 'X-API-KEY': ` ${key} ` },
      ...['Api-key', 'api-key', 'Token', 'Bearer', 'bearer'].map((scheme) => ({ authorization: `${scheme} ${key}` })),
      { authorization: key },
      { authorization: `Api-key ${key}`, 'Baxi-date': 'Thu, 19 Dec 2019 17:40:26 GMT' },
      { 'x-api-key': key, 'service-date': 'invalid' },
      { 'x-api-key': key, authorization: 'Baxi x:y' },
    ] as Record<string, string>[])
      expect([headers, (await withHeaders(headers)).status]).toEqual([headers, 200])
  })

  it('is refused with a code for the reason', async () => {
    const expired = await service.newKey({ expires: new Date(service.testApp.clock.now().getTime() + 60_000) })
    const revoked = await service.newKey()
    const [row] = await service.testApp.db<{ id: number }[]>`select max(id) as id from api_keys`
    await begin(service.testApp.db, (tx) => revokeKey(tx, service.testApp.clock.now(), row!.id))
    service.testApp.clock.advance(61)
    for (const [headers, code, message] of [
      [{}, 'BX0013', 'Authentication credentials were not provided.'],
      [{ authorization: '  ' }, 'BX0013', 'Authentication credentials were not provided.'],
      [{ 'x-api-key': 'wrong' }, 'BX0015', 'Invalid token.'],
      [{ authorization: 'Api-key wrong' }, 'BX0015', 'Invalid token.'],
      [{ authorization: `Api-key ${service.key} x` }, 'BX0015', 'Invalid token.'],
      [{ 'x-api-key': expired }, 'BX0014', 'Token expired.'],
      [{ 'x-api-key': revoked }, 'BX0016', 'Token revoked.'],
      [{ authorization: `Key ${service.key}` }, 'BX0011', 'Invalid scheme in the authorization header.'],
      [{ authorization: 'Basic eDp5' }, 'BX0012', 'This authentication mechanism is not implemented.'],
    ] as [Record<string, string>, string, string][]) {
      const answer = await withHeaders(headers)
      expect([headers, answer.status, answer.body]).toEqual([
        headers,
        401,
        { status: 'error', message, code, errors: [] },
      ])
      expect(answer.headers['www-authenticate']).toBe('Api-key')
    }
  })

  it('needs the permission to pay bills, and only that', async () => {
    const payer = await service.newKey({ permissions: ['pay_bills'] })
    expect((await withHeaders({ 'x-api-key': payer })).status).toBe(200)
    const viewer = await withHeaders({ 'x-api-key': await service.newKey({ permissions: ['view'] }) })
    expect([viewer.status, viewer.body]).toEqual([
      403,
      { status: 'error', message: 'You do not have permission to perform this action.', code: 'BX0009', errors: [] },
    ])
  })
})

describe('a signed request', () => {
  it('acts for the key of its user, with both scheme words and both date headers', async () => {
    expect((await sign()).body).toMatchObject({ status: 'success', data: { balance: 5_000_000 } })
    expect((await sign({ scheme: 'Gateway', header: 'Service-date' })).status).toBe(200)
    expect((await sign({ path: '/api/baxipay/superagent/account/balance' })).status).toBe(200)
    expect((await sign({ path: '/api/v2/baxipay/superagent/account/balance/' })).status).toBe(200)
  })

  it('may be signed without the prefix of its path, as one existing client does', async () => {
    expect((await sign({ signed: '/superagent/account/balance' })).status).toBe(200)
    expect((await sign({ signed: '/account/balance' })).body).toMatchObject({ code: 'BX0006' })
  })

  it('covers the exact bytes of its body', async () => {
    const body = '{ "service_type" : "glo" }'
    expect((await sign({ method: 'POST', path: PINS, body })).status).toBe(200)
    const signature = signRequest(SECRET, {
      method: 'POST',
      path: PINS,
      timestamp: Math.floor(Date.now() / 1_000),
      body: Buffer.from(body),
    })
    const changed = await sign({ method: 'POST', path: PINS, body: '{"service_type":"mtn"}', change: () => signature })
    expect([changed.status, changed.body]).toMatchObject([401, { code: 'BX0006' }])
  })

  it('covers the query of a POST without a body', async () => {
    const path = `${PINS}?service_type=glo`
    expect((await sign({ method: 'POST', path })).status).toBe(200)
    expect((await sign({ method: 'POST', path, signed: PINS })).body).toMatchObject({ code: 'BX0006' })
    const read = '/api/gateway/services/exampin/products?service_type=jamb'
    expect((await sign({ path: read, signed: read.split('?')[0] })).status).toBe(200)
    expect((await sign({ path: read })).status).toBe(200)
  })

  it('is refused when its date differs by more than ten minutes', async () => {
    const minutes = (count: number) => new Date(Date.now() + count * 60_000)
    expect((await sign({ date: minutes(-9) })).status).toBe(200)
    expect((await sign({ date: minutes(9) })).status).toBe(200)
    for (const date of [minutes(-11), minutes(11), 'Thu, 19 Dec 2019 17:40:26 GMT', '2030/01/15', ''])
      expect((await sign({ date })).body).toMatchObject({ status: 'error', code: 'BX0005' })
  })

  it('is refused for an unknown user or a wrong signature', async () => {
    expect((await sign({ username: 'unknown' })).body).toMatchObject({ code: 'BX0007' })
    expect((await sign({ change: (signature) => signature.toLowerCase() })).body).toMatchObject({ code: 'BX0006' })
    for (const authorization of ['Baxi', 'Baxi integrator', 'Baxi integrator:', 'Baxi :x'])
      expect([authorization, (await withHeaders({ authorization })).body]).toMatchObject([
        authorization,
        { code: 'BX0004' },
      ])
  })

  it('is refused after its user or its key was revoked', async () => {
    await service.newKey()
    await newSigner('revoked-user')
    expect((await sign({ username: 'revoked-user' })).status).toBe(200)
    await begin(service.testApp.db, (tx) => revokeSigningUser(tx, service.testApp.clock.now(), 'revoked-user'))
    expect((await sign({ username: 'revoked-user' })).body).toMatchObject({ code: 'BX0007' })

    await service.newKey()
    const [row] = await service.testApp.db<{ id: number }[]>`select max(id) as id from api_keys`
    await newSigner('revoked-key', row!.id)
    expect((await sign({ username: 'revoked-key' })).status).toBe(200)
    await begin(service.testApp.db, (tx) => revokeKey(tx, service.testApp.clock.now(), row!.id))
    expect((await sign({ username: 'revoked-key' })).body).toMatchObject({ code: 'BX0007' })
  })

  it('is checked for the permission before its method and its body', async () => {
    await service.newKey({ permissions: ['view'] })
    await newSigner('viewer')
    expect((await sign({ username: 'viewer', method: 'POST', path: PINS, body: '{' })).status).toBe(403)
    expect((await sign({ method: 'POST', path: PINS, body: '{' })).body).toMatchObject({ code: 'BX0003' })
    expect((await sign({ method: 'PUT', path: PINS, body: '{' })).status).toBe(405)
  })
})
