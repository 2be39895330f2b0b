import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RawCallback } from '../../../src/drivers/raw-callback.ts'
import { secretNames, settingFields } from '../../../src/drivers/settings.ts'
import { mtnMomo } from '../../../src/networks/mtn-momo/index.ts'
import { settings } from '../../../src/networks/mtn-momo/settings.ts'
import { connectionAt, openDriver, REFERENCE, state, uganda } from './mtn-test.ts'

const OTHER = '9b1f6c1e-0a2b-4c3d-8e4f-5a6b7c8d9e0f'

describe('callbacks', () => {
  const driver = openDriver('http://127.0.0.1:2')
  const read = (more: Partial<RawCallback>) =>
    driver.readCallback!({ method: 'POST', path: '', query: '', headers: {}, body: '', address: '192.0.2.1', ...more })
  const names = (reference: string) => ({
    subject: 'order',
    order: { reference },
    verified: false,
    answer: { outcome: 'unknown', message: expect.any(String) },
  })
  const paid = JSON.stringify(state({ status: 'SUCCESSFUL', financialTransactionId: '1' }).body)

  it.each(['PUT', 'POST'])('with %s name the order by the address', (method) => {
    expect(read({ method, path: `/${REFERENCE}`, body: paid })).toEqual(names(REFERENCE))
    expect(read({ method, path: `/${REFERENCE}` })).toEqual(names(REFERENCE))
    expect(read({ method, path: `/${REFERENCE.toUpperCase()}/`, body: '<html>' })).toEqual(names(REFERENCE))
  })

  it('name the order by the body if the address does not', () => {
    expect(read({ body: paid })).toEqual(names(REFERENCE))
    expect(read({ body: JSON.stringify({ referenceId: OTHER, externalId: 'KR12' }) })).toEqual(names(OTHER))
    expect(read({ body: JSON.stringify({ referenceId: 7, externalId: OTHER }) })).toEqual(names(OTHER))
  })

  it('name the order of the address even if the body names another', () => {
    expect(read({ path: `/${OTHER}`, body: paid })).toEqual(names(OTHER))
  })

  it.each([
    ['of another method', { method: 'GET', path: `/${REFERENCE}` }],
    ['without any name', { body: '{"status":"SUCCESSFUL"}' }],
    ['with a name that is none of ours', { path: '/KR12-1', body: '{"externalId":"KR12-1"}' }],
    ['without anything', {}],
    ['with a list', { body: '[]' }],
  ])('%s are not recognized', (_what, more) => {
    expect(read(more)).toEqual({ subject: 'unrecognized', message: expect.any(String) })
  })

  it('are never verified, never an end and never throw', () => {
    const paths = fc.oneof(fc.string(), fc.constant(`/${REFERENCE}`), fc.webPath())
    const bodies = fc.oneof(fc.string(), fc.json(), fc.constant(paid))
    fc.assert(
      fc.property(fc.constantFrom('PUT', 'POST', 'GET', 'DELETE'), paths, bodies, (method, path, body) => {
        const parsed = read({ method, path, body })
        if (parsed.subject === 'order') expect([parsed.verified, parsed.answer.outcome]).toEqual([false, 'unknown'])
        else expect(parsed.subject).toBe('unrecognized')
      }),
    )
  })
})

describe('the operations', () => {
  it('match the products that are set up', () => {
    const collects = openDriver('', { disbursement_subscription_key: undefined })
    expect(collects).toMatchObject({ charge: expect.any(Function), balance: expect.any(Function) })
    expect([collects.payout, collects.refund]).toEqual([undefined, undefined])
    const pays = openDriver('', { collection_subscription_key: undefined })
    expect(pays).toMatchObject({
      payout: expect.any(Function),
      refund: expect.any(Function),
      accountHolder: expect.any(Function),
    })
    expect(pays.charge).toBe(undefined)
  })

  it('use the API user of Collections for Disbursements if it has none', () => {
    const shared = openDriver('', { disbursement_api_user: undefined, disbursement_api_key: undefined })
    expect(shared.payout).toBeDefined()
    expect(openDriver('', { disbursement_api_key: undefined }).payout).toBe(undefined)
  })
})

