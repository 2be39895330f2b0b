-- Money that goes out: payments to one phone or many, what they cost, who must approve them, and what is given back of
-- money that came in. Last, the far side of it in the sandbox.

create table approval_rules (
  organization bigint not null references organizations,
  currency text not null references currencies (code),
  above numeric(19,4) not null check (above >= 0),
  primary key (organization, currency)
);
comment on table approval_rules is 'Payments of more than this need the approval of a second person.';

create table fees (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  kind text not null check (kind in ('collection', 'payment', 'airtime', 'bill', 'return', 'refund')),
  currency text not null references currencies (code),
  network text,
  fixed numeric(19,4) not null check (fixed >= 0),
  percent numeric(7,4) not null check (percent between 0 and 100),
  least numeric(19,4) not null check (least >= 0),
  most numeric(19,4) check (most >= least),
  modified timestamptz not null,
  unique nulls not distinct (organization, kind, currency, network)
);
comment on table fees is 'What an organization is charged: fixed and percent together, at least and at most. Without a row nothing is charged.';
comment on column fees.network is 'Null: on every network that has no row of its own.';

alter table bill_purchases add column fee numeric(19,4) not null default 0 check (fee >= 0);

create table payments (
  id bigint generated always as identity primary key,
  organization bigint not null,
  purpose text not null check (purpose in ('payment', 'return', 'refund')),
  collection bigint,
  payment_type text not null check (payment_type in ('money', 'airtime')),
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  account bigint not null,
  source bigint not null,
  description text not null,
  metadata json not null,
  send_sms_message boolean not null,
  start_date timestamptz,
  state text not null check (state in ('new', 'validated', 'approval_needed', 'approval_requested', 'approved',
    'rejected', 'scheduled', 'processed', 'processed_with_errors', 'cancelled')),
  last_error text,
  approved_by bigint,
  approved_time timestamptz,
  rejected_reason text,
  rejected_by bigint,
  rejected_time timestamptz,
  cancelled_reason text,
  cancelled_by bigint,
  cancelled_time timestamptz,
  created timestamptz not null,
  author bigint not null,
  modified timestamptz not null,
  updated_by bigint,
  check ((purpose = 'payment') = (collection is null)),
  check (purpose = 'return' or source = account),
  check (approved_by <> author),
  check ((state = 'rejected') = (rejected_by is not null)),
  check ((state = 'cancelled') = (cancelled_by is not null))
) with (fillfactor = 85);
comment on table payments is 'Money sent to one recipient or many. amount is the sum of its recipients'' amounts.';
comment on column payments.source is 'The ledger account that the money is taken from: the wallet or, for money that was never accepted, suspense.';
comment on column payments.purpose is 'return: of money that matched nothing; refund: of a collection, whole or in part.';
create index payments_newest on payments (organization, id desc);
create index payments_created on payments (organization, created, id);
create index payments_modified on payments (organization, modified, id);
create index payments_state on payments (organization, state, id);
create index payments_collection on payments (collection) where collection is not null;

create table payment_recipients (
  id bigint generated always as identity primary key,
  payment bigint not null references payments,
  organization bigint not null,
  contact bigint not null,
  network text not null,
  phonenumber text not null,
  amount numeric(19,4) not null check (amount > 0),
  fee numeric(19,4) not null check (fee >= 0),
  description text not null,
  metadata json not null,
  national_id text,
  national_id_type text check (national_id_type in ('passport', 'military', 'national')),
  state text not null check (state in ('new', 'queued', 'processing', 'pending_confirmation', 'complete', 'error', 'paused',
    'parked', 'aborted')),
  last_error text,
  remote_id text,
  remote_transaction_id text,
  asked integer not null default 0,
  modified timestamptz not null,
  due_at timestamptz,
  leased_until timestamptz,
  check ((state in ('complete', 'error', 'aborted')) <= (due_at is null))
) with (fillfactor = 85);
comment on table payment_recipients is 'One phone of a payment. The row is also its own job: due_at says when its order is sent, or asked about, next.';
comment on column payment_recipients.remote_id is 'What the network called our order when it accepted it.';
comment on column payment_recipients.remote_transaction_id is 'The network''s own id of the money that it sent.';
comment on column payment_recipients.asked is 'How often the network was asked about the order, the sending included.';
comment on column payment_recipients.leased_until is 'Real time. Until then the process that claimed the row works on it.';
create index payment_recipients_payment on payment_recipients (payment, id);
create index payment_recipients_due on payment_recipients (due_at) where due_at is not null;
create index payment_recipients_phone on payment_recipients (organization, phonenumber);
create index payment_recipients_remote on payment_recipients (organization, remote_transaction_id)
  where remote_transaction_id is not null;
create index payment_recipients_troubled on payment_recipients (organization, state)
  where state not in ('complete', 'aborted');
create index payment_recipients_contact on payment_recipients (contact);

create table payment_moves (
  id bigint generated always as identity primary key,
  payment bigint not null,
  from_state text not null,
  to_state text not null,
  at timestamptz not null,
  author bigint not null,
  note text
);
comment on table payment_moves is 'One row for every change of a payment''s state; its creation is not a change.';
create index payment_moves_payment on payment_moves (payment);

create table refills (
  account bigint primary key references accounts,
  amount numeric(19,4) not null check (amount > 0),
  due_at timestamptz not null
);
comment on table refills is 'Sandbox: test wallets that are filled up to this amount every night. The row is also its own job.';

insert into refills (account, amount, due_at)
  select id, 100000, created from accounts where currency = 'BXC' and kind = 'local';

create table simulator_payouts (
  reference text primary key,
  remote_id text not null,
  sender text not null,
  phonenumber text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  reason text not null,
  kind text not null check (kind in ('money', 'airtime')),
  asked integer not null default 1,
  state text not null check (state in ('turned_away', 'pending', 'paid', 'failed')),
  failure_reason text,
  failure_message text,
  transaction text unique,
  due_at timestamptz,
  created timestamptz not null,
  check ((state = 'paid') = (transaction is not null)),
  check ((state = 'failed') = (failure_reason is not null and failure_message is not null)),
  check (due_at is null or state = 'pending')
) with (fillfactor = 85);
comment on table simulator_payouts is 'What a business asked the simulated network to send to a phone.';
comment on column simulator_payouts.transaction is 'The id of the money, once it has reached the phone.';
create index simulator_payouts_due on simulator_payouts (due_at) where due_at is not null;
