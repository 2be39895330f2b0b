import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import { setFee } from '../../src/core/ledger/fees.ts'
import { begin } from '../../src/db/client.ts'
import { PASSWORD } from '../password.ts'
import { buildTestApp, createApiClient, eventually } from '../test-app.ts'
import { openBrowser } from './browser.ts'
import { openShop, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.testApp.close())

const read = async (person = shop.owner) => (await person.get('/settings')).body

describe('settings', () => {
  it('show the fees, approvals and acceptance URL of their organization only', async () => {
    const { testApp } = shop
    const fee = {
      kind: 'payment',
      currency: 'BXC',
      network: null,
      percent: 10_000n,
      min_fee: 0n,
      max_fee: null,
    } as const
    await begin(testApp.db, (tx) =>
      setFee(tx, testApp.clock.now(), { organization: testApp.organization, fixed: 5_000_000n, ...fee }),
    )
    expect(await read()).toMatchObject({
      organization: { id: testApp.organization },
      fees: [{ kind: 'payment', currency: 'BXC', fixed: '500.0000', percent: '1.0000', max_fee: null }],
      approval: [],
      hook: null,
      has_second_manager: false,
    })
    const others = await read(shop.otherOwner)
    expect(others).toMatchObject({ organization: { name: 'Other Shop' }, fees: [], approval: [], hook: null })
  })

  it('need the permission to manage the organization', async () => {
    const requests = [
      ['GET', '/settings'],
      ['PUT', '/settings/name', { name: 'Mine' }],
      ['PUT', '/settings/seller', SELLER],
      ['PUT', '/settings/fees', { kind: 'payment', currency: 'BXC', fixed: '5' }],
      ['DELETE', '/settings/fees/1'],
      ['PUT', '/settings/approval/BXC', { threshold: '5' }],
      ['DELETE', '/settings/approval/BXC'],
      ['PUT', '/settings/hook', { url: 'https://shop.example/ask', when_unreachable: 'accept', timeout: 5 }],
      ['DELETE', '/settings/hook'],
      ['GET', '/maintenance'],
      ['PUT', '/maintenance', { on: true }],
    ] as const
    for (const [method, path, body] of requests)
      expect([method, path, (await shop.viewer.send(method, path, body)).status]).toEqual([method, path, 403])
  })
})

describe('the name of an organization', () => {
  it('is changed by its own users', async () => {
    expect((await shop.owner.send('PUT', '/settings/name', { name: ' Mama Grace ' })).status).toBe(204)
    expect((await read()).organization.name).toBe('Mama Grace')
    expect((await shop.owner.get('/session')).body.organization.name).toBe('Mama Grace')
    expect((await read(shop.otherOwner)).organization.name).toBe('Other Shop')
    expect((await shop.owner.send('PUT', '/settings/name', { name: ' ' })).body).toHaveProperty('name')
    expect((await shop.audit()).slice(-1)).toEqual(['rename organization'])
  })
})

const SELLER = {
  legal_name: 'Green Hill Ltd',
  address: 'Plot 14\nKampala',
  tax_number: '1000123456',
  phone: '+256 414 123456',
  email: 'accounts@greenhill.example',
  payment_terms: 'Within 14 days.',
}

describe('the seller on documents', () => {
  it('is set by managers, which is audited with the former values', async () => {
    expect((await shop.owner.send('PUT', '/settings/seller', SELLER)).status).toBe(204)
    const phone = '+256 414 654321'
    expect((await shop.owner.send('PUT', '/settings/seller', { ...SELLER, phone })).status).toBe(204)
    expect((await read()).seller).toEqual({ ...SELLER, phone })
    expect((await read(shop.otherOwner)).seller.legal_name).toBe('')
    const [entry] = await shop.testApp.db`select action, details from audit_log order by id desc limit 1`
    expect(entry).toEqual({ action: 'set seller details', details: { phone, phone_before: SELLER.phone } })
  })

  it('is refused as a whole where a field is wrong', async () => {
    const wrong = await shop.owner.send('PUT', '/settings/seller', { ...SELLER, legal_name: 'Other', email: 'nobody' })
    expect([wrong.status, Object.keys(wrong.body)]).toEqual([400, ['email']])
    expect((await read()).seller.legal_name).toBe(SELLER.legal_name)
  })
})

/** Thresholds with which one approval is enough for any amount. */
const NO_STEPS = { second_threshold: null, third_threshold: null }

describe('the approval of payments', () => {
  it('is required above an amount, which can be changed and removed', async () => {
    const set = (threshold: string) => shop.owner.send('PUT', '/settings/approval/BXC', { threshold })
    expect((await set('1000')).status).toBe(204)
    expect((await read()).approval).toEqual([{ currency: 'BXC', threshold: '1000.0000', ...NO_STEPS }])
    expect((await set('0')).status).toBe(204)
    expect((await read()).approval).toEqual([{ currency: 'BXC', threshold: '0.0000', ...NO_STEPS }])
    expect((await read(shop.otherOwner)).approval).toEqual([])
    expect((await shop.owner.send('DELETE', '/settings/approval/BXC')).status).toBe(204)
    expect((await read()).approval).toEqual([])
    expect((await shop.audit()).slice(-3)).toEqual(['set approval', 'set approval', 'remove approval'])
  })

  it('reports errors, and changes nothing', async () => {
    const before = (await shop.audit()).length
    for (const threshold of ['', 'much', '-5'])
      expect((await shop.owner.send('PUT', '/settings/approval/BXC', { threshold })).body).toHaveProperty('threshold')
    expect((await shop.owner.send('PUT', '/settings/approval/XXX', { threshold: '5' })).body).toEqual({
      currency: [expect.stringContaining('"XXX" is not a valid choice.')],
    })
    expect((await read()).approval).toEqual([])
    expect(await shop.audit()).toHaveLength(before)
  })
})

