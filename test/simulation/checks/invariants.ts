import { checkPaidRequests } from '../../../src/core/collections/paid-requests.ts'
import { checkRequestCounts } from '../../../src/core/collections/request-counts.ts'
import { checkHolds } from '../../../src/core/ledger/holds.ts'
import { checkLedger } from '../../../src/core/ledger/transfers.ts'
import type { Database } from '../../../src/db/client.ts'
import { sql } from '../../../src/db/sql.ts'
import { checkBills } from '../bills.ts'
import { checkPayments } from '../payments.ts'
import type { Receiver } from '../receivers.ts'
import type { Simulation } from '../simulation.ts'
import { checkFloats } from './floats.ts'
import { checkAllocations, checkCredit, checkInvoiceMoney } from './invoice-money.ts'
import { checkMoneyAtOperator } from './operator-money.ts'
import { checkReferences } from './references.ts'

/** The rules that hold after every step. */
export async function checkInvariants(world: Simulation): Promise<string[]> {
  const { checks: db } = world.store
  const found = await Promise.all([
    checkLedger(db),
    checkFloats(db),
    checkMoneyAtOperator(db),
    checkPaidRequests(db),
    checkRequestCounts(db),
    checkHolds(db),
    checkRules(db),
    checkAllocations(db),
    checkInvoiceMoney(db),
    checkCredit(db),
    checkReferences(db),
    checkDeliveries(db, world.receivers.all),
    checkBills(db, world.biller),
    checkPayments(db, world.payouts),
    world.networks.violations.splice(0),
    world.receivers.violations.splice(0),
    world.leases.violations.splice(0),
  ])
  return found.flat()
}

/** Check the tables of collections against the rules that never break. */
export async function checkRules(db: Database): Promise<string[]> {
  const rows = await db<{ fault: string; id: string }[]>`${RULES}`
  return rows.map(({ fault, id }) => `${fault} (${id}).`)
}

