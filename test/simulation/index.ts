import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { Presets, SingleBar } from 'cli-progress'
import { runOverlap } from './overlap/run.ts'
import { type RunResult, runSeed } from './run.ts'
import { startServer } from './server.ts'
import { openStore } from './store.ts'
import type { WorkerMessage } from './worker.ts'

const HELP = `Drives the whole service through random stories against a real database, and checks it on the way.

  npm run simulate -- [options]

  --seeds <n>        how many stories (100)
  --from <n>         the first seed (1)
  --steps <n>        how long each story is (120)
  --workers <n>      how many run at once (one for each processor)
  --until-failure    stop at the first that fails
  --overlap          transactions that really overlap, in several processes at once; these stories have no steps
  --seed <n>         this one alone, telling all that happens in it
  --help

A seed gives the same story every time. One that fails is printed with the command that runs it alone. With --overlap the
machine decides which transaction meets which one, so a seed may have to run several times.`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    steps: { type: 'string', default: '120' },
    workers: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string' },
    'until-failure': { type: 'boolean', default: false },
    overlap: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}
const steps = Number(values.steps)
const { overlap } = values
const kind = overlap ? '--overlap' : `--steps ${steps}`
const server = await startServer()
try {
  const failed = values.seed === undefined ? await runMany() : await runAlone(Number(values.seed))
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await server.stop()
}

async function runAlone(seed: number): Promise<number> {
  const store = await openStore(server.url)
  const result = await (overlap ? runOverlap(store, seed) : runSeed(store, seed, { steps, log: console.log }))
  await store.close()
  for (const violation of result.violations) console.log(`WRONG: ${violation}`)
  console.log(figures(result.counts))
  return result.violations.length
}

async function runMany(): Promise<number> {
  const [first, count] = [Number(values.from), Number(values.seeds)]
  const begun = performance.now()
  const bar = new SingleBar(
    { format: '{bar} {value}/{total} seeds, {failed} failed, {eta_formatted} left' },
    Presets.shades_classic,
  )
  const sums: Record<string, number> = {}
  const failures: RunResult[] = []
  let next = first
  let done = 0
  bar.start(count, 0, { failed: 0 })

  function take(result: RunResult): void {
    done += 1
    for (const [name, number] of Object.entries(result.counts)) sums[name] = (sums[name] ?? 0) + number
    if (result.violations.length > 0) failures.push(result)
    bar.update(done, { failed: failures.length })
  }

  async function work(): Promise<void> {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: { url: server.url, steps, overlap },
    })
    await new Promise<void>((resolve, reject) => {
      const give = () => {
        const over = next >= first + count || (values['until-failure'] && failures.length > 0)
        const order: WorkerMessage = over ? 'stop' : next
        next += 1
        worker.postMessage(order)
      }
      worker.on('message', (message: RunResult | 'ready') => {
        if (message !== 'ready') take(message)
        give()
      })
      worker.once('error', reject)
      worker.once('exit', () => resolve())
    })
  }

  await Promise.all(Array.from({ length: Number(values.workers) }, work))
  bar.stop()
  const seconds = (performance.now() - begun) / 1_000
  console.log(`${done} seeds (${kind}) in ${seconds.toFixed(1)} s, ${(done / seconds).toFixed(1)} a second.`)
  console.log(figures(sums))
  for (const { seed, violations } of failures.sort((a, b) => a.seed - b.seed)) {
    console.log(`\nSeed ${seed} fails: npm run simulate -- --seed ${seed} ${kind}`)
    for (const violation of violations.slice(0, 5)) console.log(`  ${violation}`)
  }
  return failures.length
}

function figures(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ')
}
