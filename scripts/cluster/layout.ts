import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeOwner, findServerUser, type ServerUser } from '../../src/db/embedded/user.ts'
import { cellMark, KEY_PREFIX } from '../../src/lib/text/cells.ts'

/** The nodes of the database, each with an etcd, a Patroni and a PostgreSQL. */
export const NODES = [1, 2, 3] as const
/** The processes of the service. */
export const SERVICES = [1, 2] as const

export interface ClusterOptions {
  /** The port of the service behind HAProxy; the other programs take the ports after it. */
  port: number
  /** True if a commit waits for a replica before it is confirmed. */
  synchronous: boolean
  /** Seconds after which a primary that says nothing loses its place. */
  ttl_s: number
  console: boolean
  /** True if the folder stays, with the logs of all programs. */
  keep: boolean
  /** True if the last node has its own small disk, which can be filled. Only root can make it. */
  small_disk?: boolean
  /** The cell, and what all cells share, when there are several. */
  cell?: CellOfSeveral
}

/** A cell among others behind one address. */
export interface CellOfSeveral {
  number: number
  /** The address of all cells. */
  public_url: string
  /** The addresses of the cells by their numbers. */
  addresses: Record<string, string>
  /** The secret of all cells. */
  secret: string
}

/** The section of Patroni's file for etcd: version 3 of its interface, or version 2. */
export type EtcdInterface = 'etcd3' | 'etcd'

/** Layout of a cluster: one folder, the ports of this machine, and the passwords of this run. */
export interface Layout extends ClusterOptions {
  folder: string
  /** The user of all programs but the service; null when the cluster is not started by root. */
  user: ServerUser | null
  passwords: Record<'admin' | 'owner' | 'service', string>
  etcd_interface: EtcdInterface
  secret_key: string
  api_key: string
}

/** Make the folder of a new cluster, which `user` can enter. */
export function createLayout(options: ClusterOptions, etcd_interface: EtcdInterface): Layout {
  const user = process.getuid?.() === 0 ? findServerUser() : null
  const folder = mkdtempSync(join(tmpdir(), 'kusanya-cluster-'))
  chmodSync(folder, 0o755)
  const password = () => randomBytes(16).toString('hex')
  const layout = {
    ...options,
    folder,
    user,
    etcd_interface,
    passwords: { admin: password(), owner: password(), service: password() },
    secret_key: password(),
    api_key: `${KEY_PREFIX}${cellMark(options.cell?.number ?? 0)}${password()}`,
  }
  for (const name of ['tmp', 'log', 'etc', 'service', ...NODES.flatMap((node) => [`etcd${node}`, `node${node}`])])
    makeFolder(layout, name)
  return layout
}

function makeFolder({ folder, user }: Pick<Layout, 'folder' | 'user'>, name: string): void {
  mkdirSync(join(folder, name), { mode: name === 'service' ? 0o700 : 0o750 })
  if (name !== 'service') changeOwner(user, join(folder, name))
}

/** Return the ports, by listener. */
export function portsOf({ port }: Pick<ClusterOptions, 'port'>) {
  return {
    /** The service, behind HAProxy. */
    public: port,
    /** PostgreSQL's primary and its replicas, behind HAProxy. */
    write: port + 1,
    read: port + 2,
    pooler: port + 3,
    etcd: (node: number) => port + 10 + node,
    etcd_peer: (node: number) => port + 20 + node,
    postgres: (node: number) => port + 30 + node,
    patroni: (node: number) => port + 40 + node,
    service: (number: number) => port + 50 + number,
  }
}

export function allPorts(options: Pick<ClusterOptions, 'port'>): number[] {
  const ports = portsOf(options)
  const nodes = NODES.flatMap((node) =>
    [ports.etcd, ports.etcd_peer, ports.postgres, ports.patroni].map((portOf) => portOf(node)),
  )
  return [ports.public, ports.write, ports.read, ports.pooler, ...nodes, ...SERVICES.map(ports.service)]
}

export const HOST = '127.0.0.1'
export const DATABASE = 'kusanya'
export const OWNER = 'kusanya_owner'
export const SERVICE = 'kusanya_service'
export const ADMIN = 'postgres'

/** The address of the database behind one of the ports, for one of the roles. */
export function databaseAddress(layout: Layout, role: 'admin' | 'owner' | 'service', port: number): string {
  const user = { admin: ADMIN, owner: OWNER, service: SERVICE }[role]
  return `postgres://${user}:${layout.passwords[role]}@${HOST}:${port}/${role === 'admin' ? 'postgres' : DATABASE}`
}

/** The address of the database itself behind one of the ports, for the administrator. */
export function adminAddress(layout: Layout, port: number): string {
  return databaseAddress(layout, 'admin', port).replace(/\/postgres$/, `/${DATABASE}`)
}
