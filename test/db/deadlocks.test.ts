import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin, connect } from '../../src/db/client.ts'
import { cloneDatabase } from '../test-app.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>

beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

describe('a transaction that meets another one in a deadlock', () => {
  it('is repeated, so that both take effect', async () => {
    const pool = connect(database.url, { connections: 2, application: 'tests' })
    await pool.unsafe(`
      create table if not exists wallets (id int primary key, balance int not null);
      insert into wallets values (1, 0), (2, 0) on conflict do nothing`)
    let runs = 0
    let waiting = 2
    let meet = () => {}
    const met = new Promise<void>((resolve) => {
      meet = resolve
    })
    const add = (first: number, second: number) =>
      begin(pool, async (tx) => {
        runs += 1
        await tx`update wallets set balance = balance + 1 where id = ${first}`
        waiting -= 1
        if (waiting <= 0) meet()
        await met
        await tx`update wallets set balance = balance + 1 where id = ${second}`
      })
    await Promise.all([add(1, 2), add(2, 1)])
    const balances = await pool<{ balance: number }[]>`select balance from wallets order by id`
    await pool.end({ timeout: 1 })
    expect([runs, balances.map(({ balance }) => balance)]).toEqual([3, [2, 2]])
  })
})
