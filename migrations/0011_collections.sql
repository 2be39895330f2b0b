-- Collections over the interface: their filters, claims and returns, and the question whether unrequested money is taken.

-- pending: the organization is being asked about the money. failed: it does not want it, and the money waits in the
-- suspense account to be returned.
alter table collections drop constraint collections_status_check;
alter table collections
  add constraint collections_status_check check (status in ('pending', 'successful', 'failed', 'reversed')),
  add check (collection_request is null or status in ('successful', 'reversed')),
  add column claimed_by bigint,
  add check (claimed_by is null or collection_request is null),
  add column refunded numeric(19,4) not null default 0 check (refunded between 0 and amount);
comment on column collections.claimed_by is 'The user who claimed the collection while it was unmatched. Claimed money is no longer unmatched.';
comment on column collections.refunded is 'How much of it has been given back, or is on its way back.';

-- One index serves several filters where it can, as for collection requests (0005).
create index collections_created on collections (organization, created, id);
create index collections_status on collections (organization, status, modified, id);
create index collections_amount on collections (organization, currency, network, amount, id);
create index collections_phonenumber on collections (organization, phonenumber, id);
-- By its hash, because nobody limits what a customer types, but an index does.
create index collections_reference on collections (organization, md5(reference), id) where reference is not null;
create index collections_contact on collections (contact);
-- The filters remote_transaction_id and collection_request have their unique indexes.

-- What people look through, to match it by hand or to return it.
create index collections_unmatched on collections (organization, id desc)
  where collection_request is null and claimed_by is null and status in ('successful', 'failed');

create table collection_hooks (
  organization bigint primary key references organizations,
  url text not null,
  when_unreachable text not null check (when_unreachable in ('accept', 'reject')),
  timeout_s integer not null check (timeout_s between 1 and 60),
  created timestamptz not null,
  modified timestamptz not null
);
comment on table collection_hooks is 'Where an organization is asked whether it takes money that none of its requests asked for.';
comment on column collection_hooks.timeout_s is 'How long the organization may take to answer, all tries together.';

create table collection_questions (
  id bigint generated always as identity primary key,
  organization bigint not null,
  account bigint not null,
  network text not null,
  remote_transaction_id text not null,
  phonenumber text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  reference text,
  collection bigint unique,
  created timestamptz not null,
  deadline timestamptz not null,
  tries integer not null default 0,
  last_error text,
  verdict text check (verdict in ('accept', 'reject')),
  unreachable boolean not null default false,
  reason text,
  answered timestamptz,
  due_at timestamptz,
  leased_until timestamptz,
  check ((verdict is null) = (due_at is not null)),
  check ((verdict is null) = (answered is null))
) with (fillfactor = 85);
comment on table collection_questions is 'What organizations are asked before they take unrequested money. The row is also its own job.';
comment on column collection_questions.collection is 'The money, once it is there. Null while a network asks before it takes it, and for ever if it does not.';
comment on column collection_questions.unreachable is 'The verdict is the one that the hook has for the case that nobody answers.';
comment on column collection_questions.leased_until is 'Real time. Until then the process that claimed the row asks.';
-- Whoever asks about the same money once more gets the same answer. Anything else about it makes it another question, so
-- that nobody can have an answer prepared for money that comes differently.
create unique index collection_questions_once on collection_questions
  (network, remote_transaction_id, account, phonenumber, amount, coalesce(md5(reference), ''));
create index collection_questions_due on collection_questions (due_at) where due_at is not null;
create index collection_questions_newest on collection_questions (organization, id desc);

-- The simulated network asks its business before it takes money that nobody asked for.
create table simulator_offers (
  remote_id text primary key,
  receiver text not null,
  phonenumber text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  reference text,
  due_at timestamptz not null,
  leased_until timestamptz
) with (fillfactor = 70);
comment on table simulator_offers is 'Money that a customer wants to send unasked, while the business is asked about it. A row goes when the network has taken or refused the money.';
comment on column simulator_offers.leased_until is 'Real time. Until then the process that claimed the row asks.';
create index simulator_offers_due on simulator_offers (due_at);
