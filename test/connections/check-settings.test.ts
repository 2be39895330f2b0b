import { describe, expect, it } from 'vitest'
import { checkConnection, type ProposedConnection } from '../../src/connections/check-settings.ts'
import { type FieldErrors, Invalid } from '../../src/core/refusals.ts'
import { sandbox } from '../../src/networks/sandbox.ts'
import { smpp } from '../../src/senders/smpp/index.ts'
import { RIGHT_KEY, testNetwork } from './test-network.ts'

const valid: ProposedConnection = {
  slug: 'test-uganda',
  driver: 'test-network',
  environment: 'production',
  hosts: {},
  values: { short_code: '600000', api_key: RIGHT_KEY },
}

function check(changes: Partial<ProposedConnection>, mode: 'sandbox' | 'live' = 'live') {
  return checkConnection(
    { ...valid, ...changes },
    { drivers: [sandbox, testNetwork, smpp], mode, callback_url: 'https://pay.example.com/api/callbacks/x/y' },
  )
}

function errorsOf(changes: Partial<ProposedConnection>, mode?: 'sandbox' | 'live'): FieldErrors {
  try {
    check(changes, mode)
  } catch (error) {
    if (error instanceof Invalid) return error.fields
    throw error
  }
  return {}
}

describe('the settings of a connection', () => {
  it('are separated from its secrets, and get their defaults', () => {
    expect(check({})).toMatchObject({
      settings: { short_code: '600000', mode: 'fast' },
      secrets: { api_key: RIGHT_KEY },
    })
  })

  it('are read from texts, as command lines and forms have them', () => {
    const values = {
      ...valid.values,
      short_code: ' 600000 ',
      retries: '3',
      notify: 'no',
      mode: 'slow',
      certificate: '',
    }
    expect(check({ values })).toMatchObject({
      settings: { short_code: '600000', retries: 3, notify: false, mode: 'slow' },
      secrets: { api_key: RIGHT_KEY },
    })
  })

  it('are all checked at once, by their names', () => {
    const errors = errorsOf({ values: { short_code: 'x', retries: 'many', notify: 'perhaps', colour: 'red' } })
    expect(errors).toEqual({
      short_code: ['must have 5 to 7 digits'],
      retries: [expect.stringContaining('number')],
      notify: [expect.stringContaining('boolean')],
      api_key: ['API key is missing. The portal makes it.'],
      colour: ['Test Network has no such setting. It has: short_code, mode, retries, notify, api_key, certificate.'],
    })
  })

  it('are checked by the driver, too', () => {
    const values = { ...valid.values, short_code: '99999' }
    expect(errorsOf({ values })).toEqual({ short_code: ['This short code is reserved.'] })
  })

  it('are not repeated in messages', () => {
    const values = { short_code: RIGHT_KEY, api_key: 'short' }
    expect(JSON.stringify(errorsOf({ values }))).not.toMatch(/right-key|"short"/)
  })
})

describe('the names of a connection', () => {
  it('must exist', () => {
    expect(errorsOf({ driver: 'other' }).driver).toEqual([
      'There is no driver other. There are: sandbox, test-network, smpp.',
    ])
    expect(errorsOf({ environment: 'toString' }).environment).toEqual([
      'Test Network has the environments test, production.',
    ])
  })

  it('must move real money in live mode, and may do anything in the sandbox', () => {
    expect(errorsOf({ environment: 'test' }).environment![0]).toContain('moves no real money')
    expect(errorsOf({ environment: 'test' }, 'sandbox')).toEqual({})
    expect(errorsOf({}, 'sandbox')).toEqual({})
    const values = { secret: 'x'.repeat(16) }
    expect(errorsOf({ driver: 'sandbox', environment: 'sandbox', values }).environment![0]).toContain('no real money')
  })

  it.each(['mtn--ug', 'MTN', 'mtn_ug', '-mtn', '', 'x'.repeat(41)])(
    'is a slug that addresses can have, not %j',
    (slug) => {
      expect(errorsOf({ slug }).slug).toHaveLength(1)
    },
  )

  it.each(['my-mpesa', 'm-pesa-1', 'safaricom', 'executive', 'cmd', 'sql-shop', 'query'])(
    'is a slug without words that networks refuse, not %s',
    (slug) => {
      expect(errorsOf({ slug }).slug![0]).toContain('networks refuse')
    },
  )
})

describe("hosts that replace the environment's", () => {
  it.each([
    ['https://proxy.example.com', 'https://proxy.example.com'],
    ['https://proxy.example.com/mtn/', 'https://proxy.example.com/mtn'],
    ['http://127.0.0.1:4400/mtn-momo', 'http://127.0.0.1:4400/mtn-momo'],
    ['http://[::1]:4400', 'http://[::1]:4400'],
    ['http://localhost:4400', 'http://localhost:4400'],
  ])('may be %s', (api, stored) => {
    expect(check({ hosts: { api } }).hosts).toEqual({ api: stored })
  })

  it.each([
    'http://proxy.example.com',
    'ftp://127.0.0.1',
    'proxy',
    '',
    'https://me:secret@proxy.example.com',
    'https://p.example?x=1',
  ])('may not be %j', (api) => {
    expect(errorsOf({ hosts: { api } }).hosts).toHaveLength(1)
  })

  it.each([
    ['smpp://127.0.0.1:2776', true],
    ['ssmpp://smsc.example:3550', true],
    ['smpp://smsc.example:2775', false],
    ['https://smsc.example', false],
  ])('of a message centre begin with ssmpp, or on loopback with smpp: %s', (smsc, is_right) => {
    const values = { system_id: 'simulated', password: 'simulat8' }
    const proposed = { driver: 'smpp', environment: 'simulated', values, hosts: { smsc } }
    if (is_right) expect(check(proposed, 'sandbox').hosts).toEqual({ smsc })
    else expect(errorsOf(proposed, 'sandbox').hosts).toEqual([expect.stringContaining('must begin with ssmpp://')])
  })

  it('have the names of the environment', () => {
    expect(errorsOf({ hosts: { web: 'https://a.example' } }).hosts).toEqual([
      'There is no host web; there are: api, sso.',
    ])
  })
})