describe('the acceptance URL', () => {
  it('is set with a timeout, and removed', async () => {
    const hook = { url: 'https://shop.example/ask', when_unreachable: 'reject' }
    expect((await shop.owner.send('PUT', '/settings/hook', { ...hook, timeout: '20' })).status).toBe(204)
    expect((await read()).hook).toMatchObject({ ...hook, timeout_s: 20 })
    expect((await read(shop.otherOwner)).hook).toBeNull()
    expect((await shop.otherOwner.send('DELETE', '/settings/hook')).status).toBe(404)
    expect((await shop.owner.send('DELETE', '/settings/hook')).status).toBe(204)
    expect((await read()).hook).toBeNull()
    expect((await shop.audit()).slice(-2)).toEqual(['set collection hook', 'remove collection hook'])
  })

  it('reports errors at their fields', async () => {
    const hook = { url: 'https://shop.example/ask', when_unreachable: 'reject', timeout: '20' }
    const wrong = async (change: object) =>
      Object.keys((await shop.owner.send('PUT', '/settings/hook', { ...hook, ...change })).body)
    expect(await wrong({ url: 'shop' })).toEqual(['url'])
    expect(await wrong({ when_unreachable: 'wait' })).toEqual(['when_unreachable'])
    expect(await wrong({ timeout: '61' })).toEqual(['timeout'])
    expect((await read()).hook).toBeNull()
  })
})

describe('the actions of an operator', () => {
  it('do not include fees when there are several organizations', async () => {
    const before = await read()
    const fee = { kind: 'payment', currency: 'BXC', percent: '0' }
    expect(before.alone).toBe(false)
    expect((await shop.owner.send('PUT', '/settings/fees', fee)).status).toBe(403)
    expect((await shop.owner.send('DELETE', `/settings/fees/${before.fees[0].id}`)).status).toBe(403)
    expect((await read()).fees).toEqual(before.fees)
  })

  it('do not include maintenance mode when there are several organizations', async () => {
    expect((await shop.owner.get('/maintenance')).body).toEqual({ on: false, yours: false })
    expect((await shop.owner.send('PUT', '/maintenance', { on: true })).status).toBe(403)
    expect((await shop.owner.get('/maintenance')).body.on).toBe(false)
  })

  it('are allowed to the only organization: fees and maintenance mode', async () => {
    const testApp = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
    try {
      await prepareDemo(testApp.app)
      const { url } = await testApp.startService()
      const owner = openBrowser(url)
      await owner.signIn('owner@demo.example', PASSWORD)
      await setFees(owner)
      const api = createApiClient(url, testApp.api_key)
      const status = async (expected: number) =>
        eventually(`the status ${expected}`, async () =>
          (await api.get('/api/currencies')).status === expected ? true : undefined,
        )
      expect((await owner.send('PUT', '/maintenance', { on: true })).body).toEqual({ on: true, yours: true })
      await status(503)
      expect((await owner.get('/maintenance')).body).toEqual({ on: true, yours: true })
      expect((await owner.send('PUT', '/maintenance', { on: false })).body).toEqual({ on: false, yours: true })
      await status(200)
      const actions = await testApp.db`select action from audit_log order by id`
      expect(actions.map(({ action }) => action).slice(-4)).toEqual([
        'set fee',
        'remove fee',
        'begin maintenance',
        'end maintenance',
      ])
    } finally {
      await testApp.close()
    }
  })
})

async function setFees(owner: Shop['owner']): Promise<void> {
  const set = (change: object) => owner.send('PUT', '/settings/fees', { kind: 'payment', currency: 'BXC', ...change })
  for (const [field, change] of [
    ['kind', { kind: 'gift' }],
    ['currency', { currency: 'XXX' }],
    ['network', { network: 'pigeon' }],
    ['network', { kind: 'bill', network: 'sandbox' }],
    ['fixed', { fixed: 'much' }],
    ['percent', { percent: '101' }],
    ['min_fee', { min_fee: '-1' }],
    ['max_fee', { min_fee: '5', max_fee: '4' }],
  ] as const)
    expect([field, Object.keys((await set(change)).body)]).toEqual([field, [field]])
  expect((await owner.get('/settings')).body).toMatchObject({ alone: true, fees: [] })
  const { body } = await set({ fixed: '2', percent: '1.5', network: '', max_fee: '' })
  expect(body).toMatchObject({ fixed: '2.0000', percent: '1.5000', network: null, max_fee: null })
  expect((await owner.send('DELETE', `/settings/fees/${body.id}`)).status).toBe(204)
  expect((await owner.send('DELETE', `/settings/fees/${body.id}`)).status).toBe(404)
  expect((await owner.get('/settings')).body.fees).toEqual([])
}

it('says up to when entries of the audit log are in the archive, to managers alone', async () => {
  const { db } = shop.testApp
  expect((await shop.owner.get('/audit/archive')).body).toEqual({ newest: null })
  expect((await shop.viewer.get('/audit/archive')).status).toBe(403)
  await db`
    insert into archive_segments (sequence, kind, manifest_sha256, subjects, row_count, bytes, first_id, last_id, oldest, newest, written)
    values (1, 'audit', ${'0'.repeat(64)}, 1, 2, 1, 1, 1, '2019-01-01Z', '2019-12-31T09:30:00Z', '2030-01-15Z')`
  await db`
    insert into audit_anchors (position, entry, digest, segment, manifest_sha256)
    values (1, 1, ${Buffer.alloc(32)}, 1, ${'0'.repeat(64)})`
  expect((await shop.owner.get('/audit/archive')).body).toEqual({ newest: '2019-12-31T09:30:00Z' })
})
