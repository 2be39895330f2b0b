import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Amount, formatAmount, parseAmount } from '../../../lib/money.ts'
import type { JsonObject } from '../../../lib/structured-input.ts'
import { generateToken, tariffOf, tenthsOfKwhFor } from '../../world/electricity.ts'
import { type Biller, billerOf } from './catalogue.ts'
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
import { type ReloadlySwitches, type ReloadlyWorld, WALLET_CURRENCY } from './switches.ts'
import { dateTime, literal, money, toDollars } from './wire.ts'

/** Add the payments of bills and their reports. */
export function addBillRoutes(server: FastifyInstance, world: ReloadlyWorld): void {
  server.post('/utilities/pay', { config: { verb: 'vend' } }, (request, reply) => pay(request, reply, world))

  const status = { config: { verb: 'vend status' } }
  server.get<{ Params: { id: string } }>('/utilities/transactions/:id', status, async (request, reply) => {
    const sale = await findSale(world, 'bill', request.params.id)
    if (!sale) return refuse(request, reply, 404, 'TRANSACTION_NOT_FOUND', 'Transaction not found')
    return send(reply, showReport(sale))
  })
  server.get<{ Querystring: { referenceId?: string } }>('/utilities/transactions', status, async (request, reply) => {
    const sales = await findSales(world, 'bill', request.query.referenceId ?? '')
    const content = sales.map(showReport)
    const { lists } = await world.switches()
    return send(
      reply,
      lists === 'lists' ? content : { content, totalElements: content.length, totalPages: 1, last: true },
    )
  })
}

/** A payment ends a second later, and one to a special number after 10 seconds. */
const ENDS_AFTER_S = { usual: 1, slow: 10 }
const DAY_MS = 86_400_000
const MAX_REFERENCE = 150

