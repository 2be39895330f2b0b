import english from './en.json' with { type: 'json' }
import { fillMessage, type MessageValues } from './translate.ts'

/** Key of a message of the service: the area, and the name of the message in it. */
export type MessageKey = keyof typeof english

/**
 * Return a message of the service in English, which is the language of the API, the database and the command line. The
 * console shows it in the language of the person (translate.ts).
 */
export function getMessage(key: MessageKey, values: MessageValues = {}): string {
  return fillMessage(english[key].message, values)
}
