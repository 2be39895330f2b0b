-- A connection is one merchant account at one network. It has settings, secrets and places of its own.
create table connections (
  id bigint generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 40),
  driver text not null,
  environment text not null,
  organization bigint references organizations,
  hosts jsonb not null default '{}',
  settings jsonb not null default '{}',
  sealed_secrets text,
  callback_secret text not null check (callback_secret ~ '^[0-9a-f]{32,}$'),
  max_concurrent integer not null default 50 check (max_concurrent between 1 and 10000),
  max_per_second integer not null default 100 check (max_per_second between 1 and 100000),
  priority integer not null default 100,
  state text not null check (state in ('draft', 'active', 'paused', 'removed')),
  last_test jsonb,
  tested timestamptz,
  created timestamptz not null,
  modified timestamptz not null
);
comment on table connections is 'Merchant accounts at networks. Rows are never deleted, because orders and money name them by their slug.';
comment on column connections.slug is 'The name in addresses, commands and other tables. It never changes.';
comment on column connections.organization is 'Whose merchant account it is. Null: it is the operator''s own, and any organization with a place there may use it.';
comment on column connections.hosts is 'Base URLs that replace those of the environment, such as those of a simulated network.';
comment on column connections.sealed_secrets is 'The secret settings as JSON, encrypted.';
comment on column connections.callback_secret is 'The part of the callback address that only the network knows.';
comment on column connections.priority is 'Which connection is preferred where several serve a phone: the smallest number.';
comment on column connections.state is 'draft: not tested, and not used. paused: no new orders; those that are open are still asked about. removed: as paused, and hidden.';

-- Money that reaches a number of ours belongs to an account. Receivers become a part of connections.
insert into connections (slug, driver, environment, callback_secret, priority, state, created, modified)
select 'sandbox', 'sandbox', 'sandbox', md5(random()::text || clock_timestamp()::text), 1000, 'active', now(), now()
where exists (select from receivers) or exists (select from collection_requests);
alter table receivers rename to connection_places;
alter table connection_places rename column network to connection;
alter table connection_places
  add column currency text,
  add column country text,
  add column collects boolean not null default true,
  add column pays_out boolean not null default true,
  add column unrequested boolean not null default true;
update connection_places p set currency = a.currency from accounts a where a.id = p.account;
alter table connection_places
  alter column currency set not null,
  drop constraint receivers_pkey,
  drop constraint receivers_network_account_key,
  add primary key (connection, account),
  add foreign key (connection) references connections (slug);
create unique index connection_places_unrequested on connection_places (connection, number, currency) where unrequested;
create index connection_places_account on connection_places (account);
comment on table connection_places is 'Which accounts use a connection, and under which number of ours.';
comment on column connection_places.number is 'Our till, short code or merchant number at the network.';
comment on column connection_places.unrequested is 'Money to this number that no order asked for belongs to this account. One account for each number and currency.';

-- One order is one call for one movement of money at one network, with its own reference.
create table network_orders (
  id bigint generated always as identity primary key,
  reference text not null unique,
  kind text not null check (kind in ('charge', 'payout', 'refund')),
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
  check ((kind = 'charge') = (collection_request is not null)),
  check ((kind = 'charge') = (payment_recipient is null)),
  check ((kind = 'refund') = (collection is not null)),
  check ((closed is not null) = (state in ('successful', 'failed', 'reversed', 'not_sent')))
);
create unique index network_orders_of_request on network_orders (collection_request, attempt) where collection_request is not null;
create unique index network_orders_of_recipient on network_orders (payment_recipient, attempt) where payment_recipient is not null;
create index network_orders_due on network_orders (connection, organization, due_at) where due_at is not null;
create index network_orders_remote_id on network_orders (connection, remote_id) where remote_id is not null;
comment on table network_orders is 'Orders to networks: prompts (charge), payouts and refunds. An order is written before the network is called, and the network is asked about it until it reports the end.';
comment on column network_orders.reference is 'Random, so that it is unique also across installations and restored backups. It contains no id of ours.';
comment on column network_orders.attempt is 'The number of this order among the orders of its request or recipient.';
comment on column network_orders.receiver is 'Our number at the network: where a charge goes to, where a payout comes from.';
comment on column network_orders.prompt is 'Whether a charge shows a prompt on the phone. Otherwise the network only expects the payment.';
comment on column network_orders.state is 'new: not sent. sent: sent, and not confirmed. accepted: the network has it. not_sent: it never reached the network, and is not sent any more.';
comment on column network_orders.remote_id is 'The network''s id of the order.';
comment on column network_orders.remote_transaction_id is 'The network''s id of the money.';
comment on column network_orders.network_calls is 'How often the network was called for this order: the order itself and each status query.';
comment on column network_orders.sent is 'When it was sent last.';

create table network_order_answers (
  id bigint generated always as identity primary key,
  network_order bigint not null references network_orders,
  at timestamptz not null,
  source text not null check (source in ('reply', 'status', 'callback', 'statement', 'operator')),
  outcome text not null check (outcome in ('accepted', 'successful', 'failed', 'reversed', 'unknown', 'not_found')),
  remote_id text,
  amount numeric(19,4),
  code text,
  message text
);
create index network_order_answers_of_order on network_order_answers (network_order, id);
comment on table network_order_answers is 'What networks said about orders, each change of the outcome. Rows are added and never changed.';

-- Which connection money and messages came over. A constant default needs no pass through a table. It stays, because a
-- process of version 0.1.0 may still write, and knows the sandbox's network only.
alter table collection_requests add column connection text not null default 'sandbox';
alter table collections add column connection text not null default 'sandbox', add column network_order bigint;
alter table unassigned_payments add column connection text not null default 'sandbox';
alter table acceptance_checks add column connection text not null default 'sandbox';
alter table payment_recipients add column connection text not null default 'sandbox';
alter table callbacks add column connection text not null default 'sandbox', add column method text, add column path text,
  add column query text;
comment on column collections.network_order is 'The order that this money answers. One order is paid once.';

alter table unassigned_payments drop constraint unassigned_payments_network_remote_transaction_id_key,
  add unique (connection, remote_transaction_id);
drop index unassigned_payments_waiting;
create index unassigned_payments_waiting on unassigned_payments (connection, receiver, currency) where state = 'unassigned';
