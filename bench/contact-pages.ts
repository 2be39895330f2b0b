import { readHistory } from '../src/core/contacts/history.ts'
import { readContactTotals } from '../src/core/contacts/totals.ts'
import type { Database } from '../src/db/client.ts'
import type { Customer } from './shops.ts'

/** Read of a contact's page, as the console makes them. */
export type ContactRead = (n: number) => Promise<unknown[]>

/** Rows on the first page of a contact. */
const PAGE = 20

interface Row {
  id: number
  phone_number: string
}

/** The reads of the page of a contact: for contacts spread over the table, and for the one with most requests. */
export async function contactPageReads(
  db: Database,
  organization: number,
  { usual, largest }: { usual: readonly Customer[]; largest: Customer },
): Promise<Record<string, ContactRead>> {
  const spread = Array.from({ length: 1_000 }, (_, n) => usual[(n * 7_919) % usual.length]!)
  const read = (customers: readonly Customer[]) => db<Row[]>`
    select id, phone_number from contacts
    where organization = ${organization} and phone_number = any(${customers.map(({ phone }) => `+${phone}`)}::text[])`
  const [most] = await read([largest])
  const others = await read(spread)
  const other = (n: number) => others[n % others.length]!
  const totals = ({ id }: Row) => readContactTotals(db, organization, id)
  const history = async ({ id: contact, phone_number }: Row) =>
    (await readHistory(db, { organization, contact, phone_number, limit: PAGE, may_see_purchases: true })).results
  return {
    'totals of a usual contact': (n) => totals(other(n)),
    'history of a usual contact': (n) => history(other(n)),
    'totals of the largest contact': () => totals(most!),
    'history of the largest contact': () => history(most!),
  }
}
