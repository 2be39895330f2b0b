import { parseArgs } from 'node:util'
import type { Terminal } from '../../src/cli/terminal.ts'
import type { Cluster } from './cluster.ts'
import { clusterFlags, readClusterOptions, requirePrograms, runCommand, withCluster } from './command.ts'
import { adminAddress, portsOf } from './layout.ts'

const HELP = `Runs the service on a PostgreSQL with two replicas, all on this machine, until Ctrl-C.

  npm run cluster -- [options]

  --port <n>        the port of the service; the other programs take the 60 ports after it (7400)
  --ttl <seconds>   after this long a primary that says nothing loses its place; at least 8 (10)
  --async           commits do not wait for a replica
  --keep            keep the folder, with the logs of all programs
  --install         install the Debian packages that are missing, as root
  --help

PostgreSQL comes from npm; etcd, Patroni, HAProxy and PgBouncer are Debian packages. Everything is in one folder, which
is removed at the end.`

async function main(terminal: Terminal): Promise<void> {
  const { values } = parseArgs({ options: { ...clusterFlags, async: { type: 'boolean', default: false } } })
  if (values.help) return terminal.print(HELP)
  const options = { ...readClusterOptions(values), synchronous: !values.async, console: true }
  requirePrograms(terminal, values.install)
  await withCluster(terminal, options, async (cluster) => {
    printAddresses(terminal, cluster)
    await new Promise(() => {})
  })
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
