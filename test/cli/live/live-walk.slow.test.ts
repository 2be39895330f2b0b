import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApiClient, eventually } from '../../test-app.ts'
import {
  findFreePort,
  killProgram,
  type LaunchedProgram,
  openProgramRunner,
  type ProgramRunner,
} from '../program-runner.ts'
import { openShell } from '../shell.ts'

/*
 * The way of a business from an empty folder to real money, with the real program in live mode and the driver of MTN MoMo. In the
 * place of MTN stands `networks simulate`, a process with its own database. Each test is the next step.
 */

const PROGRAM = [process.execPath, 'src/cli/index.ts']
/** The documented credentials of the simulated MTN in Uganda. It cannot reach an address of the internet, so it is asked. */
const SETTINGS = {
  target_environment: 'mtnuganda',
  callbacks: false,
  collection_api_user: '6d746e2d-6d6f-4d6f-8000-73696d756c61',
}
const SECRETS = [
  'collection_subscription_key=simulated-collection-subscription-key',
  'collection_api_key=0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  'disbursement_subscription_key=simulated-disbursement-subscription-key',
]
const CUSTOMER = '+256772000003'

let runner: ProgramRunner
let settings: Record<string, string>
let kusanya: ReturnType<typeof openShell>
let port: number
let network_port: number
/** Run the network, in its own folder. */
let network_runner: ProgramRunner
let network: LaunchedProgram
let service: LaunchedProgram
let backup: string
let account: number
let api: ReturnType<typeof createApiClient>

beforeAll(async () => {
  runner = await openProgramRunner()
  backup = await mkdtemp(join(tmpdir(), 'kusanya-backup-'))
  port = await findFreePort()
  network_port = await findFreePort()
  network_runner = await openProgramRunner()
  settings = {
    MODE: 'live',
    SECRET_KEY: 'a-secret-key-of-more-than-32-characters',
    PORT: String(port),
    READS_PER_MINUTE: '100000',
    DATA_DIR: runner.data_dir,
    LOG_LEVEL: 'info',
  }
  kusanya = openShell({ ...settings, LOG_LEVEL: 'silent' })
})

afterAll(async () => {
  await runner.close()
  await network_runner.close()
  await rm(backup, { recursive: true, force: true })
})

/** Run a command beside the service, as an operator would. */
async function run(command: string, options: { input?: string; code?: number } = {}): Promise<string> {
  const { code, out, err } = await kusanya(command.split(' '), { input: options.input ?? '' })
  if (code !== (options.code ?? 0)) throw new Error(`kusanya ${command}: ${code} ${out}${err}`)
  return out
}

const read = async (command: string, options = {}) => JSON.parse(await run(`${command} --json`, options))

async function startService(): Promise<void> {
  service = runner.launch([...PROGRAM, 'serve'], settings)
  await eventually('the service', async () => {
    if (service.child.exitCode !== null) throw new Error(`It ended: ${service.errors()}${service.output()}`)
    return service.output().includes('service_ready') || undefined
  })
}

async function startNetwork(): Promise<void> {
  const { data_dir } = network_runner
  const args = ['--port', String(network_port), '--data', data_dir, '--json']
  network = network_runner.launch([...PROGRAM, 'networks', 'simulate', ...args])
  await eventually('the network', async () => network.output().includes('credentials') || undefined)
}

/** Ask for something until it is as expected. */
async function becomes(path: string, field: 'status' | 'state', expected: string, wait_ms = 60_000) {
  let last: unknown
  return eventually(
    `${path} to be ${expected}`,
    async () => {
      const { body } = await api.get(path)
      last = body
      return body[field] === expected ? body : undefined
    },
    wait_ms,
  ).catch((error) => {
    throw new Error(`${error.message} It is ${JSON.stringify(last)}`)
  })
}

const askFor = (amount: string) =>
  api.post('/api/collectionrequests', { phonenumber: CUSTOMER, amount, currency: 'UGX', send_instructions: true })
const pay = (amount: string) =>
  api.post('/api/payments', { phonenumber: CUSTOMER, amount, currency: 'UGX', description: 'Wages' })
const balance = async () => (await api.get(`/api/accounts/${account}`)).body.balance

/** Return the network's movements: sum and count of charges, sum and references of payouts. */
async function moved() {
  const answer = await fetch(`http://127.0.0.1:${network_port}/simulator/statement?door=mtn-momo`)
  const { entries } = (await answer.json()) as { entries: { amount: string; order_reference: string | null }[] }
  const [paid, sent] = [
    entries.filter(({ amount }) => Number(amount) > 0),
    entries.filter(({ amount }) => Number(amount) < 0),
  ]
  const sum = (list: typeof entries) => Math.abs(list.reduce((total, { amount }) => total + Number(amount), 0))
  const payouts = sent.map(({ order_reference }) => order_reference)
  return { paid: sum(paid), charges: paid.length, sent: sum(sent), payouts }
}

it('an empty folder gets its first organization and owner', async () => {
  const created = await read('setup --organization Shop --name Grace --email grace@example.com')
  expect(created).toMatchObject({ organization: { name: 'Shop' }, owner: { email: 'grace@example.com' } })
  expect(created.password).toMatch(/^\S{16}$/)
})

