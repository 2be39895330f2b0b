import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../../test-app.ts'
import { openShell } from '../../shell.ts'

const OLD = 'the secret key of the first two years'
const NEW = 'the secret key after the laptop was stolen'
const during = { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD }

let database: Awaited<ReturnType<typeof openDatabase>>
let environment: { DATABASE_URL: string; DATA_DIR: string }
let key: number

const kusanya = (keys: Record<string, string>, ...args: string[]) => openShell({ ...environment, ...keys })(args)
const json = async (keys: Record<string, string>, ...args: string[]) =>
  JSON.parse((await kusanya(keys, ...args, '--json')).out)

beforeAll(async () => {
  database = await openDatabase()
  environment = { DATABASE_URL: database.url, DATA_DIR: await mkdtemp(join(tmpdir(), 'kusanya-secrets-')) }
  await kusanya({ SECRET_KEY: OLD }, 'setup')
  const [row] = await json({ SECRET_KEY: OLD }, 'keys', 'list')
  key = row.id
  for (const name of ['one', 'two'])
    await kusanya({ SECRET_KEY: OLD }, 'bills', 'users', 'create', name, '--key', String(key))
})
afterAll(async () => {
  await database.close()
  await rm(environment.DATA_DIR, { recursive: true, force: true })
})

it('status counts the stored secrets by key, and doctor warns of those with the previous one', async () => {
  const { code, out } = await kusanya(during, 'secrets', 'status')
  expect(code).toBe(0)
  expect(out).toMatch(/^SECRET_KEY [0-9a-f]{8}, SECRET_KEY_PREVIOUS [0-9a-f]{8}\n/)
  expect(out).toMatch(/secrets of signing users +SECRET_KEY_PREVIOUS +[0-9a-f]{8} +2\n/)
  expect(out).toContain('`npx kusanya secrets rotate` is not done yet.')
  const status = await json(during, 'secrets', 'status')
  expect(status.values).toEqual([
    { what: 'secrets of signing users', key: 'previous', key_id: expect.stringMatching(/^[0-9a-f]{8}$/), count: 2 },
  ])
  expect(status.present).not.toBe(status.previous)
  const doctor = await kusanya(during, 'doctor')
  expect(doctor.out).toContain('! SECRET_KEY_PREVIOUS is still the key of 2 secrets of signing users')
})

it('the service does not start without the key of what is stored, and status says which values these are', async () => {
  expect(await kusanya({ SECRET_KEY: NEW }, 'keys', 'list')).toMatchObject({
    code: 1,
    err: expect.stringContaining('SECRET_KEY is not the key of this database'),
  })
  await kusanya(during, 'keys', 'list')
  const { code, err } = await kusanya({ SECRET_KEY: NEW }, 'keys', 'list')
  expect(code).toBe(1)
  expect(err).toMatch(/^2 secrets of signing users were encrypted with another key than SECRET_KEY\. .*secrets rotate/)
  const { out } = await kusanya({ SECRET_KEY: NEW }, 'secrets', 'status')
  expect(out).toMatch(/secrets of signing users +not known here/)
})

it('rotate encrypts everything anew once, and is in the audit log', async () => {
  const first = await kusanya(during, 'secrets', 'rotate', '--batch-size', '1')
  expect(first).toEqual({
    code: 0,
    err: '',
    out: 'Encrypted anew: 2. Everything is encrypted with SECRET_KEY. SECRET_KEY_PREVIOUS can go: remove it and restart the service.',
  })
  const second = await json(during, 'secrets', 'rotate')
  expect(second).toMatchObject({ resealed: 0, left: [], writers: 0, complete: true })
  expect((await kusanya({ SECRET_KEY: NEW }, 'secrets', 'rotate')).out).toBe(
    'Encrypted anew: 0. Everything is encrypted with SECRET_KEY.',
  )
  const entries = await json({ SECRET_KEY: NEW }, 'audit', 'list', '--installation')
  const rotations = entries.filter(({ action }: { action: string }) => action === 'rotate secrets')
  expect(rotations).toHaveLength(1)
  expect(rotations[0].details).toMatchObject({ by: 'an operator', values: 2 })
})

it('rotate leaves what a lost key has encrypted, and says so', async () => {
  await database.db`update signing_users set encrypted_secret = '0123abcd.' || split_part(encrypted_secret, '.', 2) where username = 'two'`
  expect(await kusanya({ SECRET_KEY: NEW }, 'secrets', 'rotate')).toMatchObject({
    code: 1,
    err: expect.stringContaining('secret-key accept'),
  })
  expect(await kusanya({ SECRET_KEY: NEW }, 'secret-key', 'accept', '--yes')).toMatchObject({ code: 0 })
  expect((await kusanya({ SECRET_KEY: NEW }, 'secrets', 'status')).out).toMatch(/signing users +lost +0123abcd +1/)
  expect((await kusanya({ SECRET_KEY: NEW }, 'secrets', 'rotate')).out).toContain(
    'Everything is encrypted with SECRET_KEY, except 1 whose key is lost.',
  )
})

it('rotate does not release the old key while any value has an unknown key', async () => {
  await database.db`update signing_users set encrypted_secret = '4567abcd.' || split_part(encrypted_secret, '.', 2) where username = 'two'`
  const { code, err, out } = await kusanya({ SECRET_KEY: NEW }, 'secrets', 'rotate')
  expect([code, err + out]).toEqual([1, expect.not.stringContaining('can go')])
})

it('a first change of the key that the sandbox has made itself starts from its file', async () => {
  const other = await openDatabase()
  try {
    const sandbox = { DATABASE_URL: other.url, DATA_DIR: environment.DATA_DIR }
    await openShell(sandbox)(['setup'])
    const [{ id }] = JSON.parse((await openShell(sandbox)(['keys', 'list', '--json'])).out)
    await openShell(sandbox)(['bills', 'users', 'create', 'one', '--key', String(id)])
    const next = { ...sandbox, SECRET_KEY: NEW, SECRET_KEY_PREVIOUS_FILE: join(environment.DATA_DIR, 'secret-key') }
    expect(await openShell(next)(['secrets', 'rotate'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Encrypted anew: 1.'),
    })
    expect(await openShell({ ...sandbox, SECRET_KEY: NEW })(['keys', 'list'])).toMatchObject({ code: 0 })
  } finally {
    await other.close()
  }
})
