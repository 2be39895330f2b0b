-- Payouts that were sent go on as network orders, under the references that they have. The order has a job of its own now.
insert into network_orders (reference, kind, connection, organization, payment_recipient, attempt, receiver, phonenumber,
  amount, currency, reason, airtime, state, remote_id, message, network_calls, created, sent, answered, due_at)
select 'KP' || r.id, 'payout', r.connection, r.organization, r.id, 1, l.number, r.phonenumber, r.amount, p.currency,
  r.description, p.payment_type = 'airtime', case when r.state = 'pending_confirmation' then 'accepted' else 'sent' end,
  r.remote_id, r.last_error, r.network_calls, coalesce(r.sent_at, r.modified), coalesce(r.sent_at, r.modified), r.modified,
  coalesce(r.due_at, now())
from payment_recipients r
join payments p on p.id = r.payment
join connection_places l on l.connection = r.connection and l.account = p.account
where r.state in ('processing', 'pending_confirmation', 'parked') and r.network_calls > 0;

update payment_recipients r set due_at = null, leased_until = null
from network_orders o where o.payment_recipient = r.id;

comment on table payment_recipients is 'One phone of a payment. due_at says when its order is made; the order then has a job of its own (network_orders).';
