import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createProviders } from '../../src/connections/providers.ts'
import type { StoredConnection } from '../../src/connections/registry.ts'
import { callDriver } from '../../src/connections/tools/call-driver.ts'
import type { ConnectionTools } from '../../src/connections/tools/index.ts'
import type { DriverTools } from '../../src/drivers/contract.ts'
import type { AnyNetworkDriver } from '../../src/networks/contract.ts'
import { RIGHT_KEY, testNetwork } from './test-network.ts'

const row: StoredConnection = {
  slug: 'one',
  driver: 'test-network',
  environment: 'production',
  organization: null,
  state: 'active',
  priority: 100,
  callback_secret: '0'.repeat(32),
  hosts: {},
  places: [],
  max_concurrent: 5,
  max_per_second: 5,
  settings: { short_code: '600000', api_key: RIGHT_KEY },
}

const silent = { log: pino({ level: 'silent' }) }

/** A registry over rows that the test changes, and how often a driver was opened. */
function open(first: StoredConnection[]) {
  const opened: string[] = []
  const errors: [string, string][] = []
  const driver: AnyNetworkDriver = {
    ...testNetwork,
    open(connection, tools) {
      opened.push((connection as unknown as { slug: string }).slug)
      return testNetwork.open(connection, tools)
    },
  }
  let rows = first
  const providers = createProviders({
    drivers: { network: [driver], sms: [], bills: [] },
    read: async () => rows,
    built_in: [],
    createTools: () => ({ run: (_, work) => work({} as DriverTools) }) as ConnectionTools,
    onError: (slug, error) => errors.push([slug, String(error)]),
  })
  return {
    providers,
    connections: providers.networks,
    opened,
    errors,
    async change(next: StoredConnection[]) {
      rows = next
      await providers.refresh()
    },
  }
}

describe('the connections of a process', () => {
  it('stay open, with their tokens, while only their places, state or priority change', async () => {
    const { providers, connections, opened, change } = open([row])
    await providers.refresh()
    const place = { organization: 1, account: 5, currency: 'UGX', country: null, collects: true, pays_out: true }
    await change([{ ...row, state: 'paused', priority: 1, places: [place] }])
    expect(connections.find('one')).toMatchObject({ state: 'paused', priority: 1, places: [place] })
    expect(opened).toEqual(['one'])
    await change([{ ...row, settings: { ...row.settings, short_code: '600001' } }])
    expect(opened).toEqual(['one', 'one'])
  })

  it('are opened although one of them cannot be', async () => {
    const { connections, errors, change } = open([])
    await change([
      { ...row, slug: 'locked', problem: 'Its secrets cannot be read.' },
      { ...row, slug: 'bare', settings: {} },
      { ...row, slug: 'strange', driver: 'other' },
      row,
    ])
    expect(connections.list().map(({ slug }) => slug)).toEqual(['one'])
    expect(errors.map(([slug]) => slug)).toEqual(['locked', 'bare', 'strange'])
    expect(errors[0]![1]).toContain('Its secrets cannot be read.')
    expect(JSON.stringify(errors)).not.toContain(RIGHT_KEY)
  })

  it('are no longer there when they are removed', async () => {
    const { connections, change } = open([])
    await change([{ ...row, state: 'removed' }])
    expect(connections.find('one')).toBe(undefined)
  })

  it('can be tried without being one of them', async () => {
    const { providers, connections } = open([])
    expect(await callDriver(silent, providers.open(row), 'test')).toMatchObject([{ outcome: 'ok' }])
    expect(connections.list()).toEqual([])
    await expect(providers.provision({ ...row, driver: 'other' })).rejects.toThrow('There is no driver other')
  })
})
