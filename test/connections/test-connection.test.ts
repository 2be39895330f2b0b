import { pino } from 'pino'
import { expect, it } from 'vitest'
import { testConnection } from '../../src/connections/test-connection.ts'
import { fakeConnection } from './fake-connection.ts'

const network = { code: 'net', name: 'Net', limits: { decimals: 0, min: 1n, max: 1n }, test: async () => [] }
const connection = { ...fakeConnection(network), kind: 'network' as const }
const tested = (local_url?: string, of = connection) =>
  testConnection({ log: pino({ level: 'silent' }) }, of, { secrets: {}, public_url: undefined, local_url })

it('A simulator on this machine reaches the service without a public address', async () => {
  expect(await tested('http://127.0.0.1:3000/base')).toEqual([
    {
      name: 'callback address',
      outcome: 'ok',
      message: 'A simulator on this machine reports to http://127.0.0.1:3000.',
    },
  ])
})

it('A provider in production does not, if its base URL is a proxy on this machine', async () => {
  const { driver, environment } = connection
  const environments = { ...driver.environments, [environment]: { title: 'Production', live: true, hosts: {} } }
  const production = { ...connection, driver: { ...driver, environments } }
  expect(await tested('http://127.0.0.1:3000', production)).toMatchObject([
    { outcome: 'skipped', message: expect.stringMatching(/^No callback can arrive/) },
  ])
})

it('Any other provider does not', async () => {
  expect(await tested()).toMatchObject([
    { outcome: 'skipped', message: expect.stringMatching(/^No callback can arrive.*Set PUBLIC_URL/) },
  ])
})
