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

/** How long a callback may wait for a batch. Longer than for customers: networks wait longer, and some report only once. */
const MAX_WAIT_MS = 10_000

/** Adds the callback addresses of the networks. A callback is on disk before the network gets its response. */
export function addCallbacks(server: Server, app: App, throttle: Throttle): void {
  const write = createCallbackWriter(app)

  server.register(async (scope) => {
    acceptRawBodies(scope)
    addValidationRequests(scope, app, throttle)
    scope.route({
      method: ['POST', 'PUT'],
      url: '/api/callbacks/:network',
      schema: { hide: true },
      // Some networks report only once, and this address only records: callbacks during maintenance must not be lost.
      config: { open_in_maintenance: true },
      handler: async (request, reply) => {
        const network = networkByCode(app.networks, (request.params as { network: string }).network)
        if (!network?.readCallback) throw new NotFound()
        const received = readReceivedCallback(network, readRawCallback(request))
        if (!isVerified(received.parsed)) await countUnverifiedCallback(app, throttle, request)
        await write(received)
        app.wake()
        return reply.type(network.callbackReply.content_type).send(network.callbackReply.body)
      },
    })
    refuseOtherMethods(scope as unknown as Server, '/api/callbacks/:network', ['POST', 'PUT'])
  })
}

/**
 * Makes the batched write of callbacks. Signed callbacks about money are settled at once. All others are only stored, and
 * the process-callbacks job asks the network about them.
 */
export function createCallbackWriter(app: App): (received: ReceivedCallback) => Promise<void> {
  return createBatchedWrite(
    app,
    (items: ReceivedCallback[]) =>
      begin(app.db, async (tx) => {
        const now = app.clock.now()
        const ids = await storeCallbacks(tx, now, items.map(toRow))
        const reports = items.flatMap(({ money }, index) => (money ? [{ money, callback: ids[index]! }] : []))
        const results = await ingestIncomingPayments(
          tx,
          now,
          reports.map(({ money }) => money),
        )
        // A payment that was recorded before may belong to a contact that was erased since then.
        const known = reports.filter((_, index) => results[index] === 'known' || results[index] === 'reversed')
        await eraseLateCallbacks(
          tx,
          known.map(({ money, callback }) => ({ callback, network: money.network.code, remote_id: money.remote_id })),
        )
        return items.map(() => ({ ok: true as const, value: undefined }))
      }),
    MAX_WAIT_MS,
  )
}

/** A callback that has been parsed and not stored yet. */
export interface ReceivedCallback extends RawCallback {
  network: Network
  parsed: ParsedCallback
  /** The payment that a verified callback reports; null when the network has to be asked first. */
  money: IncomingPaymentReport | null
}

/** Parses a callback with the adapter of its network. The network must have `readCallback`. */
export function readReceivedCallback(network: Network, callback: RawCallback): ReceivedCallback {
  const parsed = network.readCallback!(callback)
  const money =
    parsed.subject === 'transaction' && parsed.verified && parsed.receipt ? { ...parsed.receipt, network } : null
  return { ...callback, network, parsed, money }
}

function isVerified(parsed: ParsedCallback): boolean {
  return parsed.subject !== 'unrecognized' && parsed.verified
}

function toRow({ network, headers, body, parsed, money }: ReceivedCallback): NewCallback {
  return {
    network: network.code,
    headers,
    body,
    verified: isVerified(parsed),
    state: money ? 'settled' : parsed.subject === 'unrecognized' ? 'ignored' : 'waiting',
    note: parsed.subject === 'unrecognized' ? parsed.message : null,
  }
}
