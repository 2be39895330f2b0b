import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isObject, type JsonObject } from '../../../lib/structured-input.ts'
import { errorOf, errors } from './codes.ts'
import { addPatch, sendError, sendPage, switchesOf } from './gateway.ts'
import {
  acceptChange,
  findFault,
  findObject,
  keepObject,
  newReference,
  type Rules,
  readObject,
  readPatch,
  type Stored,
} from './objects.ts'
import { findOrder } from './order-questions.ts'
import { placeTransaction, readOrder } from './orders.ts'
import type { GsmaSwitches, GsmaWorld } from './switches.ts'
import { transactionIdOf, transactionTypes } from './wire.ts'

/** A batch as it is kept. Its transactions go out when it is approved. */
interface Batch extends Stored {
  transactions: JsonObject[]
  /** The fate of each transaction when it was sent; none before the approval. */
  sent: Sent[]
}

/** An order, which may still be open; a transaction that was settled at once; or a refusal. */
type Sent = { order: string } | { settled: string; at: string } | { refused: string; at: string }

/** The present state of a transaction of a batch. */
type Ended =
  | { state: 'pending' }
  | { state: 'completed'; reference: string; at: string }
  | { state: 'rejected'; reason: string; at: string }

/** The members that each transaction of a batch must have; otherwise the batch is refused as a whole. */
const RULES: Rules = {
  required: ['amount', 'currency', 'debitParty', 'creditParty'],
  amounts: ['amount'],
  currencies: ['currency'],
  parties: ['debitParty', 'creditParty'],
}

/** Add batches of transactions: sending them in, approving them, and the fate of each transaction. */
export function addBatchRoutes(server: FastifyInstance, world: GsmaWorld): void {
  const config = { config: { verb: 'batch' } }
  server.post('/batchtransactions', config, (request, reply) =>
    acceptChange(request, reply, world, async () => {
      const read = readObject(request, { required: ['transactions'], words: { batchStatus: ['created'] } })
      if ('error' in read) return read
      const { transactions, ...given } = read.body
      if (!Array.isArray(transactions) || transactions.length === 0 || !transactions.every(isObject))
        return { error: errors.format, words: 'transactions' }
      const faults = transactions.map((transaction: JsonObject) => findFault(transaction, RULES, switchesOf(request)))
      const fault = faults.find((one) => one !== undefined)
      if (fault) return fault
      const now = world.now()
      const reference = newReference(now)
      const dates = { creationDate: now.toISOString(), modificationDate: now.toISOString() }
      const object = { ...given, batchId: reference, batchStatus: 'created', ...dates }
      const batch: Batch = { account: null, object, transactions, sent: [] }
      await keepObject(world, 'batches', reference, batch)
      return { reference, link: `/batchtransactions/${reference}`, shown: object }
    }),
  )
  const show = (part: string, answer: (request: FastifyRequest, reply: FastifyReply, batch: Batch) => unknown) =>
    server.get<{ Params: { id: string } }>(`/batchtransactions/:id${part}`, config, async (request, reply) => {
      const batch = (await findObject(world, 'batches', request.params.id)) as Batch | undefined
      return batch ? answer(request, reply, batch) : sendError(request, reply, world, errors.unknown_id)
    })
  show('', (request, _reply, batch) => showBatch(world, batch, switchesOf(request)))
  show('/completions', async (request, reply, batch) =>
    sendPage(request, reply, world, await listEnded(world, batch, switchesOf(request), 'completed')),
  )
  show('/rejections', async (request, reply, batch) =>
    sendPage(request, reply, world, await listEnded(world, batch, switchesOf(request), 'rejected')),
  )
  addApproval(server, world)
}

