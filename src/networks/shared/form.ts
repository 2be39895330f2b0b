/**
 * The digits of a phone number (E.164) after the calling code of its country, such as `256`. Undefined for a number of
 * another country.
 */
export function toNationalNumber(phonenumber: string, calling_code: string): string | undefined {
  const start = `+${calling_code}`
  return phonenumber.startsWith(start) ? phonenumber.slice(start.length) : undefined
}
