import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect, type Database } from '../../src/db/client.ts'
import { changeOwner } from '../../src/db/embedded/user.ts'
import { Program, waitFor } from './children.ts'
import {
  adminAddress,
  allPorts,
  type ClusterOptions,
  createLayout,
  databaseAddress,
  HOST,
  type Layout,
  NODES,
  portsOf,
  SERVICES,
} from './layout.ts'
import { Node } from './node.ts'
import { isEtcd3Safe, patroniVersion, prepareBinaries, programs } from './programs.ts'
import {
  databaseStatements,
  etcdArguments,
  haproxyFile,
  patroniFile,
  pgbouncerFile,
  pgbouncerUsers,
  serviceSettings,
} from './settings.ts'
import { mountDisk, unmountDisk } from './small-disk.ts'

/** A running cluster: the service in two processes, on a PostgreSQL with two replicas. */
export interface Cluster {
  layout: Layout
  /** The address of the service, behind HAProxy. */
  url: string
  /** The database as its administrator sees it, at the primary. */
  db: Database
  nodes: readonly Node[]
  etcds: readonly Program[]
  services: readonly Program[]
  balancer: Program
  pooler: Program
  /** Guards that move the primary away from a disk that is nearly full. */
  guards: readonly Program[]
  /** End all programs and remove the folder. */
  stop(): Promise<void>
}

/**
 * Start the whole cluster in a new folder, and wait until it serves.
 * @param progress receives the name of each start
 * @throws Error when a program does not start; nothing is left behind then
 */
