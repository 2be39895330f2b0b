import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from './children.ts'
import type { Cluster } from './cluster.ts'
import { HOST, portsOf } from './layout.ts'
import type { Node } from './node.ts'

/** Something that happens to the cluster while it works. */
export interface Fault {
  name: string
  /** The fault in plain words, for the table. */
  title: string
  /** Cause the fault. Returns a repair, as an operator or systemd would do it. */
  inflict(cluster: Cluster): Promise<() => void | Promise<void>>
  /** Prepare a required condition, such as another primary. */
  prepare?(cluster: Cluster): Promise<void>
  /** True if commits are confirmed without a replica during this fault. It shows the losses then, and cannot fail. */
  asynchronous?: boolean
}

/** All faults, in the order in which they are tried. */
export const faults: readonly Fault[] = [
  {
    name: 'primary',
    title: 'the machine of the primary dies (kill -9 of PostgreSQL and Patroni)',
    async inflict(cluster) {
      const node = await findLeader(cluster)
      await node.kill()
      return () => node.start()
    },
  },
  {
    name: 'postgres',
    title: 'PostgreSQL of the primary dies (kill -9), Patroni lives',
    async inflict(cluster) {
      const node = await findLeader(cluster)
      node.killPostgres()
      return () => {}
    },
  },
  {
    name: 'service',
    title: 'a process of the service dies (kill -9)',
    async inflict({ services }) {
      services[0]!.kill()
      return () => {}
    },
  },
  {
    name: 'balancer',
    title: 'the load balancer dies (kill -9)',
    async inflict({ balancer }) {
      balancer.kill()
      return () => {}
    },
  },
  {
    name: 'pooler',
    title: 'the connection pooler dies (kill -9)',
    async inflict({ pooler }) {
      pooler.kill()
      return () => {}
    },
  },
  {
    name: 'etcd',
    title: 'the leader of etcd dies (kill -9)',
    async inflict(cluster) {
      const etcd = cluster.etcds[await findEtcdLeader(cluster)]!
      await etcd.hold()
      return () => etcd.start()
    },
  },
  {
    name: 'frozen',
    title: 'the machine of the primary stands still (SIGSTOP), and goes on after its place is taken',
    async inflict(cluster) {
      const node = await findLeader(cluster)
      node.freeze()
      return () => node.thaw()
    },
  },
  {
    name: 'replica',
    title: 'the replica that commits wait for stands still (SIGSTOP)',
    async inflict(cluster) {
      const node = await findSynchronousReplica(cluster)
      node.freeze()
      return () => node.thaw()
    },
  },
  {
    name: 'switchover',
    title: 'an operator changes the primary (switchover)',
    async inflict(cluster) {
      const [leader, candidate] = await Promise.all([findLeader(cluster), findSynchronousReplica(cluster)])
      await leader.ask('POST', '/switchover', { leader: leader.name, candidate: candidate.name })
      return () => {}
    },
  },
  {
    name: 'disk',
    title: 'the disk of the primary is full',
    prepare: (cluster) => makeLeader(cluster, cluster.nodes.find(({ small_disk }) => small_disk)!),
    async inflict(cluster) {
      const node = await findLeader(cluster)
      const file = join(node.disk, 'ballast')
      fillDisk(file)
      return () => rmSync(file)
    },
  },
  {
    name: 'behind',
    title: 'the primary dies while its replicas get nothing (walsenders stopped for a second)',
    inflict: killWithoutReplication,
  },
  {
    name: 'behind-async',
    title: 'the same without synchronous_mode',
    asynchronous: true,
    inflict: killWithoutReplication,
  },
]

/** Let the replicas get nothing for a second, as over a broken line, and then kill the primary. */
async function killWithoutReplication(cluster: Cluster): Promise<() => void> {
  const node = await findLeader(cluster)
  const senders = await cluster.db<{ pid: number }[]>`select pid from pg_stat_replication`
  node.freezeSenders(senders.map(({ pid }) => pid))
  await sleep(1_000)
  await node.kill()
  return () => node.start()
}

/** Write until nothing more fits. */
function fillDisk(file: string): void {
  const descriptor = openSync(file, 'w')
  try {
    for (const bytes of [1_048_576, 4_096]) writeUntilFull(descriptor, Buffer.alloc(bytes))
  } finally {
    closeSync(descriptor)
  }
}

function writeUntilFull(descriptor: number, piece: Buffer): void {
  try {
    for (;;) writeSync(descriptor, piece)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

/** The node that is the primary. */
export async function findLeader({ nodes }: Pick<Cluster, 'nodes'>): Promise<Node> {
  return waitFor('there is a primary', async () => {
    for (const node of nodes) if (await node.isLeader().catch(() => false)) return node
    return undefined
  })
}

async function findSynchronousReplica(cluster: Cluster): Promise<Node> {
  const leader = await findLeader(cluster)
  return waitFor('there is a synchronous replica', async () => {
    const name = (await leader.members()).find(({ role }) => role === 'sync_standby')?.name
    return cluster.nodes.find((node) => node.name === name)
  })
}

/** Make a node the primary by switchovers. Only the synchronous replica may become it. */
async function makeLeader(cluster: Cluster, wanted: Node): Promise<void> {
  const leader = await findLeader(cluster)
  if (leader === wanted) return
  const next = await findSynchronousReplica(cluster)
  await leader.ask('POST', '/switchover', { leader: leader.name, candidate: next.name })
  await waitFor('the replica is the primary', () => next.isLeader())
  await waitFor('commits wait for a replica again', async () => (await findSynchronousReplica(cluster)) !== undefined)
  if (next !== wanted) await makeLeader(cluster, wanted)
}

/** The index of the etcd that leads the others. */
async function findEtcdLeader({ layout, etcds }: Cluster): Promise<number> {
  const ports = portsOf(layout)
  for (const index of etcds.keys()) {
    const url = `http://${HOST}:${ports.etcd(index + 1)}/v3/maintenance/status`
    const answer = await fetch(url, { method: 'POST', body: '{}' })
    const { leader, header } = (await answer.json()) as { leader: string; header: { member_id: string } }
    if (leader === header.member_id) return index
  }
  throw new Error('etcd has no leader.')
}

/** Turn the waiting of commits for a replica on or off. */
export async function setSynchronous(cluster: Cluster, synchronous: boolean): Promise<void> {
  const leader = await findLeader(cluster)
  await leader.ask('PATCH', '/config', { synchronous_mode: synchronous })
  await waitFor('the replicas follow in the wanted way', async () => {
    const rows = await cluster.db<{ sync_state: string }[]>`select sync_state from pg_stat_replication`
    return rows.length > 0 && rows.some(({ sync_state }) => sync_state !== 'async') === synchronous
  })
}