it('the service starts without any network, and says what is missing', async () => {
  await startService()
  await eventually('the checklist', async () => service.output().includes('go_live_open') || undefined)
  const lines = service
    .output()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  expect(lines.find(({ event }) => event === 'service_ready').notices).toContainEqual(
    expect.stringContaining('DATABASE_URL is not set'),
  )
  expect(lines.find(({ event }) => event === 'go_live_open').open).toEqual(
    expect.arrayContaining(['wallet', 'connection', 'places', 'callback_address']),
  )
})

it('a request without any network is refused in words, and leaves nothing behind', async () => {
  account = (await read('accounts create UGX')).id
  await run(`accounts fund ${account} 100000`)
  const { key } = await read('keys create --name webshop')
  api = createApiClient(`http://127.0.0.1:${port}`, key)
  expect(await askFor('1500')).toMatchObject({
    status: 400,
    body: { phonenumber: [expect.stringMatching(/^No network is connected yet\./)] },
  })
  expect((await api.get('/api/collectionrequests')).body.count).toBe(0)
  expect((await api.get('/api/contacts')).body.count).toBe(0)
  expect(await pay('1500')).toMatchObject({
    status: 400,
    body: { phonenumber: [expect.stringContaining('No network')] },
  })
})

it('a network is connected, tested and put into use', async () => {
  const file = join(backup, 'walk.json')
  await writeFile(file, JSON.stringify(SETTINGS))
  await startNetwork()
  const added = await run(
    `connections add mtn-momo --slug walk --environment production --settings ${file} ` +
      `--host api=http://127.0.0.1:${network_port}/mtn-momo --secrets-stdin`,
    { input: SECRETS.join('\n') },
  )
  expect(added).toContain('Added the connection walk')
  await rm(file)
  await run(`connections places add walk ${account} 256772000000`)
  await run('connections resume walk')
  expect(await run(`connections test walk --phone ${CUSTOMER}`)).toContain('✓ charge')
  expect(await read('connections list')).toMatchObject([{ slug: 'walk', state: 'active', live: true }])
  const items: { name: string; state: string }[] = await read('connections checklist', { code: 1 })
  const open = items.filter(({ state }) => state === 'open')
  expect(open.map(({ name }) => name)).toEqual(['callback_address', 'second_factor'])
})

it('money is collected', async () => {
  const before = await balance()
  const { body } = await askFor('1500')
  await becomes(`/api/collectionrequests/${body.id}`, 'status', 'successful')
  expect(await balance()).toBe(before + 1500)
})

it('a backup is made of the folder while the service is stopped', async () => {
  await killProgram(service, 'SIGTERM')
  await eventually('PostgreSQL to stop', async () => {
    try {
      execFileSync('test', ['!', '-e', runner.postmasterFile])
      return true
    } catch {
      return undefined
    }
  })
  execFileSync('cp', ['-a', `${runner.data_dir}/.`, backup])
  await startService()
})

it('money is paid out, and a collection is refunded', async () => {
  const before = await balance()
  const paid = await pay('700')
  expect(paid.status).toBe(201)
  await becomes(`/api/payments/${paid.body.id}`, 'state', 'processed')
  const [collection] = (await api.get('/api/collections?limit=1')).body.results
  const refund = await read(`collections refund ${collection.id}`)
  await becomes(`/api/payments/${refund.id}`, 'state', 'processed')
  expect(await balance()).toBe(before - 700 - 1500)
  expect(await moved()).toMatchObject({ sent: 2200, payouts: [expect.any(String), expect.any(String)] })
})

it('while the network is dead nothing is lost, and afterwards nothing is paid twice', async () => {
  const before = { balance: await balance(), moved: await moved() }
  const asked = await askFor('900')
  await becomes(`/api/collectionrequests/${asked.body.id}`, 'status', 'instructions_sent')
  await killProgram(network, 'SIGKILL')
  const [late, paid] = [await askFor('800'), await pay('300')]
  expect([late.status, paid.status]).toEqual([201, 201])
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  for (const { body } of [asked, late])
    expect((await api.get(`/api/collectionrequests/${body.id}`)).body.status).not.toBe('failed')
  expect((await api.get(`/api/payments/${paid.body.id}`)).body.state).not.toBe('processed_with_errors')
  await startNetwork()
  await becomes(`/api/collectionrequests/${asked.body.id}`, 'status', 'successful')
  // The fate of an order to a dead network is known only after minutes, so the money stays on hold.
  expect(await balance()).toBe(before.balance + 900 - 300)
  expect(await moved()).toEqual({
    ...before.moved,
    paid: before.moved.paid + 900,
    charges: before.moved.charges + 1,
  })
})

it('from a restored backup nothing is sent again under an old reference', async () => {
  const before = await moved()
  await killProgram(service, 'SIGTERM')
  execFileSync('sh', ['-c', `rm -rf "${runner.data_dir}"/* && cp -a "${backup}/." "${runner.data_dir}"`])
  await startService()
  expect((await api.get('/api/payments')).body.count).toBe(0)
  const paid = await pay('250')
  await becomes(`/api/payments/${paid.body.id}`, 'state', 'processed')
  const after = await moved()
  expect(after).toMatchObject({ sent: before.sent + 250, charges: before.charges })
  expect(new Set(after.payouts).size).toBe(before.payouts.length + 1)
})
