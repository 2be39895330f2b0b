import { MAX_ANSWER_BYTES } from '../../../src/lib/http/http-call.ts'
import { structures, TEXTS, textOf } from './hostile-bodies.ts'

/** Value that stands for a member of an answer. */
export interface HostileValue {
  what: string
  /** The value as a text. */
  value: string
  /** True if it is a text in JSON, too, and not written as it is. */
  is_text: boolean
}

/** Maximum nesting that is read, less the nesting of the answers themselves. */
const LEVELS = 12
const ITEMS = 9_000

/** A list of long texts in as many lists as are read. */
function deepestList(bytes: number): string {
  const items = Array.from({ length: ITEMS }, () => `"${'a'.repeat(Math.max(1, bytes / ITEMS - 4))}"`)
  return `${'['.repeat(LEVELS)}${items.join(',')}${']'.repeat(LEVELS)}`
}

/** Bytes left for the rest of an answer. */
const BYTES = MAX_ANSWER_BYTES - 8_000

/** Return all values of 1 MB: texts, as a form or as JSON, and in JSON what else is read slowly. */
export function hostileValues(form: boolean): readonly HostileValue[] {
  const bytes = form ? BYTES / 9 : BYTES
  const texts = Object.entries(TEXTS).map(([what, part]) => ({ what, value: textOf(part, bytes), is_text: true }))
  if (form) return texts
  const others = { ...structures(BYTES), 'the deepest lists': deepestList(BYTES) }
  return [...texts, ...Object.entries(others).map(([what, value]) => ({ what, value, is_text: false }))]
}
