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
  customer_name: '',
  notes: '',
  void_reason: '',
  rejected_reason: '',
  cancelled_reason: '',
}

/** A person who is erased. */
interface ErasedPerson {
  /** E.164. Null for a customer without a phone. */
  phone: string | null
  /** The id of the contact: an object that names another one is not about the person. */
  contact: number
}

/**
 * Erases a person from a stored message. In JSON, each object about the person loses its personal fields, and the
 * number is replaced everywhere else; ids, amounts, states and times stay. In other texts only the number is replaced.
 * @param replacement takes the place of the number
 */
export function erasePerson(message: string, person: ErasedPerson, replacement: string): string {
  const erasure = { ...person, replacement }
  try {
    return JSON.stringify(eraseValue(JSON.parse(message), erasure))
  } catch {
    return replaceNumber(message, erasure)
  }
}

interface Erasure extends ErasedPerson {
  replacement: string
}

function eraseValue(value: unknown, erased: Erasure): unknown {
  if (typeof value === 'string') return replaceNumber(value, erased)
  if (Array.isArray(value)) return value.map((item) => eraseValue(item, erased))
  if (value === null || typeof value !== 'object') return value
  const is_about_person = concerns(value as Record<string, unknown>, erased)
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      is_about_person && Object.hasOwn(REPLACEMENTS, name) && inner !== null
        ? [name, REPLACEMENTS[name]]
        : [name, eraseValue(inner, erased)],
    ),
  )
}

/** True for the contact itself, an object that names the contact, or one that has its number. */
function concerns(object: Record<string, unknown>, { phone, contact }: ErasedPerson): boolean {
  if (typeof object.contact === 'number') return object.contact === contact
  if (object.id === contact && Object.hasOwn(object, 'name_on_network')) return true
  return phone !== null && concernsPhone(object, phone)
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
  if (phone === null) return text
  return text.replaceAll(phone, replacement).replaceAll(phone.slice(1), replacement)
}