/** Each rule is a query that finds its violations. */
const RULES = sql`
  with moves as (
    select *, lag(to_status) over w as before, lead(to_status) over w as after,
      row_number() over w as place
    from collection_request_transitions window w as (partition by collection_request order by id)
  ), told as (
    select status, object as request, row_number() over (partition by object order by id) as place
    from events where type = 'collectionrequest.status.changed'
  )
  select 'A wallet is below zero although nothing was taken back' as fault, a.id::text as id
  from accounts a where a.kind in ('local', 'cross_border') and a.balance < 0 and not exists (
    select from collections c where c.account = a.id and (c.status = 'reversed' or c.reversed_in_parts > 0))
    and not exists (
      select from late_payouts l join payments p on p.id = l.payment where p.source = a.id)
  union all
  select 'Money was booked twice', network || ':' || remote_transaction_id
  from collections group by network, remote_transaction_id having count(*) > 1
  union all
  select 'Money of an own connection belongs to somebody else', c.id::text
  from collections c join connections o on o.slug = c.connection where o.organization <> c.organization
  union all
  select 'An order was paid twice', network_order::text
  from collections where network_order is not null group by network_order having count(*) > 1
  union all
  select 'An order has the money of another request', c.id::text
  from collections c join network_orders o on o.id = c.network_order
  join collection_requests r on r.id = o.collection_request
  where c.account <> r.account or c.collection_request <> r.id
  union all
  select 'An open request has no row among the open ones, or an ended one has', coalesce(r.id, q.collection_request)::text
  from (select * from collection_requests where status in ('pending', 'processing_started', 'instructions_sent')) r
  full join open_collection_requests q on q.collection_request = r.id
  where (q.organization, q.account, q.phonenumber, q.amount) is distinct from (r.organization, r.account, r.phonenumber, r.amount)
  union all
  select 'An open order is forgotten', o.reference from network_orders o
  where o.state in ('new', 'sent', 'accepted') and o.due_at is null
  union all
  select 'A closed order has no answer', o.reference from network_orders o
  where o.state in ('successful', 'failed', 'reversed') and not exists (
    select from network_order_answers a where a.network_order = o.id and a.outcome = o.state)
  union all
  select 'An order is not found by the id that its network gave it', o.reference from network_orders o
  where o.remote_id <> o.reference and not exists (
    select from network_order_remote_ids i
    where i.remote_id = o.remote_id and i.network_order = o.id)
  union all
  select 'An order is found by an id that it does not have', i.remote_id from network_order_remote_ids i
  where not exists (
    select from network_orders o where o.id = i.network_order and o.remote_id = i.remote_id)
  union all
  select 'A paid order has no money', o.reference from network_orders o
  where o.kind = 'charge' and o.state = 'successful' and not exists (
    select from collections c where c.network_order = o.id)
  union all
  select 'A request was fulfilled twice', collection_request::text
  from collections where collection_request is not null group by collection_request having count(*) > 1
  union all
  select 'A request and its collection disagree', r.id::text
  from collection_requests r left join collections c on c.collection_request = r.id
  where (r.status in ('successful', 'reversed')) <> (c.id is not null) or r.collection is distinct from c.id
    or r.status <> c.status
  union all
  select 'A collection is not where it belongs', c.id::text
  from collections c
  join accounts s on s.kind = 'suspense' and s.organization = c.organization and s.currency = c.currency
  cross join lateral (
    select sum(t.amount * ((t.to_account = c.account)::int - (t.from_account = c.account)::int)) as wallet,
      sum(t.amount * ((t.to_account = s.id)::int - (t.from_account = s.id)::int)) as suspense
    from transfers t
    where t.reference in ('collection:' || c.id, 'suspense:' || c.id, 'reversal:' || c.id)
      or t.reference like 'reversal:' || c.id || ':part:%') moved
  where (moved.wallet, moved.suspense) is distinct from (
    case when c.status = 'successful' then c.amount - c.reversed_in_parts else 0 end,
    case when c.status in ('pending', 'failed') then c.amount - c.reversed_in_parts else 0 end)
  union all
  select 'A collection is not reduced by its reversals', c.id::text
  from collections c where c.reversed_in_parts <> (
      select coalesce(sum(amount), 0) from collection_reversals r where r.collection = c.id)
    or c.reversed_in_parts = c.amount and c.status <> 'reversed'
  union all
  select 'A reversal and its event disagree', c.id::text
  from collections c where (c.status = 'reversed' or c.reversed_in_parts > 0) <> exists (
    select from events e where e.type = 'collection.reversed' and e.object = c.id)
  union all
  select 'A collection is pending and nobody is asked', c.id::text
  from collections c where c.status = 'pending' and not exists (
    select from acceptance_checks q where q.collection = c.id and q.verdict is null)
  union all
  select 'A collection does not follow the verdict: ' || q.verdict, c.id::text
  from acceptance_checks q join collections c on c.id = q.collection
  where q.verdict is not null and c.status not in ('reversed', case q.verdict when 'accept' then 'successful' else 'failed' end)
  union all
  select 'A transfer has no reason', reference from transfers t
  where reference not like 'funds:%' and t.kind <> 'float_settlement' and reference not like '%:bill:%' and reference not like '%:payment:%'
    and not exists (
    select from collections c where t.reference in ('collection:' || c.id, 'suspense:' || c.id, 'reversal:' || c.id))
    and not exists (
    select from collection_reversals r where t.reference = 'reversal:' || r.collection || ':part:' || r.remote_id)
  union all
  select 'A move is not allowed: ' || from_status || ' to ' || to_status, collection_request::text from moves
  where (from_status, to_status) not in (
    ('pending', 'processing_started'), ('pending', 'successful'), ('pending', 'failed'), ('pending', 'expired'),
    ('processing_started', 'instructions_sent'), ('processing_started', 'successful'),
    ('processing_started', 'failed'), ('processing_started', 'expired'), ('instructions_sent', 'successful'),
    ('instructions_sent', 'failed'), ('instructions_sent', 'expired'), ('successful', 'reversed'))
  union all
  select 'A history has a gap', collection_request::text from moves where from_status <> coalesce(before, 'pending')
  union all
  select 'A status is not what the history says', r.id::text
  from collection_requests r left join moves m on m.collection_request = r.id and m.after is null
  where r.status <> coalesce(m.to_status, 'pending')
  union all
  select 'A move and the events disagree', coalesce(m.collection_request, t.request)::text
  from moves m full join told t on t.request = m.collection_request and t.place = m.place
  where t.status is distinct from m.to_status
  union all
  select 'A collection was not announced once, when it was credited', c.id::text
  from collections c left join events e on e.type = 'collection.received' and e.object = c.id
  group by c.id
  having count(e.id) <> (select count(*) from transfers t where t.reference = 'collection:' || c.id)
  union all
  select 'A contact was not announced once', c.id::text
  from contacts c left join events e on e.type = 'contact.created' and e.object = c.id
  group by c.id having count(e.id) <> 1
  union all
  select 'A text has no reason: ' || t.purpose, t.id::text
  from sms_messages t join collection_requests r on r.id = t.collection_request
  where t.purpose = 'success' and (not r.send_instructions and r.success_message = '' or not exists (
      select from moves m where m.collection_request = r.id and m.to_status = 'successful'))
    or t.purpose = 'instructions' and (not r.send_instructions or r.instructions = 'skip' or not exists (
      select from moves m where m.collection_request = r.id and m.to_status = 'instructions_sent'))
  union all
  select 'A text is missing after the move to ' || m.to_status, m.collection_request::text
  from moves m join collection_requests r on r.id = m.collection_request
  where m.to_status = 'successful' and (r.send_instructions or btrim(r.success_message) <> '') and not exists (
      select from sms_messages t where t.collection_request = r.id and t.purpose = 'success')
    or m.to_status = 'instructions_sent' and r.instructions is distinct from 'skip' and not exists (
      select from sms_messages t where t.collection_request = r.id and t.purpose = 'instructions')
  union all
  select 'A key made two requests within a day', (metadata->>'key')
  from (select metadata, created - lag(created) over (
      partition by organization, metadata->>'key' order by id) as since
    from collection_requests where metadata->>'key' is not null
      and id not in (select o.collection_request from occurrences o join plans p on p.id = o.plan
        where p.collection_request <> o.collection_request)) keyed
  where since < interval '24 hours'`

