import { createHmac } from 'node:crypto'
import type { CallbackRequest, Change } from '../../world/world.ts'
import { defineDoor, readBodiesAsText } from '../door.ts'
import { addBillRoutes } from './bills.ts'
import { addProductGateway, addTokenRoute } from './gateway.ts'
import { addBillerRoutes, addOperatorLookups, addOperatorRoutes } from './lists.ts'
import { type SaleDetails, statusOf } from './sales.ts'
import { credentials, numbers, type ReloadlyState, switches, WEBHOOK_SECRET } from './switches.ts'
import { addTopupRoutes, unknownPath } from './topups.ts'
import { literal, toJson } from './wire.ts'

/** Reloadly: airtime and data of many countries, and bills of some, from one account in dollars. */
export const reloadlyDoor = defineDoor({
  code: 'reloadly',
  name: 'Reloadly',
  hosts: { auth: '/auth', topups: '/topups', utilities: '/utilities' },
  credentials,
  numbers,
  switches,
  routes(server, world) {
    readBodiesAsText(server)
    server.setNotFoundHandler((request, reply) => reply.code(404).send(unknownPath(request.url, world.now())))
    addTokenRoute(server, world)
    server.register(async (scope) => {
      addProductGateway(scope, world, 'topups')
      addTopupRoutes(scope, world)
      addOperatorRoutes(scope)
      addOperatorLookups(scope)
    })
    server.register(async (scope) => {
      addProductGateway(scope, world, 'utilities')
      addBillRoutes(scope, world)
      addBillerRoutes(scope)
    })
  },
  callbacks,
})

/** The end of every sale is reported, also of one that has ended at once. */
function callbacks(change: Change, { switches: set, now, forged }: ReloadlyState): CallbackRequest[] {
  if (change.event !== 'payout.ended' || set.callback_url === '') return []
  const { payout } = change
  const details = payout.details as unknown as SaleDetails
  const is_bill = payout.key.startsWith('bill/')
  const body = toJson({
    type: is_bill ? 'utilities_transaction.status' : 'airtime_transaction.status',
    data: {
      transactionId: literal(payout.remote_id),
      status: statusOf({ payout, details }),
      [is_bill ? 'referenceId' : 'customIdentifier']: details.identifier,
    },
  })
  const time = String(now.getTime())
  const key = forged ? 'another secret' : WEBHOOK_SECRET
  const signature = createHmac('sha256', key).update(`${body}:${time}`).digest('hex')
  const signed = { 'x-reloadly-signature': signature, 'x-reloadly-request-timestamp': time }
  const headers = { 'content-type': 'application/json', ...(set.signatures === 'signed' && signed) }
  return [{ url: set.callback_url, body, headers, max_attempts: 5 }]
}
