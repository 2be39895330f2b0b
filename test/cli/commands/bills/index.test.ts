import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findSigningUser, SIGNING_KEY_PURPOSE } from '../../../../src/core/access/signing-users.ts'
import { buildTestApp, type TestApp } from '../../../test-app.ts'
import { openShell } from '../../shell.ts'

let testApp: TestApp
let kusanya: ReturnType<typeof openShell>
let folder: string

beforeAll(async () => {
  testApp = await buildTestApp()
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
  folder = await mkdtemp(join(tmpdir(), 'kusanya-catalogue-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await testApp.close()
})

/** All rows of the catalogue tables. */
async function dump() {
  const [row] = await testApp.db`
    select (select json_agg(s order by id) from catalogue_services s) as services,
      (select json_agg(p order by id) from catalogue_products p) as products,
      (select json_agg(x order by product, months) from catalogue_prices x) as prices`
  return row
}

describe('bills services', () => {
  it('lists the services', async () => {
    const { code, out } = await kusanya(['bills', 'services', '--category', 'cabletv'])
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'category | service type | name | country | currency | sold | account | min | max',
      'cabletv | dstv | DStv | NG | NGN | yes | 10 to 11 digits | 100 | 1,000,000',
      'cabletv | gotv | GOtv | NG | NGN | yes | 10 digits | 100 | 1,000,000',
      'cabletv | startimes | StarTimes | NG | NGN | yes | 11 digits | 90 | 1,000,000',
    ])
    const rows = JSON.parse((await kusanya(['bills', 'services', '--json'])).out)
    expect(rows).toContainEqual(expect.objectContaining({ service_type: 'jamb', category: 'exampin' }))
  })
})

describe('bills catalogue', () => {
  it('is the same after an export and an import', async () => {
    const file = join(folder, 'catalogue.json')
    const before = await dump()
    expect((await kusanya(['bills', 'catalogue', 'export', file])).out).toBe(`Wrote the catalogue to ${file}.`)
    expect((await kusanya(['bills', 'catalogue', 'check', file])).out).toMatch(
      /has no errors: 94 services, \d+ products\.$/,
    )
    const { code, out } = await kusanya(['bills', 'catalogue', 'import', file])
    expect([code, out]).toEqual([0, expect.stringMatching(/^Imported 94 services with \d+ products; removed 0 that/)])
    const printed = (await kusanya(['bills', 'catalogue', 'export'])).out
    expect(JSON.parse(printed)).toEqual(JSON.parse(await readFile(file, 'utf8')))
    const strip = (dumped: unknown) => JSON.stringify(dumped).replaceAll(/"modified":"[^"]*"/g, '')
    expect(strip(await dump())).toBe(strip(before))
  })

  it('reports all errors of a file with their places, and changes nothing', async () => {
    const file = join(folder, 'broken.json')
    const catalogue = JSON.parse((await kusanya(['bills', 'catalogue', 'export'])).out)
    const at = (type: string, category: string) =>
      catalogue.services.findIndex(
        (one: { service_type: string; category: string }) => one.service_type === type && one.category === category,
      )
    const [mtn, dstv, ikeja] = [
      at('mtn', 'airtime'),
      at('dstv', 'cabletv'),
      at('ikeja_electric_prepaid', 'electricity'),
    ]
    catalogue.services[mtn].name = 'Changed'
    catalogue.services[mtn].plans = ['monthly']
    catalogue.services[dstv].bouquets[2].price_per_month = '12,500'
    catalogue.services[ikeja].tarif = 5
    await writeFile(file, JSON.stringify(catalogue))
    const before = await dump()
    for (const command of ['import', 'check']) {
      const { code, out, err } = await kusanya(['bills', 'catalogue', command, file])
      expect([code, out]).toEqual([1, ''])
      expect(err).toMatch(new RegExp(`services\\[${mtn}\\] \\(mtn\\)\\.plans\\[0\\] +\\S`))
      expect(err).toMatch(
        new RegExp(`services\\[${dstv}\\] \\(dstv\\)\\.bouquets\\[2\\]\\.price_per_month +This must be`),
      )
      expect(err).toMatch(new RegExp(`services\\[${ikeja}\\] \\(ikeja_electric_prepaid\\) +.*"tarif"`))
      expect(err.split('\n').at(-1)).toBe(`3 errors in ${file}; nothing was changed.`)
    }
    expect(await dump()).toEqual(before)
    const { code, out } = await kusanya(['bills', 'catalogue', 'check', file, '--json'])
    expect([code, JSON.parse(out).faults.length]).toEqual([1, 3])
  })

  it('reports a missing file, and a file that is not JSON', async () => {
    const missing = await kusanya(['bills', 'catalogue', 'import', join(folder, 'nowhere.json')])
    expect([missing.code, missing.err]).toEqual([1, expect.stringMatching(/cannot be read: ENOENT/)])
    const broken = await kusanya(['bills', 'catalogue', 'check', '-'], { input: '{"format"' })
    expect([broken.code, broken.err]).toEqual([1, expect.stringMatching(/the file +This is not valid JSON/)])
  })

  it('sets the stock only with --restock', async () => {
    const stock = async () => {
      const [row] = await testApp.db<{ available: number }[]>`
        select available from catalogue_products where kind = 'pin' and name = 'WAEC Result Checker Pin'`
      return row!.available
    }
    const file = join(folder, 'stock.json')
    await kusanya(['bills', 'catalogue', 'export', file])
    await testApp.db`update catalogue_products set available = 3 where name = 'WAEC Result Checker Pin'`
    await kusanya(['bills', 'catalogue', 'import', file])
    expect(await stock()).toBe(3)
    await kusanya(['bills', 'catalogue', 'import', file, '--restock'])
    expect(await stock()).toBe(500)
  })
})

