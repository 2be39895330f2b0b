import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Terminal } from '../../src/cli/terminal.ts'
import { checkLoad, type Verdict } from './check.ts'
import { waitFor } from './children.ts'
import { areReplicasStreaming, type Cluster, isHealthy, startCluster } from './cluster.ts'
import { clusterFlags, readClusterOptions, readNumber, requirePrograms, runCommand, withStarted } from './command.ts'
import { type Fault, faults, setSynchronous } from './faults.ts'
import { HOST, portsOf, SERVICES } from './layout.ts'
import { Load } from './load.ts'
import { mayMount } from './small-disk.ts'
import { testCells } from './test-cells.ts'

const names = faults.map(({ name }) => name)

/**
 * Time from the end of a lost primary's place to the first accepted request: a replica waits 2 s for the answer of the old
 * primary, and is promoted; HAProxy and PgBouncer notice within a second each.
 */
const AFTER_TTL_S = 6

const HELP = `Starts the cluster of \`npm run cluster\`, lets things happen to it while collections are under way, and prints how long
no request was accepted, and what was lost.

  npm run cluster:test -- [options]

  --only <names>    faults with commas between them, of ${names.join(', ')}
  --rate <n>        new collection requests a second (100)
  --seconds <n>     how long each fault is watched before it is repaired (20)
  --cells <n>       start so many cells behind one address, and kill the first as a whole, instead of all this
  --port, --ttl, --keep, --install, --help   as for npm run cluster

The exit code is 1 when an answered request is lost or doubled, when the books do not balance, or when the service is away
for longer than ttl and ${AFTER_TTL_S} seconds.`

interface Row {
  fault: Fault
  outage_ms: number
  tries: Record<string, number>
  verdict: Verdict
}

async function main(terminal: Terminal): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...clusterFlags,
      only: { type: 'string', default: names.join(',') },
      rate: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '20' },
    },
  })
  if (values.help) return terminal.print(HELP)
  const chosen = chooseFaults(values.only).filter(({ name }) => name !== 'disk' || mayMount)
  const watch = {
    rate: readNumber('--rate', values.rate, { min: 1, max: 10_000 }),
    seconds: readNumber('--seconds', values.seconds, { min: 1, max: 600 }),
  }
  const { count, ...given } = readClusterOptions(values)
  if (count > 1) {
    requirePrograms(terminal, values.install)
    return testCells(terminal, { ...given, count, synchronous: true, console: false }, watch)
  }
  const options = {
    ...given,
    synchronous: true,
    console: false,
    small_disk: chosen.some(({ name }) => name === 'disk'),
  }
  requirePrograms(terminal, values.install)
  await withStarted(
    terminal,
    (progress) => startCluster(options, progress),
    async (cluster) => {
      const rows: Row[] = []
      await tryFaults(terminal, cluster, chosen, watch, rows).finally(() => printTable(terminal, rows))
      await printReads(terminal, cluster)
      if (!rows.every((row) => isGood(row, 1_000 * (options.ttl_s + AFTER_TTL_S)))) process.exitCode = 1
    },
  )
}

function chooseFaults(only: string): Fault[] {
  const wanted = only.split(',')
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`There is no fault ${unknown}; there are ${names.join(', ')}.`)
  return faults.filter(({ name }) => wanted.includes(name))
}

async function tryFaults(
  terminal: Terminal,
  cluster: Cluster,
  chosen: readonly Fault[],
  watch: { rate: number; seconds: number },
  rows: Row[],
): Promise<void> {
  let next = 0
  for (const fault of chosen) {
    terminal.print(`\n${terminal.strong(fault.name)}: ${fault.title}`)
    if (fault.asynchronous) await setSynchronous(cluster, false)
    await fault.prepare?.(cluster)
    const load = new Load({ url: cluster.url, api_key: cluster.layout.api_key, first: next })
    rows.push({ fault, ...(await tryFault(terminal, cluster, fault, load, watch)) })
    next = load.next
    if (fault.asynchronous) await setSynchronous(cluster, true)
  }
}

const BEFORE_MS = 5_000

async function tryFault(
  terminal: Terminal,
  cluster: Cluster,
  fault: Fault,
  load: Load,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Omit<Row, 'fault'>> {
  load.start(rate)
  await sleep(BEFORE_MS)
  const since = performance.now()
  const repair = await fault.inflict(cluster)
  await sleep(seconds * 1_000)
  await repair()
  await waitUntilWhole(cluster, fault)
  await waitFor('requests are accepted again', async () => load.acceptedSince(performance.now() - 1_000) > 0)
  const report = await load.stop()
  const outage_ms = report.outageSince(since)
  terminal.print(`  no request accepted for ${(outage_ms / 1_000).toFixed(1)} s; ${report.reads} reads; checking …`)
  const verdict = await checkLoad(cluster.db, report)
  for (const finding of verdict.findings) terminal.print(`  ${terminal.bad(finding)}`)
  return { outage_ms, tries: report.tries, verdict }
}

/** Wait until all nodes, processes and proxies work again. */
async function waitUntilWhole(cluster: Cluster, { asynchronous }: Fault): Promise<void> {
  const ports = portsOf(cluster.layout)
  const synchronous = cluster.layout.synchronous && !asynchronous
  await waitFor('both replicas stream again', () => areReplicasStreaming(cluster.db, synchronous), 300_000)
  for (const [index, service] of cluster.services.entries())
    await waitFor(`${service.name} is ready again`, () =>
      isHealthy(`http://${HOST}:${ports.service(index + 1)}/readyz`),
    )
}

function isGood({ fault, outage_ms, verdict }: Row, max_outage_ms: number): boolean {
  if (fault.asynchronous) return true
  const { lost, doubled, findings } = verdict
  return [...lost, ...doubled, ...findings].length === 0 && outage_ms <= max_outage_ms
}

function printTable(terminal: Terminal, rows: readonly Row[]): void {
  terminal.print(
    '\n| what happened | no request accepted for | answered | lost | doubled | refused with Retry-After | no answer |',
  )
  terminal.print('|---|---|---|---|---|---|---|')
  for (const { fault, outage_ms, tries, verdict } of rows) {
    const { answered, lost, doubled } = verdict
    const cells = [fault.title, `${(outage_ms / 1_000).toFixed(1)} s`, answered, lost.length, doubled.length]
    terminal.print(`| ${[...cells, tries.unavailable, tries.no_answer].join(' | ')} |`)
  }
}

/** Print the servers that answered the reads of both processes since their start. */
async function printReads(terminal: Terminal, { layout }: Cluster): Promise<void> {
  const ports = portsOf(layout)
  for (const number of SERVICES) {
    const text = await (await fetch(`http://${HOST}:${ports.service(number)}/metrics`)).text()
    const counts = [...text.matchAll(/^kusanya_replica_reads_total\{server="(\w+)",reason="(\w+)"\} (\d+)$/gm)]
    const words = counts.map(([, server, reason, count]) => `${count} on the ${server} (${reason})`)
    terminal.print(`Reads of process ${number}: ${words.join(', ')}`)
  }
}

await runCommand(main)
