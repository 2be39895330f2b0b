import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxBiller } from '../../src/billers/sandbox.ts'
import type { Database } from '../../src/db/client.ts'
import { openDatabase, SECRET, simulatorOver } from '../simulator/simulator-test.ts'
import { testsOfEveryBiller } from './contract.ts'
import { vendOf } from './orders.ts'

let database: Awaited<ReturnType<typeof openDatabase>>
let db: Database
beforeAll(async () => {
  database = await openDatabase()
  db = database.db
})
afterAll(() => database.drop())

const billerAt = (url: string, timeout_ms: number) => sandboxBiller({ url: () => url, secret: SECRET, timeout_ms })

testsOfEveryBiller({
  biller: billerAt,
  order: () => vendOf(),
  refused: () => vendOf({ scenario: 'decline' }),
  async open() {
    const simulator = simulatorOver(db)
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
  it('is unknown when its reference belongs to another order, and when the door does not know us', async () => {
    const simulator = simulatorOver(db)
    const url = await simulator.listen()
    const order = vendOf()
    await billerAt(url, 20_000).vend(order)
    expect(await billerAt(url, 20_000).vend({ ...order, amount: 1n })).toMatchObject({ outcome: 'unknown' })
    const stranger = sandboxBiller({ url: () => url, secret: 'another', timeout_ms: 20_000 })
    expect(await stranger.vend(vendOf())).toMatchObject({ outcome: 'unknown' })
    await simulator.stop()
  })
})
