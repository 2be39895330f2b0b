import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandboxBiller } from '../../src/billers/sandbox.ts'
import type { Database } from '../../src/db/client.ts'
import { createTestSimulator, openDatabase, SECRET } from '../simulator/simulator-test.ts'
import { defineBillerTests } from './contract.ts'
import { buildVend } from './orders.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let db: Database
beforeAll(async () => {
  database = await openDatabase()
  db = database.db
})
afterAll(() => database.drop())

const billerAt = (url: string, timeout_ms: number) =>
  createSandboxBiller({ url: () => url, secret: SECRET, timeout_ms })

defineBillerTests({
  biller: billerAt,
  order: () => buildVend(),
  refused: () => buildVend({ scenario: 'decline' }),
  async open() {
    const simulator = createTestSimulator(db)
    return {
      url: await simulator.listen(),
      async sold(reference) {
        return (await db`select from simulator_vends where reference = ${reference} and state = 'vended'`).length
      },
      close: () => simulator.stop(),
    }
  },
})

describe('the sandbox biller', () => {
  it('is unknown when its reference belongs to another order, and sells nothing when the secret is wrong', async () => {
    const simulator = createTestSimulator(db)
    const url = await simulator.listen()
    const order = buildVend()
    await billerAt(url, 20_000).vend(order)
    expect(await billerAt(url, 20_000).vend({ ...order, amount: 1n })).toMatchObject({ outcome: 'unknown' })
    const unauthorized = createSandboxBiller({ url: () => url, secret: 'another', timeout_ms: 20_000 })
    expect(await unauthorized.vend(buildVend())).toMatchObject({ outcome: 'failed', reason: 'no_answer' })
    await simulator.stop()
  })
})
