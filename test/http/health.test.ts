import { pino } from 'pino'
import { expect, it } from 'vitest'
import { Unavailable } from '../../src/core/refusals.ts'
import { addHealth } from '../../src/http/health.ts'
import { createServer } from '../../src/http/server.ts'

/** What is said of a service whose database answers like this. */
async function readiness(ready: () => Promise<void>, patience_ms?: number) {
  const server = createServer({ log: pino({ level: 'silent' }), trust_proxy: 'off' })
  addHealth(server, ready, patience_ms)
  const { statusCode, headers, body } = await server.inject('/readyz')
  const health = await server.inject('/healthz')
  await server.close()
  expect(health.json()).toEqual({ status: 'ok' })
  return { statusCode, retry: headers['retry-after'] !== undefined, body: JSON.parse(body) }
}

it('says that the service can work', async () => {
  expect(await readiness(async () => {})).toEqual({ statusCode: 200, retry: false, body: { status: 'ready' } })
})

it('says that it cannot, and why', async () => {
  const fault = async () => {
    throw new Unavailable('The database waits for 2 migrations.')
  }
  const body = { detail: 'The database waits for 2 migrations.' }
  expect(await readiness(fault)).toEqual({ statusCode: 503, retry: true, body })
})

it('does not wait for ever for a database that hangs', async () => {
  const body = { detail: 'The database does not answer.' }
  expect(await readiness(() => new Promise(() => {}), 10)).toEqual({ statusCode: 503, retry: true, body })
})
