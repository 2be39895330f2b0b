import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectSettings } from '../../../src/cli/service/settings-connections.ts'
import { listBillConnections, sellersOf } from '../../../src/connections/bill-sellers.ts'
import { getConnection } from '../../../src/core/connections/connections.ts'
import { openShell } from '../../cli/shell.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

/* UPSTREAM_URL and UPSTREAM_KEY are a connection as any other, whose settings only the settings of the service change. */

let far: TestApp
let near: TestApp
let far_url: string
let kusanya: ReturnType<typeof openShell>
const UPSTREAM = () => ({ UPSTREAM_URL: `${far_url}/api/gateway`, UPSTREAM_KEY: far.api_key })

beforeAll(async () => {
  far = await buildTestApp()
  far_url = (await far.startService()).url
  near = await buildTestApp({ settings: { BILLER: 'upstream', ...UPSTREAM() } })
  const { DATABASE_URL, DATA_DIR } = near.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
afterAll(async () => {
  await near.close()
  await far.close()
})

/** Begin with these settings, as a start of the service does. */
async function start(settings: Partial<typeof near.app.config>) {
  Object.assign(near.app.config, { UPSTREAM_URL: undefined, UPSTREAM_KEY: undefined, BILLER: undefined }, settings)
  near.app.notices.splice(0)
  await connectSettings(near.app)
}
const json = async (...args: string[]) => JSON.parse((await kusanya([...args, '--json'])).out)
const sellers = () => sellersOf(near.app).map(({ slug }) => slug)

describe('the account at another host that the settings describe', () => {
  it('is listed and shown as coming from the settings, without its key', async () => {
    await start({ ...UPSTREAM(), BILLER: 'upstream' })
    const [listed] = (await json('connections', 'list')).filter(({ slug }: { slug: string }) => slug === 'upstream')
    expect(listed).toMatchObject({
      kind: 'bills',
      driver: 'upstream',
      state: 'active',
      source: 'settings',
      priority: 1_000,
      live: true,
      hosts: { api: UPSTREAM().UPSTREAM_URL },
      secrets: { key: 'set' },
      settings: { agent_id: '207' },
    })
    const { out } = await kusanya(['connections', 'show', 'upstream'])
    expect(out).toContain('the settings UPSTREAM_URL and UPSTREAM_KEY, used')
    expect(out).not.toContain(far.api_key)
    expect(sellersOf(near.app)).toMatchObject([{ slug: 'upstream', has_our_names: true, countries: null }])
  })

  it('is tested and paused as any other, and stays paused after the next start', async () => {
    const test = await json('connections', 'test', 'upstream')
    expect(JSON.stringify(test)).toContain('The account there has NGN')
    expect(await kusanya(['connections', 'pause', 'upstream'])).toMatchObject({ code: 0 })
    await start({ ...UPSTREAM(), BILLER: 'upstream' })
    expect(sellers()).toEqual([])
    expect(await kusanya(['connections', 'resume', 'upstream'])).toMatchObject({ code: 0 })
    await near.app.providers.refresh()
    expect(sellers()).toEqual(['upstream'])
  })

  it.each([
    ['set', 'upstream', '--priority', '5'],
    ['remove', 'upstream'],
  ])('cannot be changed here: connections %s', async (...args) => {
    const refused = await kusanya(['connections', ...args])
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('UPSTREAM_URL and UPSTREAM_KEY describe')])
  })

  it('follows the settings at each start: a new key, not used, gone, and back', async () => {
    const before = await getConnection(near.db, 'upstream')
    await start({ ...UPSTREAM(), BILLER: 'upstream' })
    expect(await getConnection(near.db, 'upstream')).toEqual(before)
    await start({ ...UPSTREAM(), UPSTREAM_KEY: 'another-key', BILLER: 'upstream' })
    expect(await kusanya(['connections', 'test', 'upstream'])).toMatchObject({
      out: expect.stringContaining('refuses key'),
    })
    await start({ ...UPSTREAM(), BILLER: 'sandbox' })
    expect(await getConnection(near.db, 'upstream')).toMatchObject({ state: 'paused', source: 'unused_settings' })
    // It still answers for the purchases that it has.
    expect(listBillConnections(near.app).map(({ slug, state }) => [slug, state])).toContainEqual(['upstream', 'paused'])
    await start({})
    expect(listBillConnections(near.app).map(({ slug }) => slug)).not.toContain('upstream')
    await start({ ...UPSTREAM(), BILLER: 'upstream' })
    expect(await getConnection(near.db, 'upstream')).toMatchObject({ state: 'active', source: 'settings' })
  })

  it('does not replace a connection that a person has added under its name', async () => {
    await near.db`update connections set source = 'person', settings = '{"agent_id":"9"}' where slug = 'upstream'`
    await start({ ...UPSTREAM(), BILLER: 'upstream' })
    expect(await getConnection(near.db, 'upstream')).toMatchObject({ source: 'person', settings: { agent_id: '9' } })
    expect(near.app.notices).toEqual([expect.stringContaining('UPSTREAM_URL does not count')])
  })
})
