/** The values of a person's fields after the erasure. A field that is null stays null. */
const REPLACEMENTS: Readonly<Record<string, unknown>> = {
  first_name: 'Erased',
  last_name: 'Contact',
  email: null,
  name_on_network: '',
  name_matches_network_score: 0,
  name_matches_network_status: 'unchecked',
  phone_is_mm_registered: 'unknown',
  national_id: null,
  national_id_type: null,
  metadata: {},
  reason: '',
  success_message: '',
  instructions: null,
  reference: null,
  description: '',
}

/**
 * Erases a person from a stored message. In JSON, each object about the number loses its personal fields, and the
 * number is replaced everywhere else; ids, amounts, states and times stay. In other texts only the number is replaced.
 * @param phone E.164
 * @param replacement takes the place of the number
 */
export function erasePerson(message: string, phone: string, replacement: string): string {
  try {
    return JSON.stringify(eraseValue(JSON.parse(message), { phone, replacement }))
  } catch {
    return replaceNumber(message, { phone, replacement })
  }
}

interface Erasure {
  phone: string
  replacement: string
}

function eraseValue(value: unknown, erased: Erasure): unknown {
  if (typeof value === 'string') return replaceNumber(value, erased)
  if (Array.isArray(value)) return value.map((item) => eraseValue(item, erased))
  if (value === null || typeof value !== 'object') return value
  const is_about_person = concernsPhone(value as Record<string, unknown>, erased.phone)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      is_about_person && Object.hasOwn(REPLACEMENTS, name) && inner !== null
        ? [name, REPLACEMENTS[name]]
        : [name, eraseValue(inner, erased)],
    ),
  )
}

/** A contact, a request, a collection or a recipient with this number; or a payment to this number only. */
function concernsPhone(object: Record<string, unknown>, phone: string): boolean {
  if (object.phonenumber === phone || object.phone_number === phone) return true
  const { phone_nos } = object
  return (
    Array.isArray(phone_nos) &&
    phone_nos.length > 0 &&
    phone_nos.every((one) => (typeof one === 'object' && one !== null ? one.phonenumber : one) === phone)
  )
}

/** Networks and people also write the number without its plus. */
function replaceNumber(text: string, { phone, replacement }: Erasure): string {
  return text.replaceAll(phone, replacement).replaceAll(phone.slice(1), replacement)
}
