import type { App } from '../app.ts'
import { type IncomingPaymentReport, ingestIncomingPayments } from '../core/collections/incoming-payments.ts'
import { type NewCallback, storeCallbacks } from '../core/connections/callbacks.ts'
import { eraseLateCallbacks } from '../core/contacts/message-erasure.ts'
import { NotFound } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import type { Throttle } from '../http/throttle.ts'
import { networkByCode } from '../networks/index.ts'
import type { Network, ParsedCallback, RawCallback } from '../networks/network.ts'
import { createBatchedWrite } from './batched-calls.ts'
import { acceptRawBodies, countUnverifiedCallback, readRawCallback } from './raw-callbacks.ts'
import { addValidationRequests } from './validation-requests.ts'

/** Some networks report once, and all are patient: they wait longer than a customer would before they are turned away. */
const MAX_WAIT_MS = 10_000

/** Where networks report. It is on disk before the network gets its answer. */
export function addCallbacks(server: Server, app: App, throttle: Throttle): void {
  const take = createCallbackWriter(app)

  server.register(async (scope) => {
    acceptRawBodies(scope)
    addValidationRequests(scope, app, throttle)
    scope.route({
      method: ['POST', 'PUT'],
      url: '/api/callbacks/:network',
      schema: { hide: true },
      // It only records, and some networks report once: what they have to say during maintenance must not be lost.
      config: { open_in_maintenance: true },
      handler: async (request, reply) => {
        const network = networkByCode(app.networks, (request.params as { network: string }).network)
        if (!network?.readCallback) throw new NotFound()
        const arrived = readReceivedCallback(network, readRawCallback(request))
        if (!arrived.parsed || !isVerified(arrived.parsed)) await countUnverifiedCallback(app, throttle, request)
        await take(arrived)
        app.wake()
        return reply.type(network.callbackReply.content_type).send(network.callbackReply.body)
      },
    })
    refuseOtherMethods(scope as unknown as Server, '/api/callbacks/:network', ['POST', 'PUT'])
  })
}

/**
 * Makes the write that takes callbacks. What is signed and tells of money is settled at once; everything else is kept as a
 * knock, and the read-callbacks job asks the network what is true.
 */
export function createCallbackWriter(app: App): (arrived: ReceivedCallback) => Promise<void> {
  return createBatchedWrite(
    app,
    (items: ReceivedCallback[]) =>
      begin(app.db, async (tx) => {
        const now = app.clock.now()
        const ids = await storeCallbacks(tx, now, items.map(toRow))
        const reports = items.flatMap(({ money }, index) => (money ? [{ money, callback: ids[index]! }] : []))
        const taken = await ingestIncomingPayments(
          tx,
          now,
          reports.map(({ money }) => money),
        )
        // Money that was in the books before may be that of somebody who was erased meanwhile.
        const known = reports.filter((_, index) => taken[index] === 'known' || taken[index] === 'reversed')
        await eraseLateCallbacks(
          tx,
          known.map(({ money, callback }) => ({ callback, network: money.network.code, remote_id: money.remote_id })),
        )
        return items.map(() => ({ ok: true as const, value: undefined }))
      }),
    MAX_WAIT_MS,
  )
}

/** A callback that has been read and not yet taken. */
export interface ReceivedCallback extends RawCallback {
  network: Network
  parsed: ParsedCallback
  /** Money that may be believed as it stands. */
  money: IncomingPaymentReport | null
}

/** Reads a callback as its network's file tells. The network must be one that calls back. */
export function readReceivedCallback(network: Network, callback: RawCallback): ReceivedCallback {
  const knock = network.readCallback!(callback)
  const money =
    knock.subject === 'transaction' && knock.verified && knock.receipt ? { ...knock.receipt, network } : null
  return { ...callback, network, parsed: knock, money }
}

function isVerified(knock: ParsedCallback): boolean {
  return knock.subject !== 'unrecognized' && knock.verified
}

function toRow(arrived: ReceivedCallback): NewCallback {
  const { parsed: knock } = arrived
  return {
    network: arrived.network.code,
    headers: arrived.headers,
    body: arrived.body,
    verified: isVerified(knock),
    state: arrived.money ? 'settled' : knock.subject === 'unrecognized' ? 'ignored' : 'waiting',
    note: knock.subject === 'unrecognized' ? knock.message : null,
  }
}
