import { updateRequestCounts } from '../src/core/collections/request-counts.ts'
import { begin, type Database } from '../src/db/client.ts'
import { drawIds } from '../src/db/drawn-ids.ts'
import { sql } from '../src/db/sql.ts'
import { CURRENCY, type Customer } from './shops.ts'

/** The rows to insert: requests that ended during the last 90 days, or open requests of today. */
export interface RequestRows {
  rows: number
  ended: boolean
}

/**
 * Insert requests of these customers in turn, and update the counts as the service does. It uses SQL, because the
 * service would need minutes for a million.
 */
export async function insertRequests(
  db: Database,
  customers: readonly Customer[],
  { rows, ended }: RequestRows,
): Promise<void> {
  const end = Date.now()
  const start = new Date(ended ? end - 90 * DAY_MS : end)
  const expiry = new Date(ended ? end - 1 : end + DAY_MS)
  await insertContacts(db, customers)
  await begin(db, async (tx) => {
    // The rows are consistent, and checking every foreign key would take as long again.
    await tx`set local session_replication_role = replica`
    // The service counts them as pending when they are committed.
    await drawIds(tx, 'collection_requests', 1)
    await tx`
      with people as materialized (
        select row_number() over (order by p.number) - 1 as place, p.organization, p.account, p.author, c.id, c.phone_number
        from unnest(${organizationIds(customers)}::bigint[], ${customers.map(({ shop }) => shop.account)}::bigint[],
          ${customers.map(({ shop }) => shop.author)}::bigint[], ${phoneNumbers(customers)}::text[])
          with ordinality as p(organization, account, author, phone_number, number)
        join contacts c on c.organization = p.organization and c.phone_number = p.phone_number),
      made as (
        insert into collection_requests (organization, amount, currency, account, phonenumber, contact, network, connection,
          reason, metadata, success_message, send_instructions, status, error_message, expiry_date, max_attempts, created, author,
          modified)
        select p.organization, 1500, ${CURRENCY}, p.account, p.phone_number, p.id, 'sandbox', 'sandbox', 'Order ' || n,
          '{"order": 7}', '', true, s.status, case s.status when 'failed' then 'Cancelled By User' end, ${expiry}, 3, t.at, p.author, t.at
        from generate_series(0, ${rows - 1}::integer) as n
        join people p on p.place = n % ${customers.length}::integer
        cross join lateral (select ${start}::timestamptz
          + n * (${new Date(end)}::timestamptz - ${start}::timestamptz) / ${rows}::integer as at) t
        cross join lateral (select case when not ${String(ended)}::boolean then 'pending'
          when (n + n / ${customers.length}::integer) % 10 < 4 then 'failed' else 'expired' end as status) s
        order by n
        returning id, organization, account, phonenumber, amount, created, status),
      opened as (
        insert into open_collection_requests (collection_request, organization, account, phonenumber, amount, due_at)
        select id, organization, account, phonenumber, amount, created from made where status = 'pending')
      insert into collection_request_counts as c
      select organization, status, sum(change) from (
        select organization, status, 1 as change from made union all select organization, 'pending', -1 from made) changes
      group by organization, status having sum(change) <> 0
      on conflict (organization, status) do update set count = c.count + excluded.count`
  })
  // A job of the service does this every second. Benchmarks of lists run without jobs.
  await begin(db, updateRequestCounts)
  for (const table of ['contacts', 'collection_requests', 'collection_request_counts'])
    await db`vacuum analyze ${sql.identifier(table)}`
}

const DAY_MS = 24 * 3_600_000

/** The contacts of one statement: more take longer than statements may. */
const CONTACTS_AT_ONCE = 50_000

/** Insert a contact for each customer who has none yet. */
export async function insertContacts(db: Database, customers: readonly Customer[]): Promise<void> {
  const now = new Date()
  for (let from = 0; from < customers.length; from += CONTACTS_AT_ONCE) {
    const part = customers.slice(from, from + CONTACTS_AT_ONCE)
    await db`
      insert into contacts (organization, first_name, last_name, phone_number, type, status, phone_is_supported,
        phone_is_mm_registered, name_on_network, name_matches_network_status, name_matches_network_score, network_name,
        created, modified, author)
      select organization, 'Anonymous', 'Contact', phone_number, 'employee', 'active', 'yes', 'unknown', '', 'unchecked', 0,
        'Sandbox Network', ${now}, ${now}, author
      from unnest(${organizationIds(part)}::bigint[], ${phoneNumbers(part)}::text[],
        ${part.map(({ shop }) => shop.author)}::bigint[]) as p(organization, phone_number, author)
      on conflict do nothing`
  }
}

function organizationIds(customers: readonly Customer[]): number[] {
  return customers.map(({ shop }) => shop.organization)
}

function phoneNumbers(customers: readonly Customer[]): string[] {
  return customers.map(({ phone }) => `+${phone}`)
}
