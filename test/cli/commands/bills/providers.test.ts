import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBuyer, electricityOrder } from '../../../api/bills/buyer.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'
import { openShell } from '../../shell.ts'

/* The commands about offers, differences and floats. The sandbox's biller is the connection that they are about. */

let testApp: TestApp
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testApp = await buildTestApp()
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
afterAll(() => testApp.close())

const json = async (...args: string[]) => {
  const { code, out, err } = await kusanya([...args, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}
const SLUG = 'sandbox'

describe('bills offers', () => {
  it('adds, changes, lists and removes an offer, and says so in the audit log', async () => {
    const names = ['--connection', SLUG, '--remote-service', 'safaricom', '--commission', '2.5', '--min', '10']
    const added = await json('bills', 'offers', 'add', 'airtime', 'safaricom_ke', ...names)
    expect(added).toMatchObject({ currency: 'KES', commission_percent: '2.5', min: '10.0000', priority: 100 })
    const again = await kusanya(['bills', 'offers', 'add', 'airtime', 'safaricom_ke', ...names])
    expect([again.code === 0, again.err]).toEqual([false, expect.stringContaining('sells this already')])
    const id = String(added.id)
    expect(await json('bills', 'offers', 'change', id, '--priority', '5', '--sold', 'off')).toMatchObject({
      priority: 5,
      enabled: false,
    })
    const wrong = await kusanya(['bills', 'offers', 'change', id, '--commission', '100'])
    expect([wrong.code === 0, wrong.err]).toEqual([false, expect.stringContaining('below 100')])
    expect((await kusanya(['bills', 'offers', 'list'])).out).toContain('airtime/safaricom_ke')
    await json('bills', 'offers', 'remove', id)
    expect(await json('bills', 'offers', 'list')).toEqual([])
    const actions = await testApp.db`select action from audit_log where action like '%bill offer' order by id`
    expect(actions.map(({ action }) => action)).toEqual(['add bill offer', 'change bill offer', 'remove bill offer'])
  })

  it('refuses what does not exist', async () => {
    for (const [args, message] of [
      [['airtime', 'nobody', '--connection', SLUG, '--remote-service', 'x'], 'There is no airtime service nobody.'],
      [['airtime', 'mtn', '--connection', 'nowhere', '--remote-service', 'x'], 'There is no connection nowhere'],
      [['cabletv', 'dstv', '--product', 'X', '--connection', SLUG, '--remote-service', 'x'], 'no product X'],
    ] as const) {
      const { code, err } = await kusanya(['bills', 'offers', 'add', ...args])
      expect([code === 0, err]).toEqual([false, expect.stringContaining(message)])
    }
  })
})

describe('bills differences', () => {
  it('approves with the service that an operator names, and rejects', async () => {
    for (const remote_service of ['new-power', 'old-power'])
      await testApp.db`
        insert into bill_differences (connection, kind, bill_kind, country, currency, remote_service, name, after, state, found)
        values (${SLUG}, 'new', 'electricity', 'NG', 'NGN', ${remote_service}, 'Power',
          '{"price":null,"commission_percent":"1","min":"500.0000","max":null}', 'waiting', now())`
    const waiting = await json('bills', 'differences', 'list', '--state', 'waiting')
    const [second, first] = waiting.map(({ id }: { id: number }) => String(id))
    const wrong = await kusanya(['bills', 'differences', 'approve', first, '--category', 'airtime', '--service', 'mtn'])
    expect([wrong.code === 0, wrong.err]).toEqual([false, expect.stringContaining('the provider sells electricity')])
    await json(
      'bills',
      'differences',
      'approve',
      first,
      '--category',
      'electricity',
      '--service',
      'eko_electric_prepaid',
    )
    await json('bills', 'differences', 'reject', second)
    expect(await json('bills', 'offers', 'list')).toMatchObject([
      { service_type: 'eko_electric_prepaid', remote_service: 'new-power', min: '500.0000', commission_percent: '1' },
    ])
    expect(await json('bills', 'differences', 'list', '--state', 'waiting')).toEqual([])
    const none = await kusanya(['bills', 'sync'])
    expect([none.code === 0, none.err]).toEqual([false, expect.stringContaining('No active connection tells')])
    expect((await kusanya(['bills', 'floats'])).out).toBe('No bill provider has stated a balance yet.')
  })
})

describe('the token of a purchase', () => {
  it('goes out when an operator lets it, and is shown with the purchase', async () => {
    expect((await kusanya(['organizations', 'bill-tokens'])).out).toContain('do not get')
    await json('organizations', 'bill-tokens', 'on')
    const { url } = await testApp.startService()
    const order = electricityOrder()
    await createBuyer(testApp, url).post('/services/electricity/request', order)
    const [{ id }] = await json('bills', 'list', '--reference', order.agentReference)
    const shown = await json('bills', 'show', String(id))
    expect(shown).toMatchObject({
      attempts: [{ attempt: 1, connection: SLUG, outcome: 'successful' }],
      sms: [{ phonenumber: '+2348031234567', body: expect.stringContaining('Token for meter 04042404048') }],
    })
    expect((await kusanya(['bills', 'show', String(id)])).out).toMatch(/SMS \d+ to \+2348031234567/)
  })
})

describe('bills catalogue import --add', () => {
  it('keeps the services that the file does not have', async () => {
    const file = fileURLToPath(new URL('../../../../src/core/bills/catalogues/airtime.json', import.meta.url))
    const before = await json('bills', 'services')
    expect(await json('bills', 'catalogue', 'import', file, '--add')).toMatchObject({ services: 55, removed: 0 })
    expect(await json('bills', 'services')).toHaveLength(before.length)
    expect(await json('bills', 'services', '--country', 'ke')).toHaveLength(3)
  })
})
