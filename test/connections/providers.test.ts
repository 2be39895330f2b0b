import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineBillProvider } from '../../src/billers/contract.ts'
import { allDrivers } from '../../src/connections/open.ts'
import { createProviders } from '../../src/connections/providers.ts'
import type { StoredConnection } from '../../src/connections/registry.ts'
import { callDriver } from '../../src/connections/tools/call-driver.ts'
import type { ConnectionTools } from '../../src/connections/tools/index.ts'
import type { AnyDriver, DriverTools } from '../../src/drivers/contract.ts'
import { defineSmsProvider } from '../../src/senders/contract.ts'
import { RIGHT_KEY, testNetwork } from './test-network.ts'

const environments = { production: { title: 'Production', live: true, hosts: {} } }

const sms = defineSmsProvider({
  code: 'test-sms',
  name: 'Test SMS',
  settings: z.object({}),
  environments,
  countries: null,
  traits: { call_s: 10, callbacks: 'unsigned', repeat: 'sends-again', reports: 'callback' },
  open: () => ({ send: async ({ reference }) => ({ outcome: 'sent', remote_id: `id of ${reference}` }) }),
})

const bills = defineBillProvider({
  code: 'test-bills',
  name: 'Test bills',
  settings: z.object({}),
  environments,
  countries: ['NG'],
  traits: {
    call_s: 30,
    callbacks: 'none',
    repeat: 'refused',
    unseen: 'certain',
    in_flight_s: 60,
    one_call_at_a_time: false,
    asked_by: 'reference',
  },
  open: () => ({
    vend: async () => ({ outcome: 'unknown', message: 'No answer' }),
    vendStatus: async () => ({ outcome: 'not_found' }),
  }),
})

const common = {
  environment: 'production',
  organization: null,
  state: 'active' as const,
  priority: 100,
  hosts: {},
  places: [],
  callback_secret: '0'.repeat(32),
  max_concurrent: 5,
  max_per_second: 5,
  settings: {},
}

const silent = { log: pino({ level: 'silent' }) }

/** Open these connections. Each operation that runs as a call of a provider is recorded with its reference. */
async function open(stored: StoredConnection[], read = async (): Promise<StoredConnection[]> => stored) {
  const calls: (string | null)[] = []
  const run: ConnectionTools['run'] = ({ reference }, work) => {
    calls.push(reference)
    return work({} as DriverTools)
  }
  const providers = createProviders({
    drivers: { network: [testNetwork], sms: [sms], bills: [bills] },
    read,
    built_in: [],
    createTools: () => ({ run, state: () => 'healthy' }) as unknown as ConnectionTools,
    onError: (slug, error) => calls.push(`${slug}: ${error}`),
  })
  await providers.refresh()
  return { providers, calls }
}

describe('connections of all kinds', () => {
  it('follow the newest reading, even if an older one ends later', async () => {
    const light = { ...common, slug: 'light', driver: 'test-bills' }
    const ends: ((rows: StoredConnection[]) => void)[] = []
    const first = Promise.resolve<StoredConnection[]>([])
    const readings = [
      first,
      ...Array.from({ length: 2 }, () => new Promise<StoredConnection[]>((end) => ends.push(end))),
    ]
    const { providers } = await open([], () => readings.shift()!)
    const [older, newer] = [providers.refresh(), providers.refresh()]
    ends[1]!([light])
    await newer
    ends[0]!([{ ...light, state: 'paused' }])
    await older
    expect(providers.bills.list()).toMatchObject([{ slug: 'light', state: 'active' }])
  })

  it('are opened by the driver that they name, each in the list of its kind', async () => {
    const { providers } = await open([
      { ...common, slug: 'texts', driver: 'test-sms' },
      { ...common, slug: 'light', driver: 'test-bills' },
      {
        ...common,
        slug: 'money',
        driver: 'test-network',
        settings: { short_code: '600000', api_key: RIGHT_KEY },
      },
    ])
    const slugs = (list: readonly { slug: string }[]) => list.map(({ slug }) => slug)
    expect(slugs(providers.networks.list())).toEqual(['money'])
    expect(slugs(providers.sms.list())).toEqual(['texts'])
    expect(slugs(providers.bills.list())).toEqual(['light'])
    const kinds = ['money', 'texts', 'light', 'none'].map((slug) => providers.find(slug)?.kind)
    expect(kinds).toEqual(['network', 'sms', 'bills', undefined])
  })

  it('run their operations as calls under the reference of what they carry', async () => {
    const { providers, calls } = await open([{ ...common, slug: 'texts', driver: 'test-sms' }])
    const message = { id: 1, reference: 'R1', phonenumber: '+256772000001', body: 'Hello', sender: null, valid_s: 60 }
    expect(await callDriver(silent, providers.sms.find('texts')!, 'send', message)).toEqual({
      outcome: 'sent',
      remote_id: 'id of R1',
    })
    expect(calls).toEqual(['R1'])
  })

  it('without their driver are listed with the others of their kind', async () => {
    const { providers, calls } = await open([{ ...common, slug: 'texts', driver: 'gone', kind: 'sms' }])
    expect(calls).toEqual(['texts: Error: There is no driver gone.'])
    expect(providers.find('texts')).toBe(undefined)
  })

  it('have drivers with unique codes over all kinds', () => {
    const codes = Object.values(allDrivers).flatMap((drivers: readonly AnyDriver[]) => drivers.map(({ code }) => code))
    expect(codes.toSorted()).toEqual([...new Set(codes)].toSorted())
  })
})
