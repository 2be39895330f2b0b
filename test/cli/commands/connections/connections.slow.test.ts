import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAudit } from '../../../../src/core/access/audit.ts'
import { CONNECTIONS_CHANNEL } from '../../../../src/core/connections/changes-lock.ts'
import { connect, type Database } from '../../../../src/db/client.ts'
import { addDriver, RIGHT_KEY, testNetwork } from '../../../connections/test-network.ts'
import { cloneDatabase, eventually } from '../../../test-app.ts'
import { type CommandInput, openShell } from '../../shell.ts'

const WRONG_KEY = 'wrong-key-of-the-test-network'
const CERTIFICATE = 'MARKER-IN-THE-CERTIFICATE'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let db: Database
let data_dir: string
let kusanya: ReturnType<typeof openShell>
/** The ids of the two wallets. */
let UGX: number
let KES: number
/** Everything that the commands of this file have printed. */
const printed: string[] = []

async function run(command: string, input?: CommandInput) {
  const result = await kusanya(command.split(' '), input)
  printed.push(result.out, result.err)
  return result
}
const read = async (command: string, input?: CommandInput) => {
  const { code, out, err } = await run(`${command} --json`, input)
  expect(err).toBe('')
  expect(code).toBe(0)
  return JSON.parse(out)
}
const add = (slug: string, input: CommandInput = { input: `api_key=${RIGHT_KEY}` }, more = '') =>
  run(
    `connections add test-network --slug ${slug} --environment production --set short_code=600000 --secrets-stdin${more}`,
    input,
  )

afterAll(addDriver(testNetwork))

beforeAll(async () => {
  database = await cloneDatabase()
  db = connect(database.url, { connections: 2, application: 'tests' })
  data_dir = await mkdtemp(join(tmpdir(), 'kusanya-connections-'))
  kusanya = openShell({
    DATABASE_URL: database.service_url,
    MIGRATION_DATABASE_URL: database.url,
    DATA_DIR: data_dir,
    MODE: 'live',
    SECRET_KEY: 'k'.repeat(40),
    PUBLIC_URL: 'https://pay.example.com',
    LOG_LEVEL: 'silent',
  })
  await run('setup --organization Shop --name Grace --email grace@example.com')
  UGX = (await read('accounts create UGX')).id
  KES = (await read('accounts create KES')).id
  await run(`accounts fund ${UGX} 1000000`)
})

afterAll(async () => {
  await db.end({ timeout: 1 })
  await database.drop()
  await rm(data_dir, { recursive: true, force: true })
})

describe('connections drivers', () => {
  it('lists the networks, and the settings of one', async () => {
    const [driver] = await read('connections drivers test-network')
    expect(driver).toMatchObject({
      name: 'Test Network',
      environments: ['test', 'production'],
      kind: 'network',
      countries: ['KE', 'UG'],
    })
    expect(driver.settings).toContainEqual(expect.objectContaining({ name: 'api_key', secret: true, required: true }))
    expect((await run('connections drivers')).out).toContain('api_key (secret)')
    expect((await run('connections drivers other')).err).toBe('There is no driver other.')
  })
})

