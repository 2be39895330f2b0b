import { beginningOf } from '../../drivers/words.ts'
import { toStorableText } from '../../lib/storable-text.ts'

const MAX_WORDS = 200
/** A shorter word is no secret, and may be a part of many others. */
const MIN_SECRET_CHARACTERS = 6

/**
 * Clean a provider's text for a message: one line, limited length, and `***` for secrets.
 * @param secrets the credentials of the connection, and the goods that were sold
 */
export function cleanWords(text: string, secrets: readonly string[] = []): string {
  const hidden = secrets.filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
  const masked = hidden.reduce((words, secret) => words.replaceAll(secret, '***'), text)
  return toStorableText(beginningOf(masked).replace(/\s+/g, ' ').trim()).slice(0, MAX_WORDS)
}

/** The 20 digits of an electricity token in a text such as `Token: 1234 5678 …`; undefined when there are none. */
export function readToken(text: string | undefined): string | undefined {
  return /(?<!\d)\d{20}(?!\d)/.exec((text ?? '').replace(/(?<=\d)[\s-]+(?=\d)/g, ''))?.[0]
}
