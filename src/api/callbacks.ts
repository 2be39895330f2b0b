import type { App } from '../app.ts'
import { type NewCallback, storeCallbacks } from '../core/connections/callbacks.ts'
import { eraseLate } from '../core/contacts/message-erasure.ts'
import { type ReceivedMoney, receiveMoney } from '../core/collections/incoming-payments.ts'
import { NotFound } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { closeAddress } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import type { Throttle } from '../http/throttle.ts'
import { networkByCode } from '../networks/index.ts'
import type { Knock, Network, RawCallback } from '../networks/network.ts'
import { createWrite } from './batched-calls.ts'
import { countStranger, rawCallback, takeRawBodies } from './raw-callbacks.ts'
import { addOffers } from './validation-requests.ts'

/** Some networks report once, and all are patient: they wait longer than a customer would before they are turned away. */
const LONGEST_WAIT_MS = 10_000

/** Where networks report. It is on disk before the network gets its answer. */
export function addCallbacks(server: Server, app: App, throttle: Throttle): void {
  const take = takeCallbacks(app)

  server.register(async (scope) => {
    takeRawBodies(scope)
    addOffers(scope, app, throttle)
    scope.route({
      method: ['POST', 'PUT'],
      url: '/api/callbacks/:network',
      schema: { hide: true },
      // It only records, and some networks report once: what they have to say during maintenance must not be lost.
      config: { in_maintenance: true },
      handler: async (request, reply) => {
        const network = networkByCode(app.networks, (request.params as { network: string }).network)
        if (!network?.readCallback) throw new NotFound()
        const arrived = readArrival(network, rawCallback(request))
        if (!arrived.knock || !isVerified(arrived.knock)) await countStranger(app, throttle, request)
        await take(arrived)
        app.wake()
        return reply.type(network.callbackReply.content_type).send(network.callbackReply.body)
      },
    })
    closeAddress(scope as unknown as Server, '/api/callbacks/:network', ['POST', 'PUT'])
  })
}

/**
 * Makes the write that takes callbacks. What is signed and tells of money is settled at once; everything else is kept as a
 * knock, and the read-callbacks job asks the network what is true.
 */
export function takeCallbacks(app: App): (arrived: Arrived) => Promise<void> {
  return createWrite(
    app,
    (items: Arrived[]) =>
      begin(app.db, async (tx) => {
        const now = app.clock.now()
        const ids = await storeCallbacks(tx, now, items.map(toRow))
        const reports = items.flatMap(({ money }, index) => (money ? [{ money, callback: ids[index]! }] : []))
        const taken = await receiveMoney(
          tx,
          now,
          reports.map(({ money }) => money),
        )
        // Money that was in the books before may be that of somebody who was erased meanwhile.
        const known = reports.filter((_, index) => taken[index] === 'known' || taken[index] === 'reversed')
        await eraseLate(
          tx,
          known.map(({ money, callback }) => ({ callback, network: money.network.code, remote_id: money.remote_id })),
        )
        return items.map(() => ({ ok: true as const, value: undefined }))
      }),
    LONGEST_WAIT_MS,
  )
}

/** A callback that has been read and not yet taken. */
export interface Arrived extends RawCallback {
  network: Network
  knock: Knock
  /** Money that may be believed as it stands. */
  money: ReceivedMoney | null
}

/** Reads a callback as its network's file tells. The network must be one that calls back. */
export function readArrival(network: Network, callback: RawCallback): Arrived {
  const knock = network.readCallback!(callback)
  const money = knock.about === 'transaction' && knock.verified && knock.receipt ? { ...knock.receipt, network } : null
  return { ...callback, network, knock, money }
}

function isVerified(knock: Knock): boolean {
  return knock.about !== 'nothing' && knock.verified
}

function toRow(arrived: Arrived): NewCallback {
  const { knock } = arrived
  return {
    network: arrived.network.code,
    headers: arrived.headers,
    body: arrived.body,
    verified: isVerified(knock),
    state: arrived.money ? 'settled' : knock.about === 'nothing' ? 'ignored' : 'waiting',
    note: knock.about === 'nothing' ? knock.message : null,
  }
}
