import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operator, runAction } from '../../../src/actions/run.ts'
import { billDrivers } from '../../../src/billers/index.ts'
import { viewDrivers } from '../../../src/console/connections/views.ts'
import { allPermissions } from '../../../src/core/access/api-keys.ts'
import { confirmChangeAction } from '../../../src/core/approvals/changes/decisions.ts'
import { insertConnection } from '../../../src/core/connections/connections.ts'
import { createAccount } from '../../../src/core/ledger/accounts.ts'
import { begin } from '../../../src/db/client.ts'
import { smsDrivers } from '../../../src/senders/index.ts'
import { addDriver, RIGHT_KEY, testNetwork } from '../../connections/test-network.ts'
import { PASSWORD } from '../../password.ts'
import { openBrowser } from '../browser.ts'
import { addPerson, openShop, type Shop } from '../shop.ts'

const WRONG_KEY = 'wrong-key-of-the-test-network'

let shop: Shop
/** A wallet of the shop. */
let wallet: number
/** Everything that the service has answered, to look for secrets. */
const answers: string[] = []

const read = async (path: string, who = shop.owner) => {
  const answer = await who.get(path)
  answers.push(JSON.stringify(answer.body))
  return answer
}
const send = async (method: string, path: string, body?: unknown, who = shop.owner) => {
  const answer = await who.send(method, path, body)
  answers.push(JSON.stringify(answer.body ?? null))
  return answer
}
const draft = (slug: string, more: object = {}) => ({
  slug,
  driver: 'test-network',
  environment: 'production',
  values: { short_code: '600000', api_key: RIGHT_KEY },
  ...more,
})
const add = (slug: string, more: object = {}) => send('POST', '/connections', draft(slug, more))
/**
 * Make a change that waits for the operator, because two organizations share the installation, and let the operator
 * confirm it.
 */
const confirmed = async (method: string, path: string, body?: unknown) => {
  const { app, organization } = shop.testApp
  const asked = await send(method, path, body)
  expect(asked.status).toBe(202)
  await runAction(app, operator(organization), confirmChangeAction, { id: asked.body.pending.id })
  await app.providers.refresh()
}
const detail = async (slug: string) => (await read(`/connections/${slug}`)).body

afterAll(addDriver(testNetwork))

beforeAll(async () => {
  shop = await openShop()
  const { organization, db } = shop.testApp
  const [account] =
    await db`select id from accounts where organization = ${organization} and currency = 'UGX' and kind = 'local'`
  wallet = account!.id as number
})
afterAll(() => shop.testApp.close())

describe('the networks', () => {
  it('are listed with their countries, environments and settings', async () => {
    const { body } = await read('/network-drivers')
    expect(body.map(({ code }: { code: string }) => code)).toContain('sandbox')
    const shown = body.find(({ code }: { code: string }) => code === 'test-network')
    // Networks with real money come first.
    const networks = body.filter(({ kind }: { kind: string }) => kind === 'network')
    expect(networks.at(-1).code).toBe('sandbox')
    expect(body.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...networks.map(() => 'network'),
      ...smsDrivers.map(() => 'sms'),
      ...billDrivers.map(() => 'bills'),
    ])
    expect(shown).toMatchObject({
      code: 'test-network',
      name: 'Test Network',
      countries: ['KE', 'UG'],
      currencies: ['KES', 'UGX'],
      environments: [
        { name: 'test', live: false, refused: false },
        { name: 'production', live: true, refused: false },
      ],
      can_provision: true,
    })
    expect(shown.fields).toContainEqual({
      name: 'api_key',
      title: 'API key',
      help: 'The portal makes it.',
      secret: true,
      required: true,
      kind: 'text',
    })
  })

  it('of a live installation are those with real money, and their other environments are refused', () => {
    const { app } = shop.testApp
    const drivers = viewDrivers({ ...app, config: { ...app.config, MODE: 'live' } })
    expect(drivers.map(({ code }) => code)).toContain('test-network')
    expect(drivers.map(({ code }) => code)).not.toContain('sandbox')
    expect(drivers.find(({ code }) => code === 'test-network')!.environments).toMatchObject([
      { name: 'test', refused: true },
      { name: 'production', refused: false },
    ])
  })
})