describe('bills users', () => {
  it('are created for a key, shown once, listed and revoked', async () => {
    const [key] = await testApp.db<{ id: number }[]>`select id from api_keys`
    const { out } = await kusanya(['bills', 'users', 'create', 'shop-7', '--key', String(key!.id), '--json'])
    const created = JSON.parse(out)
    expect(created).toMatchObject({
      username: 'shop-7',
      api_key: key!.id,
      secret: expect.stringMatching(/^[\w-]{43}$/),
    })
    const signer = await findSigningUser(
      testApp.db,
      testApp.clock.now(),
      'shop-7',
      testApp.app.deriveSecret(SIGNING_KEY_PURPOSE),
    )
    expect(signer).toMatchObject({ secret: created.secret, caller: { organization: testApp.organization } })
    const [row] = await testApp.db<{ encrypted_secret: string }[]>`select encrypted_secret from signing_users`
    expect(row!.encrypted_secret).not.toContain(created.secret)

    expect((await kusanya(['bills', 'users', 'list'])).out).toMatch(/shop-7 +\d+ +active/)
    expect((await kusanya(['bills', 'users', 'revoke', 'shop-7'])).out).toContain('Revoked shop-7')
    expect((await kusanya(['bills', 'users', 'list'])).out).toMatch(/shop-7 +\d+ +revoked/)
    expect(
      await findSigningUser(testApp.db, testApp.clock.now(), 'shop-7', testApp.app.deriveSecret(SIGNING_KEY_PURPOSE)),
    ).toBeUndefined()
  })

  it('may keep their own secret, and get another', async () => {
    const [key] = await testApp.db<{ id: number }[]>`select id from api_keys`
    const create = ['bills', 'users', 'create', 'mover', '--key', String(key!.id), '--own-secret']
    expect((await kusanya(create, { input: 'short\n' })).err).toContain('at least 8 characters')
    const { out } = await kusanya(create, { input: 'test-secret\n' })
    expect(out).toBe(`mover now signs for key ${key!.id}, with its own secret.`)
    const secret = async () =>
      (await findSigningUser(testApp.db, testApp.clock.now(), 'mover', testApp.app.deriveSecret(SIGNING_KEY_PURPOSE)))
        ?.secret
    expect(await secret()).toBe('test-secret')
    const rotated = await kusanya(['bills', 'users', 'rotate', 'mover', '--json'])
    expect(await secret()).toBe(JSON.parse(rotated.out).secret)
    await kusanya(['bills', 'users', 'rotate', 'mover', '--own-secret'], { answers: ['another secret'] })
    expect(await secret()).toBe('another secret')
    await kusanya(['bills', 'users', 'revoke', 'mover'])
    expect((await kusanya(['bills', 'users', 'rotate', 'mover'])).err).toBe('There is no signing user mover.')
  })

  it('are refused without a valid key, and with a name that is taken or does not fit a header', async () => {
    const [key] = await testApp.db<{ id: number }[]>`select id from api_keys`
    const create = (name: string, id = String(key!.id)) => kusanya(['bills', 'users', 'create', name, '--key', id])
    expect((await create('shop-8', '999')).err).toBe('There is no valid API key 999.')
    expect((await create('shop-7')).err).toContain('shop-7 is already in use')
    expect((await create('a:b')).err).toContain('letters, digits')
    expect((await kusanya(['bills', 'users', 'revoke', 'nobody'])).err).toBe('There is no signing user nobody.')
  })
})
