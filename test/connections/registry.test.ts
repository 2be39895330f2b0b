import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createConnections, type StoredConnection } from '../../src/connections/registry.ts'
import { createTools } from '../../src/connections/tools/index.ts'
import type { Order } from '../../src/lib/adapter-types.ts'
import { parseAmount } from '../../src/lib/money.ts'
import { defineNetwork } from '../../src/networks/contract.ts'
import { buildTestApp, type TestApp } from '../test-app.ts'
import { serve, traits } from './tools/setup.ts'

let test: TestApp
beforeEach(async () => {
  test = await buildTestApp()
})
afterEach(() => test.close())

/** A driver that asks one question for each operation, and opens as often as it is told. */
const driver = defineNetwork({
  code: 'toy',
  name: 'Toy',
  settings: z.object({ key: z.string() }),
  environments: { test: { title: 'Test', live: false, hosts: { api: 'http://127.0.0.1:1' } } },
  places: [],
  traits,
  open({ hosts, settings }, tools) {
    const ask = async (verb: string) => {
      const got = await tools.tokens.get('key', async () => ({ token: settings.key, expires_in_s: 3_600 }))
      const answer = await tools.http({ verb, method: 'GET', url: `${hosts.api}/${verb}` })
      return answer.outcome === 'answered' && answer.status === 200
        ? { outcome: 'accepted' as const, remote_id: got.outcome === 'token' ? got.token : '' }
        : { outcome: 'unknown' as const, message: 'No answer.' }
    }
    return {
      charge: () => ask('charge'),
      chargeStatus: () => ask('status'),
      readCallback: () => ({ subject: 'unrecognized', message: settings.key }),
    }
  },
})

const order: Order = {
  ...{ reference: '6a1f', receiver: '1', phonenumber: '+256772000001', amount: parseAmount('1500')!, currency: 'UGX' },
  ...{ reason: 'Rent' },
} as Order

function setUp(api: string) {
  const row: StoredConnection = {
    ...{ slug: 'toy-ug', driver: 'toy', environment: 'test', organization: null, state: 'active', priority: 1 },
    ...{
      callback_secret: '0a'.repeat(16),
      hosts: { api },
      settings: { key: 'k1' },
      max_concurrent: 2,
      max_per_second: 50,
    },
  }
  const stored = { rows: [row] }
  const connections = createConnections({
    drivers: [driver],
    built_in: [],
    read: async () => stored.rows,
    createTools: (connection) =>
      createTools(test.app.connection_tools, {
        ...connection,
        ...{ traits, revision: JSON.stringify(connection.settings), callback_base: () => 'https://pay.example.com' },
      }),
    onError: (slug, error) => {
      throw new Error(`${slug} was not opened.`, { cause: error })
    },
  })
  return { row, stored, connections }
}

describe('the connections of a process', () => {
  it('run each operation with the tools of their connection', async () => {
    const lines: { reference?: string }[] = []
    test.app.log.level = 'debug'
    test.app.log.debug = ((line: object) => lines.push(line)) as typeof test.app.log.debug
    const { connections } = setUp(await serve((_, response) => response.end()))
    await connections.refresh()
    const { operations } = connections.find('toy-ug')!
    expect(await operations.charge!(order)).toEqual({ outcome: 'accepted', remote_id: 'k1' })
    expect(await operations.chargeStatus!(order)).toMatchObject({ outcome: 'accepted' })
    expect(lines).toMatchObject([
      { event: 'network_called', connection: 'toy-ug', verb: 'charge', outcome: '2xx', reference: '6a1f' },
      { event: 'network_called', connection: 'toy-ug', verb: 'status', outcome: '2xx', reference: '6a1f' },
    ])
    expect([operations.payout, operations.readCallback!({} as never)]).toEqual([
      undefined,
      { subject: 'unrecognized', message: 'k1' },
    ])
  })

  it('use a token of the settings that they have now', async () => {
    const { row, stored, connections } = setUp(await serve((_, response) => response.end()))
    await connections.refresh()
    const charge = () => connections.find('toy-ug')!.operations.charge!(order)
    expect(await charge()).toMatchObject({ remote_id: 'k1' })
    stored.rows = [{ ...row, settings: { key: 'k2' } }]
    await connections.refresh()
    expect(await charge()).toMatchObject({ remote_id: 'k2' })
  })

  it('have the limits of their row, and are degraded while their network does not answer', async () => {
    const { connections } = setUp('http://127.0.0.1:1')
    await connections.refresh()
    const { slots, operations, is_degraded } = connections.find('toy-ug')!
    const taken = [slots!.tryAcquire(), slots!.tryAcquire(), slots!.tryAcquire()]
    expect(taken).toEqual([expect.any(Function), expect.any(Function), undefined])
    expect(is_degraded!()).toBe(false)
    for (let count = 0; count < 10; count += 1) await operations.charge!(order)
    expect([is_degraded!(), slots!.tryAcquire()]).toEqual([true, undefined])
  })
})

describe('the service', () => {
  it('shows how its networks answer in /metrics, and to other processes', async () => {
    const { url } = await test.startService()
    const { connections } = setUp(await serve((_, response) => response.end()))
    await connections.refresh()
    await connections.find('toy-ug')!.operations.charge!(order)
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).toContain(
      'kusanya_network_call_duration_seconds_count{connection="toy-ug",verb="charge",outcome="2xx"} 1',
    )
    await expect
      .poll(() => test.db`select calls from connection_health where connection = 'toy-ug'`, { timeout: 20_000 })
      .toEqual([{ calls: 1 }])
  })
})
