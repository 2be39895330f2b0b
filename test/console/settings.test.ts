import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDemo } from '../../src/cli/service/demo.ts'
import { setFee } from '../../src/core/ledger/fees.ts'
import { begin } from '../../src/db/client.ts'
import { buildTestApp, createApiClient, eventually } from '../test-app.ts'
import { openBrowser } from './browser.ts'
import { openShop, PASSWORD, type Shop } from './shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.testApp.close())

const read = async (person = shop.owner) => (await person.get('/settings')).body

describe('settings', () => {
  it('say what holds for the organization, and only for it', async () => {
    const { testApp: house } = shop
    const fee = {
      kind: 'payment',
      currency: 'BXC',
      network: null,
      percent: 10_000n,
      min_fee: 0n,
      max_fee: null,
    } as const
    await begin(house.db, (tx) =>
      setFee(tx, house.clock.now(), { organization: house.organization, fixed: 5_000_000n, ...fee }),
    )
    expect(await read()).toMatchObject({
      organization: { id: house.organization },
      fees: [{ kind: 'payment', currency: 'BXC', fixed: '500.0000', percent: '1.0000', max_fee: null }],
      approval: [],
      hook: null,
    })
    const theirs = await read(shop.otherOwner)
    expect(theirs).toMatchObject({ organization: { name: 'Other Shop' }, fees: [], approval: [], hook: null })
  })

  it('are out of reach without the permission', async () => {
    const tries = [
      ['GET', '/settings'],
      ['PUT', '/settings/name', { name: 'Mine' }],
      ['PUT', '/settings/fees', { kind: 'payment', currency: 'BXC', fixed: '5' }],
      ['DELETE', '/settings/fees/1'],
      ['PUT', '/settings/approval/BXC', { threshold: '5' }],
      ['DELETE', '/settings/approval/BXC'],
      ['PUT', '/settings/hook', { url: 'https://shop.example/ask', when_unreachable: 'accept', timeout: 5 }],
      ['DELETE', '/settings/hook'],
      ['GET', '/maintenance'],
      ['PUT', '/maintenance', { on: true }],
    ] as const
    for (const [method, path, body] of tries)
      expect([method, path, (await shop.viewer.send(method, path, body)).status]).toEqual([method, path, 403])
  })
})

describe('the name of an organization', () => {
  it('is changed by its own people', async () => {
    expect((await shop.owner.send('PUT', '/settings/name', { name: ' Mama Grace ' })).status).toBe(204)
    expect((await read()).organization.name).toBe('Mama Grace')
    expect((await shop.owner.get('/session')).body.organization.name).toBe('Mama Grace')
    expect((await read(shop.otherOwner)).organization.name).toBe('Other Shop')
    expect((await shop.owner.send('PUT', '/settings/name', { name: ' ' })).body).toHaveProperty('name')
    expect((await shop.audit()).slice(-1)).toEqual(['rename organization'])
  })
})

describe('the approval of payments', () => {
  it('is demanded above an amount, then above another, then no more', async () => {
    const set = (threshold: string) => shop.owner.send('PUT', '/settings/approval/BXC', { threshold })
    expect((await set('1000')).status).toBe(204)
    expect((await read()).approval).toEqual([{ currency: 'BXC', threshold: '1000.0000' }])
    expect((await set('0')).status).toBe(204)
    expect((await read()).approval).toEqual([{ currency: 'BXC', threshold: '0.0000' }])
    expect((await read(shop.otherOwner)).approval).toEqual([])
    expect((await shop.owner.send('DELETE', '/settings/approval/BXC')).status).toBe(204)
    expect((await read()).approval).toEqual([])
    expect((await shop.audit()).slice(-3)).toEqual(['set approval', 'set approval', 'remove approval'])
  })

  it('says what is wrong, and changes nothing', async () => {
    const before = (await shop.audit()).length
    for (const threshold of ['', 'much', '-5'])
      expect((await shop.owner.send('PUT', '/settings/approval/BXC', { threshold })).body).toHaveProperty('threshold')
    expect((await shop.owner.send('PUT', '/settings/approval/XXX', { threshold: '5' })).body).toEqual({
      currency: ['"XXX" is not a valid choice.'],
    })
    expect((await read()).approval).toEqual([])
    expect(await shop.audit()).toHaveLength(before)
  })
})

