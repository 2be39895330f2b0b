import { addConnection } from '../../../src/connections/changes.ts'
import { connectionContext } from '../../../src/connections/operate.ts'
import { type ConnectionRow, setConnectionState } from '../../../src/core/connections/connections.ts'
import { addPlace } from '../../../src/core/connections/places.ts'
import { begin } from '../../../src/db/client.ts'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { eventually, testClock } from '../../test-app.ts'
import { openPayingNetwork, type PayingNetwork, type SentPrompt } from './paying-network.ts'
import { settings } from './recorded-network.ts'

/** A running service with connections to a Daraja that reports what the test sends. */
export interface DarajaShop {
  service: TestService
  network: PayingNetwork
  /** The account that collects Kenya shillings. */
  account: number
  /** Add a connection with these settings, which carries all requests from now on. An empty one is not given. */
  connect(slug: string, changes: Record<string, string | boolean>): Promise<ConnectionRow>
  /** The address of a connection for callbacks. */
  addressOf(connection: ConnectionRow): string
  /** Make a request for each amount, from its own phone, and return them with their prompts. */
  ask(amounts: readonly number[]): Promise<{ id: number; prompt: SentPrompt }[]>
  /** Wait until nothing is due. */
  settle(): Promise<void>
  close(): Promise<void>
}

export async function openDarajaShop(): Promise<DarajaShop> {
  const network = await openPayingNetwork()
  const service = await openTestService({ clock: testClock(new Date()) })
  const { app, db, clock } = service.testApp
  const [wallet] = await db<{ id: number }[]>`select id from accounts where currency = 'KES' and kind = 'local'`
  let current: ConnectionRow | undefined
  let connections = 0
  let phones = 0
  return {
    service,
    network,
    account: wallet!.id,
    async connect(slug, changes) {
      const previous = current
      connections += 1
      const short_code = String(174370 + connections)
      const number = changes.kind === 'till' ? `51234${connections}` : short_code
      const till = changes.kind === 'till' ? { till: number } : {}
      const given = {
        ...settings,
        payout_short_code: '600996',
        sender_addresses: '127.0.0.1',
        short_code,
        ...till,
        ...changes,
      }
      const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
      const input = { slug, driver: 'daraja', environment: 'sandbox', organization: null, hosts: { api: network.url } }
      current = await begin(db, async (tx) => {
        const added = await addConnection(tx, connectionContext(app), { ...input, values })
        await addPlace(tx, { connection: slug, account: wallet!.id, number })
        if (previous) await setConnectionState(tx, clock.now(), previous.slug, 'paused')
        return setConnectionState(tx, clock.now(), added.slug, 'active', { force: true })
      })
      await app.providers.refresh()
      return current
    },
    addressOf: ({ slug, callback_secret }) => `${service.url}/api/callbacks/${slug}/${callback_secret}`,
    async ask(amounts) {
      const asked = await Promise.all(
        amounts.map(async (amount) => {
          phones += 1
          const phonenumber = `+2547110${String(phones).padStart(5, '0')}`
          return service.createRequest({ phonenumber, amount, currency: 'KES', send_instructions: true })
        }),
      )
      const ids = asked.map(({ id }) => id)
      const orders = await eventually('the prompts', async () => {
        const rows = await db<{ collection_request: number; reference: string }[]>`
          select collection_request, reference from network_orders
          where collection_request = any(${ids}::bigint[]) and state = 'accepted'`
        return rows.length === ids.length ? rows : undefined
      })
      const references = new Map(orders.map((order) => [order.collection_request, order.reference]))
      return ids.map((id) => ({ id, prompt: network.prompts.get(references.get(id)!)! }))
    },
    settle: () =>
      eventually('all work to be done', async () => {
        const due = await db`
          select 1 from callbacks where due_at <= ${clock.now()}
          union all select 1 from network_orders where due_at <= ${clock.now()}`
        return due.length === 0 || undefined
      }).then(() => {}),
    async close() {
      await service.close()
      await network.close()
    },
  }
}