function addApproval(server: FastifyInstance, world: GsmaWorld): void {
  addPatch(server, '/batchtransactions/:id', 'batch', (request, reply) =>
    acceptChange(request, reply, world, async () => {
      const { id } = request.params as { id: string }
      const batch = (await findObject(world, 'batches', id)) as Batch | undefined
      if (!batch) return { error: errors.unknown_id }
      const patch = readPatch(request, ['batchStatus'], { words: { batchStatus: ['approved'] } })
      if ('error' in patch) return patch
      if (batch.object.batchStatus !== 'created') return { error: errors.state }
      const at = world.now().toISOString()
      const object = { ...batch.object, batchStatus: 'approved', approvalDate: at, modificationDate: at }
      await keepObject(world, 'batches', id, { ...batch, object })
      const switches = switchesOf(request)
      const sent: Sent[] = []
      for (const [index, transaction] of batch.transactions.entries())
        sent.push(await send(world, switches, transaction, `${id} ${index}`))
      const approved: Batch = { ...batch, object, sent }
      await keepObject(world, 'batches', id, approved)
      return { reference: id, link: `/batchtransactions/${id}`, shown: await showBatch(world, approved, switches) }
    }),
  )
}

/** Send a transaction of a batch. Its key is the same at every approval, so that two at once send it once. */
async function send(world: GsmaWorld, switches: GsmaSwitches, body: JsonObject, key: string): Promise<Sent> {
  const at = world.now().toISOString()
  const type = transactionTypes.find((one) => one === (body.type ?? 'transfer'))
  if (!type) return { refused: errors.type.code, at }
  const read = readOrder({}, body, type, switches)
  const placed = 'error' in read ? read : await placeTransaction(world, switches, type, body, { ...read, key })
  if ('error' in placed) return { refused: placed.error.code, at }
  if ('settled' in placed) return { settled: String(placed.settled.transactionReference), at }
  return placed.outcome === 'accepted' ? { order: placed.order.remote_id } : { refused: errors.down.code, at }
}

async function endOf(world: GsmaWorld, sent: Sent, switches: GsmaSwitches): Promise<Ended> {
  if ('refused' in sent) return { state: 'rejected', reason: sent.refused, at: sent.at }
  if ('settled' in sent) return { state: 'completed', reference: sent.settled, at: sent.at }
  const order = await findOrder(world, { remote_id: sent.order })
  if (!order || order.state === 'pending') return { state: 'pending' }
  const paid_at = 'receiver' in order ? order.payment?.paid_at : order.paid_at
  const at = (paid_at ?? order.created).toISOString()
  if (order.state === 'failed') return { state: 'rejected', reason: errorOf(order.failure!, switches).code, at }
  return { state: 'completed', reference: transactionIdOf(order)!, at }
}

/** A batch is completed when each of its transactions has ended. */
async function showBatch(world: GsmaWorld, { object, sent }: Batch, switches: GsmaSwitches) {
  const ends: Ended[] = []
  for (const one of sent) ends.push(await endOf(world, one, switches))
  const count = (state: Ended['state']) => ends.filter((end) => end.state === state).length
  const is_over = ends.length > 0 && count('pending') === 0
  const last = ends
    .flatMap((end) => ('at' in end ? [end.at] : []))
    .sort()
    .at(-1)
  return {
    ...object,
    ...(is_over && { batchStatus: 'completed', completionDate: last }),
    completedCount: count('completed'),
    rejectionCount: count('rejected'),
    parsingSuccessCount: ends.length,
  }
}

async function listEnded(
  world: GsmaWorld,
  { transactions, sent }: Batch,
  switches: GsmaSwitches,
  state: 'completed' | 'rejected',
): Promise<object[]> {
  const shown: object[] = []
  for (const [index, one] of sent.entries()) {
    const end = await endOf(world, one, switches)
    if (end.state !== state) continue
    const { debitParty, creditParty, requestingOrganisationTransactionReference: own } = transactions[index]!
    const parties = {
      debitParty,
      creditParty,
      ...(own !== undefined && { requestingOrganisationTransactionReference: own }),
    }
    shown.push(
      end.state === 'rejected'
        ? { ...parties, rejectionReason: end.reason, rejectionDate: end.at }
        : {
            ...parties,
            transactionReference: end.reference,
            completionDate: end.at,
            link: `/transactions/${end.reference}`,
          },
    )
  }
  return shown
}
