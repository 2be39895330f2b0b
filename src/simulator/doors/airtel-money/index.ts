import { createHmac, randomInt } from 'node:crypto'
import { displayAmount } from '../../../lib/money.ts'
import type { CallbackRequest, Change } from '../../world/world.ts'
import { defineDoor, readBodiesAsText } from '../door.ts'
import { numbers } from './codes.ts'
import { addCollectionRoutes } from './collection-routes.ts'
import { addGateway } from './gateway.ts'
import { addAccountRoutes, addDisbursementRoutes } from './other-routes.ts'
import { type AirtelState, CALLBACK_KEY, credentials, switches } from './switches.ts'

/** Airtel Money as its Open API speaks, in all its countries. The driver's documentation names its numbers and credentials. */
export const airtelMoneyDoor = defineDoor({
  code: 'airtel-money',
  name: 'Airtel Money',
  hosts: { api: '' },
  credentials,
  numbers,
  switches,
  routes(server, world) {
    readBodiesAsText(server)
    server.setNotFoundHandler((_request, reply) =>
      reply.code(404).send({ message: 'no Route matched with those values' }),
    )
    addGateway(server, world)
    addCollectionRoutes(server, world)
    addDisbursementRoutes(server, world)
    addAccountRoutes(server, world)
  },
  transactionId,
  callbacks,
})

/** Return an id such as `MP261122.0930.L06941`: day, hour and minute, then a unique part. */
function transactionId(kind: 'payment' | 'payout' | 'refund' | 'reversal', now: Date): string {
  const [, year, month, day, hour, minute] = /^\d\d(\d\d)-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(now.toISOString())!
  const letter = String.fromCharCode(65 + randomInt(26))
  const digits = String(randomInt(10 ** 11)).padStart(11, '0')
  return `${kind === 'payment' ? 'MP' : 'CI'}${year}${month}${day}.${hour}${minute}.${letter}${digits}`
}

/** Report the final state of a requested payment, once. A success may still follow a reported failure. */
function callbacks(change: Change, { switches, forged }: AirtelState): CallbackRequest[] {
  if (switches.callback_url === '') return []
  const transaction = describe(change)
  if (!transaction) return []
  const hashed = JSON.stringify(switches.callback_hash === 'body' ? { transaction } : transaction)
  const key = forged ? 'another key' : CALLBACK_KEY
  const hash = createHmac('sha256', key).update(hashed).digest('base64')
  const body = JSON.stringify(switches.callback_hash === 'none' ? { transaction } : { transaction, hash })
  return [{ url: switches.callback_url, body }]
}

function describe(change: Change) {
  if (change.event === 'charge.failed') {
    const { key: id, failure } = change.charge
    return { id, message: failure?.message ?? 'Failed', status_code: 'TF' }
  }
  if (change.event !== 'charge.paid') return undefined
  const { remote_id, amount, currency } = change.payment
  const message = `Paid ${currency} ${displayAmount(amount)} to SIMULATED SHOP Charge ${currency} 0, Trans ID ${remote_id}.`
  return { id: change.charge.key, message, status_code: 'TS', airtel_money_id: remote_id }
}
