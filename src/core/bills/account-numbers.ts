import { getMessage } from '../../lib/messages/message.ts'
import { parsePhone, parsePhoneOf } from '../../lib/phone.ts'
import { describePattern, examplePattern, matchPatterns } from './account-patterns.ts'
import type { Service } from './catalogue.ts'
import { type BillRefusal, invalidField } from './refusals.ts'

/**
 * Reads and checks an account number by the rule of its service:
 *
 * - a phone number of its country,
 * - an STS meter number: 13 digits, or 11 with a check digit at the end,
 * - the catalogue's own format: a number of digits, or letters, digits and separators.
 *
 * Spaces are removed, and dashes where the rule has none. A service without accounts accepts any text.
 * @throws BillRefusal BX0003 on `field`
 */
export function readAccountNumber(service: Service, text: string, field = 'account_number'): string {
  const plain = text.replace(/[\s-]/g, '')
  switch (service.account_kind) {
    case 'phone': {
      const phone = parsePhoneOf(service.country, plain)
      if (phone) return phone
      throw invalidPhone(service.country, field)
    }
    case 'meter':
      if (/^\d{13}$/.test(plain) || (/^\d{11}$/.test(plain) && hasCheckDigit(plain))) return plain
      throw invalidField(field, getMessage('bills.enter_valid_meter'))
    case 'digits': {
      const min = service.min_account_digits ?? 1
      const max = service.max_account_digits ?? MAX_DIGITS
      if (/^\d+$/.test(plain) && plain.length >= min && plain.length <= max) return plain
      throw invalidField(
        field,
        `Enter ${withArticle(service.account_name ?? 'number')} of ${rangeOf(min, max)} digits.`,
      )
    }
    case 'text': {
      const known = readTextAccount(service, text.replace(/\s/g, ''))
      if (known !== undefined) return known
      throw invalidField(field, `Enter ${withArticle(nameOf(service))}: ${describeText(service)}.`)
    }
    case null:
      return text.trim()
  }
}

const MAX_DIGITS = 20

/** Describes the account numbers of a service for people; null for a service without accounts. */
export function describeAccount(service: AccountRule): string | null {
  const { account_kind: kind, account_name, min_account_digits: min, max_account_digits: max } = service
  const named = (text: string) => (account_name === null ? text : `${account_name}: ${text}`)
  if (kind === 'phone') return getMessage('bills.account_phone')
  if (kind === 'meter') return getMessage('bills.account_meter')
  if (kind === 'digits') return named(`${rangeOf(min ?? 1, max ?? MAX_DIGITS)} digits`)
  return kind === 'text' ? named(describeText(service)) : null
}

type AccountRule = Pick<
  Service,
  | 'account_kind'
  | 'account_name'
  | 'account_patterns'
  | 'account_keeps_case'
  | 'min_account_digits'
  | 'max_account_digits'
>

/** Reads an account number with letters. Its separators may be left out where a pattern says where they stand. */
function readTextAccount(service: AccountRule, plain: string): string | undefined {
  const { account_patterns: patterns, min_account_digits: min, max_account_digits: max } = service
  const text = service.account_keeps_case ? plain : plain.toUpperCase()
  if (patterns !== null) return matchPatterns(patterns, text, service.account_keeps_case)
  const fits = /^[A-Za-z\d][A-Za-z\d./_-]*$/.test(text) && text.length >= (min ?? 1) && text.length <= (max ?? MAX_TEXT)
  return fits ? text : undefined
}

const MAX_TEXT = 60

function describeText({ account_patterns: patterns, min_account_digits: min, max_account_digits: max }: AccountRule) {
  if (patterns === null) return `${rangeOf(min ?? 1, max ?? MAX_TEXT)} letters, digits and the characters . / - _`
  const forms = patterns.map((pattern) => `${describePattern(pattern)} (such as ${examplePattern(pattern)})`)
  return forms.join(', or ')
}

function nameOf({ account_name }: AccountRule): string {
  return account_name ?? 'account number'
}

/** English: `an` before the sound of a vowel. A name in capitals is read by its letters, such as IUC. */
function withArticle(name: string): string {
  const initials = /^[A-Z]{2,}\b/.test(name)
  return `${(initials ? /^[AEFHILMNORSX]/ : /^[aeio]/i).test(name) ? 'an' : 'a'} ${name}`
}

function rangeOf(min: number, max: number): string {
  return min === max ? String(min) : `${min} to ${max}`
}

/**
 * Reads the phone of a customer: a number of the service's country, or one of any country with its country code. A person may
 * pay for a meter in another country.
 * @throws BillRefusal BX0003 on `field`
 */
export function readCustomerPhone(country: string, text: string, field = 'phone'): string {
  const abroad = text.trim().startsWith('+') ? parsePhone(text) : undefined
  const phone = parsePhoneOf(country, text) ?? (abroad && abroad.country !== country ? abroad.number : undefined)
  if (phone === undefined) throw invalidPhone(country, field)
  return phone
}

function invalidPhone(country: string, field: string): BillRefusal {
  return invalidField(
    field,
    country === 'NG'
      ? getMessage('bills.enter_phone_number')
      : getMessage('bills.enter_phone_number_country', { country }),
  )
}

/** The Luhn check of ISO/IEC 7812-1. STS meter numbers have a check digit over all their digits (IEC 62055-41). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const weighted = index % 2 === 0 ? digit : digit * 2
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}
