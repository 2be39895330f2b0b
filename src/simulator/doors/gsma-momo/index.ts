import { defineDoor, readBodiesAsText } from '../door.ts'
import { addAccountRoutes } from './accounts.ts'
import { addBatchRoutes } from './batches.ts'
import { addBillRoutes } from './bills.ts'
import { numbers } from './codes.ts'
import { API, addGateway, SDK, TOKENS } from './gateway.ts'
import { newReference } from './objects.ts'
import { addOrderRoutes } from './orders.ts'
import { addQueryRoutes } from './questions.ts'
import { addResourceRoutes } from './resources.ts'
import { addStatementRoutes } from './statements.ts'
import { credentials, switches } from './switches.ts'
import { callbacksOf } from './wire.ts'

/**
 * Provider that speaks the GSMA Mobile Money API 1.2. Its switches cover points that the standard leaves open or
 * defines twice.
 */
export const gsmaMomoDoor = defineDoor({
  code: 'gsma-momo',
  name: 'GSMA Mobile Money API',
  hosts: { api: API, token: TOKENS },
  credentials,
  numbers,
  switches,
  routes(server, world) {
    readBodiesAsText(server)
    addGateway(server, world)
    for (const prefix of [API, ...Object.values(SDK)])
      server.register(
        async (api) => {
          addOrderRoutes(api, world)
          addQueryRoutes(api, world)
          addAccountRoutes(api, world)
          addStatementRoutes(api, world)
          addResourceRoutes(api, world)
          addBillRoutes(api, world)
          addBatchRoutes(api, world)
        },
        { prefix },
      )
  },
  transactionId: (_kind, now) => newReference(now),
  callbacks: callbacksOf,
})