describe('a connection', () => {
  it('is created as a draft, tested, given a wallet, put into use, paused and removed', async () => {
    const created = await add('till-uganda')
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({
      slug: 'till-uganda',
      network: 'Test Network',
      state: 'draft',
      own: true,
      live: true,
      tested: null,
      settings: { short_code: '600000', mode: 'fast' },
      secrets: { api_key: 'set', certificate: 'not set' },
      callbacks: { sends: true, reachable: false, can_register: false },
      places: [],
      health: null,
      orders: { open: 0, attention: 0 },
    })
    expect((await send('POST', '/connections/till-uganda/activate')).body).toEqual({
      state: ['It has not been tested with these settings. Test it first.'],
    })
    const tested = await send('POST', '/connections/till-uganda/test')
    expect(tested.body).toMatchObject({
      passed: true,
      results: [
        { name: 'token', outcome: 'ok', settings: [] },
        { name: 'callback address', outcome: 'skipped' },
      ],
    })
    const place = { number: '256772000000', country: 'ug', unrequested: false }
    expect(await send('PUT', `/connections/till-uganda/places/${wallet}`, place)).toMatchObject({ status: 204 })
    await confirmed('POST', '/connections/till-uganda/activate')
    expect(await detail('till-uganda')).toMatchObject({
      state: 'active',
      passed: true,
      places: [
        {
          account: wallet,
          number: '256772000000',
          currency: 'UGX',
          country: 'UG',
          collects: true,
          pays_out: true,
          unrequested: false,
        },
      ],
    })
    expect(shop.testApp.app.connections.find('till-uganda')).toMatchObject({ state: 'active' })
    expect((await send('POST', '/connections/till-uganda/pause')).status).toBe(204)
    expect((await send('POST', '/connections/till-uganda/activate')).status).toBe(204)
    expect((await send('POST', '/connections/till-uganda/activate')).body).toHaveProperty('state')
    expect((await send('POST', '/connections/till-uganda/pause')).status).toBe(204)
    expect((await send('DELETE', `/connections/till-uganda/places/${wallet}`)).status).toBe(204)
    expect((await send('POST', '/connections/till-uganda/remove')).status).toBe(204)
    expect((await read('/connections/till-uganda')).status).toBe(404)
    expect(await shop.audit()).toEqual([
      'add connection',
      'test connection',
      'add place of connection',
      'ask for change',
      'resume connection',
      'confirm change',
      'pause connection',
      'resume connection',
      'pause connection',
      'remove place of connection',
      'remove connection',
    ])
  })

  it('is refused with a message for every wrong field, and nothing is stored', async () => {
    const { status, body } = await add('My Till', { environment: 'moon', values: { short_code: 'x', api_key: '' } })
    expect(status).toBe(400)
    expect(Object.keys(body).sort()).toEqual(['api_key', 'environment', 'short_code', 'slug'])
    expect(body.api_key).toEqual(['API key is missing. The portal makes it.'])
    expect((await add('a-b', { driver: 'none' })).body).toHaveProperty('driver')
    expect((await add('a-b', { values: { short_code: '99999', api_key: RIGHT_KEY } })).body).toEqual({
      short_code: ['This short code is reserved.'],
    })
    expect((await read('/connections')).body.results.map(({ slug }: { slug: string }) => slug)).not.toContain('a-b')
  })

  it('names the setting that a test found wrong, and is not put into use', async () => {
    await add('wrong-key', { values: { short_code: '600000', api_key: WRONG_KEY } })
    const { body } = await send('POST', '/connections/wrong-key/test')
    expect(body).toMatchObject({ passed: false, results: [{ outcome: 'failed', settings: ['API key'] }, {}] })
    expect((await send('POST', '/connections/wrong-key/activate')).body.state).toEqual([
      'It did not pass its last test. Change its settings, and test it again.',
    ])
    const changed = await send('PUT', '/connections/wrong-key/settings', { values: { api_key: RIGHT_KEY } })
    expect(changed.body).toMatchObject({ tested: null, passed: null, settings: { short_code: '600000' } })
    expect((await send('POST', '/connections/wrong-key/test')).body.passed).toBe(true)
    expect(await detail('wrong-key')).toMatchObject({ passed: true, last_test: [{ outcome: 'ok' }, {}] })
  })

  it('in use keeps its settings when the new ones fail their test', async () => {
    await add('in-use')
    await send('POST', '/connections/in-use/test')
    await confirmed('POST', '/connections/in-use/activate')
    const refused = await send('PUT', '/connections/in-use/settings', {
      values: { short_code: '600001', api_key: WRONG_KEY },
    })
    expect(refused.status).toBe(400)
    expect(refused.body.api_key[0]).toMatch(/^api_key is wrong/)
    expect(refused.body.non_field_errors[0]).toContain('Nothing was changed')
    expect((await detail('in-use')).settings.short_code).toBe('600000')
    const same = { short_code: '600000', mode: '', retries: '', notify: '' }
    expect((await send('PUT', '/connections/in-use/settings', { values: same })).body).toEqual({
      non_field_errors: ['There is nothing to change.'],
    })
    await confirmed('PUT', '/connections/in-use/settings', { values: { notify: 'yes', retries: '3' } })
    expect((await detail('in-use')).settings).toMatchObject({ notify: true, retries: 3 })
    expect((await send('PUT', '/connections/in-use/settings', { values: { notify: 'yes' } })).status).toBe(400)
    await confirmed('PUT', '/connections/in-use/settings', { values: { short_code: '600001' } })
    expect(await detail('in-use')).toMatchObject({ state: 'active', passed: true, settings: { short_code: '600001' } })
  })

  it('shows its callback address to those who manage it, and the audit log says so', async () => {
    await add('addressed')
    const { body } = await send('POST', '/connections/addressed/callback-address')
    expect(body.address).toMatch(/\/api\/callbacks\/addressed\/[0-9a-f]{48}$/)
    expect(body.addresses).toEqual([])
    expect((await shop.audit()).at(-1)).toBe('show callback address')
    expect((await send('POST', '/connections/addressed/callback-address/register')).body).toEqual({
      non_field_errors: ['This network takes no address from a program. Register it by hand.'],
    })
  })

  it('can get credentials from the test environment of its network', async () => {
    const values = { short_code: '600000' }
    expect((await add('made', { environment: 'test', values, provision: true })).body).toMatchObject({
      environment: 'test',
      secrets: { api_key: 'set' },
    })
    expect((await add('made-too', { environment: 'test', values: {}, provision: true })).body).toEqual({
      provision: ['No credentials were made: short_code is missing.'],
    })
    expect((await add('made-live', { values, provision: true })).body.provision[0]).toContain('in Production')
  })

  it('has places for wallets of its own organization only', async () => {
    await add('places')
    const { db, clock } = shop.testApp
    const [other] = await db`select o.id, m."user" from organizations o join memberships m on m.organization = o.id
      where o.name = 'Other Shop'`
    const wallet_of_others = {
      organization: other!.id,
      author: other!.user,
      currency: 'UGX',
      kind: 'local',
      name: 'Theirs',
    }
    const foreign = await begin(db, (tx) => createAccount(tx, clock.now(), wallet_of_others as never))
    const put = (account: number | string, place: object) => send('PUT', `/connections/places/places/${account}`, place)
    expect((await put(foreign.id, { number: '1' })).body).toHaveProperty('account')
    expect((await put('x', { number: '1' })).body).toEqual({ account: ['Choose a wallet.'] })
    expect((await put(wallet, { number: ' ' })).body).toHaveProperty('number')
    expect((await put(wallet, { number: '5', country: 'U' })).body).toHaveProperty('country')
    expect((await send('DELETE', `/connections/places/places/${wallet}`)).body).toHaveProperty('account')
    expect((await detail('places')).places).toEqual([])
  })
})

