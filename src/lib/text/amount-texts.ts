import { type Amount, displayAmount, parseDisplayedAmount, shortAmount } from '../money.ts'
import type { Language } from './languages.ts'

/** Signs of French numbers (CLDR): a narrow no-break space between thousands, and a comma before decimals. */
export const FRENCH_MARKS = { between: '\u202f', point: ',' } as const

/** Write an amount as people of a language do: `1,500.50`, in French `1 500,50`. Swahili has the form of English. */
export function amountText(amount: Amount, language: Language): string {
  const text = displayAmount(amount)
  return language === 'fr' ? toFrench(text) : text
}

/** Write a number of things or per cent as people of a language do: `1500.5`, in French `1500,5`. */
export function shortAmountText(amount: Amount, language: Language): string {
  const text = shortAmount(amount)
  return language === 'fr' ? toFrench(text) : text
}

/** Write an amount with its currency as people of a language do: `UGX 1,500.50`, in French `1 500,50 UGX`. */
export function moneyText(amount: Amount, currency: string, language: Language): string {
  return withCurrency(amountText(amount, language), currency, language)
}

/** Write the currency beside an amount in figures or in words: first, in French last. */
export function withCurrency(text: string, currency: string, language: Language): string {
  return language === 'fr' ? `${text}\u00a0${currency}` : `${currency} ${text}`
}

/** Write an amount with its currency for an SMS, whose alphabet has no space that does not break. */
export function smsMoneyText(amount: Amount, currency: string, language: Language): string {
  return moneyText(amount, currency, language).replaceAll(/[\u00a0\u202f]/g, ' ')
}

const ENGLISH_MONEY = /^([A-Z]{3}) (-?\d{1,3}(?:,\d{3})*(?:\.\d+)?)$/
const ENGLISH_AMOUNT = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/

/** Rewrite an English amount, such as `UGX 1,500`, in the form of a language. Any other text stays. */
export function translateAmount(text: string, language: Language): string {
  const [, currency = '', number = ''] = ENGLISH_MONEY.exec(text) ?? []
  const amount = parseDisplayedAmount(number || (ENGLISH_AMOUNT.test(text) ? text : ''))
  if (amount === undefined) return text
  return currency === '' ? amountText(amount, language) : moneyText(amount, currency, language)
}

function toFrench(text: string): string {
  return text.replaceAll(/[,.]/g, (mark) => (mark === ',' ? FRENCH_MARKS.between : FRENCH_MARKS.point))
}
