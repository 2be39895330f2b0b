import { setTimeout as sleep } from 'node:timers/promises'
import { load } from '../load.ts'
import { type Figure, figureOf, printProgress, type Result, type ScenarioContext } from '../measurements.ts'
import { rawCreates } from '../requests.ts'
import { checkBooks } from './settle.ts'

/** The number of requests, and how long they may take. */
const REQUEST_COUNT = 3_000
const TIMEOUT_MS = 60_000

/**
 * Measures the whole flow with the jobs and the simulated network in the service: requests are created as fast as they
 * are accepted, customers pay a second later, and callbacks arrive. The time runs from the first request to the last
 * success.
 */
export async function measureEverything({ service, options }: ScenarioContext): Promise<Result> {
  const requests = rawCreates(service.shops).slice(0, REQUEST_COUNT)
  printProgress('everything on')
  const started_at = performance.now()
  const job = { ...options, url: service.url, requests, once: true, warmup_s: 0, seconds: 60, expected: 201 }
  const outcome = await load(job)
  const answered = outcome.statuses[201] ?? 0
  let successful = 0
  while (successful < answered && performance.now() - started_at < TIMEOUT_MS) {
    await sleep(50)
    const [row] = await service.db<{ count: number }[]>`
      select count(*) from collection_requests where status = 'successful'`
    successful = row?.count ?? 0
  }
  const seconds = (performance.now() - started_at) / 1_000
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
      await checkBooks(service.db),
    ],
  }
}
