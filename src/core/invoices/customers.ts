import { sql } from '../../db/sql.ts'
import type { Condition } from '../filters.ts'
import { keysOfNumber } from '../numbers/keys.ts'

/** The statement that finds the customers whose number a text is, without its prefix and zeros too. */
export function contactsNumbered(organization: number, text: string): Condition {
  return sql`select contact from contact_number_keys where organization = ${organization} and key = any(${keysOf(text)}::text[])`
}

/** The keys by which a typed number finds its customer: with its letters, however they are written, or without them. */
export function keysOf(text: string): string[] {
  const keys = keysOfNumber(text)
  return keys ? [keys.whole, ...keys.joined] : []
}

/** The statement that finds the customers with a tag, in whatever case it is written. */
export function contactsTagged(organization: number, tag: string): Condition {
  return sql`select contact from contact_tags where organization = ${organization} and lower(tag) = lower(${tag.trim()})`
}