describe('connections add', () => {
  it('stores a draft, tests it, and shows no secret', async () => {
    const { code, out } = await add('first')
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('✓ token: A token was given.') })
    const shown = await read('connections show first')
    expect(shown).toMatchObject({
      slug: 'first',
      driver: 'test-network',
      live: true,
      organization: null,
      state: 'draft',
      settings: { short_code: '600000', mode: 'fast' },
      secrets: { api_key: 'set', certificate: 'not set' },
      hosts: { api: 'https://api.network.example' },
      last_test: [
        { name: 'token', outcome: 'ok' },
        { name: 'callback address', outcome: 'ok' },
      ],
    })
    expect((await run('connections show first')).out).toMatch(/api_key +\(secret\) set/)
  })

  it('takes secrets from the standard input as lines or JSON, or from a person', async () => {
    const json = { api_key: RIGHT_KEY, certificate: `${CERTIFICATE}\nline two` }
    expect((await add('as-json', { input: JSON.stringify(json) })).code).toBe(0)
    expect((await read('connections show as-json')).secrets).toEqual({ api_key: 'set', certificate: 'set' })
    const asked = await run(
      'connections add test-network --slug as-typed --environment production --set short_code=600001',
      { answers: [RIGHT_KEY] },
    )
    expect(asked).toMatchObject({ code: 0, err: '' })
    expect((await add('no-secrets', { input: '' })).err).toContain('The standard input is empty')
    expect((await add('no-secrets', { input: '{"api_key":' })).err).toBe('The standard input is not a JSON object.')
    expect((await add('no-secrets', { input: RIGHT_KEY })).err).toContain('Line 1 of the standard input')
  })

  it('refuses secrets on the command line', async () => {
    const { code, err } = await run(
      `connections add test-network --slug exposed --environment production --set short_code=600000 --set api_key=x`,
    )
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('api_key is secret') })
  })

  it('reads a file with settings, and warns of one that holds secrets for all to read', async () => {
    const file = join(data_dir, 'settings.json')
    await writeFile(file, JSON.stringify({ short_code: '600002', retries: 3, api_key: RIGHT_KEY }), { mode: 0o644 })
    const command = `connections add test-network --environment production --settings ${file}`
    const warned = await run(`${command} --slug from-file`)
    expect(warned).toMatchObject({ code: 0, err: expect.stringContaining(`chmod 600 ${file}`) })
    expect((await read('connections show from-file')).settings).toMatchObject({ short_code: '600002', retries: 3 })
    await chmod(file, 0o600)
    expect(await run(`${command} --slug from-private-file`)).toMatchObject({ code: 0, err: '' })
    expect((await run(`${command}-missing --slug no-file`)).err).toContain('cannot be read: ENOENT')
  })

  it('names every fault, and stores nothing', async () => {
    const { code, err } = await run(
      'connections add test-network --slug My-Mpesa --environment test --set short_code=x --host web=http://a.example',
    )
    expect(code).toBe(1)
    for (const part of [
      'slug:',
      'environment: Test of Test Network moves no real money',
      'hosts:',
      'short_code:',
      'api_key:',
    ])
      expect(err).toContain(part)
    expect((await run('connections add other --slug a --environment b')).err).toContain('There is no driver other')
    expect((await add('not-here', undefined, ' --organization 99')).err).toContain('There is no organization 99')
    expect((await read('connections list')).map((one: { slug: string }) => one.slug)).not.toContain('My-Mpesa')
  })

  it('never uses a slug twice', async () => {
    expect((await add('first')).err).toContain('The slug first is taken')
  })

  it("keeps a draft with wrong credentials, with the test's results", async () => {
    const { code, out } = await add('wrong', { input: `api_key=${WRONG_KEY}` })
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('✗ token: api_key is wrong') })
    expect(await run('connections test wrong')).toMatchObject({
      code: 1,
      err: 'The connection wrong does not work as it is.',
    })
    expect((await run('connections resume wrong')).err).toContain('did not pass its last test')
  })

  it('lets a network make credentials, if it can', async () => {
    const { code } = await run(
      'connections add test-network --slug made --environment production --set short_code=600003 --provision',
    )
    expect(code).toBe(0)
    expect((await read('connections show made')).secrets.api_key).toBe('set')
    expect((await run('connections add test-network --slug m --environment production --provision')).err).toBe(
      'No credentials were made: short_code is missing.',
    )
  })
})

