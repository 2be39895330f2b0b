import { createHash } from 'node:crypto'
import { toStorableText } from '../../lib/storable-text.ts'

/** Members of answers and callbacks that tables index: ids, account numbers, and product names. */
const INDEXED: ReadonlySet<string> = new Set([
  'remote_id',
  'reference',
  'order_reference',
  'receiver',
  'currency',
  'to',
  'remote_service',
  'remote_product',
])

/** PostgreSQL refuses to index texts of some kilobytes, and no provider has ids of this length. */
const MAX_INDEXED = 256
const KEPT = 128

/**
 * Convert an answer to a form that PostgreSQL can store: no null characters, no halves of surrogate pairs. A hash
 * replaces the end of a text that is too long for an index. The same text always has the same form.
 */
export function toStorableAnswer<Value>(value: Value, name = ''): Value {
  if (typeof value === 'string') return toStorableMember(value, name) as Value
  if (Array.isArray(value)) return value.map((one) => toStorableAnswer(one, name)) as Value
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [member, toStorableAnswer(one, member)]),
  ) as Value
}

function toStorableMember(text: string, name: string): string {
  const storable = toStorableText(text)
  if (storable.length <= MAX_INDEXED || !INDEXED.has(name)) return storable
  const hash = createHash('sha256').update(storable).digest('hex')
  return `${toStorableText(storable.slice(0, KEPT))}~${hash}`
}
