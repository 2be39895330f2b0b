/** Values of a message, by the names that stand in its double braces. */
export type MessageValues = Readonly<Record<string, string | number | bigint | null | undefined>>

/** Messages of one language, by key. English has a note for translators with each. */
export type MessageCatalogue = Readonly<Record<string, { message: string; description?: string }>>

/** Messages that are only parts of others, such as `rows 3, 4`. */
const PARTS = 'parts.'

interface Template {
  is_part: boolean
  /** Texts before, between and after the values. */
  literals: string[]
  /** Names of the values. */
  names: string[]
  translation: string
}

/**
 * Create a function that translates the service's English messages. It finds the key of a message by its text, since a
 * message may be years old, and may have passed through a database. An unknown text, such as one of a network, stays.
 *
 * The name of a value says how the value is translated: `…_text` is a message, `…_texts` are several with `; ` or
 * `, and ` between them, `state` and `status` are codes, amounts get the form of the language, and all others stay.
 * @param translateCode word for a code such as `paid`
 * @param translateAmount form of an amount such as `UGX 1,500`
 */
export function createTranslator(
  english: MessageCatalogue,
  other: MessageCatalogue,
  translateCode: (code: string) => string,
  translateAmount: (amount: string) => string = (amount) => amount,
): (text: string) => string {
  const templates = Object.entries(english)
    .map(([key, { message }]) => toTemplate(key, message, other[key]?.message ?? message))
    .sort((one, two) => lengthOf(two) - lengthOf(one))
  const whole = new Map(templates.filter(({ names }) => names.length === 0).map((one) => [one.literals[0]!, one]))
  const open = templates.filter(({ names }) => names.length > 0)

  const translate = (text: string, is_part: boolean): string => {
    const exact = whole.get(text)
    if (exact) return exact.is_part && !is_part ? text : exact.translation
    for (const template of open) {
      const values = template.is_part && !is_part ? undefined : readValues(text, template)
      if (values) return fillMessage(template.translation, translateValues(values))
    }
    return text
  }
  const translateValues = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, translateValue(name, value)]))
  const translateValue = (name: string, value: string): string => {
    if (name === 'state' || name === 'status') return translateCode(value)
    if (name.endsWith('_text')) return translate(value, true)
    if (!name.endsWith('_texts')) return translateAmount(value)
    const parts = value.split(/; |, and /)
    return parts.map((part) => translate(part, true)).join('; ')
  }
  return (text) => translate(text, false)
}

function toTemplate(key: string, message: string, translation: string): Template {
  const pieces = message.split(/\{\{(\w+)\}\}/)
  return {
    is_part: key.startsWith(PARTS),
    literals: pieces.filter((_, index) => index % 2 === 0),
    names: pieces.filter((_, index) => index % 2 === 1),
    translation,
  }
}

/** Length of the fixed text: of two templates that fit, the longer one says more. */
function lengthOf({ literals }: Template): number {
  return literals.join('').length
}

/** Return the values in a text of the template; undefined if the text has another one. */
function readValues(text: string, { literals, names }: Template): Record<string, string> | undefined {
  const last = literals.at(-1)!
  if (!text.startsWith(literals[0]!) || !text.endsWith(last)) return undefined
  const end = text.length - last.length
  const values: Record<string, string> = {}
  let from = literals[0]!.length
  for (const [index, name] of names.entries()) {
    const next = index === names.length - 1 ? end : text.indexOf(literals[index + 1]!, from + 1)
    if (next <= from || next > end) return undefined
    const value = text.slice(from, next)
    if (values[name] !== undefined && values[name] !== value) return undefined
    values[name] = value
    from = next + literals[index + 1]!.length
  }
  return values
}

/** Fill the values of a message into its text. */
export function fillMessage(text: string, values: MessageValues): string {
  return text.replace(/\{\{(\w+)\}\}/g, (slot, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : slot,
  )
}
