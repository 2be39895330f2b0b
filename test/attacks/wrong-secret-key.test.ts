import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProgramRunner, type ProgramRunner, SERVE_COMMAND } from '../cli/program-runner.ts'
import { openShell } from '../cli/shell.ts'
import { createApiClient, openDatabase } from '../test-app.ts'
import { printFigure } from './figures.ts'

const RIGHT = 'the secret key that this database knows'
const WRONG = 'another secret key, from another machine'

let database: Awaited<ReturnType<typeof openDatabase>>
let runner: ProgramRunner
let environment: { DATABASE_URL: string; DATA_DIR: string }

beforeAll(async () => {
  database = await openDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'kusanya-key-'))
  environment = { DATABASE_URL: database.url, DATA_DIR: folder }
  runner = await openProgramRunner(folder)
})
afterAll(async () => {
  await runner?.close()
  await database?.close()
  await rm(environment.DATA_DIR, { recursive: true, force: true })
})

const shell = (key: string, args: string[]) => openShell({ ...environment, SECRET_KEY: key })(args)
const secrets = () => database.db`select secret from webhooks`

it('a service with another SECRET_KEY does not start, and writes nothing', async () => {
  const setup = await shell(RIGHT, ['setup', '--json'])
  const { api_key } = JSON.parse(setup.out)
  const service = await runner.start({ settings: { ...environment, SECRET_KEY: RIGHT } })
  const target = 'https://shop.example/hook'
  await createApiClient(service.url, api_key).post('/api/webhooks', { event: 'collection.received', target })
  service.child.kill('SIGTERM')
  await service.ended
  const before = await secrets()
  expect(before).toEqual([{ secret: expect.stringMatching(/^[0-9a-f]{8}\./) }])

  const wrong = runner.launch(SERVE_COMMAND, { ...environment, SECRET_KEY: WRONG })
  await wrong.ended
  expect(wrong.child.exitCode).toBe(1)
  expect(wrong.errors()).toMatch(/^SECRET_KEY is not the key of this database: .*secret-key accept[^\n]*\n$/)
  const attempts = [
    ['setup'],
    ['keys', 'list'],
    ['webhooks', 'list'],
    ['bills', 'users', 'create', 'shop-7', '--key', '1'],
  ]
  const refused: string[][] = []
  for (const args of attempts) if ((await shell(WRONG, args)).code === 1) refused.push(args)
  printFigure('wrong-secret-key', `${1 + refused.length} of ${1 + attempts.length} starts with another key refused`)
  expect(refused).toEqual(attempts)
  expect(await secrets()).toEqual(before)
})

it('a service without a record of its key does not start either', async () => {
  await database.db.unsafe('delete from secret_keys')
  expect(await shell(WRONG, ['keys', 'list'])).toMatchObject({ code: 1, err: expect.stringContaining('not the key') })
  expect(await shell(RIGHT, ['keys', 'list'])).toMatchObject({ code: 0 })
  expect(await shell(WRONG, ['keys', 'list'])).toMatchObject({ code: 1 })
})

it('doctor says what cannot be read, and an operator can go on with a new key', async () => {
  expect((await shell(WRONG, ['doctor'])).out).toContain(
    '✗ stored secrets\n    SECRET_KEY cannot decrypt 1 secrets of webhooks.',
  )
  expect(await shell(WRONG, ['secret-key', 'accept'])).toMatchObject({ code: 1 })
  const accepted = await shell(WRONG, ['secret-key', 'accept', '--yes'])
  expect(accepted).toMatchObject({ code: 0, out: expect.stringContaining('Lost: 1 secrets of webhooks.') })
  expect(await shell(WRONG, ['webhooks', 'list'])).toMatchObject({ code: 0 })
  // The earlier key stays known: both machines of a cluster can change one after the other.
  expect(await shell(RIGHT, ['webhooks', 'list'])).toMatchObject({ code: 0 })
})
