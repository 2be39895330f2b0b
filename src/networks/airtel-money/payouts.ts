import type { KeyObject } from 'node:crypto'
import type { Payout, PayoutAnswer, PayoutCheck } from '../../lib/adapter-types.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { shortAmount } from '../../lib/money.ts'
import { toNationalNumber } from '../shared/form.ts'
import { type Reply, transactionOf, unknown } from './answers.ts'
import type { AirtelCall, AirtelClient } from './client.ts'
import { payoutCodes } from './codes.ts'
import { type OrderState, readState, referenceFault, send, settle } from './orders.ts'
import { encrypt } from './signing.ts'

/** Send money from the disbursement wallet. The connection has a PIN. */
export async function payout(client: AirtelClient, wanted: Payout, pin: string): Promise<PayoutAnswer> {
  const fault = payoutFault(client, wanted)
  if (fault) return { outcome: 'failed', reason: 'rejected', message: fault }
  const make = (key?: KeyObject) => makeCall(client, wanted, encrypt(key!, pin), key)
  const reply = await send(client, { table: payoutCodes, encrypts: true, make })
  const remote_id = ('outcome' in reply ? undefined : moneyId(reply, wanted.reference)) ?? wanted.reference
  const ask = () => askPayout(client, wanted)
  const state = await settle(client, reply, { table: payoutCodes, remote_id, ask })
  return state.outcome === 'not_found' ? unknown(getMessage('airtel.not_find_order')) : state
}

/** Airtel's id of the money. Instead of it, some answers have our own reference behind `partner-`. */
function moneyId(reply: Reply, reference: string): string | undefined {
  const id = transactionOf(reply)?.airtel_money_id
  return id && !id.endsWith(reference) ? id : undefined
}

/** Query a payout. The answer lacks Airtel's id, so the id in the payout's own answer stays. */
export async function payoutStatus(client: AirtelClient, wanted: Payout): Promise<PayoutCheck> {
  const state = await askPayout(client, wanted)
  const known = wanted.remote_id !== wanted.reference ? wanted.remote_id : null
  if (state.outcome === 'accepted') return { ...state, remote_id: known ?? wanted.reference }
  return state.outcome === 'successful' && known ? { remote_id: known, ...state } : state
}

async function askPayout(client: AirtelClient, { reference }: Payout): Promise<OrderState> {
  const fault = referenceFault(reference)
  if (fault) return unknown(fault)
  const path = `/standard/v1/disbursements/${reference}`
  const reply = await client.call({ verb: 'payout status', method: 'GET', path })
  return 'outcome' in reply ? reply : readState(client, reply, payoutCodes, reference)
}

function makeCall(client: AirtelClient, wanted: Payout, pin: string, key: KeyObject | undefined): AirtelCall {
  const { reference, phonenumber, amount } = wanted
  const version = client.settings.payout_version
  const msisdn = quote(toNationalNumber(phonenumber, client.calling_code)!)
  const payee = version === 'v2' ? `"msisdn":${msisdn},"currency":${quote(client.currency)}` : `"msisdn":${msisdn}`
  const type = version === 'v2' ? ',"type":"B2C"' : ''
  const body =
    `{"payee":{${payee}},"reference":${quote(reference)},"pin":${quote(pin)},` +
    `"transaction":{"amount":${shortAmount(amount)},"id":${quote(reference)}${type}}}`
  const path = `/standard/${version}/disbursements/`
  return { verb: 'payout', method: 'POST', path, body, ...(version === 'v2' ? { sign_with: key } : {}) }
}

function payoutFault({ currency, calling_code }: AirtelClient, wanted: Payout): string | undefined {
  if (wanted.kind !== 'money') return getMessage('airtel.money_sends_no_airtime')
  if (wanted.currency !== currency)
    return getMessage('airtel.connection_carries_not', { currency, other: wanted.currency })
  if (!toNationalNumber(wanted.phonenumber, calling_code))
    return getMessage('airtel.phone_number_must', { calling_code })
  return referenceFault(wanted.reference)
}

const quote = JSON.stringify
