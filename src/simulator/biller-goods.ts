import { randomInt } from 'node:crypto'
import { type Amount, formatAmount } from '../lib/money.ts'
import { findAccountHolder } from './biller-accounts.ts'
import type { VendBody, VendedGoods } from './biller-wire.ts'
import { GROSS_PARTS, generateToken, NET_PARTS, tariffOf, tenthsOfKwhFor } from './world/electricity.ts'

/** Make the goods that a customer of the simulated biller gets. `key_change`: the meter needs new keys first. */
export function makeGoods(order: VendBody, now: Date, key_change: boolean): VendedGoods {
  if (order.kind === 'electricity') return order.prepaid ? prepaidPower(order, key_change) : postpaidPower(order)
  if (order.kind === 'epin') return { ...emptyGoods, pins: vouchers(order, now) }
  if (order.kind === 'exampin') return examPin(order, now)
  if (order.kind === 'cabletv') return tvSubscription()
  if (order.kind === 'databundle') return { ...emptyGoods, provider_message: 'SendOk', more: dataBundle(order) }
  return { ...emptyGoods, provider_message: 'SendOk' }
}

/** A hundredth of a naira, the smallest coin. */
const KOBO: Amount = 100n

const emptyGoods: VendedGoods = {
  token: null,
  amount_of_power: null,
  pins: [],
  provider_message: 'OK',
  raw_output: null,
  more: {},
}

function prepaidPower(order: VendBody, key_change: boolean): VendedGoods {
  const tariff = order.tariff ?? tariffOf(order.service_type)
  const token = generateToken()
  const tenths = tenthsOfKwhFor(order.amount, tariff)
  const units = `${tenths / 10n}.${tenths % 10n}`
  const net = ((order.amount * NET_PARTS) / GROSS_PARTS / KOBO) * KOBO
  const keys = key_change ? { resetToken: generateToken(), configureToken: generateToken() } : {}
  return {
    ...emptyGoods,
    token,
    amount_of_power: `${units}KWH`,
    raw_output: {
      standardTokenValue: token,
      standardTokenUnits: units,
      standardTokenAmount: Number(formatAmount(net)),
      standardTokenTax: Number(formatAmount(order.amount - net)),
      standardTokenDescription: 'Sandbox Sale',
      tariff: Number(formatAmount(tariff)),
      debtAmount: 0,
      fixedAmount: 0,
      meterNumber: order.account_number,
      exchangeReference: order.reference,
      customerMessage: 'This token comes from a sandbox; no meter accepts it.',
      responseCode: 'elec000',
      responseMessage: 'OK',
      status: 'ACCEPTED',
      ...keys,
    },
    more: keys,
  }
}

function postpaidPower(order: VendBody): VendedGoods {
  const raw_output = { accountNumber: order.account_number, exchangeReference: order.reference, status: 'ACCEPTED' }
  return { ...emptyGoods, raw_output: { ...raw_output, responseCode: 'elec000', responseMessage: 'OK' } }
}

function tvSubscription(): VendedGoods {
  const details = {
    customerCareReferenceId: null,
    exchangeReference: randomDigits(14),
    errorMessage: null,
    errorCode: null,
    errorId: null,
    auditReferenceNumber: randomDigits(24),
    done: true,
    status: 'ACCEPTED',
  }
  return {
    ...emptyGoods,
    provider_message: 'true',
    raw_output: { transactionNumber: Number(randomDigits(9)), details },
  }
}

function dataBundle({ reference: exchangeReference }: VendBody) {
  const response = { responseMessage: 'SendOk', status: 'ACCEPTED', statusCode: '0', responseCode: '0' }
  return { extraData: { balance: null, exchangeReference, ...response } }
}

/** The number of digits of an airtime voucher, by network. */
const AIRTIME_DIGITS: Readonly<Record<string, number>> = { mtn: 17, airtel: 16, glo: 15, '9mobile': 15 }

function vouchers(order: VendBody, now: Date): VendedGoods['pins'] {
  const expires_on = new Date(now.getTime() + VOUCHER_LIFETIME_MS).toISOString().slice(0, 10)
  return Array.from({ length: order.pins ?? 1 }, () => ({
    ...voucher(order.service_type),
    expires_on,
  }))
}

function voucher(service_type: string) {
  if (service_type === 'waec')
    return {
      instructions: 'Check the result with YOURPIN and the serial number.',
      serial_number: `WRN${randomDigits(9)}`,
      pin: randomDigits(12),
    }
  const airtime = AIRTIME_DIGITS[service_type]
  const instructions = airtime ? 'Dial *203*3*YOURPIN# to recharge.' : 'Give YOURPIN to the provider.'
  return { instructions, serial_number: randomDigits(13), pin: randomDigits(airtime ?? 16) }
}

const VOUCHER_LIFETIME_MS = 2 * 365 * 86_400_000

function examPin(order: VendBody, now: Date): VendedGoods {
  const pin = randomDigits(16)
  const { firstName, lastName, middleName } = findAccountHolder({ ...order, product_code: '' }, now)?.raw_output ?? {}
  const more = {
    provider_status: 'ACCEPTED',
    provider_status_code: '0',
    provider_reference: randomDigits(12),
    token_pin: pin,
    provider_data: { firstName, lastName, middleName, phoneNumber: order.phone, pin },
  }
  return { ...emptyGoods, provider_message: 'Successful', more }
}

function randomDigits(count: number): string {
  return Array.from({ length: count }, (_, index) => randomInt(index === 0 ? 1 : 0, 10)).join('')
}