/** Every event has exactly one delivery for each webhook that was active at its time. */
async function checkDeliveries(db: Database, receivers: readonly Receiver[]): Promise<string[]> {
  if (receivers.length === 0) return []
  const rows = await db<
    { webhook: number; event: number; state: string | null; expected: boolean; allowed: boolean }[]
  >`
    select h.webhook, coalesce(e.id, d.event) as event, d.state,
      e.id is not null and (h.until is null or e.id <= h.until) as expected, e.id is not null as allowed
    from unnest(${receivers.map((r) => r.webhook)}::bigint[], ${receivers.map((r) => r.organization)}::bigint[],
      ${receivers.map((r) => r.event)}::text[], ${receivers.map((r) => r.since)}::bigint[],
      ${receivers.map((r) => r.until)}::bigint[]) as h(webhook, organization, type, since, until)
    cross join lateral (
      select coalesce(e.id, d.event) as id from (
        select id from events where organization = h.organization and type = h.type and id > h.since) e
      full join (select event from webhook_deliveries where webhook = h.webhook) d on d.event = e.id) any_of
    left join events e on e.id = any_of.id and e.organization = h.organization and e.type = h.type and e.id > h.since
    left join webhook_deliveries d on d.webhook = h.webhook and d.event = any_of.id`
  const confirmed = new Map(receivers.map((receiver) => [receiver.webhook, receiver.confirmed]))
  return rows.flatMap(({ webhook, event, state, expected, allowed }) => {
    if (expected && state === null) return `Webhook ${webhook} is not told of event ${event}.`
    if (!allowed) return `Webhook ${webhook} is told of event ${event}, which is none of its business.`
    if (state === 'delivered' && !confirmed.get(webhook)!.has(event))
      return `Event ${event} counts as delivered to webhook ${webhook}, which never confirmed it.`
    return []
  })
}
