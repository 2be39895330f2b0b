import type { KeyObject } from 'node:crypto'
import { notSentOrder } from '../../drivers/access-tokens.ts'
import type { Order, OrderAnswer, OrderCheck, PayoutAnswer, PayoutCheck, Refund } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { shortAmount } from '../../lib/money.ts'
import { toNationalNumber } from '../shared/form.ts'
import { findHolder } from './accounts.ts'
import { transactionOf, unknown, unrecognized } from './answers.ts'
import type { AirtelClient } from './client.ts'
import { collectionCodes, readCodes } from './codes.ts'
import { failure, type OrderState, readState, referenceFault, send, settle } from './orders.ts'

/** Prompts the customer. */
export async function charge(client: AirtelClient, wanted: Order): Promise<OrderAnswer> {
  const { reference, phonenumber, amount } = wanted
  const fault = orderFault(client, wanted)
  if (fault) return { outcome: 'failed', reason: 'rejected', message: fault }
  const { settings, currency, calling_code } = client
  const place = `"country":${quote(settings.country)},"currency":${quote(currency)}`
  const msisdn = toNationalNumber(phonenumber, calling_code)!
  const body =
    `{"reference":${quote(reference)},"subscriber":{${place},"msisdn":${quote(msisdn)}},` +
    `"transaction":{"amount":${shortAmount(amount)},${place},"id":${quote(reference)}}}`
  const path = `/merchant/${settings.collection_version}/payments/`
  const reply = await post(client, { verb: 'charge', path, body })
  const ask = () => askCharge(client, wanted)
  return toOrderAnswer(await settle(client, reply, { table: collectionCodes, remote_id: reference, ask }))
}

export async function chargeStatus(client: AirtelClient, wanted: Order): Promise<OrderCheck> {
  const state = await askCharge(client, wanted)
  return state.outcome === 'not_found' ? state : toOrderAnswer(state)
}

/** Post a call, signed if the version requires it. */
function post(client: AirtelClient, call: { verb: string; path: string; body: string }) {
  const signed = client.settings.collection_version === 'v2'
  const make = (sign_with?: KeyObject) => ({ ...call, method: 'POST', ...(sign_with ? { sign_with } : {}) }) as const
  return send(client, { table: collectionCodes, encrypts: signed, make })
}

/** The code for a wallet that is barred, closed, or not there at all. */
const NOT_PERMITTED = 'DP00800001010'

async function askCharge(client: AirtelClient, { reference, phonenumber }: Order): Promise<OrderState> {
  const state = await ask(client, reference, 'charge status')
  if (state.outcome !== 'failed' || state.code !== NOT_PERMITTED) return state
  const holder = await findHolder(client, phonenumber)
  if (holder.outcome !== 'not_found') return state
  return { ...state, reason: 'payer_not_found', message: getMessage('airtel.customer_no_money') }
}

async function ask(client: AirtelClient, reference: string, verb: string): Promise<OrderState> {
  const fault = referenceFault(reference)
  if (fault) return unknown(fault)
  const reply = await client.call({ verb, method: 'GET', path: `/standard/v1/payments/${reference}` })
  return 'outcome' in reply ? reply : readState(client, reply, collectionCodes, reference)
}

/** A charge cannot come back while it is open: who sees this sees a payment that was refunded before we knew of it. */
function toOrderAnswer(state: OrderState): OrderAnswer {
  if (state.outcome === 'reversed') return unknown(getMessage('airtel.given_payment_back'))
  return state.outcome === 'not_found' ? unknown(getMessage('airtel.not_find_order')) : state
}

function orderFault({ currency, calling_code }: AirtelClient, wanted: Order): string | undefined {
  if (wanted.currency !== currency)
    return getMessage('airtel.connection_carries_not', { currency, other: wanted.currency })
  if (!toNationalNumber(wanted.phonenumber, calling_code))
    return getMessage('airtel.phone_number_must', { calling_code })
  return referenceFault(wanted.reference)
}

/**
 * Give back a whole payment. The answer ends the refund, because Airtel has no status query for refunds: it makes an
 * `airtel_money_id` only when money has moved. `success` in the answer may be false all the same.
 */
export async function refund(client: AirtelClient, wanted: Refund): Promise<PayoutAnswer> {
  if (wanted.amount !== wanted.charge.amount)
    return { outcome: 'failed', reason: 'not_allowed', message: getMessage('airtel.gives_back_only') }
  const version = client.settings.collection_version
  const body = `{"transaction":{"airtel_money_id":${quote(wanted.charge.transaction)}}}`
  const reply = await post(client, { verb: 'refund', path: `/standard/${version}/payments/refund`, body })
  if ('outcome' in reply) return reply.outcome === 'not_sent' ? notSentOrder(reply) : reply
  const said = readCodes(reply.codes, collectionCodes)
  const { status, airtel_money_id } = transactionOf(reply) ?? {}
  if (status === 'SUCCESS' || status === 'TS' || status === 'TR')
    return airtel_money_id
      ? { outcome: 'successful', remote_id: airtel_money_id }
      : { outcome: 'accepted', remote_id: wanted.reference }
  if (status === 'TIP' || status === 'TA' || status === 'TP')
    return { outcome: 'accepted', remote_id: wanted.reference }
  if (said?.meaning.says === 'refused') return failure(client, said)
  if (said?.meaning.says === 'not_found' && status === undefined)
    return { outcome: 'failed', reason: 'rejected', message: getMessage('airtel.not_know_payment'), code: said.code }
  return unrecognized(reply)
}

/**
 * Query the charge of a refund, because Airtel has no status query for refunds. It answers `TR` when the money went
 * back.
 */
export async function refundStatus(client: AirtelClient, { charge }: Refund): Promise<PayoutCheck> {
  const state = await ask(client, charge.reference, 'refund status')
  if (state.outcome === 'reversed') return { outcome: 'successful' }
  if (state.outcome === 'unknown') return state
  return unknown(getMessage('airtel.not_show_refund'))
}

const quote = JSON.stringify
