import { randomInt } from 'node:crypto'
import { type Amount, shortAmount } from '../../../lib/money.ts'
import { generateToken, tariffOf, tenthsOfKwhFor } from '../../world/electricity.ts'
import type { Service } from './services.ts'

/** Make the customer's goods in the members that the biller uses. Each distribution company names them differently. */
export function makeGoods(
  service: Service,
  variation: string,
  amount: Amount,
  quantity: number,
): Record<string, unknown> {
  if (service.category === 'electricity-bill')
    return variation === 'postpaid'
      ? { purchased_code: '', exchangeReference: digits(12) }
      : prepaidPower(service, amount)
  if (service.category === 'education') return examPins(service, quantity)
  return { purchased_code: '' }
}

function prepaidPower({ id }: Service, amount: Amount): Record<string, unknown> {
  const token = generateToken()
  const price = tariffOf(id)
  const tariff = shortAmount(price)
  const tenths = tenthsOfKwhFor(amount, price)
  const units = `${tenths / 10n}.${tenths % 10n}`
  const purchased_code = `Token : ${token}`
  if (id === 'kano-electric') return { purchased_code, Token: token, Units: units, tariff }
  if (id === 'eko-electric') {
    const spaced = token.replace(/(\d{4})(?=\d)/g, '$1-')
    return { purchased_code: `Token : ${spaced}`, mainToken: spaced, mainTokenUnits: units, bonusToken: null }
  }
  if (id === 'enugu-electric') return { purchased_code, receiptNumber: digits(10) }
  if (id === 'portharcourt-electric')
    return { purchased_code, token, units: `${units} kWh`, kct1: generateToken(), kct2: generateToken() }
  return {
    purchased_code,
    mainToken: token,
    mainTokenDescription: 'Normal Sale',
    mainTokenUnits: Number(units),
    bonusToken: null,
    tariff,
    debtAmount: 0,
    resetToken: '',
    configureToken: '',
    kct1: 'N/A',
    kct2: 'N/A',
  }
}

function examPins({ id }: Service, quantity: number): Record<string, unknown> {
  if (id === 'jamb') {
    const pin = digits(16)
    return { Pin: `Pin : ${pin}`, purchased_code: `Pin : ${pin}` }
  }
  if (id === 'waec-registration') {
    const tokens = Array.from({ length: quantity }, () => digits(12))
    return { tokens, purchased_code: tokens.join(', ') }
  }
  const cards = Array.from({ length: quantity }, () => ({ Serial: `WRN${digits(9)}`, Pin: digits(12) }))
  return { cards, purchased_code: cards.map(({ Serial, Pin }) => `Serial No:${Serial}, pin: ${Pin}`).join('||') }
}

function digits(count: number): string {
  return Array.from({ length: count }, (_, index) => randomInt(index === 0 ? 1 : 0, 10)).join('')
}
