import type { Database } from '../../../src/db/client.ts'

/** A part of the money of a phone, and where it is: as in the table of cases. */
export interface Place {
  phone: string
  place: string
  amount: number
}

/** Read the places of all incoming money: each collection is read once, and every shilling of it has one place. */
export async function readPlaces(db: Database): Promise<Place[]> {
  return db<Place[]>`
    with parts as (
      select c.id, c.phonenumber, c.amount as received,
        case when c.status = 'reversed' then c.amount - c.refunded else c.reversed_in_parts end as reversed, c.refunded as returned
      from collections c where c.status in ('successful', 'reversed')
    ), used as (
      select a.collection, coalesce(k.number, o.number || ' credit', 'link') as place, a.amount
      from allocations a left join invoices i on i.id = a.invoice left join contacts k on k.id = i.contact
        left join contacts o on o.id = a.contact
      where a.ended is null
      union all
      select c.id, coalesce(k.number, 'link'), p.received - p.reversed - p.returned
      from collections c join parts p on p.id = c.id left join invoice_requests r on r.request = c.collection_request
        left join invoices i on i.id = r.invoice left join contacts k on k.id = i.contact
      where c.collection_request is not null
    ), places as (
      select * from used
      union all
      select id, 'reversed', reversed from parts
      union all
      select id, 'returned', returned from parts
      union all
      select id, 'unmatched', received - reversed - returned - coalesce((
        select sum(u.amount) from used u where u.collection = parts.id), 0) from parts
    )
    select c.phonenumber as phone, p.place, sum(p.amount)::float8 as amount
    from places p join collections c on c.id = p.collection where p.amount <> 0 group by 1, 2 order by 1, 2`
}

/** The sums of places, for the phones that are given or all. */
export function sumPlaces(places: readonly Place[], phones?: ReadonlySet<string>): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { phone, place, amount } of places)
    if (!phones || phones.has(phone)) sums[place] = (sums[place] ?? 0) + amount
  return sums
}

/** Read the paid part of each pupil's invoices. */
export async function readPaid(db: Database): Promise<{ pupil: string; state: string; total: number; paid: number }[]> {
  return db`
    select c.number as pupil, i.state, i.total::float8 as total, i.amount_paid::float8 as paid
    from invoices i join contacts c on c.id = i.contact order by i.id`
}

/** Read the sums of the network and the books. */
export async function readSums(db: Database): Promise<{ network: number; books: number }> {
  const [sums] = await db<{ network: number; books: number }[]>`
    select (select sum(amount)::float8 from simulator_transactions) as network, sum(amount)::float8 as books from collections`
  return sums!
}
