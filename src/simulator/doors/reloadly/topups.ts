import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { type Amount, formatAmount, parseAmount } from '../../../lib/money.ts'
import { isObject, type JsonObject } from '../../../lib/structured-input.ts'
import { type Operator, operatorOf, SLOW_OPERATOR } from './catalogue.ts'
import { accountBalance, readBody, refuse, send } from './gateway.ts'
import {
  balancesOf,
  endingOf,
  endOf,
  findSale,
  findSales,
  type Sale,
  type SaleDetails,
  statusOf,
  writeSale,
} from './sales.ts'
import { type ReloadlyWorld, WALLET_CURRENCY } from './switches.ts'
import { dateTime, errorBody, literal, money, toDollars, withoutPercent } from './wire.ts'

const MAX_IDENTIFIER = 150

/** Add the top-ups and their reports. */
export function addTopupRoutes(server: FastifyInstance, world: ReloadlyWorld): void {
  server.post('/topups/topups', { config: { verb: 'vend' } }, async (request, reply) => {
    const sale = await topUp(request, reply, world, 0)
    return sale ? send(reply, showTopup(sale)) : reply
  })
  server.post('/topups/topups-async', { config: { verb: 'vend' } }, async (request, reply) => {
    const sale = await topUp(request, reply, world, ASYNC_S)
    return sale ? send(reply, { transactionId: literal(sale.payout.remote_id) }) : reply
  })

  const status = { config: { verb: 'vend status' } }
  server.get<{ Params: { id: string } }>('/topups/topups/:id/status', status, async (request, reply) => {
    const sale = await findSale(world, 'topup', request.params.id)
    if (!sale) return refuse(request, reply, 404, 'TRANSACTION_NOT_FOUND', 'Transaction not found')
    const word = statusOf(sale)
    const transaction = word === 'PROCESSING' ? null : showTopup(sale)
    return send(reply, { code: null, message: null, status: word, transaction })
  })
  server.get<{ Querystring: { customIdentifier?: string } }>(
    '/topups/topups/reports/transactions',
    status,
    async (request, reply) => {
      const sales = await findSales(world, 'topup', request.query.customIdentifier ?? '')
      const content = sales.map(showTopup)
      return send(reply, { content, totalElements: content.length, totalPages: 1, last: true, number: 1 })
    },
  )
}

/** Between the answer to an asynchronous top-up and its end. */
const ASYNC_S = 8

interface ParsedOrder {
  operator: Operator
  amount: Amount
  local: boolean
  identifier: string | null
  phone: string
  country: string
}

