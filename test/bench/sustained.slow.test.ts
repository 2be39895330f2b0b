import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BenchPostgres, startPostgres } from '../../bench/postgres.ts'
import { endChildren } from '../../bench/processes.ts'
import { measureSustained } from '../../bench/scenarios/sustained.ts'

/* `npm run bench -- --only sustained --seconds 30 --connections 150` is the same for longer. */

let postgres: BenchPostgres
beforeAll(async () => {
  postgres = await startPostgres(1)
})
afterAll(async () => {
  await endChildren()
  await postgres.close()
})

it('no payment misses its request under full load with everything on', async () => {
  const service = await postgres.startService([], 1)
  const options = {
    seconds: 3,
    connections: 150,
    rounds: 1,
    rows: 1,
    processes: 1,
    organizations: 1,
    minutes: 1,
    due: 1,
    collections: 1,
    collections_per_second: 1,
  }
  const { checks } = await measureSustained({ service, options })
  expect(checks.filter(({ holds }) => !holds)).toEqual([])
  await service.close()
})
