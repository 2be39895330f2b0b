-- People settle by hand what no network and no biller can answer: one attests what the statement says, another one approves.
create table order_attestations (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  network_order bigint references network_orders,
  bill_purchase bigint references bill_purchases,
  outcome text not null check (outcome in ('successful', 'failed')),
  remote_id text,
  amount numeric(19,4) check (amount > 0),
  token text,
  failure_reason text,
  statement text not null,
  note text not null,
  document bytea not null check (length(document) between 1 and 2097152),
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
  check (num_nonnulls(network_order, bill_purchase) = 1),
  check ((outcome = 'successful') = (remote_id is not null)),
  check ((outcome = 'successful') = (amount is not null)),
  check ((outcome = 'failed') = (failure_reason is not null)),
  check ((state = 'waiting') = (decided is null))
);
create unique index order_attestations_waiting on order_attestations (network_order)
  where state = 'waiting' and network_order is not null;
create unique index order_attestations_waiting_bill on order_attestations (bill_purchase)
  where state = 'waiting' and bill_purchase is not null;
create index order_attestations_of_order on order_attestations (network_order) where network_order is not null;
create index order_attestations_of_bill on order_attestations (bill_purchase) where bill_purchase is not null;
create index order_attestations_newest on order_attestations (organization, id desc);
comment on table order_attestations is 'What people read in the statements of networks and billers about orders that nobody else can answer. Rows are never deleted.';
comment on column order_attestations.remote_id is 'The id of the money in the statement.';
comment on column order_attestations.amount is 'What the statement says that was moved.';
comment on column order_attestations.token is 'The token of prepaid electricity.';
comment on column order_attestations.statement is 'Which statement, and where in it.';
comment on column order_attestations.document is 'The statement itself, as the author has sent it.';
comment on column order_attestations.state is 'superseded: the network has answered before anybody decided.';
comment on column order_attestations.decided_by is 'Null for an operator at the command line, whose name is in decided_by_name.';

alter table network_orders add column attested text check (attested in ('successful', 'failed')),
  add column attested_amount numeric(19,4);
comment on column network_orders.attested is 'What people have attested and approved. A network that says something else later is shown to a person.';
comment on column network_orders.attested_amount is 'The amount that people have attested.';
-- 0050 checks the rows that are there already, and builds the index.
alter table bill_purchases
  add column attested text,
  add column attention text,
  add constraint bill_purchases_attested_check check (attested in ('successful', 'failed')) not valid;
comment on column bill_purchases.attested is 'What people have attested and approved. A biller that says something else later is shown to a person.';
comment on column bill_purchases.attention is 'Why a person must look at this purchase. Null: nobody must.';
