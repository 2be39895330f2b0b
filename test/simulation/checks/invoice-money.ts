import { readCredit } from '../../../src/core/allocations/allocations.ts'
import { unpackData } from '../../../src/core/events/stored-data.ts'
import { readMoney } from '../../../src/core/invoices/invoices.ts'
import type { Database } from '../../../src/db/client.ts'
import { sql } from '../../../src/db/sql.ts'
import { type Amount, formatAmount, parseAmount } from '../../../src/lib/money.ts'

/** The rules that hold after every transaction: money is for one thing only, and its parts are no more than the whole. */
const RULES = sql`
  select 'A collection is not the sum of what it is for and of what is free' as fault, c.id::text as id
  from collections c
  left join lateral (select sum(amount) as total from allocations a where a.collection = c.id and a.ended is null) a on true
  where c.allocated <> coalesce(a.total, 0) or c.allocated > c.amount
  union all
  select 'Money of a request is for something else, too', id::text
  from collections where allocated > 0 and collection_request is not null
  union all
  select 'Money is for something of another organization', a.id::text
  from allocations a join collections c on c.id = a.collection
  left join invoices i on i.id = a.invoice left join contacts k on k.id = a.contact left join payment_links l on l.id = a.payment_link
  where coalesce(i.organization, k.organization, l.organization) <> c.organization or a.organization <> c.organization
    or coalesce(i.currency, l.currency, c.currency) <> c.currency
  union all
  select 'Two requests of an invoice may be paid', i.invoice::text
  from invoice_requests i join collection_requests r on r.id = i.request
  where r.status in ('pending', 'processing_started', 'instructions_sent') group by i.invoice having count(*) > 1
  union all
  select 'A void invoice has money or asks for it', i.id::text
  from invoices i where i.state = 'void' and (i.amount_paid > i.amount_refunded or exists (
    select from invoice_requests q join collection_requests r on r.id = q.request
    where q.invoice = i.id and r.status in ('pending', 'processing_started', 'instructions_sent')))`

/**
 * Find money that is for two things, or of which the parts are more than the whole. It holds after every transaction.
 */
export async function checkAllocations(db: Database): Promise<string[]> {
  const rows = await db<{ fault: string; id: string }[]>`${RULES}`
  return rows.map(({ fault, id }) => `${fault} (${id}).`)
}

/** Words of the events about the credit of each customer: the sum of the changes, and the last balance. */
async function readToldCredit(db: Database): Promise<{ contact: number; balance: Amount; sum: Amount }[]> {
  const events = await db<{ object: number; data: Buffer }[]>`
    select object, data from events where type = 'contact.credit_changed' order by id`
  return [...Map.groupBy(events, ({ object }) => object)].map(([contact, all]) => {
    const changes = all.map(({ data }) => JSON.parse(unpackData(data)) as { amount: string; balance: string })
    const sum = changes.reduce((total, { amount }) => total + parseAmount(amount)!, 0n)
    return { contact, sum, balance: parseAmount(changes.at(-1)!.balance)! }
  })
}

/** The credit of customers is what was kept for them, and what the events said so far. */
export async function checkCredit(db: Database): Promise<string[]> {
  const told = await readToldCredit(db)
  const kept = await db<{ contact: number }[]>`
    select distinct contact from allocations where contact is not null and ended is null`
  const contacts = [...new Set([...told, ...kept].map(({ contact }) => contact))].sort((a, b) => a - b)
  const faults: string[] = []
  for (const contact of contacts) {
    const credit = (await readCredit(db, contact)).reduce((sum, { left }) => sum + left, 0n)
    const { balance = 0n, sum = 0n } = told.find((one) => one.contact === contact) ?? {}
    if (credit === balance && credit === sum) continue
    const figures = [credit, balance, sum].map((figure) => formatAmount(figure)).join(', ')
    faults.push(`The credit of customer ${contact}, its last event and the sum of its events differ: ${figures}.`)
  }
  return faults
}

/** Find organizations with money that no process has looked at yet. */
async function findUncounted(db: Database): Promise<number[]> {
  const found = await db<{ organization: number }[]>`
    select organization from money_positions p where exists (
      select from events e where e.organization = p.organization and e.id > p.event_position
        and e.type in ('collection.received', 'collection.reversed', 'invoice.issued', 'invoice.reopened',
          'collectionrequest.status.changed'))
    order by organization`
  return found.map(({ organization }) => organization)
}

/** Return true if money waits for the matching job. */
export async function isMoneyUncounted(db: Database): Promise<boolean> {
  return (await findUncounted(db)).length > 0
}

/**
 * Find invoices that got more than their total, or whose sums differ from their money's. It holds when all money has
 * been matched; organizations with other money are left out.
 */
export async function checkInvoiceMoney(db: Database): Promise<string[]> {
  const uncounted = await findUncounted(db)
  const invoices = await db<
    { id: number; state: string; total: Amount; amount_paid: Amount; amount_reversed: Amount }[]
  >`
    select id, state, total, amount_paid, amount_reversed from invoices
    where state <> 'draft' and organization <> all(${uncounted}::bigint[]) order by id`
  const faults: string[] = []
  for (const { id, state, total, amount_paid, amount_reversed } of invoices) {
    const money = await readMoney(db, id)
    const kept = money.amount_paid - money.amount_refunded
    if (kept > total) faults.push(`Invoice ${id} of ${formatAmount(total)} has got ${formatAmount(kept)}.`)
    if (money.amount_paid !== amount_paid || money.amount_reversed !== amount_reversed)
      faults.push(
        `Invoice ${id} says that ${formatAmount(amount_paid)} is paid, and its money is ${formatAmount(money.amount_paid)}.`,
      )
    const wanted = state === 'void' ? 'void' : amount_paid >= total ? 'paid' : 'issued'
    if (state !== wanted) faults.push(`Invoice ${id} is ${state}, and it must be ${wanted}.`)
  }
  return faults
}
