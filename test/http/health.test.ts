import { pino } from 'pino'
import { expect, it } from 'vitest'
import { Unavailable } from '../../src/core/refusals.ts'
import { addHealth } from '../../src/http/health.ts'
import { createServer } from '../../src/http/server.ts'

/** The response of /readyz with this readiness check. */
async function readiness(checkReady: () => Promise<void>, timeout_ms?: number) {
  const server = createServer({ log: pino({ level: 'silent' }), trust_proxy: 'off' })
  addHealth(server, checkReady, timeout_ms)
  const { statusCode, headers, body } = await server.inject('/readyz')
  const health = await server.inject('/healthz')
  await server.close()
  expect(health.json()).toEqual({ status: 'ok' })
  return { statusCode, retry: headers['retry-after'] !== undefined, body: JSON.parse(body) }
}

it('is ready when the check succeeds', async () => {
  expect(await readiness(async () => {})).toEqual({ statusCode: 200, retry: false, body: { status: 'ready' } })
})

it('is not ready when the check fails, and gives the reason', async () => {
  const failingCheck = async () => {
    throw new Unavailable('The database waits for 2 migrations.')
  }
  const body = { detail: 'The database waits for 2 migrations.' }
  expect(await readiness(failingCheck)).toEqual({ statusCode: 503, retry: true, body })
})

it('is not ready when the check hangs', async () => {
  const body = { detail: 'The database does not answer.' }
  expect(await readiness(() => new Promise(() => {}), 10)).toEqual({ statusCode: 503, retry: true, body })
})
