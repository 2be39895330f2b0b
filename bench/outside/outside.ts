import { fileURLToPath } from 'node:url'
import { SANDBOX_SECRET } from '../../src/simulator/standalone.ts'
import { type BenchPostgres, type BenchService, settingsOf } from '../postgres.ts'
import { type AnsweringChild, endChild, processorTime, runCommand, startAnswering } from '../processes.ts'
import { authorization } from '../requests.ts'
import type { Shop } from '../shops.ts'
import { startReceiver } from '../start-receiver.ts'
import type { NetworkStats } from './network.ts'

/** Calls received outside since the start. */
export interface OutsideCalls {
  network: NetworkStats
  notifications: number
  sms: number
}

/** A service with everything on. Network, SMS provider and receiver of webhooks are not the product: they run beside it, in memory. */
export interface ServiceWithOutside {
  service: BenchService
  countCalls(): Promise<OutsideCalls>
  /** The processor time in ms that network, SMS provider and receiver have used. */
  processorTime(): number
  /** The ids of their processes. */
  pids: number[]
  close(): Promise<void>
}

/** The setting with which a process trusts the certificate of the receivers. */
export const TRUST_OF_RECEIVERS = {
  NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('../../test/fixtures/localhost-cert.pem', import.meta.url)),
}

/** The connection to the network outside, and the first of our tills there. */
const CONNECTION = 'outside'
const FIRST_TILL = 600_100

/** The events that the webhooks of each organization subscribe to. */
const EVENTS = ['collectionrequest.status.changed', 'collection.received']

/**
 * Start a service whose customers pay over a network in another process, a second after the prompt. Each collection has
 * a contact look-up for a new customer, notifications over TLS, and two SMS over TLS.
 */
export async function startServiceWithOutside(
  postgres: BenchPostgres,
  organizations: number,
  { settings = {}, processes }: { settings?: Record<string, string>; processes?: number } = {},
): Promise<ServiceWithOutside> {
  const notifications = await startReceiver()
  const sms = await startReceiver()
  const all = { SMS_URL: sms.url, ...TRUST_OF_RECEIVERS, ...settings }
  const service = await postgres.startService([], organizations, all, processes)
  const network: AnsweringChild<string, NetworkStats> = await startAnswering(new URL('./network.ts', import.meta.url), [
    `${service.url}/api/callbacks/${CONNECTION}`,
  ])
  await connectNetwork(service, network.url)
  for (const shop of service.shops) await createWebhooks(service.url, shop, notifications.url)
  const children = [notifications.child, sms.child, network.child]
  const pids = children.map(({ pid }) => pid!)
  return {
    service,
    pids,
    processorTime: () => pids.reduce((sum, pid) => sum + processorTime(pid), 0),
    async countCalls() {
      return {
        network: await network.send('read'),
        notifications: (await notifications.send('read')).total,
        sms: (await sms.send('read')).total,
      }
    },
    async close() {
      await service.close()
      for (const child of children) await endChild(child)
    },
  }
}

/** Let the wallets of the service collect over the network outside. */
async function connectNetwork({ database_url, shops }: BenchService, url: string): Promise<void> {
  const settings = settingsOf(database_url)
  const run = (command: string[], input?: string) => runCommand(['connections', ...command], settings, input)
  const limits = ['--max-concurrent', '1000', '--max-per-second', '10000']
  const place = ['--slug', CONNECTION, '--environment', 'sandbox', '--host', `api=${url}`]
  await run(['add', 'sandbox', ...place, ...limits, '--secrets-stdin'], `secret=${SANDBOX_SECRET}`)
  for (const [index, { account }] of shops.entries())
    await run(['places', 'add', CONNECTION, String(account), String(FIRST_TILL + index)])
  await run(['resume', CONNECTION])
}

async function createWebhooks(service_url: string, shop: Shop, target_url: string): Promise<void> {
  for (const event of EVENTS) {
    const answer = await fetch(`${service_url}/api/webhooks`, {
      method: 'POST',
      headers: { ...authorization(shop), 'content-type': 'application/json' },
      body: JSON.stringify({ event, target: `${target_url}/shop?skip-cert-verify` }),
    })
    if (answer.status !== 201) throw new Error(`A webhook could not be created: ${await answer.text()}`)
  }
}