describe('the question whether to take money', () => {
  it('goes to an address, with a time to answer, until it is taken away', async () => {
    const hook = { url: 'https://shop.example/ask', when_unreachable: 'reject' }
    expect((await shop.owner.send('PUT', '/settings/hook', { ...hook, timeout: '20' })).status).toBe(204)
    expect((await read()).hook).toMatchObject({ ...hook, timeout_s: 20 })
    expect((await read(shop.otherOwner)).hook).toBeNull()
    expect((await shop.otherOwner.send('DELETE', '/settings/hook')).status).toBe(404)
    expect((await shop.owner.send('DELETE', '/settings/hook')).status).toBe(204)
    expect((await read()).hook).toBeNull()
    expect((await shop.audit()).slice(-2)).toEqual(['set collection hook', 'remove collection hook'])
  })

  it('is refused with what is wrong at its field', async () => {
    const hook = { url: 'https://shop.example/ask', when_unreachable: 'reject', timeout: '20' }
    const wrong = async (more: object) =>
      Object.keys((await shop.owner.send('PUT', '/settings/hook', { ...hook, ...more })).body)
    expect(await wrong({ url: 'shop' })).toEqual(['url'])
    expect(await wrong({ when_unreachable: 'wait' })).toEqual(['when_unreachable'])
    expect(await wrong({ timeout: '61' })).toEqual(['timeout'])
    expect((await read()).hook).toBeNull()
  })
})

describe("what is an operator's", () => {
  it('is not for one of several organizations: neither fees', async () => {
    const before = await read()
    const fee = { kind: 'payment', currency: 'BXC', percent: '0' }
    expect(before.alone).toBe(false)
    expect((await shop.owner.send('PUT', '/settings/fees', fee)).status).toBe(403)
    expect((await shop.owner.send('DELETE', `/settings/fees/${before.fees[0].id}`)).status).toBe(403)
    expect((await read()).fees).toEqual(before.fees)
  })

  it('nor the maintenance switch', async () => {
    expect((await shop.owner.get('/maintenance')).body).toEqual({ on: false, yours: false })
    expect((await shop.owner.send('PUT', '/maintenance', { on: true })).status).toBe(403)
    expect((await shop.owner.get('/maintenance')).body.on).toBe(false)
  })

  it('is for the only organization: it closes the service and opens it, and says what is charged', async () => {
    const house = await buildTestApp({ settings: { SANDBOX_PASSWORD: PASSWORD } })
    try {
      await prepareDemo(house.app)
      const { url } = await house.startService()
      const owner = openBrowser(url)
      await owner.signIn('owner@demo.example', PASSWORD)
      await setFees(owner)
      const api = createApiClient(url, house.api_key)
      const status = async (wanted: number) =>
        eventually(`a ${wanted}`, async () => ((await api.get('/api/currencies')).status === wanted ? true : undefined))
      expect((await owner.send('PUT', '/maintenance', { on: true })).body).toEqual({ on: true, yours: true })
      await status(503)
      expect((await owner.get('/maintenance')).body).toEqual({ on: true, yours: true })
      expect((await owner.send('PUT', '/maintenance', { on: false })).body).toEqual({ on: false, yours: true })
      await status(200)
      const deeds = await house.db`select action from audit_log order by id`
      expect(deeds.map(({ action }) => action).slice(-4)).toEqual([
        'set fee',
        'remove fee',
        'begin maintenance',
        'end maintenance',
      ])
    } finally {
      await house.close()
    }
  })
})

async function setFees(owner: Shop['owner']): Promise<void> {
  const set = (more: object) => owner.send('PUT', '/settings/fees', { kind: 'payment', currency: 'BXC', ...more })
  for (const [field, more] of [
    ['kind', { kind: 'gift' }],
    ['currency', { currency: 'XXX' }],
    ['network', { network: 'pigeon' }],
    ['network', { kind: 'bill', network: 'sandbox' }],
    ['fixed', { fixed: 'much' }],
    ['percent', { percent: '101' }],
    ['min_fee', { min_fee: '-1' }],
    ['max_fee', { min_fee: '5', max_fee: '4' }],
  ] as const)
    expect([field, Object.keys((await set(more)).body)]).toEqual([field, [field]])
  expect((await owner.get('/settings')).body).toMatchObject({ alone: true, fees: [] })
  const { body } = await set({ fixed: '2', percent: '1.5', network: '', max_fee: '' })
  expect(body).toMatchObject({ fixed: '2.0000', percent: '1.5000', network: null, max_fee: null })
  expect((await owner.send('DELETE', `/settings/fees/${body.id}`)).status).toBe(204)
  expect((await owner.send('DELETE', `/settings/fees/${body.id}`)).status).toBe(404)
  expect((await owner.get('/settings')).body.fees).toEqual([])
}
