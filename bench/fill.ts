import type { Database } from '../src/db/client.ts'

/**
 * Puts so many ended requests into the table, spread over these phones and months past, and counts them as the service
 * would have. Each phone is a contact. Made by SQL, because the service would take minutes for a million.
 */
export async function fillRequests(db: Database, rows: number, phones: readonly string[]): Promise<void> {
  const [demo] = await db<{ organization: number; account: number; author: number }[]>`
    select a.organization, a.id as account, o.service_user as author
    from accounts a join organizations o on o.id = a.organization where a.currency = 'BXC' and a.kind = 'local' limit 1`
  const { organization, account, author } = demo!
  const began = new Date(Date.now() - 90 * 24 * 3_600_000)
  await db`
    insert into contacts (organization, first_name, last_name, phone_number, type, status, phone_is_supported,
      phone_is_mm_registered, name_on_network, name_matches_network_status, name_matches_network_score, network_name,
      created, modified, author)
    select ${organization}, 'Anonymous', 'Contact', '+' || phone, 'employee', 'active', 'yes', 'unknown', '', 'unchecked', 0,
      'Sandbox Network', ${began}, ${began}, ${author}
    from unnest(${phones as string[]}::text[]) as phone on conflict do nothing`
  await db`
    with people as materialized (
      select id, phone_number, row_number() over (order by id) - 1 as place from contacts where organization = ${organization})
    insert into collection_requests (organization, amount, currency, account, phonenumber, contact, network, reason, metadata,
      success_message, send_instructions, status, error_message, expiry_date, max_attempts, created, author, modified)
    select ${organization}, 1500, 'BXC', ${account}, p.phone_number, p.id, 'sandbox', 'Order ' || n, '{"order": 7}', '', true,
      case when n * 7919::bigint % 10 < 4 then 'failed' else 'expired' end, 'Cancelled By User', t.at, 3, t.at, ${author}, t.at
    from generate_series(1, ${rows}::integer) as n
    join people p on p.place = n % (select count(*) from people)
    cross join lateral (
      select ${began}::timestamptz + n * (interval '90 days' / ${rows}::integer) as at) t
    order by n`
  await db`
    insert into collection_request_counts as c
    select organization, status, count(*) from collection_requests group by organization, status
    on conflict (organization, status) do update set count = excluded.count`
  for (const table of ['contacts', 'collection_requests', 'collection_request_counts'])
    await db`vacuum analyze ${db(table)}`
}
