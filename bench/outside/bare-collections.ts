import { setTimeout as sleep } from 'node:timers/promises'
import type { BareProgress, BareTargets } from '../bare/collector.ts'
import { load } from '../load.ts'
import { type Options, WARMUP_S } from '../measurements.ts'
import { endChild, processorTime, startAnswering } from '../processes.ts'
import { numberedCreates } from '../requests.ts'
import type { Shop } from '../shops.ts'
import { startReceiver } from '../start-receiver.ts'
import type { NetworkStats } from './network.ts'
import { TRUST_OF_RECEIVERS } from './outside.ts'

const POLL_MS = 50
const STUCK_AFTER_MS = 30_000

/** Rate of ended collections, and the collector's processor time for each. */
export interface BareCollections {
  per_second: number
  collector_ms: number
}

/**
 * Make the HTTP exchanges of collections with everything on, and nothing else (`bench/bare/collector.ts`), as many as
 * the machine can: for `load_s` seconds requests are created as fast as they are accepted, and the time runs until the
 * last notification.
 * @throws Error if an exchange fails, or none ends for half a minute
 */
export async function measureBareCollections(
  { connections }: Options,
  shops: readonly Shop[],
  load_s: number,
): Promise<BareCollections> {
  const notifications = await startReceiver()
  const sms = await startReceiver()
  const program = new URL('../bare/collector.ts', import.meta.url)
  const collector = await startAnswering<BareTargets | 'read', BareProgress>(program, [], TRUST_OF_RECEIVERS)
  const network = await startAnswering<string, NetworkStats>(new URL('./network.ts', import.meta.url), [
    `${collector.url}/callback`,
  ])
  const collect = async (seconds: number): Promise<number> => {
    const { ended: before } = await collector.send('read')
    const job = { url: collector.url, connections, warmup_s: 0, seconds, expected: 201 }
    await load({ ...job, ...numberedCreates(shops, before) })
    const { ended, failed } = await waitUntilEnded(() => collector.send('read'))
    if (failed > 0) throw new Error(`${failed} calls of the bare collector failed.`)
    return ended - before
  }
  try {
    await collector.send({ network: network.url, sms: `${sms.url}/sms`, notifications: `${notifications.url}/shop` })
    await collect(WARMUP_S)
    const started_at = performance.now()
    const before_ms = processorTime(collector.child.pid!)
    const ended = await collect(load_s)
    const per_second = (ended / (performance.now() - started_at)) * 1_000
    return { per_second, collector_ms: (processorTime(collector.child.pid!) - before_ms) / ended }
  } finally {
    for (const { child } of [collector, network, notifications, sms]) await endChild(child)
  }
}

async function waitUntilEnded(read: () => Promise<BareProgress>): Promise<BareProgress> {
  let last = await read()
  let changed_at = performance.now()
  while (last.ended < last.created) {
    await sleep(POLL_MS)
    const now = await read()
    if (now.ended > last.ended) changed_at = performance.now()
    else if (performance.now() - changed_at > STUCK_AFTER_MS)
      throw new Error(`${now.created - now.ended} collections of the bare collector have not ended.`)
    last = now
  }
  return last
}
