import type { Reader } from '../../../db/client.ts'
import { formatAmount } from '../../../lib/money.ts'
import type { Totals } from '../totals.ts'

/** An invoice that a new one may repeat. */
interface SameInvoice {
  id: number
  number: number | null
}

/** Returns the key that two invoices of a customer share if one may be a mistake: texts and totals. */
export function sameKey(
  customer: number | string,
  currency: string,
  { lines, total }: Pick<Totals, 'lines' | 'total'>,
) {
  return keyOf(
    customer,
    currency,
    total,
    lines.map(({ text }) => text),
  )
}

/**
 * Finds the invoices of these customers that another one would repeat, by `sameKey`: drafts, open ones, and paid ones that are not
 * due yet. After its due date a paid invoice belongs to an earlier month or term.
 */
export async function findRepeatable(
  db: Reader,
  now: Date,
  contacts: readonly number[],
): Promise<Map<string, SameInvoice>> {
  const found = await db<(SameInvoice & { contact: number; currency: string; total: bigint; texts: string[] })[]>`
    select id, number, contact, currency, total,
      array(select line.value->>'text' from jsonb_array_elements(lines) with ordinality line (value, place) order by place) as texts
    from invoices where contact = any(${[...new Set(contacts)]}::bigint[]) 
      and (state in ('draft', 'issued') or (state = 'paid' and overdue_at > ${now})) order by id desc`
  return new Map(
    found.map(({ id, number, contact, currency, total, texts }) => [
      keyOf(contact, currency, total, texts),
      { id, number },
    ]),
  )
}

function keyOf(customer: number | string, currency: string, total: bigint, texts: readonly string[]): string {
  const plain = texts.map((text) => text.trim().toLowerCase().replace(/\s+/g, ' '))
  return JSON.stringify([customer, currency, formatAmount(total), plain])
}
