-- Open orders continue as network orders, under the references that they have. collection_orders keeps what was before.

alter table network_orders add column attention text;
comment on column network_orders.attention is 'Why a person must look at this order. Null: nobody must.';
create index network_orders_attention on network_orders (organization, id) where attention is not null;

-- The table is new, so its index is built in no time. With the kind in it, payouts do not keep charges waiting.
drop index network_orders_due;
create index network_orders_due on network_orders (connection, kind, organization, due_at) where due_at is not null;
alter table network_orders set (fillfactor = 85);

insert into network_orders (reference, kind, connection, organization, collection_request, attempt, receiver, phonenumber,
  amount, currency, reason, prompt, state, remote_id, message, network_calls, created, sent, answered, closed, due_at)
select o.reference, 'charge', r.connection, r.organization, r.id, o.attempt, p.number, r.phonenumber, r.amount, r.currency,
  case when r.reason = '' then g.name else r.reason end, o.prompt_sent, s.state, o.remote_id, o.message,
  case when o.attempt = r.attempt then r.status_queries else 1 end, o.sent, o.sent, o.answered,
  case when s.state in ('successful', 'failed') then coalesce(o.answered, o.sent) end,
  case when s.state in ('sent', 'accepted') then coalesce(r.due_at, now()) end
from collection_orders o
join collection_requests r on r.id = o.collection_request
join organizations g on g.id = r.organization
join connection_places p on p.connection = o.network and p.account = r.account
cross join lateral (
  select case when o.outcome = 'successful' or r.status in ('successful', 'reversed') and o.attempt = r.attempt then 'successful'
    when o.outcome = 'failed' then 'failed' when o.outcome = 'accepted' then 'accepted' else 'sent' end as state) s
where r.status in ('pending', 'processing_started', 'instructions_sent') or s.state in ('sent', 'accepted');

insert into network_order_answers (network_order, at, source, outcome, remote_id, message)
select n.id, o.answered, 'status', o.outcome, o.remote_id, o.message
from network_orders n join collection_orders o on o.reference = n.reference where o.outcome is not null;

-- The request itself is due when it expires; its order has a job of its own now. Failed orders are followed by another attempt.
update collection_requests r set due_at = expiry_date, leased_until = null
where status in ('processing_started', 'instructions_sent') and due_at is not null and exists (
  select from network_orders n where n.collection_request = r.id and n.attempt = r.attempt and n.due_at is not null);

comment on table collection_orders is 'Orders of requests before network_orders. Rows are neither added nor changed.';
comment on column collection_requests.attempt is 'How many orders were begun for it; the last one is that of the newest attempt.';
comment on column collection_requests.status_queries is 'How often the network was asked about the order sent last, before orders had rows of their own.';

-- What such an order has brought in belongs to it.
update collections c set network_order = n.id
from network_orders n join collection_orders o on o.reference = n.reference
where o.outcome = 'successful' and c.connection = n.connection and c.remote_transaction_id = o.remote_id;
