import { randomInt } from 'node:crypto'
import { type Door, defineDoor, readBodiesAsText } from '../door.ts'
import { addAccountRoutes, addDeliveryNotification } from './accounts.ts'
import { addGateway, addTokenRoute, subscriptionKeys } from './gateway.ts'
import { numbers } from './numbers.ts'
import { addOrderRoutes } from './orders.ts'
import { switches } from './switches.ts'
import { addUserRoutes, documentedUser } from './users.ts'
import { callbacksOf } from './wire.ts'

/**
 * MTN MoMo: tokens, orders of all kinds, account holders, balances and the creation of API users. The test numbers of
 * MTN's sandbox work in every target environment. See docs/networks/mtn-momo.md.
 */
export function createMtnMomoDoor(): Door {
  return defineDoor({
    code: 'mtn-momo',
    name: 'MTN MoMo',
    hosts: { api: '' },
    credentials: [
      { name: 'collection_subscription_key', value: subscriptionKeys.collection, help: 'Ocp-Apim-Subscription-Key' },
      { name: 'collection_api_user', value: documentedUser.id },
      { name: 'collection_api_key', value: documentedUser.key },
      {
        name: 'disbursement_subscription_key',
        value: subscriptionKeys.disbursement,
        help: 'Ocp-Apim-Subscription-Key',
      },
      { name: 'target_environment', value: 'sandbox', help: 'or any country of MTN, such as mtnuganda' },
    ],
    numbers,
    switches,
    routes(server, world) {
      readBodiesAsText(server)
      addGateway(server)
      addUserRoutes(server, world)
      addOrderRoutes(server, world)
      addDeliveryNotification(server, world)
      for (const product of ['collection', 'disbursement'] as const) {
        addTokenRoute(server, world, product)
        addAccountRoutes(server, world, product)
      }
    },
    // MTN's ids of money are numbers of no fixed length.
    transactionId: () => String(randomInt(10_000_000_000, 99_999_999_999)),
    callbacks: (change, state) => callbacksOf(change, state.switches),
  })
}
