import { setTimeout as sleep } from 'node:timers/promises'
import type { Terminal } from '../../src/cli/terminal.ts'
import { killCell, startCells } from './cells.ts'
import { checkLoad, type Verdict } from './check.ts'
import { waitFor } from './children.ts'
import type { Cluster } from './cluster.ts'
import { withStarted } from './command.ts'
import type { ClusterOptions } from './layout.ts'
import { Load, type LoadReport } from './load.ts'

/** Time of the load before the first cell dies. */
const BEFORE_MS = 5_000
/** The longest time without a new request that counts as not noticed, on a machine that also starts the cell again. */
const NOTICED_MS = 2_000

interface Row {
  cell: number
  outage_ms: number
  report: LoadReport
  verdict: Verdict
  total: number
}

/** Start cells, kill the first one under load, and compare what each has with what was sent to it. */
export async function testCells(
  terminal: Terminal,
  { count, ...options }: ClusterOptions & { count: number },
  watch: { rate: number; seconds: number },
): Promise<void> {
  await withStarted(
    terminal,
    (progress) => startCells(options, count, progress),
    async ({ url, cells }) => {
      const wrong = await findWrongAnswers(cells)
      const loads = cells.map(({ layout }) => new Load({ url, api_key: layout.api_key, first: 0 }))
      for (const load of loads) load.start(watch.rate / cells.length)
      await sleep(BEFORE_MS)
      terminal.print(`\nCell 0 dies as a whole (kill -9 of all its programs), and is back after ${watch.seconds} s.`)
      const since = performance.now()
      const repair = await killCell(cells[0]!)
      await sleep(watch.seconds * 1_000)
      await repair()
      await waitFor('cell 0 accepts requests', async () => loads[0]!.acceptedSince(performance.now() - 1_000) > 0)
      const rows: Row[] = []
      for (const [cell, load] of loads.entries()) {
        const report = await load.stop()
        const { db } = cells[cell]!
        rows.push({
          cell,
          outage_ms: report.outageSince(since),
          report,
          verdict: await checkLoad(db, report),
          total: await countRequests(cells[cell]!),
        })
      }
      printRows(terminal, rows)
      for (const text of [...wrong, ...(await findWrongAnswers(cells)), ...rows.flatMap(findFaults)]) {
        terminal.print(terminal.bad(text))
        process.exitCode = 1
      }
    },
  )
}

/** Call each cell with the key of each other, past the load balancer, and for an object of each other. */
async function findWrongAnswers(cells: readonly Cluster[]): Promise<string[]> {
  const wrong: string[] = []
  const ask = async (cell: Cluster, key: string, path: string) => {
    const answer = await fetch(`${cell.url}/api/${path}`, { headers: { authorization: `Token ${key}` } })
    return `${answer.status} ${await answer.text()}`
  }
  for (const [number, cell] of cells.entries())
    for (const [other, { layout, db }] of cells.entries()) {
      if (other === number) continue
      const named = `421 ${JSON.stringify({ detail: `This key belongs to cell ${other}.`, cell: other })}`
      const answered = await ask(cell, layout.api_key, 'collectionrequests')
      if (answered !== named) wrong.push(`Cell ${number} answers the key of cell ${other} with ${answered}.`)
      const [account] = await db<{ id: number }[]>`select min(id) as id from accounts`
      const foreign = await ask(cell, cell.layout.api_key, `accounts/${account!.id}`)
      if (!foreign.startsWith('404')) wrong.push(`Cell ${number} answers an id of cell ${other} with ${foreign}.`)
    }
  return wrong
}

async function countRequests({ db }: Cluster): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) from collection_requests`
  return row!.count
}

function findFaults({ cell, outage_ms, report, verdict, total }: Row): string[] {
  const { lost, doubled, answered, findings } = verdict
  const { unavailable, no_answer } = report.tries
  const noticed = cell > 0 && (outage_ms > NOTICED_MS || unavailable + no_answer > 0)
  return [
    ...findings.map((text) => `Cell ${cell}: ${text}`),
    ...(lost.length + doubled.length > 0 ? [`Cell ${cell}: ${lost.length} lost, ${doubled.length} doubled.`] : []),
    ...(total === answered ? [] : [`Cell ${cell} has ${total} requests, and ${answered} were sent to it.`]),
    ...(noticed ? [`Cell ${cell} has noticed the end of cell 0.`] : []),
  ]
}

function printRows(terminal: Terminal, rows: readonly Row[]): void {
  terminal.print(
    '\n| cell | no request accepted for | answered | in its books | lost | doubled | refused with Retry-After | no answer |',
  )
  terminal.print('|---|---|---|---|---|---|---|---|')
  for (const { cell, outage_ms, report, verdict, total } of rows) {
    const { answered, lost, doubled } = verdict
    const { unavailable, no_answer } = report.tries
    const columns = [
      cell,
      `${(outage_ms / 1_000).toFixed(1)} s`,
      answered,
      total,
      lost.length,
      doubled.length,
      unavailable,
      no_answer,
    ]
    terminal.print(`| ${columns.join(' | ')} |`)
  }
}