async function pay(request: FastifyRequest, reply: FastifyReply, world: ReloadlyWorld) {
  const asked = readOrder(readBody(request))
  if ('code' in asked) return refuse(request, reply, asked.status, asked.code)
  const { biller, amount, account, reference } = asked
  const known = await findSales(world, 'bill', reference)
  if (known.some(({ details }) => details.identifier === reference))
    return refuse(request, reply, 400, 'REFERENCE_ID_ALREADY_USED', 'The reference id is already in use')
  const ending = endingOf(account)
  if (ending === '900006') return refuse(request, reply, 500, 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT')
  const switches = await world.switches()
  const cost = toDollars(amount, asked.local ? biller.rate : '1')
  const before = await accountBalance(world, switches)
  const details = toDetails(asked, before, switches)
  if (details.ends === 'SUCCESSFUL' && cost > before) return refuse(request, reply, 409, 'INSUFFICIENT_WALLET_BALANCE')
  const after_s = ending === '900003' ? ENDS_AFTER_S.slow : ENDS_AFTER_S.usual
  // Of calls at once one runs, and the others get an error that says nothing.
  const sale = await writeSale(world, 'bill', details, { cost, after_s, only_one: true })
  if (!sale || ending === '900007') return refuse(request, reply, 500, 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT')
  return send(reply, {
    id: literal(sale.payout.remote_id),
    status: 'PROCESSING',
    referenceId: reference,
    code: 'PAYMENT_PROCESSING_IN_PROGRESS',
    message: 'The payment is being processed, status will be updated when biller processes the payment.',
    submittedAt: dateTime(sale.payout.created),
    finalStatusAvailabilityAt: dateTime(new Date(sale.payout.created.getTime() + DAY_MS)),
  })
}

interface ParsedOrder {
  biller: Biller
  amount: Amount
  local: boolean
  account: string
  reference: string
}

function readOrder(body: JsonObject | undefined): ParsedOrder | { status: number; code: string } {
  const { subscriberAccountNumber: account, amount: text, billerId, useLocalAmount = false, referenceId } = body ?? {}
  const refusal = (code: string) => ({ status: 400, code })
  if (typeof account !== 'string' || account === '' || typeof referenceId !== 'string')
    return refusal('INVALID_INPUT_PROVIDED')
  if (referenceId.length > MAX_REFERENCE) return refusal('INVALID_INPUT_PROVIDED')
  const biller = billerOf(billerId)
  if (!biller) return refusal('INVALID_BILLER_ID')
  if (biller.fixed && body?.amountId === undefined) return refusal('MISSING_REQUIRED_AMOUNT_ID')
  const fixed = biller.fixed?.find(({ id }) => id === body?.amountId)
  if (biller.fixed && !fixed) return refusal('AMOUNT_ID_NOT_FOUND')
  const amount = parseAmount(String(text))
  const [min, max] = biller.limits
  const local = useLocalAmount === true
  if (amount === undefined || amount <= 0n) return refusal('INVALID_AMOUNT')
  if (local && (amount < BigInt(min) * 10_000n || amount > BigInt(max) * 10_000n)) return refusal('INVALID_AMOUNT')
  return { biller, amount, local, account, reference: referenceId }
}

function toDetails(
  { biller, amount, local, account, reference }: ParsedOrder,
  before: Amount,
  switches: ReloadlySwitches,
) {
  const refunds = biller.country === 'NG' && switches.nigerian_bills === 'refunded'
  const { ends } = endOf(account)
  const has_token = biller.prepaid && biller.type === 'ELECTRICITY_BILL_PAYMENT'
  const tenths = tenthsOfKwhFor(amount, tariffOf(biller.name))
  const currency = local ? biller.currency : WALLET_CURRENCY
  const details: SaleDetails = {
    identifier: reference,
    seller: biller.id,
    account,
    country: biller.country,
    amount: formatAmount(amount),
    currency,
    delivered: formatAmount(amount),
    delivered_currency: currency,
    ends: refunds ? 'REFUNDED' : ends,
    open: true,
    old_balance: formatAmount(before),
    code: has_token ? generateToken() : null,
    units: has_token ? `${tenths / 10n}.${tenths % 10n} kWh` : null,
  }
  return details
}

const messages: Readonly<Record<string, [code: string, message: string]>> = {
  PROCESSING: ['PAYMENT_PROCESSING_IN_PROGRESS', 'The payment is being processed.'],
  SUCCESSFUL: ['PAYMENT_PROCESSED_SUCCESSFULLY', 'The payment was processed successfully'],
  FAILED: ['UNABLE_TO_PROCESS_PAYMENT', 'The payment could not be processed'],
  REFUNDED: ['UNABLE_TO_PROCESS_PAYMENT', 'The payment could not be processed and was refunded'],
}

function showReport(sale: Sale) {
  const { payout, details } = sale
  const biller = billerOf(details.seller)!
  const { before, after, cost } = balancesOf(sale)
  const status = statusOf(sale)
  const [code, message] = messages[status]!
  const amount = money(parseAmount(details.amount)!)
  const is_done = status !== 'PROCESSING'
  return {
    code,
    message,
    transaction: {
      id: literal(payout.remote_id),
      status,
      referenceId: details.identifier,
      amount,
      amountCurrencyCode: details.currency,
      deliveryAmount: amount,
      deliveryAmountCurrencyCode: details.delivered_currency,
      fee: money(0n),
      feeCurrencyCode: WALLET_CURRENCY,
      discount: money(0n),
      discountCurrencyCode: WALLET_CURRENCY,
      submittedAt: dateTime(payout.created),
      balanceInfo: {
        oldBalance: money(before),
        newBalance: money(after),
        cost: money(cost),
        currencyCode: WALLET_CURRENCY,
        currencyName: 'US Dollar',
        updatedAt: dateTime(payout.created),
      },
      billDetails: {
        type: biller.type,
        billerId: biller.id,
        billerName: biller.name,
        billerCountryCode: biller.country,
        billerReferenceId: is_done ? payout.remote_id : null,
        serviceType: biller.prepaid ? 'PREPAID' : 'POSTPAID',
        completedAt: is_done ? dateTime(payout.paid_at ?? payout.created) : null,
        subscriberDetails: { accountNumber: details.account, invoiceId: null },
        pinDetails:
          status === 'SUCCESSFUL' && details.code
            ? { token: details.code, info1: `Units: ${details.units}`, info2: null, info3: null }
            : null,
      },
    },
  }
}
