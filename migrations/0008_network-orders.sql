-- Orders to networks and bill providers, and the callbacks of networks.
-- Kind: widen

create table network_orders (
  id bigint generated always as identity primary key,
  reference text not null unique,
  kind text not null check (kind in ('charge', 'payout', 'refund', 'vend')),
  connection text not null,
  organization bigint not null,
  collection_request bigint,
  payment_recipient bigint,
  collection bigint,
  attempt integer not null,
  receiver text not null,
  phonenumber text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  reason text not null,
  airtime boolean not null default false,
  prompt boolean not null default true,
  state text not null check (state in ('new', 'sent', 'accepted', 'successful', 'failed', 'reversed', 'not_sent')),
  remote_id text,
  remote_transaction_id text,
  failure_reason text,
  code text,
  message text,
  fee numeric(19,4),
  network_calls integer not null default 0,
  created timestamptz not null,
  sent timestamptz,
  answered timestamptz,
  closed timestamptz,
  due_at timestamptz,
  leased_until timestamptz,
  attention text,
  attested text check (attested in ('successful', 'failed')),
  attested_amount numeric(19,4),
  bill_purchase bigint,
  remote_service text,
  remote_product text,
  cost numeric(19,4) check (cost >= 0),
  charged numeric(38,4),
  charged_currency text,
  sent_real timestamptz,
  restored boolean not null default false,
  answers json not null default '[]',
  check ((kind = 'charge') = (collection_request is not null)),
  check ((kind in ('payout', 'refund')) = (payment_recipient is not null)),
  check ((kind = 'vend') = (bill_purchase is not null)),
  -- A vend that was sent is never to be sent again.
  check (not (kind = 'vend' and state = 'new' and sent_real is not null)),
  check (((charged is null) = (charged_currency is null)) and charged >= 0 and charged_currency ~ '^[A-Z]{3}$'),
  check ((kind = 'refund') = (collection is not null)),
  check ((closed is not null) = (state in ('successful', 'failed', 'reversed', 'not_sent')))
) with (fillfactor = 80);
comment on table network_orders is 'Orders to networks, which are prompts (charge), payouts and refunds, and to bill providers (vend). An order is written before the network is called. Status queries follow until the network reports the end. Until then no column of an index changes for an order that is sent at once, so that its answers write its row alone.';
comment on column network_orders.reference is 'Random, so that it is unique also across installations and restored backups. It contains no id of ours.';
comment on column network_orders.attempt is 'The number of this order among the orders of its request, recipient or purchase.';
comment on column network_orders.receiver is 'Our number at the network: where a charge goes to, where a payout comes from.';
comment on column network_orders.prompt is 'True if a charge shows a prompt on the phone. Otherwise the network only expects the payment.';
comment on column network_orders.state is 'new: not sent. sent: sent, and not confirmed. accepted: the network has it. not_sent: it never reached the network, and is not sent any more.';
comment on column network_orders.remote_id is 'The network''s id of the order, by which network_order_remote_ids finds it.';
comment on column network_orders.remote_transaction_id is 'The network''s id of the money.';
comment on column network_orders.network_calls is 'Number of calls to the network for this order: the order itself and each status query. Of a vend: number of answers that left it open.';
comment on column network_orders.sent is 'Time when it was sent last.';
comment on column network_orders.attention is 'Reason why a person must look at this order. Null: nobody must.';
comment on column network_orders.attested is 'Outcome that people have attested and approved. If a network contradicts it later, a person must look at it.';
comment on column network_orders.attested_amount is 'The amount that people have attested.';
comment on column network_orders.bill_purchase is 'Of a vend: the purchase. A vend is sent once, and then only gets status queries.';
comment on column network_orders.remote_service is 'Of a vend: the provider''s name of the service. Null: it uses our names.';
comment on column network_orders.cost is 'Of a vend: cost at the provider, if known.';
comment on column network_orders.charged is 'Of a vend: charge to our float that the provider reports, in charged_currency. Null: it has not said.';
comment on column network_orders.sent_real is 'Of a vend: real time of sending, by which it may still arrive. `sent` is on the clock of the service.';
comment on column network_orders.restored is 'Of a vend: a restore found it unsent. It may have been sent at an unknown time, so it only gets status queries.';
comment on column network_orders.answers is 'The answers of the network, oldest first, read as network_order_answers. Each is an array: its number, its time in milliseconds since 1970, its source and outcome, and then remote_id, amount, code, message and reason without the nulls at the end.';
-- An attempt of a request has one order; the orders of a request.
create unique index network_orders_of_request on network_orders (collection_request, attempt)
  where collection_request is not null;
