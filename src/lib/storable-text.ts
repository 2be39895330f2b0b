/** Stands for what PostgreSQL cannot store: null characters, and halves of surrogate pairs. */
const REPLACEMENT = '\uFFFD'

/** A text as PostgreSQL can store it: null characters and halves of surrogate pairs become U+FFFD. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', REPLACEMENT)
}

/** A value with all its texts as PostgreSQL can store them, also those inside lists and plain objects. Other objects stay as they are. */
export function toStorable<Value>(value: Value): Value {
  if (typeof value === 'string') return toStorableText(value) as Value
  if (Array.isArray(value)) return value.map(toStorable) as Value
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toStorable(one)])) as Value
}