describe('the state of a connection', () => {
  it('becomes active after its test, and is paused, resumed and removed', async () => {
    await add('states')
    expect((await run('connections pause states')).err).toContain('is draft, so it cannot become paused')
    expect((await run('connections resume states')).out).toContain('No account uses it yet')
    expect((await run('connections resume states')).err).toContain('is already active')
    expect((await run('connections pause states --reason Holiday')).out).toBe('The connection states is paused now.')
    expect(await read('connections resume states')).toEqual({ slug: 'states', state: 'active' })
    expect((await run('connections remove states')).code).toBe(0)
    expect((await run('connections show states')).err).toContain('There is no connection states.')
    expect((await add('states')).err).toContain('The slug states is taken')
  })

  it('can be forced with a reason, which the audit log keeps', async () => {
    await add('forced', { input: `api_key=${WRONG_KEY}` }, ' --no-test')
    expect((await run('connections resume forced')).err).toContain('has not been tested')
    expect((await run('connections resume forced --force')).err).toContain('--force needs --reason')
    expect((await run('connections resume forced --force --reason Urgent')).code).toBe(0)
    const { rows } = await listAudit(
      db,
      null,
      { action: 'resume connection' },
      { limit: 1, offset: 0, descending: true },
    )
    expect(rows[0]).toMatchObject({
      object_type: 'connection',
      details: { connection: 'forced', by: 'an operator', forced: true, reason: 'Urgent' },
    })
    await run('connections remove forced')
  })

  it('stays while something is open there', async () => {
    await add('busy')
    await db`insert into network_orders (reference, kind, connection, organization, collection_request, attempt, receiver,
      phonenumber, amount, currency, reason, state, created) values ('r1', 'charge', 'busy', 1, 1, 1, '1', '+256770000001',
      500, 'UGX', '', 'accepted', now())`
    expect((await run('connections remove busy')).err).toContain('still has 1 open orders')
    await db`update network_orders set state = 'failed', closed = now()`
    expect((await run('connections remove busy')).code).toBe(0)
  })
})

describe('connections set and rotate', () => {
  it('change the given settings, require another test, and keep the rest', async () => {
    await add('changing')
    await run('connections set changing --set mode=slow --priority 5 --host api=https://proxy.example.com/')
    expect(await read('connections show changing')).toMatchObject({
      settings: { short_code: '600000', mode: 'slow' },
      secrets: { api_key: 'set' },
      hosts: { api: 'https://proxy.example.com', sso: 'https://sso.network.example' },
      priority: 5,
      last_test: null,
    })
    expect((await run('connections resume changing')).err).toContain('has not been tested since it was changed')
    expect((await run('connections test changing')).code).toBe(0)
    expect((await run('connections set changing --max-concurrent 7')).code).toBe(0)
    expect((await run('connections resume changing')).code).toBe(0)
    await run('connections set changing --host api=')
    expect(await read('connections show changing')).toMatchObject({
      hosts: { api: 'https://api.network.example' },
      max_concurrent: 7,
      state: 'active',
    })
    expect((await run('connections set changing --max-per-second 1000000')).err).toContain('from 1 to 100000')
    expect((await run('connections set changing')).err).toContain('Nothing to change')
  })

  it('do not stop an active connection with secrets that are wrong', async () => {
    const wrong = { input: `api_key=${WRONG_KEY}` }
    const refused = await run('connections rotate changing --secrets-stdin', wrong)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Nothing was changed') })
    expect((await run('connections test changing')).code).toBe(0)
    expect((await run('connections rotate changing --secrets-stdin', { input: 'mode=fast' })).err).toContain(
      'mode is not a secret',
    )
    expect((await run('connections rotate changing --secrets-stdin --force --reason Ordered', wrong)).code).toBe(0)
    expect((await run('connections test changing')).code).toBe(1)
    expect((await run('connections rotate changing', { answers: [RIGHT_KEY] })).code).toBe(0)
    expect((await run('connections test changing')).code).toBe(0)
  })
})

describe('connections places', () => {
  it('say which accounts use a connection', async () => {
    await add('placed')
    expect(await run(`connections places add placed ${UGX} 256772000000 --country ug --unrequested no`)).toMatchObject({
      code: 0,
      out: `The account ${UGX} now uses placed under 256772000000 (UGX).`,
    })
    await run(`connections places set placed ${UGX} --pays-out no --number 256772000009`)
    expect(await read('connections places list placed')).toEqual([
      {
        connection: 'placed',
        account: UGX,
        organization: 1,
        number: '256772000009',
        currency: 'UGX',
        country: 'UG',
        collects: true,
        pays_out: false,
        unrequested: false,
      },
    ])
    expect((await run(`connections places set placed ${UGX}`)).err).toContain('Nothing to change')
    expect((await run(`connections places remove placed ${UGX}`)).code).toBe(0)
    expect((await run(`connections places remove placed ${UGX}`)).err).toContain('has no place')
    expect((await run('connections places add placed 99 1')).err).toContain('There is no account 99')
    expect((await run(`connections places add other ${UGX} 1`)).err).toContain('There is no connection other')
  })

  it('refuse the same number and currency at another connection to the same network', async () => {
    await run(`connections places add placed ${UGX} 777000`)
    // A draft keeps no number from others.
    await run('connections resume placed --force --reason test')
    await add('twin')
    await run('connections resume twin --force --reason test')
    expect((await run(`connections places add twin ${UGX} 777000`)).err).toContain('belongs to the connection placed')
    expect((await run(`connections places add twin ${KES} 777000`)).code).toBe(0)
    expect((await run(`connections places set twin ${KES} --number 777001`)).code).toBe(0)
    await run(`connections places set placed ${UGX} --number 777002`)
    expect((await run(`connections places add twin ${UGX} 777002`)).err).toContain('belongs to the connection placed')
  })

  it('of another organization are refused', async () => {
    await run('organizations create Other')
    await add('theirs', undefined, ' --organization 2')
    expect((await run(`connections places add theirs ${UGX} 5`)).err).toContain('belongs to another organization')
  })
})

