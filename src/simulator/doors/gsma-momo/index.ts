import { randomInt } from 'node:crypto'
import { defineDoor, readBodiesAsText } from '../door.ts'
import { addAccountRoutes } from './accounts.ts'
import { numbers } from './codes.ts'
import { API, addGateway, TOKENS } from './gateway.ts'
import { addOrderRoutes } from './orders.ts'
import { addQuestionRoutes } from './questions.ts'
import { credentials, switches } from './switches.ts'
import { callbacksOf } from './wire.ts'

/** A provider that speaks the GSMA Mobile Money API 1.2. Its switches are what the standard leaves open, or says twice. */
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
    addOrderRoutes(server, world)
    addQuestionRoutes(server, world)
    addAccountRoutes(server, world)
  },
  transactionId: (_kind, now) => `REF-${now.getTime()}${String(randomInt(10 ** 9)).padStart(9, '0')}`,
  callbacks: callbacksOf,
})
