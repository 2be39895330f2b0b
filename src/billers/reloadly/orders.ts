import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { getMessage } from '../../lib/messages/message.ts'
import { shortAmount } from '../../lib/money.ts'
import type { ProviderVend, VendAnswer } from '../contract.ts'
import type { Product, ReloadlyConnection } from './settings.ts'

/** Purchase as it is sent, or the reason why Reloadly cannot sell it. */
type WrittenOrder =
  | { product: Product; path: string; body: string }
  | { refusal: Extract<VendAnswer, { outcome: 'failed' }> }

/** Before the number of a biller in the offers of kinds that operators sell, too. */
export const BILLER = 'biller:'

/** Reloadly accepts no longer identifier. */
const MAX_REFERENCE = 150

/** The service that sells this. Operators sell airtime and data; billers sell the rest. */
export function productOf({ kind, offer }: Pick<ProviderVend, 'kind' | 'offer'>): Product {
  const is_topup = kind === 'airtime' || kind === 'databundle' || kind === 'epin'
  return is_topup && !offer.remote_service.startsWith(BILLER) ? 'topups' : 'utilities'
}

/** Write the order of a purchase. Its text is the same each time. */
export function writeOrder(order: ProviderVend, connection: ReloadlyConnection): WrittenOrder {
  if (order.reference.length > MAX_REFERENCE) return refuse('rejected', getMessage('reloadly.reference_too_long'))
  const number = order.offer.remote_service.replace(BILLER, '')
  if (!/^\d{1,12}$/.test(number)) return refuse('rejected', getMessage('reloadly.offer_not_name'))
  const useLocalAmount = order.currency !== connection.settings.account_currency
  return productOf(order) === 'topups'
    ? writeTopup(order, Number(number), useLocalAmount)
    : writePayment(order, Number(number), useLocalAmount)
}

function writeTopup(order: ProviderVend, operatorId: number, useLocalAmount: boolean): WrittenOrder {
  const phone = internationalDigits(order.account_number || order.phone, order.country)
  if (phone === undefined)
    return refuse('account_not_found', getMessage('reloadly.no_phone_number', { country: order.country }))
  const body = JSON.stringify({
    operatorId,
    amount: shortAmount(order.amount),
    useLocalAmount,
    customIdentifier: order.reference,
    recipientPhone: { countryCode: order.country, number: phone },
  })
  return { product: 'topups', path: '/topups', body }
}

function writePayment(order: ProviderVend, billerId: number, useLocalAmount: boolean): WrittenOrder {
  const amount_id = order.offer.remote_product
  if (amount_id !== null && !/^\d{1,12}$/.test(amount_id))
    return refuse('rejected', getMessage('reloadly.offer_not_name_product'))
  const body = JSON.stringify({
    subscriberAccountNumber: order.account_number,
    amount: Number(shortAmount(order.amount)),
    billerId,
    useLocalAmount,
    referenceId: order.reference,
    ...(amount_id !== null && { amountId: Number(amount_id) }),
  })
  return { product: 'utilities', path: '/pay', body }
}

/** The form that Reloadly accepts for every country: calling code and national number, without a plus. */
function internationalDigits(text: string, country: string): string | undefined {
  if (!isSupportedCountry(country)) return undefined
  const phone = parsePhoneNumberFromString(text, country as CountryCode)
  const is_of_country = phone?.isPossible() && (phone.country === undefined || phone.country === country)
  return phone && is_of_country ? phone.number.slice(1) : undefined
}

function refuse(reason: 'rejected' | 'account_not_found', message: string): WrittenOrder {
  return { refusal: { outcome: 'failed', reason, message } }
}