-- An attempt of a recipient has one order; the orders of a recipient.
create unique index network_orders_of_recipient on network_orders (payment_recipient, attempt)
  where payment_recipient is not null;
-- An attempt of a purchase has one order; the attempts of a purchase.
create unique index network_orders_of_purchase on network_orders (bill_purchase, attempt)
  where bill_purchase is not null;
-- Cost of what was bought at a provider in a day.
create index network_orders_vended on network_orders (connection, created) where kind = 'vend';
-- Orders that need a person, on Home.
create index network_orders_attention on network_orders (organization, id) where attention is not null;
-- Orders that are due, in turn by organization, and how many are open.
create index network_orders_due on network_orders (connection, kind, organization, due_at) where due_at is not null;

create view network_order_answers as
  select o.id as network_order, (a ->> 0)::integer as id, timestamptz 'epoch' + (a ->> 1)::bigint * interval '1 millisecond' as at,
    a ->> 2 as source, a ->> 3 as outcome, a ->> 4 as remote_id, (a ->> 5)::numeric(19,4) as amount, a ->> 6 as code,
    a ->> 7 as message, a ->> 8 as reason
  from network_orders o cross join lateral json_array_elements(o.answers) as a;
comment on view network_order_answers is 'Answers of networks about orders, each change of the outcome, numbered from 1. Of an order with very many, those in the middle are left out. source: reply, status, callback, statement or operator. reason: why the order failed, one of the reasons that all networks share; null for other answers.';

create table network_order_remote_ids (
  remote_id text not null,
  network_order bigint not null,
  primary key (remote_id, network_order)
);
comment on table network_order_remote_ids is 'Orders by the networks'' ids of them: for callbacks that name an order so, the filter remote_transaction_id, and the search. In an index of network_orders an id would make the answer that brings it write all indexes there. An id that is our reference has no row, because the reference finds its order.';
comment on column network_order_remote_ids.network_order is 'The order, of network_orders. Without a foreign key: docs/decisions/0017.';

create table order_attestations (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  network_order bigint not null references network_orders,
  outcome text not null check (outcome in ('successful', 'failed')),
  remote_id text,
  amount numeric(19,4) check (amount > 0),
  token text,
  failure_reason text,
  statement text not null,
  note text not null,
  document bytea not null check ((length(document) >= 1) and (length(document) <= 2097152)),
  document_name text not null,
  document_type text not null,
  document_sha256 text not null check (document_sha256 ~ '^[0-9a-f]{64}$'),
  state text not null check (state in ('waiting', 'approved', 'rejected', 'withdrawn', 'superseded')),
  author bigint not null references users,
  created timestamptz not null,
  decided_by bigint references users,
  decided_by_name text,
  decided timestamptz,
  decision_note text,
  check ((outcome = 'successful') = (remote_id is not null)),
  check ((outcome = 'successful') = (amount is not null)),
  check ((outcome = 'failed') = (failure_reason is not null)),
  check ((state = 'waiting') = (decided is null))
);
comment on table order_attestations is 'Readings by people of the statements of networks and billers, about orders that nobody else can answer. Rows are never deleted.';
comment on column order_attestations.remote_id is 'The id of the money in the statement.';
comment on column order_attestations.amount is 'Amount moved according to the statement.';
comment on column order_attestations.token is 'The token of prepaid electricity.';
comment on column order_attestations.statement is 'Statement, and the place in it.';
comment on column order_attestations.document is 'The statement itself, as the author has sent it.';
comment on column order_attestations.state is 'superseded: the network has answered before anybody decided.';
comment on column order_attestations.decided_by is 'Null for an operator at the command line, whose name is in decided_by_name.';
-- An order has one waiting attestation at most.
create unique index order_attestations_waiting on order_attestations (network_order) where state = 'waiting';
-- The archive keeps orders that were attested.
create index order_attestations_of_order on order_attestations (network_order);
-- The list of attestations, newest first.
create index order_attestations_newest on order_attestations (organization, id desc);

