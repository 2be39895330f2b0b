import { packData } from '../src/core/events/stored-data.ts'
import { maintainPartitions, partitionedTables } from '../src/core/partitions.ts'
import { begin, type Database, type Tx } from '../src/db/client.ts'
import { drawIds } from '../src/db/drawn-ids.ts'
import { printProgress } from './measurements.ts'
import { CURRENCY, FIRST_CUSTOMER, type Shop } from './shops.ts'

const AMOUNT = 1_500
/** Collections of a transaction. Their temporary table fits into memory. */
const PAGE_COLLECTIONS = 50_000
/** Age of the first collection. Its events are still kept. */
const DAYS = 20

/**
 * Insert collections of the last days that were asked for, paid, and reported by SMS and webhook, with their 18 rows each. The
 * newest has the highest ids, as in use.
 */
export async function insertCollections(
  db: Database,
  shop: Shop,
  { webhook, count }: { webhook: number; count: number },
): Promise<void> {
  const began_ms = performance.now()
  const end = new Date()
  for (let done = 0; done < count; done += PAGE_COLLECTIONS) {
    const last = Math.min(done + PAGE_COLLECTIONS, count)
    await begin(db, (tx) => insertPage(tx, shop, webhook, { first: done + 1, last, count, end }))
    for (const table of partitionedTables) await begin(db, (tx) => maintainPartitions(tx, end, table, 2 * DAYS))
    const seconds = Math.round((performance.now() - began_ms) / 1_000)
    if (last % (20 * PAGE_COLLECTIONS) === 0) printProgress(`${last} collections after ${seconds} s`)
  }
}

/** The collections of a transaction among all `count`, of which the last is made at `end`. */
interface Page {
  first: number
  last: number
  count: number
  end: Date
}

async function insertPage(tx: Tx, shop: Shop, webhook: number, { first, last, count: all, end }: Page): Promise<void> {
  const { organization, account, author } = shop
  const count = last - first + 1
  const data = packData(
    JSON.stringify({ id: 1, organization, amount: '1500.0000', currency: CURRENCY, status: 'successful' }),
  )
  await tx`set local statement_timeout = 0`
  await tx`set local session_replication_role = replica`
  // The service counts the requests as pending when they are committed.
  await drawIds(tx, 'collection_requests', 1)
  await tx`
    create temp table made on commit drop as
    select n, '+800' || (${FIRST_CUSTOMER}::bigint + n) as phone, ${end}::timestamptz - (${all}::integer - n) * interval '1 day' * ${DAYS}::integer / ${all}::integer as at,
      nextval('contacts_id_seq') as contact, nextval('collection_requests_id_seq') as request,
      nextval('network_orders_id_seq') as ordered, nextval('collections_id_seq') as collection
    from generate_series(${first}::integer, ${last}::integer) n`
  await tx`
    insert into contacts (id, organization, first_name, last_name, phone_number, type, status, phone_is_supported,
      phone_is_mm_registered, name_on_network, name_matches_network_status, name_matches_network_score, network_name,
      created, modified, author) overriding system value
    select contact, ${organization}, 'Anonymous', 'Contact', phone, 'employee', 'active', 'yes', 'unknown', '', 'unchecked',
      0, 'Sandbox Network', at, at, ${author} from made`
  await tx`
    insert into collection_requests (id, organization, amount, currency, account, phonenumber, contact, network, reason,
      metadata, success_message, send_instructions, status, collection, expiry_date, max_attempts, created, author, modified,
      connection, history) overriding system value
    select request, ${organization}, ${AMOUNT}, ${CURRENCY}, ${account}, phone, contact, 'sandbox', 'Order ' || n,
      '{"order": 7}', '', true, 'successful', collection, at, 3, at, ${author}, at, 'sandbox', (
        select string_agg(json_build_array(status, floor(1000 * extract(epoch from at))::bigint, ${author}::bigint)::text || E'\\n', '')
        from unnest(array['processing_started', 'instructions_sent', 'successful']) status) from made`
  await tx`
    insert into collection_request_counts as c values (${organization}, 'successful', ${count}), (${organization}, 'pending', -${count}::integer)
    on conflict (organization, status) do update set count = c.count + excluded.count`
  await tx`
    insert into network_orders (id, reference, kind, connection, organization, collection_request, attempt, receiver,
      phonenumber, amount, currency, reason, state, remote_id, network_calls, created, sent, answered, closed, answers)
      overriding system value
    select ordered, gen_random_uuid(), 'charge', 'sandbox', ${organization}, request, 1, ${shop.receiver}, phone, ${AMOUNT},
      ${CURRENCY}, 'Order', 'successful', 'R' || request, 1, at, at, at, at, (
        select json_agg(json_build_array(number, floor(1000 * extract(epoch from at))::bigint, 'callback', outcome))
        from unnest(array['accepted', 'successful']) with ordinality as answers (outcome, number)) from made`
  await tx`
    insert into network_order_remote_ids (remote_id, network_order)
    select 'R' || request, ordered from made`
  await tx`
    insert into collections (id, organization, account, network, remote_transaction_id, amount, currency, phonenumber, contact,
      status, payment_date, collection_request, created, author, modified, network_order, connection) overriding system value
    select collection, ${organization}, ${account}, 'sandbox', 'R' || request, ${AMOUNT}, ${CURRENCY}, phone, contact,
      'successful', at, request, at, ${author}, at, ordered, 'sandbox' from made`
  await insertReports(tx, shop, webhook, data)
  await bookCollections(tx, shop, count)
}

