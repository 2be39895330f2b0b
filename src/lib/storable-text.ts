/** Replacement for characters that PostgreSQL cannot store: null characters, and halves of surrogate pairs. */
const REPLACEMENT = '\uFFFD'

/** A text as PostgreSQL can store it: null characters and halves of surrogate pairs become U+FFFD. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', REPLACEMENT)
}
