import { setTimeout as sleep } from 'node:timers/promises'
import { load } from '../load.ts'
import { type Figure, figureOf, printProgress, type Result, type ScenarioContext } from '../measurements.ts'
import { rawCreates } from '../requests.ts'
import { checkBooks } from './settle.ts'

/** How many requests run through everything, and how long they may take. */
const REQUEST_COUNT = 3_000
const TIMEOUT_MS = 60_000

/**
 * Jobs, the simulated network and its customers in one process: requests are made as fast as they are taken, prompts go
 * out, customers pay a second later, callbacks come in. Counted from the first request until the last one is successful.
 */
export async function measureEverything({ service: house, options }: ScenarioContext): Promise<Result> {
  const requests = rawCreates(house.shops).slice(0, REQUEST_COUNT)
  printProgress('everything on')
  const begun = performance.now()
  const job = { ...options, url: house.url, requests, once: true, warmup_s: 0, seconds: 60, expected: 201 }
  const outcome = await load(job)
  const answered = outcome.statuses[201] ?? 0
  let successful = 0
  while (successful < answered && performance.now() - begun < TIMEOUT_MS) {
    await sleep(50)
    const [row] = await house.db<{ count: number }[]>`
      select count(*) from collection_requests where status = 'successful'`
    successful = row?.count ?? 0
  }
  const seconds = (performance.now() - begun) / 1_000
  const settled: Figure = {
    name: 'everything on: from create to successful',
    per_second: successful / seconds,
    p50_ms: null,
    p99_ms: null,
    errors: answered - successful,
  }
  return {
    figures: [figureOf('everything on: create', [outcome]), settled],
    checks: [
      { claim: `${successful} of ${answered} requests were paid`, holds: successful === answered },
      await checkBooks(house.db),
    ],
  }
}
