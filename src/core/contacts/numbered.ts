import type { Reader } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { Condition } from '../filters.ts'
import { keysOfNumber } from '../numbers/keys.ts'

/** The statement that finds the customers whose number a text is, however it is written. */
export function contactsNumbered(organization: number, text: string): Condition {
  return sql`select contact from contact_number_keys where organization = ${organization} and key = any(${keysOf(text)}::text[])`
}

/** The statement that finds the customers with a tag, in whatever case it is written. */
export function contactsTagged(organization: number, tag: string): Condition {
  return sql`select contact from contact_tags where organization = ${organization} and lower(tag) = lower(${tag.trim()})`
}

/**
 * Finds the customers whose numbers these texts are, without blanks, dashes, zeros or the prefix too. The number as a whole decides;
 * otherwise several customers may have it.
 * @returns by text: the customers, none for a number that nobody has
 */
export async function findNumbered(
  db: Reader,
  organization: number,
  texts: readonly string[],
): Promise<Map<string, number[]>> {
  const distinct = [...new Set(texts)]
  const wanted = [...new Set(distinct.flatMap(keysOf))]
  const found = await db<{ key: string; contact: number; is_whole: boolean }[]>`
    select key, contact, is_whole from contact_number_keys
    where organization = ${organization} and key = any(${wanted}::text[]) order by contact`
  const by_key = Map.groupBy(found, ({ key }) => key)
  return new Map(
    distinct.map((text) => {
      const whole = by_key.get(keysOfNumber(text)?.whole ?? '')?.find(({ is_whole }) => is_whole)
      const others = keysOf(text).flatMap((key) => by_key.get(key) ?? [])
      return [text, whole ? [whole.contact] : [...new Set(others.map(({ contact }) => contact))]]
    }),
  )
}

/** The keys by which a typed number is compared. */
function keysOf(text: string): string[] {
  const keys = keysOfNumber(text)
  return keys ? [keys.whole, ...keys.joined] : []
}
