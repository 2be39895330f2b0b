import { describe, expect, it } from 'vitest'
import { gsmaMomo } from '../../../src/networks/gsma-momo/index.ts'
import {
  CALLBACK_BASE,
  connectionAt,
  error,
  notFound,
  openDriver,
  type Responder,
  TOKEN,
  withProvider,
} from './gsma-test.ts'

const HEARTBEAT = 'GET /1.2.0/mm/heartbeat'
const BALANCE = 'GET /1.2.0/mm/accounts/organisationid/kusanya-demo/balance'
const good: Record<string, Responder> = {
  [HEARTBEAT]: { status: 200, body: { serviceStatus: 'available' } },
  [BALANCE]: { status: 200, body: { currentBalance: '1500.50', currency: 'KES' } },
  '*': notFound,
}

async function run(answers: Record<string, Responder>, given: Record<string, unknown> = {}) {
  let results: Record<string, [outcome: string, message: string]> = {}
  await withProvider({ ...good, ...answers }, async ({ url }) => {
    const found = await openDriver(url, given).test()
    results = Object.fromEntries(found.map(({ name, outcome, message }) => [name, [outcome, message]]))
  })
  return results
}

describe('the test of a connection', () => {
  it('finds no fault', async () => {
    expect(await run({})).toEqual({
      token: ['ok', expect.stringContaining('consumer_key')],
      service: ['ok', 'The provider says that it is available.'],
      account: ['ok', 'The balance is KES 1,500.50.'],
      'lost answers': ['ok', expect.any(String)],
      'callback address': ['skipped', expect.stringContaining(CALLBACK_BASE)],
    })
  })

  it.each<[string, Record<string, Responder>, string, string, RegExp]>([
    ['wrong credentials', { [TOKEN]: { status: 401 } }, 'token', 'failed', /consumer_key and consumer_secret/],
    ['a wrong address of tokens', { [TOKEN]: { status: 404, text: 'x' } }, 'token', 'failed', /host token/],
    ['a page instead of a token', { [TOKEN]: { status: 200, text: '<html>' } }, 'token', 'failed', /host token/],
    ['an outage', { [TOKEN]: { status: 503 } }, 'token', 'unknown', /later/],
    [
      'a provider that is slow',
      { [HEARTBEAT]: { status: 200, body: { serviceStatus: 'degraded', delay: 1500 } } },
      'service',
      'ok',
      /1500 ms/,
    ],
    [
      'a provider that is down',
      { [HEARTBEAT]: { status: 200, body: { serviceStatus: 'unavailable' } } },
      'service',
      'unknown',
      /later/,
    ],
    ['no heartbeat', { [HEARTBEAT]: { status: 404, text: 'x' } }, 'service', 'skipped', /no heartbeat/],
    ['a wrong API key', { [HEARTBEAT]: { status: 403 } }, 'service', 'failed', /api_key/],
    ['an account that is not there', { [BALANCE]: notFound }, 'account', 'failed', /account_id and account_type/],
    [
      'an account in a wrong form',
      { [BALANCE]: error(400, 'validation', 'formatError') },
      'account',
      'failed',
      /account_type/,
    ],
    [
      'an account of others',
      { [BALANCE]: error(401, 'authorisation', 'requestingPartyAuthorisationError') },
      'account',
      'failed',
      /account_id/,
    ],
    ['a wrong address of the API', { [BALANCE]: { status: 404, text: 'x' } }, 'account', 'failed', /host api/],
    ['a refused API key', { [BALANCE]: { status: 401 } }, 'account', 'failed', /api_key/],
    ['a balance that cannot be read', { [BALANCE]: { status: 200, text: 'x' } }, 'account', 'unknown', /HTTP 200/],
    ['no question about lost answers', { '*': { status: 404, text: 'x' } }, 'lost answers', 'failed', /responses/],
  ])('reports %s', async (_what, answers, name, outcome, words) => {
    expect((await run(answers))[name]).toEqual([outcome, expect.stringMatching(words)])
  })

  it('stops without a token', async () => {
    const results = await run({ [TOKEN]: { status: 401 } })
    expect(Object.values(results).map(([outcome]) => outcome)).toEqual([
      'failed',
      'skipped',
      'skipped',
      'skipped',
      'skipped',
    ])
  })

  it('needs no token at the level development', async () => {
    const results = await run({ [TOKEN]: { status: 500 } }, { security_level: 'development' })
    expect(results).toMatchObject({ token: ['skipped', expect.any(String)], account: ['ok', expect.any(String)] })
  })

  it('lists switched-off features', async () => {
    const results = await run({}, { responses: false, callbacks: false })
    expect(results['lost answers']).toEqual(['skipped', expect.stringContaining('person')])
    expect(results['callback address']).toEqual(['skipped', expect.stringContaining('switched off')])
  })
})

