import english from './en.json' with { type: 'json' }

/** Key of a message of the service: the area, and the name of the message in it. */
export type MessageKey = keyof typeof english

/** Values of a message, by the names that stand in its double braces. */
export type MessageValues = Readonly<Record<string, string | number | bigint | null | undefined>>

/**
 * Return a message of the service in English, which is the language of the API, the database and the command line. The
 * console shows it in the language of the person (translate.ts).
 */
export function getMessage(key: MessageKey, values: MessageValues = {}): string {
  return fillMessage(english[key].message, values)
}

/** Fill the values of a message into its text. */
export function fillMessage(text: string, values: MessageValues): string {
  return text.replace(/\{\{(\w+)\}\}/g, (slot, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : slot,
  )
}
