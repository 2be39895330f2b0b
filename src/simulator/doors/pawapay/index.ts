import { randomInt } from 'node:crypto'
import { defineDoor, readBodiesAsText } from '../door.ts'
import { callbacksOf } from './callbacks.ts'
import { addGateway } from './gateway.ts'
import { numbers } from './numbers.ts'
import { addOrderRoutes } from './orders.ts'
import { signCallback } from './signatures.ts'
import { API_TOKEN, switches } from './switches.ts'
import { addToolkitRoutes } from './toolkit.ts'
import { addToolkitRoutesOfV1 } from './toolkit-v1.ts'

/**
 * pawaPay (API versions 1 and 2): deposits, payouts and refunds at the providers of twenty countries, and the queries
 * beside them. Each country has its own wallet, which is the till of the simulated world. See docs/networks/pawapay.md.
 */
export const pawapayDoor = defineDoor({
  code: 'pawapay',
  name: 'pawaPay',
  hosts: { api: '' },
  credentials: [{ name: 'api_token', value: API_TOKEN }],
  numbers,
  switches,
  routes(server, world) {
    readBodiesAsText(server)
    addGateway(server)
    addOrderRoutes(server, world)
    addToolkitRoutes(server, world)
    addToolkitRoutesOfV1(server, world)
  },
  // Transaction id at the provider. Its form differs by provider.
  transactionId: () => String(randomInt(1_000_000_000, 99_999_999_999)),
  callbacks: callbacksOf,
  completeCallback: signCallback,
})
