import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { money, openDatabase } from './simulator-test.ts'
import { openToy } from './toy-door.ts'

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

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(new URL(path, toys.base), {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const phonenumber = '+256772000109'
const place = (key: string) =>
  toys.world.placeCharge({
    key,
    receiver: '600',
    phonenumber,
    amount: money('1500'),
    currency: 'UGX',
    reason: '<b>Toys</b> & more',
  })

describe('the control of the simulator', () => {
  it('shows the networks with all that an integration needs', async () => {
    const { body } = await call('GET', '/simulator/doors')
    const base = toys.base
    expect(body).toEqual({
      doors: [
        {
          code: 'toy-net',
          name: 'Toy',
          kind: 'network',
          hosts: { api: `${base}/v1`, auth: `${base}/auth` },
          credentials: [{ name: 'key', value: 'toy-key' }],
          numbers: [{ number: '77', effect: 'code T77' }],
          switches: [
            {
              name: 'method',
              value: 'POST',
              default: 'POST',
              choices: ['POST', 'PUT'],
              help: 'The verb of callbacks.',
            },
            { name: 'loud', value: false, default: false, help: 'Callbacks also report refunds.' },
          ],
          calls: {},
        },
      ],
    })
    expect((await call('GET', '/')).body).toEqual(body)
  })

  it('approves, refuses and pays', async () => {
    await Promise.all([place('a'), place('b')])
    const { body } = await call('GET', `/simulator/prompts?phonenumber=${encodeURIComponent(phonenumber)}`)
    expect(body).toMatchObject({ prompts: [{ door: 'toy-net', amount: '1500.0000' }, { phonenumber }] })
    expect(await call('POST', '/simulator/approve', { phonenumber, reference: 'a', door: 'toy-net' })).toMatchObject({
      status: 200,
    })
    expect(await call('POST', '/simulator/refuse', { phonenumber, reference: 'b' })).toMatchObject({ status: 200 })
    expect(await toys.world.findCharge({ key: 'a' })).toMatchObject({ state: 'paid' })
    expect(await toys.world.findCharge({ key: 'b' })).toMatchObject({ state: 'failed' })
    const payment = { door: 'toy-net', phonenumber, amount: '20', currency: 'UGX', receiver: '600' }
    const paid = await call('POST', '/simulator/pay', payment)
    expect(await toys.world.findPayment(paid.body.remote_id as string)).toMatchObject({ amount: money('20') })
    const { entries } = (await call('GET', '/simulator/statement?door=toy-net')).body as {
      entries: { amount: string }[]
    }
    // Both moved at the same time of the clock.
    expect(entries.map(({ amount }) => amount).sort()).toEqual(['1500.0000', '20.0000'])
  })

  it.each([
    ['/simulator/approve', { phonenumber }, 'not_possible', `No prompt waits on the phone ${phonenumber}.`],
    ['/simulator/approve', { phonenumber: '0772' }, 'invalid', 'phonenumber must be a phone number in E.164'],
    ['/simulator/refuse', {}, 'invalid', 'phonenumber'],
    ['/simulator/pay', { phonenumber, amount: '0', door: 'toy-net' }, 'invalid', 'amount must be between'],
    ['/simulator/faults', { door: 'nowhere', kind: 'html' }, 'not_possible', 'There is no simulated network nowhere.'],
    ['/simulator/faults', { door: 'toy-net', kind: 'flood' }, 'invalid', 'kind'],
    ['/simulator/clock', { advance: -1 }, 'invalid', 'advance'],
  ])('refuses %s with %j', async (path, body, error, message) => {
    expect(await call('POST', path, body)).toMatchObject({
      status: 400,
      body: { error, message: expect.stringContaining(message) },
    })
  })

  it('sets switches, and refuses those that a network does not have', async () => {
    expect(await call('PUT', '/simulator/doors/toy-net/switches', { method: 'PUT' })).toEqual({
      status: 200,
      body: { method: 'PUT', loud: false },
    })
    for (const [code, values] of [
      ['toy-net', { method: 'GET' }],
      ['toy-net', { other: true }],
      ['nowhere', {}],
    ] as const)
      expect(await call('PUT', `/simulator/doors/${code}/switches`, values)).toMatchObject({ status: 400 })
  })

  it('takes and forgets faults', async () => {
    await call('POST', '/simulator/faults', { door: 'toy-net', kind: 'html', times: 3 })
    await call('POST', '/simulator/faults', { door: 'toy-net', kind: 'clock_skew', seconds: 9 })
    const { faults } = (await call('GET', '/simulator/faults')).body as { faults: object[] }
    expect(faults).toMatchObject([
      { kind: 'html', times: 3 },
      { kind: 'clock_skew', seconds: 9 },
    ])
    await call('DELETE', '/simulator/faults')
    expect((await call('GET', '/simulator/faults')).body).toEqual({ faults: [] })
  })

  it('moves the clock', async () => {
    await place('a')
    await call('POST', '/simulator/clock', { advance: 301 })
    await toys.advance(0)
    expect(await toys.world.findCharge({ key: 'a' })).toMatchObject({ failure: { reason: 'prompt_expired' } })
  })

  it('has a page for people, in which texts of the business are only texts', async () => {
    await place('a')
    const response = await fetch(new URL('/', toys.base), { headers: { accept: 'text/html' } })
    expect(response.headers.get('content-type')).toContain('text/html')
    const page = await response.text()
    for (const text of ['toy-key', `${toys.base}/v1`, 'code T77', 'The verb of callbacks.', '…000101', 'Approve'])
      expect(page).toContain(text)
    expect(page).toContain('&#60;b&#62;Toys&#60;/b&#62; &#38; more')
    expect(page).not.toContain('<b>Toys')
  })

  it('is served only on request', async () => {
    const { openSimulatorTest } = await import('./simulator-test.ts')
    const other = await openSimulatorTest(database.db, { start: false })
    try {
      for (const path of ['/', '/simulator/doors', '/simulator/prompts'])
        expect((await fetch(new URL(path, other.url))).status).toBe(404)
    } finally {
      await other.close()
    }
  })
})
