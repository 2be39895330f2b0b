/** Fields with values that are as good as money or a password, or that identify a person to the state. */
const SECRETS: ReadonlySet<string> = new Set(['tokenCode', 'pinValue', 'rawOutput', 'national_id'])
/**
 * Fields of a bought bill that are no goods. Each provider adds fields of its own, such as `resetToken` of a meter or
 * `token_pin` of an exam, so all others are hidden.
 */
const BILL_FIELDS: ReadonlySet<string> = new Set(
  `id organization agentReference kind service_type account_number phone amount currency metadata status error_code created
  modified author statusCode transactionStatus transactionReference transactionMessage baxiReference provider_message
  tokenAmount amountOfPower`.split(/\s+/),
)
/** Fields with numbers that name no phone, however long they are. */
const PLAIN = /(?:_id|[rR]eference)$/
/** Digits as in a phone number; amounts have a point. */
const PHONE = /(?<![\w.])(\+?\d{3})\d{4,10}(\d{3})(?![\w.])/g
/** Digits as in the token of a meter, also in groups; no phone and no time has so many. */
const TOKEN = /(?<![\w.])\d(?:[ -]?\d){16,}(?!\w)/g

/**
 * Hide the phone numbers, but for their first and last three digits, and the secrets in an answer of the API.
 * @param name the field that the value stands in
 */
export function mask(value: unknown, name = ''): unknown {
  if (value === null) return value
  if (SECRETS.has(name)) return '***'
  if (typeof value === 'string') return PLAIN.test(name) ? value : value.replace(TOKEN, '***').replace(PHONE, '$1***$2')
  if (Array.isArray(value)) return value.map((one) => mask(one, name))
  if (typeof value !== 'object') return value
  const is_bill = 'transactionStatus' in value
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      field,
      is_bill && !BILL_FIELDS.has(field) ? '***' : mask(inner, field),
    ]),
  )
}
