import { parseArgs } from 'node:util'
import type { Terminal } from '../../src/cli/terminal.ts'
import { type Cells, startCells } from './cells.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { clusterFlags, readClusterOptions, requirePrograms, runCommand, withStarted } from './command.ts'
import { adminAddress, portsOf } from './layout.ts'

const HELP = `Runs the service on a PostgreSQL with two replicas, all on this machine, until Ctrl-C.

  npm run cluster -- [options]

  --port <n>        the port of the service; the other programs take the 60 ports after it (7400)
  --ttl <seconds>   after this long a primary that says nothing loses its place; at least 8 (9), and 20 from Patroni 3.2 on
  --cells <n>       so many of them behind one address, each with the 60 ports from 100 after the other (1)
  --async           commits do not wait for a replica
  --keep            keep the folder, with the logs of all programs
  --install         install the Debian packages that are missing, as root
  --help

PostgreSQL comes from npm; etcd, Patroni, HAProxy and PgBouncer are Debian packages. Everything is in one folder, which
is removed at the end.`

async function main(terminal: Terminal): Promise<void> {
  const { values } = parseArgs({ options: { ...clusterFlags, async: { type: 'boolean', default: false } } })
  if (values.help) return terminal.print(HELP)
  const { count, ...chosen } = readClusterOptions(values)
  const options = { ...chosen, synchronous: !values.async, console: true }
  requirePrograms(terminal, values.install)
  const forEver = () => new Promise<void>(() => {})
  if (count > 1)
    return withStarted(
      terminal,
      (progress) => startCells(options, count, progress),
      (cells) => {
        printCells(terminal, cells)
        return forEver()
      },
    )
  await withStarted(
    terminal,
    (progress) => startCluster(options, progress),
    (cluster) => {
      printAddresses(terminal, cluster)
      return forEver()
    },
  )
}

function printCells(terminal: Terminal, { url, cells }: Cells): void {
  const lines = cells.map(
    ({ layout, url: own }, cell) =>
      `  cell ${cell}   key ${layout.api_key}   alone ${own}   the primary ${adminAddress(layout, portsOf(layout).write)}`,
  )
  terminal.print(
    `\n${terminal.strong('The cells run.')}\n\n  all cells  ${url}\n${lines.join('\n')}\n\nCtrl-C ends them.`,
  )
}

function printAddresses(terminal: Terminal, { layout, url }: Cluster): void {
  const ports = portsOf(layout)
  terminal.print(`
${terminal.strong('The cluster runs.')}

  the service            ${url}
  API key                ${layout.api_key}
  the primary            ${adminAddress(layout, ports.write)}
  the replicas           ${adminAddress(layout, ports.read)}
  Patroni                http://127.0.0.1:${ports.patroni(1)}/cluster
  folder, with the logs  ${layout.folder}

Ctrl-C ends it${layout.keep ? '' : ' and removes the folder'}.`)
}

await runCommand(main)
