import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, HTTPMethods } from 'fastify'
import { createBatchedWrite } from '../actions/batched-calls.ts'
import type { App } from '../app.ts'
import { noteCallback } from '../connections/late-callbacks.ts'
import { toolsOf } from '../connections/tools/call-driver.ts'
import { reportCallback } from '../core/callback-reports.ts'
import {
  type IncomingPaymentReport,
  type IngestResult,
  ingestIncomingPayments,
} from '../core/collections/incoming-payments.ts'
import { type NewCallback, storeCallbacks } from '../core/connections/callbacks.ts'
import { NotInService } from '../core/connections/service-state.ts'
import { eraseLateCallbacks } from '../core/contacts/message-erasure.ts'
import { requestsOfPayments } from '../core/facts.ts'
import { NotFound, Refusal } from '../core/refusals.ts'
import { beginFrequent, isDataError } from '../db/client.ts'
import { redactCallback } from '../drivers/redact.ts'
import { MethodNotAllowed } from '../http/errors.ts'
import { withOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { logEvent } from '../lib/log-events.ts'
import { formatAmount } from '../lib/money.ts'
import { toStorableTransaction } from '../networks/callbacks.ts'
import type { CallbackReply } from '../networks/contract.ts'
import { receiveBillCallback } from './bills/callbacks.ts'
import { acceptsGet, CALLBACK_ADDRESSES, countUnverifiedCallback, findCalledConnection } from './callback-addresses.ts'
import {
  acceptRawBodies,
  chooseReply,
  namedOrder,
  type ReceivedCallback,
  readRawCallback,
  readReceivedCallback,
} from './raw-callbacks.ts'
import { receiveSmsCallback } from './sms-callbacks.ts'
import { createUnverifiedWriter } from './unverified-callbacks.ts'
import { addValidationRequests } from './validation-requests.ts'

/**
 * Maximum wait of a callback for a batch. It is longer than for customers: networks wait longer, and some report only
 * once.
 */
const MAX_WAIT_MS = 10_000

/** Add the callback addresses of the networks. A callback is on disk before the network gets its response. */
export function addCallbacks(server: Server, app: App): void {
  const write = createCallbackWriter(app)

  server.register(async (scope) => {
    acceptRawBodies(scope)
    withOtherMethods(scope as unknown as Server, () => {
      const answerValidation = addValidationRequests(scope, app)
      for (const url of CALLBACK_ADDRESSES) {
        scope.route({
          method: ['GET', 'POST', 'PUT'],
          url,
          schema: { hide: true },
          // Some networks report only once, and this address only records: callbacks during maintenance must not be lost.
          config: { open_in_maintenance: true, offered: METHODS },
          // Before the body is read: there is nothing to read at an address that is none of ours.
          onRequest: async (request) => {
            if (!METHODS.includes(request.method) && !(request.method === 'GET' && acceptsGet(app, request)))
              throw new MethodNotAllowed(request.method, [...METHODS, 'OPTIONS'].join(', '))
            request.called = await findCalledConnection(app, request)
          },
          handler: async (request, reply) => {
            const { connection: called, knows_secret } = request.called!
            const callback = readRawCallback(request)
            const texts = app.sms_connections.find(called.slug)
            if (texts) return sendReply(reply, await receiveSmsCallback(app, texts, callback))
            const biller = app.bill_connections.find(called.slug)
            if (biller) {
              if (!knows_secret) await countUnverifiedCallback(app, request)
              return sendReply(reply, await receiveBillCallback(app, biller, callback))
            }
            const connection = app.connections.find(called.slug)
            if (!connection) throw new NotFound()
            const validation = await answerValidation(connection, callback, request)
            if (validation) return sendReply(reply, validation)
            if (!connection.operations.readCallback) throw new NotFound()
            await withinLimit(connection.operations.prepareCallback?.(callback, toolsOf(connection)))
            const received = readReceivedCallback(connection, callback)
            if (!received.verified) await countUnverifiedCallback(app, request)
            // The address has a secret instead of a signature, so that strangers cannot use up its budget.
            await write(received, knows_secret ? undefined : request.ip, request.id)
            app.wake('callback_received')
            return sendReply(reply, chooseReply(connection.operations.callbackReply?.(callback), received))
          },
        })
      }
    })
  })
}

const METHODS: HTTPMethods[] = ['POST', 'PUT']

function sendReply(reply: FastifyReply, { status, content_type, body }: CallbackReply) {
  return reply.code(status).type(content_type).send(body)
}

/** Maximum wait for the data that verify a callback. Without them, it is stored as unverified. */
const MAX_PREPARATION_MS = 5_000

async function withinLimit(preparation: Promise<void> | undefined): Promise<void> {
  if (!preparation) return
  const timer = new AbortController()
  await Promise.race([preparation, sleep(MAX_PREPARATION_MS, undefined, timer)]).finally(() => timer.abort())
}

/**
 * Make the write of callbacks. It ends when the callback is on disk. A verified callback is stored whole, whatever its
 * content: one about money is settled at once if that is possible, and all others are processed by the
 * process-callbacks job. Of an unverified callback only its beginning is stored, within the budget of `address`;
 * without an address it has no budget.
 */
export function createCallbackWriter(
  app: App,
): (received: ReceivedCallback, address?: string, request_id?: string) => Promise<void> {
  const settle = createBatchedWrite(app, (items: ReceivedCallback[]) => settleCallbacks(app, items), MAX_WAIT_MS)
  const keep = createBatchedWrite(
    app,
    (rows: NewCallback[]) =>
      beginFrequent(app.db, async (tx) =>
        (await storeCallbacks(tx, app.clock.now(), rows)).map((value) => ({ ok: true as const, value })),
      ),
    MAX_WAIT_MS,
  )
  const writeUnverified = createUnverifiedWriter(app, MAX_WAIT_MS)
  const fail = (callback: number, { network }: ReceivedCallback, error: unknown) =>
    logEvent(app.log, 'callback_failed', { callback, network: network.code, error })

  return async (received, address, request_id) => {
    const { parsed, verified, money } = received
    const arrived_ms = Date.now()
    const connection = received.network.slug
    const logStored = (callback: number) =>
      logEvent(app.log, 'callback_stored', { callback, connection, verified, request_id })
    if (!verified) {
      const id = await writeUnverified(received, address)
      logStored(id)
      if (!parsed) fail(id, received, received.error)
      return
    }
    const row: NewCallback = { ...toRow(received), state: 'waiting', note: null }
    if (parsed?.subject === 'unrecognized') {
      const id = await keep({ ...row, state: 'failed', note: parsed.message })
      return fail(id, received, new Error(parsed.message))
    }
    // The settings of a draft decide nothing: the job keeps their callbacks until the connection is in service.
    if (!money || received.network.state === 'draft') return logStored(await keep(row))
    try {
      const { result, callback, collection_request } = await settle(received)
      if (row.order_reference) noteCallback(app, received.network, row.order_reference)
      if (result === 'unassigned') logUnassigned(app, money)
      // The network does not wait for notices about its callback.
      void reportCallback(app, { callback, connection, state: 'settled', collection_request, arrived_ms, request_id })
    } catch (error) {
      if (error instanceof Refusal && !(error instanceof NotInService)) throw error
      // Some networks report only once. What was reported is stored by itself, and processed later if that can help.
      const is_lasting = isDataError(error)
      const note = error instanceof Error ? error.message : String(error)
      const id = await keep({ ...row, state: is_lasting ? 'failed' : 'waiting', note })
      if (is_lasting) fail(id, received, error)
    }
  }
}

/** Store callbacks and enter the payments that they report into the books, in one transaction. */
function settleCallbacks(app: App, items: readonly ReceivedCallback[]) {
  return beginFrequent(app.db, async (tx) => {
    const now = app.clock.now()
    const reports = items.map(({ money, network }) => ({
      ...toStorableTransaction({ name: null, ...money! }, now),
      network,
    }))
    const rows = items.map((item) => ({ ...toRow(item), state: 'settled' as const, note: null }))
    const [ids, results] = await Promise.all([storeCallbacks(tx, now, rows), ingestIncomingPayments(tx, now, reports)])
    // An earlier payment may belong to a contact that was erased since then.
    const late = reports.flatMap(({ network, remote_id }, index) =>
      results[index] === 'known' || results[index] === 'reversed'
        ? [{ callback: ids[index]!, connection: network.slug, remote_id }]
        : [],
    )
    await eraseLateCallbacks(tx, late)
    const requestOf = requestsOfPayments(tx)
    return results.map((result: IngestResult, index) => {
      const { network, remote_id } = reports[index]!
      const value = { result, callback: ids[index]!, collection_request: requestOf(network.slug, remote_id) }
      return { ok: true as const, value }
    })
  })
}

function toRow(received: ReceivedCallback) {
  const { network, verified, address } = received
  const { method, path, query, headers, body, bytes } = redactCallback(received, network.driver.secret_fields)
  return {
    address,
    network: network.code,
    connection: network.slug,
    method,
    path,
    query,
    headers,
    body,
    bytes,
    verified,
    order_reference: namedOrder(received),
  }
}

function logUnassigned(app: App, { network, remote_id, receiver, currency, amount }: IncomingPaymentReport): void {
  const fields = { connection: network.slug, remote_id, receiver, currency, amount: formatAmount(amount) }
  logEvent(app.log, 'payment_unassigned', fields)
}
