import type { FastifyInstance } from 'fastify'
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import type { Amount } from '../../../lib/money.ts'
import { type Biller, billers, detectOperator, type Operator, operatorOf, operators } from './catalogue.ts'
import { send } from './gateway.ts'
import { shortDecimal } from './sales.ts'
import { WALLET_CURRENCY } from './switches.ts'
import { literal, toDollars } from './wire.ts'

/** Add the operators of a country. */
export function addOperatorRoutes(server: FastifyInstance): void {
  const catalogue = { config: { verb: 'catalogue' } }
  server.get<{ Params: { iso: string } }>('/topups/operators/countries/:iso', catalogue, async (request, reply) => {
    const found = operators.filter(({ country }) => country === request.params.iso.toUpperCase())
    if (found.length > 0) return send(reply, found.map(showOperator))
    return send(reply, { message: 'Country not found and/or not currently supported', errorCode: null }, 404)
  })
}

/** Add all operators, one of them, and the one of a phone. */
export function addOperatorLookups(server: FastifyInstance): void {
  const catalogue = { config: { verb: 'catalogue' } }
  server.get<{ Querystring: Record<string, string> }>('/topups/operators', catalogue, async ({ query }, reply) => {
    // Pages begin with 1, and 0 is the same page.
    const page = Math.max(1, Number(query.page) || 1)
    const size = Math.min(1_000, Math.max(1, Number(query.size) || 200))
    const content = operators.slice((page - 1) * size, page * size).map(showOperator)
    const totalPages = Math.ceil(operators.length / size)
    const totalElements = operators.length
    return send(reply, { content, totalElements, totalPages, last: page >= totalPages, number: page, size })
  })
  server.get<{ Params: { id: string } }>('/topups/operators/:id', catalogue, async ({ params }, reply) => {
    const operator = operatorOf(params.id)
    if (operator) return send(reply, showOperator(operator))
    return send(reply, { message: 'Operator not found', errorCode: 'INVALID_OPERATOR_ID' }, 404)
  })
  server.get<{ Params: { phone: string; iso: string } }>(
    '/topups/operators/auto-detect/phone/:phone/countries/:iso',
    catalogue,
    async ({ params }, reply) => {
      const country = params.iso.toUpperCase()
      const phone = isSupportedCountry(country) ? parsePhoneNumberFromString(params.phone, country) : undefined
      const own = phone?.country === country ? phone : undefined
      const operator = own && detectOperator(country, own.nationalNumber)
      if (operator) return send(reply, showOperator(operator))
      const message = 'Could not auto detect operator for given phone number'
      return send(reply, { message, errorCode: 'COULD_NOT_AUTO_DETECT_OPERATOR' }, 404)
    },
  )
}

/** Add the billers. */
export function addBillerRoutes(server: FastifyInstance): void {
  const catalogue = { config: { verb: 'catalogue' } }
  server.get<{ Querystring: Record<string, string> }>('/utilities/billers', catalogue, async ({ query }, reply) => {
    const wanted = billers.filter(
      ({ country, type, prepaid }) =>
        (query.countryISOCode === undefined || query.countryISOCode === country) &&
        (query.type === undefined || query.type === type) &&
        (query.serviceType === undefined || (query.serviceType === 'PREPAID') === prepaid),
    )
    // Pages begin with 1, and 0 is the same page.
    const [page, size] = [Math.max(1, Number(query.page ?? 1)), Math.min(1_000, Number(query.size ?? 200))]
    const content = wanted.slice((page - 1) * size, page * size).map(showBiller)
    const totalPages = Math.ceil(wanted.length / size)
    return send(reply, { content, totalElements: wanted.length, totalPages, last: page >= totalPages })
  })
}

function dollars(amount: number, rate: string): string {
  return literal(shortDecimal(toDollars(BigInt(amount) * 10_000n, rate) as Amount))
}

function showOperator({ fixed, limits: [min, max], ...operator }: Operator) {
  const { id, rate, currency, local, discount, country } = operator
  const named = (fixed ?? []).map(([amount, text]) => [amount.toFixed(2), text] as const)
  const in_dollars = (fixed ?? []).map(([amount, text]) => [
    shortDecimal(toDollars(BigInt(amount) * 10_000n, rate)),
    text,
  ])
  return {
    id,
    operatorId: id,
    name: operator.name,
    bundle: false,
    data: operator.kind === 'data',
    pin: false,
    supportsLocalAmounts: local,
    denominationType: fixed ? 'FIXED' : 'RANGE',
    status: 'ACTIVE',
    senderCurrencyCode: WALLET_CURRENCY,
    senderCurrencySymbol: '$',
    destinationCurrencyCode: currency,
    destinationCurrencySymbol: currency,
    commission: literal(discount),
    internationalDiscount: literal(discount),
    localDiscount: 0,
    mostPopularAmount: null,
    minAmount: fixed ? null : dollars(min, rate),
    maxAmount: fixed ? null : dollars(max, rate),
    localMinAmount: fixed || !local ? null : min,
    localMaxAmount: fixed || !local ? null : max,
    country: { isoName: country, name: country },
    fx: { rate: literal(rate), currencyCode: currency },
    fixedAmounts: in_dollars.map(([amount]) => literal(amount!)),
    fixedAmountsDescriptions: Object.fromEntries(in_dollars),
    localFixedAmounts: local ? (fixed ?? []).map(([amount]) => amount) : [],
    localFixedAmountsDescriptions: local ? Object.fromEntries(named) : {},
    logoUrls: [],
    suggestedAmounts: [],
    suggestedAmountsMap: {},
    promotions: [],
  }
}

/** `internatonalAmountSupported` is spelt so. */
function showBiller({ id, name, country, currency, rate, type, prepaid, fee, fixed, limits: [min, max] }: Biller) {
  return {
    id,
    name,
    countryCode: country,
    countryName: country,
    type,
    serviceType: prepaid ? 'PREPAID' : 'POSTPAID',
    localAmountSupported: true,
    localTransactionCurrencyCode: currency,
    requiresInvoice: false,
    minLocalTransactionAmount: min,
    maxLocalTransactionAmount: max,
    localTransactionFee: literal(fee),
    localTransactionFeeCurrencyCode: currency,
    localDiscountPercentage: 0,
    internatonalAmountSupported: true,
    internationalTransactionCurrencyCode: WALLET_CURRENCY,
    minInternationalTransactionAmount: dollars(min, rate),
    maxInternationalTransactionAmount: dollars(max, rate),
    internationalTransactionFee: literal('3.8E-5'),
    internationalDiscountPercentage: 8,
    denominationType: fixed ? 'FIXED' : 'RANGE',
    localFixedAmounts: fixed,
    internationalFixedAmounts: null,
    fx: { rate: literal(rate), currencyCode: currency },
  }
}
