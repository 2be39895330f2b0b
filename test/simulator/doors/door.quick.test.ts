import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { NotPossible } from '../../../src/simulator/index.ts'
import { openDatabase } from '../simulator-test.ts'
import { openToy } from '../toy-door.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let toys: Awaited<ReturnType<typeof openToy>>

beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  toys = await openToy(database.db)
})
afterEach(async () => {
  expect(toys.errors).toEqual([])
  await toys.close()
})

async function token(): Promise<string> {
  const response = await fetch(`${toys.base}/auth/token`, { method: 'POST' })
  return ((await response.json()) as { token: string }).token
}

async function charge(authorization: string, key: string, phone = '+256772000002') {
  const body = JSON.stringify({ key, phone, amount: '1500', url: `${toys.listener.url}/hear` })
  const response = await fetch(`${toys.base}/v1/charges`, { method: 'POST', headers: { authorization }, body })
  return { status: response.status, body: await response.json() }
}

describe('a door', () => {
  it('is served below its code, and knows its hosts', () => {
    expect(toys.simulator.hostsOf('toy-net')).toEqual({ api: `${toys.base}/v1`, auth: `${toys.base}/auth` })
    expect(toys.base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/toy-net$/)
  })

  it('gets bodies as text, and none as the empty text', async () => {
    const response = await fetch(`${toys.base}/auth/token`, { method: 'POST', body: 'x=1' })
    expect([response.status, await response.text()]).toEqual([400, 'no body, please'])
    expect(await token()).toMatch(/^[\w-]{32}$/)
  })

  it('issues tokens that end with their time, with the next token of their owner, and by a fault', async () => {
    const first = await token()
    expect(await charge(first, 'a')).toMatchObject({ status: 200 })
    const second = await token()
    expect(await charge(first, 'b')).toMatchObject({ status: 401 })
    expect(await charge(second, 'b')).toMatchObject({ status: 200 })
    await toys.advance(61)
    expect(await charge(second, 'c')).toMatchObject({ status: 401 })
    const third = await token()
    toys.simulator.faults.add({ door: 'toy-net', verb: 'charge', kind: 'token_expired' })
    expect(await charge(third, 'c')).toMatchObject({ status: 401 })
    const fourth = await token()
    toys.simulator.faults.add({ door: 'toy-net', kind: 'clock_skew', seconds: 120 })
    expect(await charge(fourth, 'c')).toMatchObject({ status: 401 })
    expect(await charge(await token(), 'c')).toMatchObject({ status: 200 })
  })

  it('gives callbacks the address of the call, its own details and the reference of the business', async () => {
    await charge(await token(), 'a')
    await toys.advance(1)
    expect(toys.listener.heard).toMatchObject([
      {
        method: 'POST',
        path: '/hear',
        body: { event: 'charge.paid', reference: 'ref-a', colour: 'red', state: 'paid' },
      },
    ])
  })

  it('sends a callback once, whatever the answer is', async () => {
    toys.listener.answer.status = 500
    await charge(await token(), 'a')
    await toys.advance(3_600)
    expect(toys.listener.heard).toHaveLength(1)
  })

  it('ends an order as a test number asks, with the code of the network', async () => {
    await charge(await token(), 'a', '+256772000077')
    await toys.advance(1)
    const failure = { reason: 'not_allowed', message: 'T77', code: 'T77' }
    expect(toys.listener.heard).toMatchObject([{ body: { event: 'charge.failed', failure } }])
    expect(await toys.world.findCharge({ reference: 'ref-a' })).toMatchObject({ key: 'a', failure })
  })

  it('has switches, in all processes', async () => {
    expect(await toys.world.switches()).toEqual({ method: 'POST', loud: false })
    await toys.simulator.setSwitches('toy-net', { method: 'PUT' })
    await toys.simulator.setSwitches('toy-net', { loud: true })
    expect(await toys.world.switches()).toEqual({ method: 'PUT', loud: true })
    await charge(await token(), 'a')
    await toys.advance(1)
    expect(toys.listener.heard).toMatchObject([{ method: 'PUT' }])
  })

  it.each([
    [{ colour: 'red' }, 'toy-net has no switch colour.'],
    [{ constructor: 'red' }, 'toy-net has no switch constructor.'],
    [{ method: 'GET' }, 'method must be one of: POST, PUT.'],
    [{ loud: 'yes' }, 'loud must be a boolean.'],
  ])('refuses the switches %j', async (values, message) => {
    const refused = toys.simulator.setSwitches('toy-net', values as Record<string, string>)
    await expect(refused).rejects.toThrow(new NotPossible(message))
    expect(await toys.world.switches()).toEqual({ method: 'POST', loud: false })
  })

  it('remembers values for its callbacks', async () => {
    await toys.world.remember('url', `${toys.listener.url}/registered`)
    expect(await toys.world.recall('url')).toBe(`${toys.listener.url}/registered`)
    const payment = { phonenumber: '+256772000002', amount: 10_000n, currency: 'UGX', receiver: '600' }
    await toys.world.pay(payment)
    await toys.advance(0)
    expect(toys.listener.heard).toMatchObject([{ path: '/registered', body: { event: 'payment.received' } }])
    await toys.world.remember('url', undefined)
    expect(await toys.world.recall('url')).toBeUndefined()
    await toys.world.pay(payment)
    await toys.advance(60)
    expect(toys.listener.heard).toHaveLength(1)
  })
})

it('import only the world, their own files and lib', () => {
  const root = join(import.meta.dirname, '../../..')
  const files = globSync('src/simulator/doors/*/**/*.ts', { cwd: root })
  expect(files.length).toBeGreaterThan(0)
  const wrong = files.flatMap((file) => {
    const own = file.split('/').slice(0, 4).join('/')
    const shared = ['src/simulator/doors/door.ts', 'src/simulator/doors/sms-door.ts', 'src/simulator/world/world.ts']
    const may = [`${own}/`, ...shared, 'src/simulator/world/electricity.ts', 'src/lib/']
    const imports = [...readFileSync(join(root, file), 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)]
    return imports
      .map(([, to]) => relative(root, join(root, dirname(file), to!)))
      .filter((to) => to !== 'src/simulator/world/fields.ts' && !may.some((start) => to.startsWith(start)))
      .map((to) => `${file} imports ${to}`)
  })
  expect(wrong).toEqual([])
})