export async function startCluster(options: ClusterOptions, progress: (text: string) => void): Promise<Cluster> {
  const layout = createLayout(options, isEtcd3Safe(patroniVersion()) ? 'etcd3' : 'etcd')
  const cluster = await assemble(layout).catch((error) => {
    removeFolder(layout)
    throw error
  })
  try {
    await startAll(cluster, progress)
    return cluster
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

async function assemble(layout: Layout): Promise<Cluster> {
  const ports = portsOf(layout)
  await requireFreePorts(layout)
  if (layout.small_disk) mountDisk(join(layout.folder, `node${NODES.length}`), layout.user)
  const bin = await prepareBinaries(layout)
  const server = (name: string, command: string, args: string[]) =>
    new Program(layout, { name, command, args, as_server: true })
  const file = (name: string, text: string) => writeSettings(layout, name, text)
  const etcds = NODES.map((node) => server(`etcd${node}`, programs.etcd.path, etcdArguments(layout, node)))
  const nodes = NODES.map((node) => {
    const settings = file(`patroni${node}.yml`, patroniFile(layout, node, bin))
    return new Node(layout, node, server(`patroni${node}`, programs.patroni.path, [settings]))
  })
  const guards = nodes.map((node) => {
    const args = [DISK_GUARD, join(layout.folder, 'etc', `patroni${node.number}.yml`), node.name, node.disk, GUARD_MB]
    return server(`leave-full-disk${node.number}`, '/bin/sh', args)
  })
  file('users.txt', pgbouncerUsers(layout))
  const balancer = server('haproxy', programs.haproxy.path, ['-db', '-f', file('haproxy.cfg', haproxyFile(layout))])
  const pooler = server('pgbouncer', programs.pgbouncer.path, [file('pgbouncer.ini', pgbouncerFile(layout))])
  const services = SERVICES.map((number) => serviceProgram(layout, number))
  const db = connect(adminAddress(layout, ports.write), { connections: 2, application: 'cluster' })
  const stop = async () => {
    await db.end({ timeout: 1 })
    await Promise.all(services.map((service) => service.stop(8_000)))
    await Promise.all([balancer, pooler, ...guards].map((program) => program.stop(3_000)))
    await Promise.all(nodes.map((node) => node.stop()))
    await Promise.all(etcds.map((etcd) => etcd.stop(3_000)))
    removeFolder(layout)
  }
  return { layout, url: `http://${HOST}:${ports.public}`, db, nodes, etcds, services, balancer, pooler, guards, stop }
}

function removeFolder({ folder, keep }: Layout): void {
  unmountDisk(join(folder, `node${NODES.length}`))
  if (!keep) rmSync(folder, { recursive: true, force: true })
}

/** @throws Error that names a port that another program has */
async function requireFreePorts(layout: Layout): Promise<void> {
  for (const port of allPorts(layout)) {
    const listener = createServer()
    await new Promise<void>((resolve, reject) => listener.once('error', reject).listen(port, HOST, resolve)).catch(
      () => {
        throw new Error(`Port ${port} is in use. Choose others with --port.`)
      },
    )
    await new Promise((resolve) => listener.close(resolve))
  }
}

function writeSettings(layout: Layout, name: string, text: string): string {
  const path = join(layout.folder, 'etc', name)
  writeFileSync(path, text, { mode: 0o600 })
  changeOwner(layout.user, path)
  return path
}

const DISK_GUARD = fileURLToPath(new URL('../../deploy/patroni/leave-full-disk.sh', import.meta.url))
const GUARD_MB = '64'

const SERVICE_PROGRAM = fileURLToPath(new URL('../../src/cli/index.ts', import.meta.url))

function serviceProgram(layout: Layout, number: number): Program {
  return new Program(layout, {
    name: `service${number}`,
    command: process.execPath,
    args: [SERVICE_PROGRAM, 'serve'],
    as_server: false,
    environment: serviceSettings(layout, number),
  })
}

async function startAll(cluster: Cluster, progress: (text: string) => void): Promise<void> {
  const { layout, etcds, nodes, balancer, pooler, guards, services } = cluster
  const ports = portsOf(layout)
  progress('etcd, three processes')
  for (const etcd of etcds) etcd.start()
  await waitFor('etcd has a leader', () => isHealthy(`http://${HOST}:${ports.etcd(1)}/health`))
  progress('PostgreSQL under Patroni: the first node')
  nodes[0]!.start()
  await waitFor('the first node is the primary', () => nodes[0]!.isLeader())
  progress('HAProxy and PgBouncer')
  balancer.start()
  await createDatabase(layout, ports.write)
  pooler.start()
  progress('PostgreSQL under Patroni: two replicas')
  for (const node of nodes.slice(1)) node.start()
  await waitFor('the replicas stream', () => areReplicasStreaming(cluster.db, layout.synchronous))
  for (const guard of guards) guard.start()
  progress('the service, two processes')
  services[0]!.start()
  await waitForService(cluster, 0)
  services[1]!.start()
  await waitForService(cluster, 1)
}

/** Wait until a process of the service serves, and HAProxy knows it. @throws Error with the end of its log */
async function waitForService(cluster: Cluster, index: number, timeout_ms?: number): Promise<void> {
  const ports = portsOf(cluster.layout)
  const [service, port] = [cluster.services[index]!, ports.service(index + 1)]
  const isReady = () => isHealthy(`http://${HOST}:${port}/readyz`)
  await waitFor(`${service.name} is ready`, isReady, timeout_ms).catch((error: Error) => {
    throw new Error(`${error.message}\n${service.lastLines()}`)
  })
  await waitFor('the service is ready behind HAProxy', () => isHealthy(`${cluster.url}/readyz`))
}

/** Wait until a cluster whose programs were started again serves. */
export async function startServing(cluster: Cluster): Promise<void> {
  await waitFor('there is a primary', async () => (await cluster.db`select 1`).length === 1)
  // The requests that were refused meanwhile come at once.
  for (const index of cluster.services.keys()) await waitForService(cluster, index, RESTART_TIMEOUT_MS)
  await waitFor(
    'the replicas stream',
    () => areReplicasStreaming(cluster.db, cluster.layout.synchronous),
    RESTART_TIMEOUT_MS,
  )
}

const RESTART_TIMEOUT_MS = 300_000

async function createDatabase(layout: Layout, port: number): Promise<void> {
  const admin = connect(databaseAddress(layout, 'admin', port), { connections: 1, application: 'cluster' })
  try {
    await waitFor('PostgreSQL accepts connections', async () => (await admin`select 1`).length === 1)
    for (const statement of databaseStatements(layout)) await admin.unsafe(statement)
  } finally {
    await admin.end({ timeout: 1 })
  }
}

/** Return true if two replicas stream. @param synchronous whether every commit must wait for one of them */
export async function areReplicasStreaming(db: Database, synchronous: boolean): Promise<boolean> {
  const [row] = await db<{ streaming: number; synchronous: number }[]>`
    select count(*) filter (where state = 'streaming') as streaming,
      count(*) filter (where sync_state in ('sync', 'quorum')) as synchronous
    from pg_stat_replication where application_name like 'node%'`
  return row!.streaming === NODES.length - 1 && (row!.synchronous > 0 || !synchronous)
}

/** Return true if an address answers with 200 within two seconds. */
export async function isHealthy(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok
}