describe('connections callbacks', () => {
  it('show the address to register, and register it if the network allows that', async () => {
    const { address, warning } = await read('connections callbacks placed')
    expect(address).toMatch(/^https:\/\/pay\.example\.com\/api\/callbacks\/placed\/[0-9a-f]{48}$/)
    expect(warning).toBe(null)
    expect((await run('connections callbacks placed --register')).err).toContain('Register the address by hand')
  })

  it('show one address for each kind of orders, if the network registers them separately', async () => {
    await run('connections add pawapay --slug several --environment production --no-test --secrets-stdin', {
      input: 'api_token=the-token-of-several',
    })
    const { address, addresses } = await read('connections callbacks several')
    expect(addresses).toEqual([
      { name: 'Deposits', address: `${address}/deposits` },
      { name: 'Payouts', address: `${address}/payouts` },
      { name: 'Refunds', address: `${address}/refunds` },
    ])
    expect((await run('connections callbacks several')).out).toContain(`Payouts   ${address}/payouts`)
  })
})

describe('connections test --phone', () => {
  it('collects the smallest amount, books it, and stores the result', async () => {
    const { code, out } = await run('connections test placed --phone +256772000001')
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('✓ charge: UGX 500 has arrived') })
    expect((await read('connections show placed')).last_test).toContainEqual(
      expect.objectContaining({ name: 'charge' }),
    )
    const [collection] = await db`select amount::text, account, connection from collections`
    expect(collection).toEqual({ amount: '500.0000', account: UGX, connection: 'placed' })
  })

  it('sends nothing for an impossible charge', async () => {
    expect((await run('connections test placed --phone +254711000001')).err).toContain('does not serve +254711000001')
    expect((await run('connections test placed --phone +256772000001 --amount 1.5')).err).toContain('0 decimals')
    expect((await run('connections test first --phone +256772000001')).err).toContain(
      'No account collects over first yet',
    )
  })
})

describe('a change of a connection', () => {
  it('wakes all processes', async () => {
    let told = 0
    const listening = await db.listen(CONNECTIONS_CHANNEL, () => {
      told += 1
    })
    await run('connections set placed --priority 3')
    await eventually('a notification', async () => (told > 0 ? true : undefined))
    await listening.unlisten()
  })

  it('is in the audit log', async () => {
    const page = { limit: 1_000, offset: 0, descending: false }
    const entries = [...(await listAudit(db, null, {}, page)).rows, ...(await listAudit(db, 1, {}, page)).rows]
    const actions = new Set(entries.map(({ action }) => action))
    for (const action of [
      'add connection',
      'change connection',
      'test connection',
      'resume connection',
      'pause connection',
      'remove connection',
      'show callback address',
      'add place of connection',
      'change place of connection',
      'remove place of connection',
    ])
      expect(actions).toContain(action)
  })
})

it('no secret has left: not in lists, JSON, errors, logs, the audit log or readable tables', async () => {
  await run('connections list')
  await run('audit list --installation')
  const tables = await db<{ text: string }[]>`
    select t::text as text from audit_log t union all select t::text from connections t
    union all select t::text from control_changes t`
  const everything = [...printed, ...tables.map(({ text }) => text)].join('\n')
  for (const secret of [RIGHT_KEY, WRONG_KEY, CERTIFICATE]) expect(everything.includes(secret), secret).toBe(false)
})