describe('connections of others', () => {
  it("seem not to exist, and the operator's show no settings", async () => {
    await add('private')
    const paths = ['', '/test', '/activate', '/pause', '/remove', '/callback-address', '/callback-address/register']
    for (const path of paths) {
      const method = path === '' ? 'GET' : 'POST'
      expect((await send(method, `/connections/private${path}`, {}, shop.otherOwner)).status).toBe(404)
      if (path !== '') expect((await send(method, `/connections/sandbox${path}`)).status).toBe(404)
    }
    expect((await send('PUT', '/connections/sandbox/settings', { values: { secret: 'x'.repeat(20) } })).status).toBe(
      404,
    )
    expect((await send('PUT', `/connections/sandbox/places/${wallet}`, { number: '1' })).status).toBe(404)
    expect((await read('/connections', shop.viewer)).status).toBe(403)
    expect((await read('/connections/sandbox')).body).toMatchObject({
      own: false,
      state: 'active',
      serves_all: true,
      fields: [],
      settings: {},
      secrets: {},
      last_test: null,
      orders: null,
    })
  })

  it('are visible to the organizations whose wallets use them', async () => {
    const { db, clock } = shop.testApp
    const row = {
      slug: 'shared',
      kind: 'network' as const,
      driver: 'test-network',
      environment: 'production',
      organization: null,
    }
    await begin(db, (tx) =>
      insertConnection(tx, clock.now(), {
        ...row,
        hosts: {},
        settings: { short_code: '700000' },
        sealed_secrets: null,
        callback_secret: '0'.repeat(48),
      }),
    )
    const slugs = async () =>
      (await read('/connections?limit=100')).body.results.map(({ slug }: { slug: string }) => slug)
    expect(await slugs()).not.toContain('shared')
    expect((await read('/connections/shared')).status).toBe(404)
    await db`insert into connection_places (connection, number, account, currency) values ('shared', '9', ${wallet}, 'UGX')`
    expect(await slugs()).toContain('shared')
    expect(JSON.stringify(await detail('shared'))).not.toContain('700000')
  })
})

