import { z } from 'zod'
import { type Fragment, sql } from '../../db/sql.ts'

const MAX_SEARCH_LENGTH = 100

/** The query parameter that searches a list for people by name or phone number. */
export const peopleSearch = z
  .string()
  .max(MAX_SEARCH_LENGTH)
  .transform((text) => text.trim())
  .optional()

/**
 * SQL: condition that a person has this name or phone number, or a part of it. All words must occur, in any order.
 * Digits match anywhere in the number, without the zero in front of a national number.
 */
export function matchesPerson(text: string | undefined, columns: { name: Fragment; phone: Fragment }): Fragment {
  if (!text) return sql.always
  if (/^\+?[\d\s().-]+$/.test(text)) {
    const digits = text.replace(/\D/g, '').replace(/^0+/, '')
    return sql`strpos(${columns.phone}, ${digits}) > 0`
  }
  const words = text.toLowerCase().split(/\s+/)
  return sql`not exists (
    select from unnest(${words}::text[]) as w(word) where strpos(lower(${columns.name}), w.word) = 0)`
}