create sequence callbacks_id;

create table callbacks (
  id bigint not null default nextval('callbacks_id'::regclass),
  network text not null,
  received timestamptz not null,
  headers json not null,
  body text not null,
  verified boolean not null,
  state text not null,
  note text,
  attempts integer not null default 0,
  due_at timestamptz,
  leased_until timestamptz,
  bytes bytea,
  size integer,
  digest bytea,
  subject text,
  reference text,
  address text,
  ended timestamptz,
  connection text not null default 'sandbox',
  method text,
  path text,
  query text,
  order_reference text,
  check ((ended is null) = (state in ('waiting', 'failed')))
) partition by list (state);
comment on table callbacks is 'Callbacks from networks. An unverified callback is never believed: the network is asked first.';
comment on column callbacks.body is 'The text as received. Of an unverified callback, only the first kilobyte is stored. Null characters and bytes that are not UTF-8 are replaced by U+FFFD.';
comment on column callbacks.state is 'waiting: it is processed at due_at. failed: it is signed or confirmed, and could not be processed. settled: done. ignored: it changes nothing.';
comment on column callbacks.attempts is 'Number of times the callback was processed.';
comment on column callbacks.bytes is 'The bytes as received, where they are not exactly the body in UTF-8.';
comment on column callbacks.size is 'Number of bytes received, if not all of them are stored.';
comment on column callbacks.digest is 'The SHA-256 of the bytes, where not all of them are stored.';
comment on column callbacks.subject is 'Subject of an unverified callback: order or transaction.';
comment on column callbacks.reference is 'The reference of the order or the network''s id of the transaction that an unverified callback names.';
comment on column callbacks.address is 'The IP address that sent an unverified callback.';
comment on column callbacks.ended is 'Time when it became settled or ignored, on the service''s clock. Its age is counted from then.';
comment on column callbacks.order_reference is 'The reference of the order that it is about, or whose money it reports.';
-- A callback by its id, in whatever partition it is; the list, newest first.
create index callbacks_key on callbacks (id);
-- Callbacks about an order, in the timeline of a request.
create index callbacks_order on callbacks (order_reference) where order_reference is not null;
-- Callbacks that are due.
create index callbacks_due on callbacks (due_at) where due_at is not null;

create table callbacks_open partition of callbacks for values in ('waiting', 'failed');
comment on table callbacks_open is 'Callbacks that are not done. They are never dropped, however old they are.';
-- Callbacks that could not be processed: doctor, metrics, and what is processed again.
create index callbacks_open_failed on callbacks_open (id) where state = 'failed';

create table callbacks_ended partition of callbacks for values in ('settled', 'ignored') partition by range (ended);
comment on table callbacks_ended is 'Callbacks that are done. They are kept for CALLBACK_RETENTION_DAYS after their end.';

create table callbacks_ended_default partition of callbacks_ended default;

create table unverified_callback_counts (
  hour timestamptz,
  sender text,
  callbacks integer not null,
  bytes bigint not null,
  primary key (hour, sender)
);
comment on table unverified_callback_counts is 'The unverified callbacks of each hour by sender: an IPv4 address or the /64 network of an IPv6 address. The empty sender stands for all. Callbacks that a connector could not read are counted apart, after the word unread.';
comment on column unverified_callback_counts.hour is 'The beginning of the hour, in real time.';