describe('settings', () => {
  const faults = (given: Record<string, unknown>, environment = 'test', hosts?: Record<string, string>) => {
    const connection = connectionAt('https://api.wallet.example', given, environment)
    return gsmaMomo.checkSettings!({ ...connection, ...(hosts && { hosts }) }, `${CALLBACK_BASE}`)
  }

  it('are right as the provider gives them', () => {
    expect(faults({})).toEqual({})
    expect(faults({ security_level: 'enhanced' }, 'production')).toEqual({})
    expect(faults({ security_level: 'development' }, 'sandbox-basic')).toEqual({})
    const nothing = { consumer_key: undefined, consumer_secret: undefined }
    expect(faults({ security_level: 'development', ...nothing })).toEqual({})
  })

  it.each([
    ['consumer_key', { consumer_key: undefined }],
    ['consumer_key', { consumer_key: 'a:b' }],
    ['consumer_secret', { consumer_secret: undefined }],
    ['consumer_secret', { consumer_secret: undefined, security_level: 'development' }],
    ['institution_id', { institution_type: 'lei' }],
    ['institution_id', { institution_id: '5493001KJTIIGC8Y1R12' }],
  ])('need %s: %j', (name, given) => {
    expect(Object.keys(faults(given))).toEqual([name])
  })

  it('fit their environment', () => {
    expect(Object.keys(faults({ security_level: 'development' }, 'sandbox'))).toEqual(['security_level'])
    expect(Object.keys(faults({}, 'sandbox-basic'))).toEqual(['security_level'])
  })

  it('need the addresses of the provider', () => {
    for (const name of ['test', 'production']) {
      const { hosts } = gsmaMomo.environments[name]!
      expect(faults({}, name, hosts).hosts).toMatch(/--host api=.*--host token=/)
      expect(faults({ security_level: 'development' }, name, hosts).hosts).not.toContain('token')
    }
  })

  it('need an address for callbacks that the provider can reach', () => {
    const local = 'http://127.0.0.1:8000/api/callbacks/wallet/00'
    const check = (url: string, given = {}) => gsmaMomo.checkSettings!(connectionAt(url, given), local)
    expect(Object.keys(check('https://api.wallet.example'))).toEqual(['callbacks'])
    expect(check('https://api.wallet.example', { callbacks: false })).toEqual({})
    expect(check('http://127.0.0.1:4400/gsma-momo')).toEqual({})
    expect(Object.keys(gsmaMomo.checkSettings!(connectionAt('https://api.wallet.example'), ''))).toEqual(['callbacks'])
  })

  it.each([
    ['consumer_key', 'a\nb'],
    ['api_key', 'ключ'],
    ['client_id', 'a\rb'],
    ['account_id', ' '],
    ['account_type', 'till'],
    ['security_level', 'none'],
  ])('that would break a header or an address are refused: %s', (name, value) => {
    const parsed = gsmaMomo.settings.safeParse({ account_id: 'a', [name]: value })
    expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual([name])
  })
})
