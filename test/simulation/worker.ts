import { parentPort, workerData } from 'node:worker_threads'
import { runOverlap } from './overlap/run.ts'
import { type RunResult, runSeed } from './run.ts'
import { openStore } from './store.ts'

/** The seed to run next, or that there is none. */
export type WorkerMessage = number | 'stop'

/** Run seeds in a separate thread over a separate database, on request. */
const { url, steps, overlap } = workerData as { url: string; steps: number; overlap: boolean }
const store = await openStore(url)
parentPort!.on('message', async (order: WorkerMessage) => {
  if (order === 'stop') {
    await store.close()
    parentPort!.close()
    return
  }
  parentPort!.postMessage(await run(order))
})
parentPort!.postMessage('ready')

async function run(seed: number): Promise<RunResult> {
  try {
    return await (overlap ? runOverlap(store, seed) : runSeed(store, seed, { steps }))
  } catch (error) {
    return { seed, violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)], counts: {} }
  }
}
