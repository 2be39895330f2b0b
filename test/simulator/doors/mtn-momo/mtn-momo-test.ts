import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Database } from '../../../../src/db/client.ts'
import type { Order, Payout } from '../../../../src/lib/adapter-types.ts'
import type { NetworkOperations, OpenedConnection } from '../../../../src/networks/contract.ts'
import { mtnMomo } from '../../../../src/networks/mtn-momo/index.ts'
import { settings as schema } from '../../../../src/networks/mtn-momo/settings.ts'
import { type Bound, openBound } from '../../../drivers/bound.ts'
import { testTools } from '../../../networks/mtn-momo/mtn-test.ts'
import { openSimulatorTest, type SimulatorTest } from '../../simulator-test.ts'

/** Documented credentials of the simulated network. */
export const credentials = {
  collection_subscription_key: 'simulated-collection-subscription-key',
  collection_api_user: '6d746e2d-6d6f-4d6f-8000-73696d756c61',
  collection_api_key: '0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  disbursement_subscription_key: 'simulated-disbursement-subscription-key',
}

/** A callback of the simulated network. */
export interface SentCallback {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

export interface MtnTest extends SimulatorTest {
  /** The base URL of the simulated MTN. */
  mtn_url: string
  /** The callbacks that came, in their order. */
  sent: SentCallback[]
  callback_host: string
  /** The driver at the simulated MTN, in its sandbox unless the settings say otherwise. */
  driver(settings?: Record<string, unknown>): Bound<NetworkOperations>
}

/** Start the simulated networks, and a business that takes callbacks. */
export async function openMtnTest(db: Database): Promise<MtnTest> {
  const harness = await openSimulatorTest(db)
  const sent: SentCallback[] = []
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    sent.push({ method: request.method!, path: request.url!, headers: request.headers as Record<string, string>, body })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const callback_host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const mtn_url = harness.simulator.urlOf('mtn-momo')
  return {
    ...harness,
    mtn_url,
    sent,
    callback_host,
    driver(settings = {}) {
      const hosts = harness.simulator.hostsOf('mtn-momo')
      const parsed = schema.parse({ target_environment: 'sandbox', ...credentials, ...settings })
      const opened = {
        slug: 'mtn',
        environment: 'simulated',
        hosts,
        settings: parsed,
      } as unknown as OpenedConnection<never>
      const callbackUrl = (reference: string | null) =>
        `http://${callback_host}/00ff${reference ? `/${reference}` : ''}`
      return openBound(mtnMomo, opened, { ...testTools(20_000), callbackUrl })
    },
    async close() {
      await harness.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A charge in the sandbox with a new reference at every call. */
export function charge(phonenumber: string, changes: Partial<Order> = {}): Order {
  return {
    reference: randomUUID(),
    receiver: 'ours',
    phonenumber,
    amount: 15_000_000n,
    currency: 'EUR',
    reason: 'Order 12',
    remote_id: null,
    ...changes,
  }
}

export function payoutTo(phonenumber: string, changes: Partial<Payout> = {}): Payout {
  const { receiver: sender, ...order } = charge(phonenumber)
  return { ...order, sender, kind: 'money', ...changes }
}
