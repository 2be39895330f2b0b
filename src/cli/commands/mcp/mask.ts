/** Fields with values that are as good as money or a password, or that identify a person to the state. */
const SECRETS: ReadonlySet<string> = new Set(['tokenCode', 'pinValue', 'rawOutput', 'national_id'])
/** Fields with numbers that name no phone, however long they are. */
const PLAIN = /(?:_id|[rR]eference)$/
/** Digits as in a phone number; amounts have a point. */
const PHONE = /(?<![\w.])(\+?\d{3})\d{4,10}(\d{3})(?![\w.])/g

/**
 * Hide the phone numbers, but for their first and last three digits, and the secrets in an answer of the API.
 * @param name the field that the value stands in
 */
export function mask(value: unknown, name = ''): unknown {
  if (value === null) return value
  if (SECRETS.has(name)) return '***'
  if (typeof value === 'string') return PLAIN.test(name) ? value : value.replace(PHONE, '$1***$2')
  if (Array.isArray(value)) return value.map((one) => mask(one, name))
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, mask(inner, field)]))
}
