import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../src/core/access/api-keys.ts'
import { checkLedger } from '../../src/core/ledger/transfers.ts'
import { verifyPassword } from '../../src/lib/secrets.ts'
import { buildTestApp, createApiClient, eventually, type TestApp } from '../test-app.ts'
import { openShell } from './shell.ts'

let testApp: TestApp
let base: string
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testApp = await buildTestApp()
  base = (await testApp.startService()).url
  const { DATABASE_URL, DATA_DIR } = testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
afterAll(() => testApp.close())

/** Run a command that must succeed, and return its JSON. */
async function json(...args: string[]) {
  const { code, out, err } = await kusanya([...args, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

/** Run a command that must fail, and return its error line. */
async function refusal(args: string[], input = {}): Promise<string> {
  const { code, out, err } = await kusanya(args, input)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  const [line, ...rest] = err.split('\n').filter((text) => text !== '(--help shows the usage)')
  expect(rest).toEqual([])
  return line!
}

describe('help', () => {
  it('lists every command, and every command has a help', async () => {
    const seen: string[] = []
    await readHelp([])
    expect(seen).toEqual(
      expect.arrayContaining(['serve', 'keys create', 'fees set', 'bills users rotate', 'maintenance']),
    )

    async function readHelp(command: string[]): Promise<void> {
      const { code, out, err } = await kusanya([...command, '--help'])
      expect({ command, code, err }).toEqual({ command, code: 0, err: '' })
      expect(out).toContain(['Usage: kusanya', ...command].join(' '))
      seen.push(command.join(' '))
      const [, table = ''] = out.split('\nCommands:\n')
      const names = [...table.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map((line) => line[1]!)
      for (const name of names) if (name !== 'help') await readHelp([...command, name])
    }
  })

  it('suggests the command for a misspelt one', async () => {
    const { code, err } = await kusanya(['organisations'])
    expect(code).toBe(1)
    expect(err).toContain('(Did you mean organizations?)')
  })
})

describe('organizations, users and their permissions', () => {
  it('creates an organization and lists it, as a table and as JSON', async () => {
    const created = await json('organizations', 'create', 'Mama Grace Shop')
    expect(created).toMatchObject({ name: 'Mama Grace Shop', created: expect.stringMatching(/^\d{4}-.*:\d\dZ$/) })
    expect((await json('organizations', 'list')).map((row: { name: string }) => row.name)).toContain('Mama Grace Shop')
    const [head, ...lines] = (await kusanya(['organizations', 'list'])).out.split('\n')
    const column = head!.indexOf('name')
    expect(lines.map((line) => line.slice(column).split('  ')[0])).toEqual(['Demo Shop', 'Mama Grace Shop'])
  })

  it('refuses a blank name', async () => {
    expect(await refusal(['organizations', 'create', ' '])).toBe('name: This field may not be blank.')
  })

  it('creates a user with the given permissions', async () => {
    const created = await json(
      ...'users create --name Till --email Till@Example.com --permissions view,pay_bills -o 2'.split(' '),
    )
    expect(created).toMatchObject({ email: 'till@example.com', organization: 2, permissions: ['view', 'pay_bills'] })
    const [listed] = await json('users', 'list', '--organization', '2')
    expect(listed).toMatchObject({ name: 'Till', permissions: ['view', 'pay_bills'] })
  })

  it('names the organizations when it needs --organization', async () => {
    expect(await refusal('users create --name A --email a@example.com'.split(' '))).toBe(
      'Choose the organization with --organization: 1 (Demo Shop), 2 (Mama Grace Shop).',
    )
  })

  it('lists the permissions, and refuses unknown ones', async () => {
    const rows = await json('users', 'permissions')
    expect(rows).toContainEqual({ code: 'manage_organization', name: 'Manage Users and Organization Settings' })
    expect(await refusal('users permissions till@example.com --permissions fly'.split(' '))).toContain(
      'There is no permission fly. Choose from: all, none, view,',
    )
  })

  it('adds a user to another organization, and removes the permissions again', async () => {
    const change = (codes: string) =>
      json('users', 'permissions', 'till@example.com', '-o', '1', '--permissions', codes)
    expect((await change('all')).permissions).toHaveLength(allPermissions.length)
    expect((await change('none')).permissions).toEqual([])
    expect(await refusal('users permissions owner@demo.example -o 2'.split(' '))).toContain(
      'is not a user of Mama Grace Shop',
    )
  })
})

describe('passwords', () => {
  const hashOf = async (email: string) =>
    (await testApp.db<{ hash: string }[]>`select password_hash as hash from users where email = ${email}`)[0]!.hash

  it('are read from the standard input', async () => {
    expect(await kusanya(['users', 'password', 'till@example.com'], { input: 'correct horse\n' })).toMatchObject({
      code: 0,
    })
    expect(await verifyPassword('correct horse', await hashOf('till@example.com'))).toBe(true)
  })

  it('are asked for twice', async () => {
    const ask = (...answers: string[]) => kusanya(['users', 'password', 'till@example.com'], { answers })
    expect((await ask('battery staple', 'battery stable')).err).toBe('The two passwords differ. Nothing was changed.')
    expect((await ask('battery staple', 'battery staple')).code).toBe(0)
    expect(await verifyPassword('battery staple', await hashOf('till@example.com'))).toBe(true)
  })

  it('are generated with --generate and shown once', async () => {
    const { out } = await kusanya(['users', 'password', 'till@example.com', '--generate'])
    const password = /The password is (\S+)/.exec(out)![1]!
    expect(await verifyPassword(password, await hashOf('till@example.com'))).toBe(true)
  })

  it('have at least eight characters, and need an existing user', async () => {
    expect(await refusal(['users', 'password', 'till@example.com'], { input: 'short' })).toContain(
      'at least 8 characters',
    )
    expect(await refusal(['users', 'password', 'who@example.com'])).toBe(
      'There is no user with the address who@example.com.',
    )
  })
})

describe('API keys', () => {
  it('work from their creation until they are revoked', async () => {
    const { id, key } = await json(...'keys create --name webshop -o 1 --user owner@demo.example'.split(' '))
    expect((await createApiClient(base, key).get('/api/collectionrequests')).status).toBe(200)
    expect((await json('keys', 'revoke', String(id))).revoked).not.toBeNull()
    await eventually('the key to be refused', async () =>
      (await createApiClient(base, key).get('/api/collectionrequests')).status === 401 ? true : undefined,
    )
  })

  it('are shown once, with a warning, and never listed', async () => {
    const { out } = await kusanya(['keys', 'create', '--name', 'import', '-o', '1', '--user', 'owner@demo.example'])
    expect(out).toContain('cannot be shown again')
    const key = /ksy_\S+/.exec(out)![0]
    for (const list of [
      ['keys', 'list'],
      ['keys', 'list', '--json'],
    ])
      expect((await kusanya(list)).out).not.toContain(key)
  })

  it('can be limited in permissions, time and requests per minute', async () => {
    const args = [
      '--permissions',
      'view',
      '--read-only',
      '--expires',
      '3650 days',
      '--reads-per-minute',
      '7',
      '--writes-per-minute',
      '8',
    ]
    const created = await json(
      'keys',
      'create',
      '--name',
      'reports',
      '-o',
      '1',
      '--user',
      'owner@demo.example',
      ...args,
    )
    expect(created).toMatchObject({ permissions: ['view'], read_only: true, reads_per_minute: 7, writes_per_minute: 8 })
    const days = (Date.parse(created.expires) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(3650, 1)
    const { get, post } = createApiClient(base, created.key)
    expect((await get('/api/collectionrequests')).headers.get('ratelimit-limit')).toBe('7')
    expect((await post('/api/collectionrequests', {})).status).toBe(403)
  })

  it('cannot have more permissions than their user, nor expire in the past', async () => {
    const create = 'keys create --name x -o 2'.split(' ')
    expect(await refusal([...create, '--permissions', 'view,approve_payments'])).toBe(
      'till@example.com does not have these permissions: approve_payments.',
    )
    expect(await refusal([...create, '--expires', '2001-01-01'])).toBe('expires: The expiry must be in the future.')
    expect(await refusal([...create, '--expires', 'soon'])).toContain('--expires takes a span')
    expect(await refusal(['keys', 'revoke', '999'])).toBe('There is no API key 999.')
    expect(await refusal(['keys', 'revoke', 'x'])).toContain('It must be a whole number above zero.')
  })
})

describe('accounts', () => {
  it('get a receiver in the sandbox, and money can be added and removed', async () => {
    const created = await json('accounts', 'create', 'kes', '-o', '2', '--kind', 'cross_border', '--name', 'From Kenya')
    expect(created).toMatchObject({ currency: 'KES', kind: 'cross_border', name: 'From Kenya', balance: '0.0000' })
    expect(created.receivers).toEqual([
      { connection: 'sandbox', number: String(100_000 + created.id) },
      { connection: 'sandbox-daraja', number: '600000' },
    ])
    expect((await json('accounts', 'fund', String(created.id), '1,500,000.25')).balance).toBe('1500000.2500')
    expect((await json('accounts', 'fund', String(created.id), '-500000', '--by', 'owner@demo.example')).balance).toBe(
      '1000000.2500',
    )
    const [entry] = await testApp.db`
      select u.name from transfers t join users u on u.id = t.author where t.kind = 'admin_funds_update' order by t.id desc limit 1`
    expect(entry).toEqual({ name: 'Demo Owner' })
    expect((await kusanya(['accounts', 'list', '-o', '2'])).out).toContain('1,000,000.25')
    expect(await checkLedger(testApp.db)).toEqual([])
  })

  it('never fall below zero, and refuse the receiver of another account', async () => {
    const { id } = await json('accounts', 'create', 'UGX', '-o', '2')
    const account = String(id)
    expect(await refusal(['accounts', 'fund', account, '-1'])).toMatch(/balance|enough|hold/i)
    expect(await refusal(['accounts', 'fund', account, 'much'])).toContain('Enter an amount such as')
    expect(await refusal(['accounts', 'fund', '99999', '1'])).toContain('There is no account 99999.')
    expect(await refusal(['accounts', 'receiver', account, 'sandbox', '123456'])).toContain('assigned already')
    expect(await refusal(['accounts', 'receiver', account, 'nowhere', '1'])).toMatch(
      /^There is no connection nowhere here\. There are: .*sandbox/,
    )
    expect(await refusal(['accounts', 'create', 'XYZ', '-o', '2'])).toContain('currency: "XYZ" is not a valid choice.')
  })
})

describe('currencies', () => {
  it('take new rates', async () => {
    const rows = await json('currencies', 'set-rate', 'ugx=3500.5', 'KES=130')
    const rates = Object.fromEntries(rows.map((row: { code: string; usd_rate: number }) => [row.code, row.usd_rate]))
    expect(rates).toMatchObject({ UGX: 3500.5, KES: 130, BXC: 1 })
    expect(await json('currencies', 'list')).toEqual(rows)
  })

  it('refuse wrong rates, and store none of them', async () => {
    expect(await refusal(['currencies', 'set-rate', 'UGX=1', 'ZZZ=2'])).toContain('There is no currency ZZZ.')
    expect(await refusal(['currencies', 'set-rate', 'UGX=0'])).toContain('It must look like UGX=3560.')
    expect(await refusal(['currencies', 'update'])).toContain('--from or the setting RATES_URL')
    const [ugx] = (await json('currencies', 'list')).filter((row: { code: string }) => row.code === 'UGX')
    expect(ugx.usd_rate).toBe(3500.5)
  })
})

describe('customers of the sandbox', () => {
  const api = () => createApiClient(base, testApp.api_key)
  const ask = async (phonenumber: string) => {
    const body = { phonenumber, amount: '1500', currency: 'BXC', send_instructions: true }
    const { id } = (await api().post('/api/collectionrequests', body)).body
    await eventually('the prompt', async () =>
      (await json('simulate', 'prompts', phonenumber)).length > 0 ? true : undefined,
    )
    return id as number
  }
  const end = (id: number) =>
    eventually('the end of the request', async () => {
      const { status } = (await api().get(`/api/collectionrequests/${id}`)).body
      return ['successful', 'failed'].includes(status) ? (status as string) : undefined
    })

  it('approve a prompt, and the running service continues', async () => {
    const id = await ask('+80000000109')
    expect((await json('simulate', 'prompts'))[0]).toMatchObject({ phonenumber: '+80000000109', amount: '1500.0000' })
    expect(await kusanya(['simulate', 'approve', '80000000109'])).toMatchObject({ code: 0 })
    expect(await end(id)).toBe('successful')
    expect(await refusal(['simulate', 'approve', '+80000000109'])).toBe('No prompt waits on the phone +80000000109.')
  })

  it('refuse a prompt, or enter a wrong PIN', async () => {
    const refused = await ask('+80000000109')
    await kusanya(['simulate', 'refuse', '+80000000109'])
    expect(await end(refused)).toBe('failed')
    const wrongPin = await ask('+80000000109')
    await kusanya(['simulate', 'approve', '+80000000109', '--pin', '0000'])
    expect(await end(wrongPin)).toBe('failed')
  })

  it('pay without a request to the demo organization, or to the given account', async () => {
    const paid = await json('simulate', 'pay', '+80000000003', '25', 'bxc', '--reference', 'thanks')
    expect(paid).toMatchObject({ amount: '25.0000', currency: 'BXC' })
    await eventually('the collection', async () => {
      const [row] = await testApp.db`select 1 from collections where remote_transaction_id = ${paid.remote_id}`
      return row
    })
    const [account] = await json('accounts', 'list', '-o', '2')
    expect((await json('simulate', 'pay', '+80000000003', '25', 'KES', '--account', String(account.id))).receiver).toBe(
      account.receivers[0].number,
    )
    expect(await refusal(['simulate', 'pay', '+80000000003', '25', 'EUR'])).toContain('has no account in EUR')
  })
})