/** Sells, or answers why not and returns nothing. */
async function topUp(
  request: FastifyRequest,
  reply: FastifyReply,
  world: ReloadlyWorld,
  async_s: number,
): Promise<Sale | undefined> {
  const switches = await world.switches()
  const asked = readOrder(readBody(request))
  if ('code' in asked) return void refuse(request, reply, asked.status, asked.code, asked.message)
  const { operator, identifier, phone } = asked
  if (identifier !== null && (await isUsed(world, identifier)))
    return void refuse(request, reply, 400, 'CUSTOM_IDENTIFIER_ALREADY_USED', 'The custom identifier is already in use')
  if (operator.id === SLOW_OPERATOR) {
    await sleep(switches.slow_seconds * 1_000)
    return void refuse(request, reply, 400, 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT')
  }
  const ending = endingOf(phone)
  const refusal = refusalsByEnding[ending ?? '']
  if (refusal) return void refuse(request, reply, ...refusal)
  const cost = costOf(asked)
  const before = await accountBalance(world, switches)
  if (endOf(phone).ends === 'SUCCESSFUL' && cost > before)
    return void refuse(request, reply, 400, 'INSUFFICIENT_BALANCE', 'The account has not enough money')
  // Calls that come now have passed the check, too.
  await sleep(switches.race_milliseconds)
  const details = toDetails(asked, before, async_s > 0)
  const after_s = async_s + (details.open && async_s === 0 ? 10 : 0)
  const sale = await writeSale(world, 'topup', details, { cost, after_s, only_one: false })
  if (sale && ending !== '900007') return sale
  return void refuse(request, reply, 500, 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT')
}

async function isUsed(world: ReloadlyWorld, identifier: string): Promise<boolean> {
  const sales = await findSales(world, 'topup', identifier)
  return sales.some(({ details }) => details.identifier === identifier)
}

const refusalsByEnding: Readonly<Record<string, [status: number, code: string, message: string]>> = {
  '900004': [400, 'INVALID_RECIPIENT_PHONE', 'The recipient phone number is not valid'],
  '900005': [400, 'OPERATOR_AND_RECIPIENT_PHONE_MISMATCH', 'The number is not of this operator'],
  '900006': [500, 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT', 'The transaction cannot be processed'],
  '900008': [503, 'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE', 'The operator is currently inactive'],
}

type Refusal = { status: number; code: string; message: string }

function readOrder(body: JsonObject | undefined): ParsedOrder | Refusal {
  const invalid = (message: string) => ({ status: 400, code: 'INVALID_INPUT_PROVIDED', message })
  const {
    operatorId,
    amount: text,
    useLocalAmount: local = false,
    customIdentifier = null,
    recipientPhone,
  } = body ?? {}
  if (customIdentifier !== null && (typeof customIdentifier !== 'string' || customIdentifier.length > MAX_IDENTIFIER))
    return invalid('Maximum length allowed for field customIdentifier is 150')
  const operator = operatorOf(operatorId)
  if (!operator)
    return { status: 503, code: 'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE', message: 'The operator is inactive' }
  const amount = parseAmount(String(text))
  if (amount === undefined || amount <= 0n) return invalid('Invalid amount provided')
  if (local === true && !operator.local)
    return { status: 400, code: 'LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR', message: 'Local amounts are not supported' }
  if (local === true && !isSold(operator, amount))
    return { status: 400, code: 'INVALID_LOCAL_AMOUNT_FOR_OPERATOR', message: 'Invalid local amount' }
  const phone = isObject(recipientPhone) ? phoneOf(recipientPhone, operator) : undefined
  if (phone === undefined) return { status: 400, code: 'INVALID_RECIPIENT_PHONE', message: 'The phone is not valid' }
  return { operator, amount, local: local === true, identifier: customIdentifier, phone, country: operator.country }
}

function isSold({ fixed, limits: [min, max] }: Operator, amount: Amount): boolean {
  if (fixed) return fixed.some(([one]) => BigInt(one) * 10_000n === amount)
  return amount >= BigInt(min) * 10_000n && amount <= BigInt(max) * 10_000n
}

/** Return the international digits. The number must belong to the country, but not to the operator. */
function phoneOf({ countryCode, number }: JsonObject, { country }: Operator): string | undefined {
  const named = String(countryCode).toUpperCase()
  if (named !== country || !isSupportedCountry(named)) return undefined
  const text = String(number)
  const phone = [text, `+${text}`].map((one) => parsePhoneNumberFromString(one, named as CountryCode))
  const found = phone.find((one) => one?.isPossible() && one.countryCallingCode && one.country !== undefined)
  return found?.country === named ? found.number.slice(1) : undefined
}

/** Orders in the local currency lose the discount. */
function costOf({ operator, amount, local }: ParsedOrder): Amount {
  return local ? toDollars(amount, operator.rate) : withoutPercent(amount, operator.discount)
}

function toDetails(
  { operator, amount, local, identifier, phone, country }: ParsedOrder,
  before: Amount,
  open: boolean,
) {
  const delivered = local ? amount : multiply(amount, operator.rate)
  const end = endOf(phone)
  const details: SaleDetails = {
    identifier,
    seller: operator.id,
    account: phone,
    country,
    ...end,
    open: end.open || open,
    amount: formatAmount(amount),
    currency: local ? operator.currency : WALLET_CURRENCY,
    delivered: formatAmount(delivered),
    delivered_currency: operator.currency,
    code: endingOf(phone) === '900009' ? String(randomInt(10 ** 14)).padStart(15, '7') : null,
    units: null,
    old_balance: formatAmount(before),
  }
  return details
}

/** A sum of dollars in the local currency. */
function multiply(amount: Amount, rate: string): Amount {
  const [whole = '0', decimals = ''] = rate.split('.')
  return (amount * BigInt(whole + decimals)) / 10n ** BigInt(decimals.length)
}

function showTopup(sale: Sale) {
  const { details, payout } = sale
  const { before, after, cost } = balancesOf(sale)
  const operator = operatorOf(details.seller)
  return {
    transactionId: literal(payout.remote_id),
    status: statusOf(sale),
    operatorTransactionId: `${payout.remote_id.slice(-8)}:OrderConfirmed`,
    customIdentifier: details.identifier,
    recipientPhone: literal(details.account),
    recipientEmail: null,
    senderPhone: null,
    countryCode: details.country,
    operatorId: details.seller,
    operatorName: operator?.name,
    discount: money(0n),
    discountCurrencyCode: WALLET_CURRENCY,
    requestedAmount: money(parseAmount(details.amount)!),
    requestedAmountCurrencyCode: details.currency,
    deliveredAmount: money(parseAmount(details.delivered)!),
    deliveredAmountCurrencyCode: details.delivered_currency,
    transactionDate: dateTime(payout.created),
    pinDetail: details.code && {
      serial: 558_111,
      info1: 'DIAL *611',
      info2: 'DIAL *611',
      info3: 'DIAL *611',
      value: null,
      code: literal(details.code),
      ivr: '1-888-888-8888',
      validity: '30 days',
    },
    balanceInfo: {
      oldBalance: money(before),
      newBalance: money(after),
      cost: money(cost),
      currencyCode: WALLET_CURRENCY,
      currencyName: 'US Dollar',
      updatedAt: dateTime(payout.created),
    },
  }
}

/** Answer to an unknown path. */
export function unknownPath(path: string, now: Date) {
  return { ...errorBody('Not Found', null, path, now), status: 404, error: 'Not Found' }
}