describe('the operator of a shared installation', () => {
  it('alone confirms the use of a connection and its changes; a second manager cannot', async () => {
    const { testApp, url } = shop
    const { organization } = testApp
    await addPerson(testApp, { organization, email: 'partner@shop.example', permissions: allPermissions })
    const partner = openBrowser(url)
    await partner.signIn('partner@shop.example', PASSWORD)
    await add('together')
    await send('POST', '/connections/together/test')
    const asked = await send('POST', '/connections/together/activate')
    expect(asked).toMatchObject({
      status: 202,
      body: { pending: { description: 'The connection together (test-network, production) is put into use.' } },
    })
    expect((await detail('together')).state).toBe('draft')
    expect((await send('POST', `/control-changes/${asked.body.pending.id}/confirm`, {}, partner)).status).toBe(403)
    expect((await send('POST', `/control-changes/${asked.body.pending.id}/reject`, {}, partner)).status).toBe(200)
    await confirmed('POST', '/connections/together/activate')
    expect((await detail('together')).state).toBe('active')

    const secret = await send('PUT', '/connections/together/settings', { values: { api_key: `${RIGHT_KEY}` } })
    expect(secret.status).toBe(202)
    const place = { number: '256772000009' }
    expect((await detail('together')).places).toEqual([])
    await confirmed('PUT', `/connections/together/places/${wallet}`, place)
    expect((await detail('together')).places).toMatchObject([{ number: '256772000009' }])
    expect((await send('POST', '/connections/together/pause')).status).toBe(204)
  })
})

describe('the go-live checklist', () => {
  it('is shown to those who operate the service only', async () => {
    expect((await read('/go-live')).body).toEqual({ yours: false, items: [] })
  })
})

it('secrets are never answered', async () => {
  await read('/audit?limit=1000')
  await read('/control-changes?limit=1000')
  expect(answers.length).toBeGreaterThan(50)
  for (const secret of [RIGHT_KEY, WRONG_KEY]) expect(answers.filter((text) => text.includes(secret))).toEqual([])
})
