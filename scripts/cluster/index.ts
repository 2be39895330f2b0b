import { parseArgs } from 'node:util'
import { processTerminal, type Terminal } from '../../src/cli/terminal.ts'
import { interruption } from './children.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { adminAddress, type ClusterOptions, portsOf } from './layout.ts'
import { installPackages, missingPackages } from './programs.ts'

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

/** The options that both commands have. */
export const clusterFlags = {
  port: { type: 'string', default: '7400' },
  ttl: { type: 'string', default: '10' },
  async: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  install: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

interface ClusterFlags {
  port: string
  ttl: string
  async: boolean
  keep: boolean
  install: boolean
}

/** Reads the options that both commands have. @throws Error that says what is wrong */
export function readClusterOptions(flags: ClusterFlags): Omit<ClusterOptions, 'console'> {
  const [port, ttl_s] = [Number(flags.port), Number(flags.ttl)]
  if (!Number.isInteger(port) || port < 1_024 || port > 65_000) throw new Error('--port must be from 1024 to 65000.')
  if (!Number.isInteger(ttl_s) || ttl_s < 8 || ttl_s > 300) throw new Error('--ttl must be from 8 to 300.')
  return { port, ttl_s, synchronous: !flags.async, keep: flags.keep }
}

/** Makes sure that the programs are there. @throws Error that names the packages */
export function requirePrograms(terminal: Terminal, install: boolean): void {
  if (process.platform !== 'linux') throw new Error('The cluster runs on Debian, and on systems with its packages.')
  const missing = missingPackages()
  if (missing.length === 0) return
  if (!install)
    throw new Error(`Install ${missing.join(', ')}: apt-get install ${missing.join(' ')}, or add --install.`)
  terminal.print(`Installing ${missing.join(', ')} …`)
  installPackages(missing)
}

async function main(terminal: Terminal): Promise<void> {
  const { values } = parseArgs({ options: clusterFlags })
  if (values.help) return terminal.print(HELP)
  const options = readClusterOptions(values)
  requirePrograms(terminal, values.install)
  await withCluster(terminal, { ...options, console: true }, async (cluster) => {
    printAddresses(terminal, cluster)
    await new Promise(() => {})
  })
}

/**
 * Runs the cluster for as long as some work takes, or until SIGINT or SIGTERM. Nothing is left behind in either case. A
 * second signal is ignored, because ending takes only seconds.
 */
export async function withCluster(
  terminal: Terminal,
  options: ClusterOptions,
  work: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  const { signal } = interruption
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interruption.abort())
  try {
    const cluster = await startCluster(options, (text) => terminal.print(`Starting ${text} …`))
    const interrupted = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    await Promise.race([work(cluster), interrupted]).finally(() => {
      terminal.print('Stopping …')
      return cluster.stop()
    })
  } catch (error) {
    if (!signal.aborted) throw error
  }
  // Work that was interrupted may still wait for something.
  process.exit(signal.aborted ? EXIT_INTERRUPTED : process.exitCode)
}

/** What a shell shows for a program that Ctrl-C has ended. */
const EXIT_INTERRUPTED = 130

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

Ctrl-C ends it and removes the folder.`)
}

if (import.meta.main) await main(processTerminal())
