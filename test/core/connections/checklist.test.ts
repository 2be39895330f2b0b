import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOrganization, createUser, setMembership } from '../../../src/core/access/organizations.ts'
import { type Installation, readChecklist } from '../../../src/core/connections/checklist.ts'
import { begin } from '../../../src/db/client.ts'
import { describeSpace } from '../../../src/lib/disk-space.ts'
import { openDatabase } from '../../test-app.ts'

const NOW = new Date('2030-01-15T12:00:00Z')

const ready: Installation = {
  mode: 'live',
  public_url: 'https://pay.example.com',
  is_public_https: true,
  trusts_proxy: true,
  has_mail: true,
  has_sms: true,
  collection_currencies: ['UGX'],
  data_folder: null,
  disk: null,
  live_environments: ['any:production'],
  network_names: { any: 'Any Money' },
}

let database: Awaited<ReturnType<typeof openDatabase>>

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.close())

const read = (installation: Partial<Installation> = {}) => readChecklist(database.db, { ...ready, ...installation })
const namesOf = async (state: string, installation: Partial<Installation> = {}) =>
  (await read(installation)).filter((item) => item.state === state).map(({ name }) => name)
const find = async (name: string, installation: Partial<Installation> = {}) =>
  (await read(installation)).find((item) => item.name === name)!

/** Steps of this test follow each other, as an operator's do. */
describe('the checklist of a live installation', () => {
  it('begins with everything open, and says what to do', async () => {
    expect(await namesOf('open')).toEqual([
      'organization',
      'owner',
      'wallet',
      'wallet_funds',
      'connection',
      'connection_tested',
      'places',
      'second_factor',
    ])
    for (const item of await read()) {
      expect(item.found).not.toMatch(/undefined|[{}]|: \.$/)
      expect(item.todo ?? '').not.toMatch(/undefined|[{}]/)
      expect(item.todo === null).toBe(item.state === 'done')
    }
  })

  it('names what is missing at an organization', async () => {
    const { db } = database
    await begin(db, async (tx) => {
      const organization = await createOrganization(tx, NOW, 'Shop')
      expect((await readChecklist(tx, ready)).find(({ name }) => name === 'owner')).toMatchObject({
        state: 'open',
        found: 'No manager: Shop.',
      })
      const user = await createUser(tx, NOW, { name: 'Grace', email: 'grace@example.com' })
      const permissions = ['view' as const, 'manage_organization' as const]
      await setMembership(tx, NOW, { organization: organization.id, user: user.id, permissions })
    })
    expect(await find('owner')).toMatchObject({ state: 'done' })
    expect((await find('second_factor')).found).toContain('grace@example.com')
    expect((await find('second_manager')).found).toContain('Shop')
    await begin(
      db,
      (tx) => tx`update users set totp_secret = 'x', totp_confirmed = now() where email = 'grace@example.com'`,
    )
    expect(await find('second_factor')).toMatchObject({ state: 'done' })
  })

  it('names wallets that cannot collect', async () => {
    await begin(
      database.db,
      (tx) => tx`
        insert into accounts (organization, currency, kind, name, status, created, author, modified)
        values (1, 'UGX', 'local', 'UGX', 'active', now(), 1, now()), (1, 'KES', 'local', 'KES', 'active', now(), 1, now())`,
    )
    expect(await find('wallet')).toMatchObject({ state: 'done', found: 'There are 2 wallets.' })
    expect((await find('wallet_funds')).found).toBe('No opening balance, so no collections yet: UGX, KES.')
    expect(await find('wallet_funds')).toMatchObject({
      objects: [1, 2],
      todo: 'npx kusanya accounts fund 1 <amount>',
    })
    expect((await find('collection_currencies')).found).toContain('Collections in KES are refused')
    expect(await find('collection_currencies', { collection_currencies: ['UGX', 'KES'] })).toMatchObject({
      state: 'done',
    })
  })

  it('follows a connection from its draft to its use', async () => {
    const { db } = database
    const change = (statement: string) => begin(db, (tx) => tx.unsafe(statement))
    await change(`insert into connections (slug, driver, environment, callback_secret, state, created, modified)
      values ('mtn', 'any', 'production', repeat('0', 32), 'draft', now(), now()),
        ('sandbox-mtn', 'any', 'test', repeat('0', 32), 'active', now(), now())`)
    expect(await find('connection')).toEqual({
      name: 'connection',
      state: 'open',
      variant: 'drafts_only',
      values: { connections: ['Any Money'] },
      objects: ['mtn'],
      found: 'Drafts only: Any Money.',
      commands: ['npx kusanya connections test mtn', 'npx kusanya connections resume mtn'],
      todo: 'npx kusanya connections test mtn, then npx kusanya connections resume mtn',
    })
    await change(`update connections set state = 'active' where slug = 'mtn'`)
    expect(await find('connection')).toMatchObject({ state: 'done', found: 'In use: Any Money.' })
    expect(await find('connection_tested')).toMatchObject({
      state: 'open',
      found: 'No passed test: Any Money.',
      objects: ['mtn'],
    })
    await change(`update connections set last_test = '[{"name":"token","outcome":"failed","message":""}]'`)
    expect(await find('connection_tested')).toMatchObject({ state: 'open' })
    await change(`update connections set last_test = '[{"name":"token","outcome":"ok","message":""}]'`)
    expect(await find('connection_tested')).toMatchObject({ state: 'done' })
    expect((await find('places')).found).toBe('No connection: UGX, KES.')
    await change(`insert into connection_places (connection, number, account, currency) values ('mtn', '1', 1, 'UGX'),
      ('sandbox-mtn', '1', 2, 'KES')`)
    expect((await find('places')).found).toBe('No connection: KES.')
  })

  it('adds the id to a name only if several have it', async () => {
    await begin(database.db, (tx) => tx`update accounts set name = 'Till' where kind = 'local'`)
    expect((await find('wallet_funds')).found).toBe('No opening balance, so no collections yet: Till (1), Till (2).')
  })

  it('looks at the settings and the machine', async () => {
    expect(await namesOf('open', { is_public_https: false, public_url: 'http://10.0.0.1' })).toContain(
      'callback_address',
    )
    expect((await find('callback_address', { public_url: null, is_public_https: false })).found).toContain('not set')
    expect(await namesOf('advice', { has_mail: false, has_sms: false, trusts_proxy: false })).toEqual(
      expect.arrayContaining(['backups', 'sms', 'mail', 'proxy']),
    )
    const disk = {
      folder: '/data',
      free_bytes: 200 * 1_048_576,
      total_bytes: 10_000 * 1_048_576,
      level: 'low',
    } as const
    for (const space of [disk, { ...disk, level: 'full' } as const])
      expect(await find('disk', { disk: space })).toMatchObject({ state: 'open', found: describeSpace(space) })
    expect(await find('disk', { disk: { ...disk, level: 'enough' } })).toMatchObject({ state: 'done' })
    expect((await find('backups', { data_folder: '/srv/data' })).found).toContain('/srv/data, on this disk only')
  })
})
