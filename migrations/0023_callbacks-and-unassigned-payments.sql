-- Money that a network reports for a receiver or currency that belongs to no account is kept until somebody assigns it.
create table unassigned_payments (
  id bigint generated always as identity primary key,
  network text not null,
  remote_transaction_id text not null,
  receiver text not null,
  currency text not null,
  amount numeric(19,4) not null check (amount > 0),
  phonenumber text not null,
  order_reference text,
  reference text,
  payment_date timestamptz not null,
  state text not null check (state in ('unassigned', 'assigned', 'reversed')),
  account bigint references accounts,
  collection bigint references collections,
  assigned_by text,
  received timestamptz not null,
  modified timestamptz not null,
  due_at timestamptz,
  leased_until timestamptz,
  unique (network, remote_transaction_id),
  check ((collection is not null) = (state = 'assigned')),
  check ((account is not null) = (state = 'assigned'))
);
comment on table unassigned_payments is 'Payments that a network has reported for a receiver or currency without an account. No organization has the money in its books until the payment is assigned.';
comment on column unassigned_payments.state is 'unassigned: it waits for an account. assigned: it is in the books as a collection. reversed: the network has taken it back, and it is never credited.';
comment on column unassigned_payments.assigned_by is 'The person who chose the account; null if its receiver was assigned to the account.';
comment on column unassigned_payments.due_at is 'When the service looks for an account of its receiver.';
create index unassigned_payments_waiting on unassigned_payments (network, receiver, currency) where state = 'unassigned';
create index unassigned_payments_due on unassigned_payments (due_at) where due_at is not null;
create index unassigned_payments_collection on unassigned_payments (collection) where collection is not null;

create table unassigned_payment_reversals (
  id bigint generated always as identity primary key,
  unassigned_payment bigint not null references unassigned_payments,
  remote_id text not null,
  amount numeric(19,4) not null check (amount > 0),
  unique (unassigned_payment, remote_id)
);
comment on table unassigned_payment_reversals is 'Parts of payments without an account that a network has taken back. They are taken out of the books as soon as the payment is assigned.';
comment on column unassigned_payment_reversals.remote_id is 'The network''s own id of the reversal.';

-- How many unverified callbacks were stored, and how many bytes of them.
create table unverified_callback_counts (
  hour timestamptz not null,
  sender text not null,
  callbacks integer not null,
  bytes bigint not null,
  primary key (hour, sender)
);
comment on table unverified_callback_counts is 'The unverified callbacks of each hour by sender: an IPv4 address or the /64 network of an IPv6 address. The empty sender stands for all. Callbacks that a connector could not read are counted apart, after the word unread.';
comment on column unverified_callback_counts.hour is 'The beginning of the hour, in real time.';

-- Callbacks leave by age, in partitions (docs/decisions/0009). Those that are not done are in a partition of their own,
-- which is never dropped. The callbacks of earlier versions are attached by 0024, because that takes as long as the table is
-- large, and must not happen while this transaction keeps others from storing callbacks.
create sequence callbacks_id;
select setval('callbacks_id', coalesce((select max(id) from callbacks), 0) + 1, false);

alter table callbacks rename to callbacks_earlier;
alter table callbacks_earlier alter column id drop identity;
alter table callbacks_earlier drop constraint callbacks_pkey, drop constraint callbacks_state_check;
alter table callbacks_earlier
  add column bytes bytea,
  add column size integer,
  add column digest bytea,
  add column subject text,
  add column reference text,
  add column address text;
do $$ begin
  -- A constant default needs no pass through the table.
  execute format('alter table callbacks_earlier add column ended timestamptz default %L',
    now() + coalesce((select value::bigint from flags where name = 'clock_offset_ms'), 0) * interval '1 millisecond');
end $$;
alter table callbacks_earlier alter column ended drop default;
alter index callbacks_due rename to callbacks_earlier_due;
alter index callbacks_received rename to callbacks_earlier_received;

create table callbacks (
  like callbacks_earlier including defaults,
  check ((ended is null) = (state in ('waiting', 'failed')))
) partition by list (state);
alter table callbacks alter column id set default nextval('callbacks_id');
create index callbacks_key on callbacks (id);
create index callbacks_due on callbacks (due_at) where due_at is not null;
create index callbacks_received on callbacks using brin (received) with (pages_per_range = 16, autosummarize = on);
create table callbacks_open partition of callbacks for values in ('waiting', 'failed');
create table callbacks_ended partition of callbacks for values in ('settled', 'ignored') partition by range (ended);
create table callbacks_ended_default partition of callbacks_ended default;
comment on table callbacks is 'Callbacks from networks. An unverified callback is never believed: the network is asked first.';
comment on table callbacks_open is 'Callbacks that are not done. They are never dropped, however old they are.';
comment on table callbacks_ended is 'Callbacks that are done. They are kept for CALLBACK_RETENTION_DAYS after their end.';
comment on column callbacks.body is 'The text as received. Of an unverified callback, only the first kilobyte is stored. Null characters and bytes that are not UTF-8 are replaced by U+FFFD.';
comment on column callbacks.bytes is 'The bytes as received, where they are not exactly the body in UTF-8.';
comment on column callbacks.size is 'How many bytes were received, where not all of them are stored.';
comment on column callbacks.digest is 'The SHA-256 of the bytes, where not all of them are stored.';
comment on column callbacks.subject is 'What an unverified callback is about: order or transaction.';
comment on column callbacks.reference is 'The reference of the order or the network''s id of the transaction that an unverified callback names.';
comment on column callbacks.address is 'The IP address that sent an unverified callback.';
comment on column callbacks.attempts is 'How often the callback was processed.';
comment on column callbacks.state is 'waiting: it is processed at due_at. failed: it is signed or confirmed, and could not be processed. settled: done. ignored: it changes nothing.';
comment on column callbacks.ended is 'When it became settled or ignored, on the service''s clock. Its age is counted from then.';

with waiting as (
  delete from callbacks_earlier where due_at is not null returning *
)
insert into callbacks (id, network, received, headers, body, verified, state, note, attempts, due_at, leased_until)
select id, network, received, headers, body, verified, 'waiting', note, attempts, due_at, leased_until from waiting;
