import { parseNigerianPhone } from '../../lib/phone.ts'
import type { Service } from './catalogue.ts'
import { invalidField } from './refusals.ts'

/**
 * Reads the account number of a service: a phone number of 11 digits, an STS meter (11 digits whose last one is a check
 * digit, or 13), or as many digits as the catalogue says. Blanks and dashes are passed over. A service without accounts
 * takes anything.
 * @throws BillRefusal BX0003 on `field`
 */
export function readAccountNumber(service: Service, text: string, field = 'account_number'): string {
  const plain = text.replace(/[\s-]/g, '')
  switch (service.account_kind) {
    case 'phone': {
      const phone = parseNigerianPhone(plain)
      if (phone) return phone
      throw invalidField(field, 'Enter a phone number of 11 digits (e.g. 08031234567).')
    }
    case 'meter':
      if (/^\d{13}$/.test(plain) || (/^\d{11}$/.test(plain) && hasCheckDigit(plain))) return plain
      throw invalidField(field, 'Enter a valid meter number: 11 digits, of which the last one is a check digit, or 13.')
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

/** The check of ISO/IEC 7812-1 (Luhn), which STS meter numbers carry over all their digits (IEC 62055-41). */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at])
    const weighed = at % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}
