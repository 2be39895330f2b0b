import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Charge } from '../../world/world.ts'
import { codeOfReason, EARLY_FAILURE, testCaseOf, wordsOf } from './codes.ts'
import { envelope, isForged, part, phoneOf, placeOf, readBody, refusal, routerRefusal, switchesOf } from './gateway.ts'
import { type AirtelSwitches, type AirtelWorld, isReadableId, walletOf } from './switches.ts'

const IN_PROCESS = 'DP00800001006'
const DUPLICATE = 'External Transaction ID already exists.'

/** The product Collection: prompts, enquiries and refunds. */
export function addCollectionRoutes(server: FastifyInstance, world: AirtelWorld): void {
  for (const version of ['v1', 'v2'] as const) {
    server.post(`/merchant/${version}/payments/`, { config: { verb: 'charge' } }, (request, reply) =>
      placeCharge(request, reply, world, version),
    )
    server.post(`/standard/${version}/payments/refund`, { config: { verb: 'refund' } }, (request, reply) =>
      placeRefund(request, reply, world, version),
    )
  }

  const status = { config: { verb: 'charge status' } }
  server.get<{ Params: { id: string } }>('/standard/v1/payments/:id', status, async (request) => {
    const { id } = request.params
    const switches = switchesOf(request)
    if (!isReadableId(switches, id)) return refusal('DP00800001005')
    const charge = await world.findCharge({ key: id })
    if (!charge || isHidden(charge, switches, world.now())) return refusal('DP00800001025', undefined, 'ESB000045')
    return showCharge(charge, switches, world)
  })
}

async function placeCharge(request: FastifyRequest, reply: FastifyReply, world: AirtelWorld, version: 'v1' | 'v2') {
  if (version === 'v2' && (await isForged(request, world))) return refusal('DP00800001026')
  const body = readBody(request)
  const { id, amount, currency = placeOf(request).currency } = part(body, 'transaction')
  const { msisdn } = part(body, 'subscriber')
  if (typeof id !== 'string' || id === '' || id.length > 100 || typeof body?.reference !== 'string')
    return refusal('DP00800001000', 'Validation error', 'ESB000008')
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0)
    return refusal('DP00800001000', 'transaction.amount must be a whole number', 'ESB000008')
  if (currency !== placeOf(request).currency) return refusal('DP00800001000', 'Invalid Currency Code', 'ESB000035')
  const phone = phoneOf(placeOf(request).country, msisdn)
  if ('code' in phone) return refusal('DP00800001000', phone.message, phone.code)
  const test = testCaseOf('collection', phone.phonenumber)
  if (test?.at === 'call') return refusal(test.code)
  const placed = await world.placeCharge({
    key: id,
    phonenumber: phone.phonenumber,
    amount: BigInt(amount) * 10_000n,
    currency,
    receiver: walletOf(switchesOf(request), 'COLL'),
    reason: body.reference.slice(0, 500),
    prompt_s: PROMPT_S,
    ...(test?.outcome && { outcome: test.outcome }),
  })
  if (placed.outcome === 'not_accepted')
    return reply.code(503).send({ status_message: 'Service Unavailable', status_code: '503' })
  if (placed.outcome === 'conflict' || !placed.first) return refusal('DP00800001000', DUPLICATE, 'ESB000041')
  if (!placed.answers) return reply.hijack()
  const { charge_answer } = switchesOf(request)
  const word = charge_answer === 'ts' ? 'TS' : 'SUCCESS'
  return envelope({ transaction: { id: charge_answer === 'id-false' ? false : id, status: word } }, IN_PROCESS)
}

/** Seconds until a prompt expires on the phone. */
const PROMPT_S = 120

/** Return true if the enquiry does not yet find an existing charge. */
function isHidden(charge: Charge, { enquiry_after_s }: AirtelSwitches, now: Date): boolean {
  const age_s = (now.getTime() - charge.created.getTime()) / 1_000
  const is_early = enquiry_after_s > 0 && age_s < enquiry_after_s
  return is_early || testCaseOf('collection', charge.phonenumber)?.at === 'lost'
}

async function showCharge(charge: Charge, switches: AirtelSwitches, world: AirtelWorld) {
  const { key: id, state, failure, payment, phonenumber } = charge
  const { enquiry_code, reversed_word } = switches
  if (state === 'paid' && payment) {
    const went_back = payment.status === 'reversed' || (await isRefunded(payment.remote_id, world))
    const word = went_back ? reversed_word : 'TS'
    const code = enquiry_code === 'success' ? 'DP00800001001' : IN_PROCESS
    return show({ airtel_money_id: payment.remote_id, id, message: 'success', status: word }, code)
  }
  if (failure && failure.code !== EARLY_FAILURE) {
    const code = failure.code ?? codeOfReason('collection', failure.reason)
    return show({ id, message: wordsOf(code), status: code.endsWith('29') ? 'TE' : 'TF' }, code)
  }
  const open = testCaseOf('collection', phonenumber)
  const code = open?.word ? open.code : IN_PROCESS
  return show({ id, message: wordsOf(code), status: open?.word ?? 'TIP' }, code)
}

function show(transaction: object, code: string) {
  return envelope({ transaction }, code)
}

/** The world's name of the refund of a payment. There is one refund for each, because it gives back everything. */
export function refundKey(airtel_money_id: string): string {
  return `refund${airtel_money_id}`
}

async function isRefunded(airtel_money_id: string, world: AirtelWorld): Promise<boolean> {
  return (await world.findRefund({ key: refundKey(airtel_money_id) }))?.state === 'paid'
}

async function placeRefund(request: FastifyRequest, reply: FastifyReply, world: AirtelWorld, version: 'v1' | 'v2') {
  if (version === 'v2' && (await isForged(request, world))) return refusal('DP00800001026')
  const { airtel_money_id: payment } = part(readBody(request), 'transaction')
  if (typeof payment !== 'string' || !/^[A-Z0-9.]{1,40}$/.test(payment))
    return routerRefusal(reply, 'ROUTER003', 'Missing required headers or body parameters')
  const placed = await world.placeRefund({ key: refundKey(payment), payment, reason: 'Refund' })
  if (placed.outcome === 'impossible' && placed.reason === 'payment_not_found')
    return refused('No Transaction Found With Provided Transaction Id.', 'ESB000045')
  if (placed.outcome === 'not_accepted')
    return reply.code(503).send({ status_message: 'Service Unavailable', status_code: '503' })
  if (placed.outcome !== 'accepted' || !placed.first) return refused('The transaction was refunded.', 'ESB000011')
  if (!placed.answers) return reply.hijack()
  const { refund_success } = switchesOf(request)
  const transaction = { airtel_money_id: placed.order.remote_id, status: 'SUCCESS' }
  return envelope({ transaction }, undefined, { success: refund_success })
}

function refused(message: string, result_code: string) {
  return envelope(undefined, undefined, { code: '500', success: false, message, result_code })
}