/** Insert five events with four notifications, and two SMS. */
async function insertReports(tx: Tx, { organization, author }: Shop, webhook: number, data: Buffer): Promise<void> {
  await tx`
    insert into events (id, organization, type, object, status, data, created, author, modified)
    select nextval('events_id_seq'), ${organization}, 'collection.received', collection, 'successful', ${data}, at, ${author}, at
    from made, generate_series(1, 5)`
  await tx`
    insert into webhook_attempts (webhook, event, attempt, type, event_created, at, duration_ms, status, signature, recorded)
    select ${webhook}, request, 1, 'collection.received', at, at, 20, 200, 'v1,' || repeat('A', 44), at
    from made, generate_series(1, 4)`
  await tx`update webhooks set position = (select max(id) from events) where id = ${webhook}`
  await tx`
    insert into sms_messages (organization, purpose, phonenumber, body, state, created, sent_at, connection, parts, attempt, providers)
    select ${organization}, 'message', phone, 'You have paid 1,500 to Mama Grace Shop.', 'delivered', at, at, 'http', 1, 1,
      json_build_array(json_build_array('http', null, 'S' || n, null, 'delivered', 1, null, null, false, ms, json_build_array(ms, 'report', 'delivered')))
    from made cross join lateral (select floor(1000 * extract(epoch from at))::bigint as ms) times, generate_series(1, 2)`
}

/** Credit the wallet with each of them. */
async function bookCollections(tx: Tx, { organization, account, author }: Shop, count: number): Promise<void> {
  const [external] = await tx<{ id: number }[]>`
    insert into accounts (organization, currency, kind, name, status, created, author, modified, connection)
    values (${organization}, ${CURRENCY}, 'external', 'external', 'active', now(), ${author}, now(), 'sandbox')
    on conflict (organization, currency, kind, connection) where kind not in ('local', 'cross_border')
    do update set modified = excluded.modified returning id`
  await tx`
    insert into transfers (reference, kind, from_account, to_account, currency, amount, description, created, author)
    select 'collection:' || collection, 'mobile_collection', ${external!.id}, ${account}, ${CURRENCY}, ${AMOUNT}, 'Collection',
      at, ${author} from made`
  await tx`update accounts set balance = balance + ${AMOUNT * count} where id = ${account}`
  await tx`update accounts set balance = balance - ${AMOUNT * count} where id = ${external!.id}`
}