describe('the settings', () => {
  const minimal = { target_environment: 'mtnuganda', collection_subscription_key: 'k' }

  it('are described, and their secrets are marked', () => {
    for (const field of settingFields(mtnMomo)) expect(field.help).toMatch(/\.$/)
    expect(secretNames(mtnMomo)).toEqual([
      'collection_subscription_key',
      'collection_api_key',
      'disbursement_subscription_key',
      'disbursement_api_key',
    ])
  })

  it('have defaults', () => {
    expect(settings.parse(minimal)).toEqual({
      ...minimal,
      payout_operation: 'transfer',
      callbacks: true,
      holder_names: true,
    })
  })

  it.each([
    { target_environment: 'mtnatlantis' },
    { collection_api_user: 'KUSANYA' },
    { payout_operation: 'gift' },
    { delivery_message: 'x'.repeat(161) },
    { collection_subscription_key: '' },
  ])('refuse %j', (wrong) => {
    expect(settings.safeParse({ ...minimal, ...wrong }).success).toBe(false)
  })

  const url = 'https://pay.example.com/api/callbacks/mtn-ug/00ff'
  const check = (more: object, environment = 'production', callback_url = url) => {
    const connection = connectionAt('http://127.0.0.1:2', { ...uganda, ...more }, environment)
    return Object.keys(mtnMomo.checkSettings!(connection, callback_url))
  }

  it.each([
    [
      'no product',
      { collection_subscription_key: undefined, disbursement_subscription_key: undefined },
      ['collection_subscription_key'],
    ],
    ['no API user', { collection_api_user: undefined }, ['collection_api_user']],
    ['no API key', { collection_api_key: undefined }, ['collection_api_key']],
    ['half of an API user for Disbursements', { disbursement_api_key: undefined }, ['disbursement_api_key']],
    ['the sandbox in production', { target_environment: 'sandbox' }, ['target_environment']],
    ['everything', {}, []],
  ])('are checked together: %s', (_what, more, faults) => {
    expect(check(more)).toEqual(faults)
  })

  it('of the sandbox are for the sandbox', () => {
    expect(check({}, 'sandbox')).toEqual(['target_environment'])
    expect(check({ target_environment: 'sandbox' }, 'sandbox')).toEqual([])
  })

  it.each([
    ['production', 'https://pay.example.com/x', true],
    ['production', 'https://pay.example.com:443/x', true],
    ['production', 'http://pay.example.com/x', false],
    ['production', 'https://pay.example.com:8443/x', false],
    ['production', 'https://192.0.2.7/x', false],
    ['production', 'https://[2001:db8::1]/x', false],
    ['production', 'https://localhost/x', false],
    ['production', '', false],
    ['sandbox', 'http://pay.example.com:8080/x', true],
    ['sandbox', 'http://192.0.2.7/x', false],
    ['simulated', 'http://127.0.0.1:3000/x', true],
  ])('of %s with the callback address %j: %s', (environment, callback_url, is_right) => {
    const more = environment === 'sandbox' ? { target_environment: 'sandbox' } : {}
    expect(check(more, environment, callback_url)).toEqual(is_right ? [] : ['callbacks'])
    expect(check({ ...more, callbacks: false }, environment, callback_url)).toEqual([])
  })
})

describe('the places', () => {
  const placeOf = (phone: string, environment: string) =>
    mtnMomo.places.filter(({ phones, environments }) => phones.test(phone) && environments?.includes(environment))

  it.each([
    ['+256772000001', 'UG', 'UGX', 0],
    ['+233241234567', 'GH', 'GHS', 2],
    ['+2250504000001', 'CI', 'XOF', 0],
    ['+260961234567', 'ZM', 'ZMW', 2],
    ['+237677123456', 'CM', 'XAF', 0],
    ['+22997123456', 'BJ', 'XOF', 0],
    ['+2290197123456', 'BJ', 'XOF', 0],
    ['+242061234567', 'CG', 'XAF', 0],
    ['+26876123456', 'SZ', 'SZL', 2],
    ['+224661234567', 'GN', 'GNF', 0],
    ['+27831234567', 'ZA', 'ZAR', 2],
    ['+231886123456', 'LR', 'LRD', 2],
    ['+231886123456', 'LR', 'USD', 2],
    ['+211921234567', 'SS', 'SSP', 2],
    ['+2348031234567', 'NG', 'NGN', 2],
    ['+250788123456', 'RW', 'RWF', 0],
  ])('serve %s in %s with %s', (phone, country, currency, decimals) => {
    const found = placeOf(phone, 'production')
    expect(found).toContainEqual(
      expect.objectContaining({ country, currency, limits: expect.objectContaining({ decimals }) }),
    )
    expect(new Set(found.map((place) => place.country))).toEqual(new Set([country]))
  })

  it.each(['+256702000001', '+256752000001', '+250728123456', '+254712345678', '+256312000001x'])(
    'do not serve %s',
    (phone) => {
      expect(placeOf(phone, 'production')).toEqual([])
    },
  )

  it('of the sandbox take euros from any phone', () => {
    expect(placeOf('+46733123450', 'sandbox')).toMatchObject([{ country: null, currency: 'EUR' }])
  })

  it('have limits that their decimals allow', () => {
    for (const { limits } of mtnMomo.places) {
      const step = 10n ** BigInt(4 - limits.decimals)
      expect([limits.min, limits.max % step]).toEqual([step, 0n])
    }
  })
})
