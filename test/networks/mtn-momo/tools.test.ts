import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NetworkOperations } from '../../../src/networks/contract.ts'
import { mtnMomo } from '../../../src/networks/mtn-momo/index.ts'
import { openProcess, stillClock, type TestProcess } from '../../connections/tools/setup.ts'
import { type Bound, openBound } from '../../drivers/bound.ts'
import { openDatabase } from '../../simulator/simulator-test.ts'
import { CHARGE, connectionAt, openMtn, order, secrets, tokenAnswer } from './mtn-test.ts'

/*
 * The driver with the tools that the service gives it: their HTTP client, their tokens and their log.
 */

let database: Awaited<ReturnType<typeof openDatabase>>
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.drop())

const TOKEN = 'POST /collection/token/'
const accepted = { outcome: 'accepted', remote_id: expect.any(String) }

async function withTools(
  answers: Parameters<typeof openMtn>[0],
  test: (
    server: Awaited<ReturnType<typeof openMtn>>,
    driver: Bound<NetworkOperations>,
    process: TestProcess,
  ) => Promise<void>,
): Promise<void> {
  const server = await openMtn(answers)
  const process = openProcess(database.db, stillClock())
  const tools = process.tools({ slug: `mtn-${randomUUID()}`, traits: mtnMomo.traits })
  try {
    await test(server, openBound(mtnMomo, connectionAt(server.url), tools), process)
  } finally {
    await server.close()
  }
}

describe('with the tools of the service', () => {
  it('two hundred charges at once use one token call, which has a length and no body', async () => {
    await withTools({ [CHARGE]: { status: 202 } }, async ({ seen }, driver) => {
      const charges = Array.from({ length: 200 }, () => driver.charge!({ ...order, reference: randomUUID() }))
      for (const answer of await Promise.all(charges)) expect(answer).toEqual(accepted)
      const tokens = seen.filter(({ line }) => line === TOKEN)
      expect(tokens).toMatchObject([{ headers: { 'content-length': '0' }, body: '' }])
      expect(seen).toHaveLength(201)
    })
  })

  it('charges that meet a refused token renew it once', async () => {
    const answers = { [TOKEN]: [tokenAnswer, { status: 200, body: { access_token: 'token-2', expires_in: 3600 } }] }
    await withTools(answers, async (server, driver) => {
      server.answers[CHARGE] = (request, response) =>
        response
          .writeHead(request.headers.authorization === 'Bearer token-2' ? 202 : 401, { 'content-length': 0 })
          .end()
      const charges = Array.from({ length: 20 }, () => driver.charge!({ ...order, reference: randomUUID() }))
      for (const answer of await Promise.all(charges)) expect(answer).toEqual(accepted)
      expect(server.seen.filter(({ line }) => line === TOKEN)).toHaveLength(2)
    })
  })

  it('a wrong key is an alarm, and no secret is in the log', async () => {
    await withTools(
      { [TOKEN]: { status: 401, body: { error: 'login_failed' } } },
      async (_server, driver, { lines }) => {
        expect(await driver.charge!(order)).toMatchObject({ outcome: 'unknown' })
        const text = JSON.stringify(lines)
        expect(text).toContain('collection_api_key')
        for (const secret of Object.values(secrets)) expect(text).not.toContain(secret)
      },
    )
  })
})
