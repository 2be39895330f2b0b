import type { CallbackRequest, Change } from '../../world/world.ts'
import { defineDoor, readBodiesAsText } from '../door.ts'
import { addGateway } from './gateway.ts'
import { addPurchaseRoutes } from './purchases.ts'
import { addQueryRoutes } from './questions.ts'
import { credentials, numbers, switches, type VtpassState } from './switches.ts'
import { detailsOf, showTransaction } from './transactions.ts'

/** VTpass, which sells airtime, data, TV, electricity and exam pins in Nigeria from a wallet. */
export const vtpassDoor = defineDoor({
  code: 'vtpass',
  name: 'VTpass',
  hosts: { api: '' },
  credentials,
  numbers,
  switches,
  routes(server, world) {
    readBodiesAsText(server)
    addGateway(server, world)
    addPurchaseRoutes(server, world)
    addQueryRoutes(server, world)
  },
  callbacks,
})

/** Report only the end of a purchase that was pending. Reports are unsigned. */
function callbacks(change: Change, { switches: set }: VtpassState): CallbackRequest[] {
  if (change.event !== 'payout.ended' || set.callback_url === '' || !detailsOf(change.payout).pending) return []
  const body = JSON.stringify({ type: 'transaction-update', data: showTransaction(change.payout, set) })
  return [{ url: set.callback_url, body, max_attempts: 5 }]
}
