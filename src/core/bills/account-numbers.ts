import { parsePhone, parsePhoneOf } from '../../lib/phone.ts'
import type { Service } from './catalogue.ts'
import { type BillRefusal, invalidField } from './refusals.ts'

/**
 * Reads and checks an account number by the rule of its service: a phone number of its country, an STS meter number (13
 * digits, or 11 digits with a check digit at the end), or the number of digits in the catalogue. Spaces and dashes are
 * removed. A service without accounts accepts any text.
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
      throw invalidField(field, 'Enter a valid meter number: 13 digits, or 11 digits with a check digit at the end.')
    case 'digits': {
      const min = service.min_account_digits ?? 1
      const max = service.max_account_digits ?? MAX_DIGITS
      if (/^\d+$/.test(plain) && plain.length >= min && plain.length <= max) return plain
      throw invalidField(field, `Enter a number of ${min === max ? min : `${min} to ${max}`} digits.`)
    }
    case null:
      return text.trim()
  }
}

const MAX_DIGITS = 20

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
      ? 'Enter a phone number of 11 digits (e.g. 08031234567).'
      : `Enter a phone number of this country (${country}), with or without its country code.`,
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
