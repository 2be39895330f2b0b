-- What networks say about money after its end: they take back parts of it, and they have sent payouts after they had
-- reported a failure. The new constraints are not checked against existing rows, which would take as long as the tables
-- are large: the new columns are zero there, and the constraint that is replaced was stricter.

-- Two constraints that were too strict. Their names depend on the order in which constraints without a name were made.
do $$
declare
  old record;
begin
  for old in
    select conrelid::regclass as "table", conname as name from pg_constraint
    where contype = 'c' and (conrelid = 'collections'::regclass and pg_get_constraintdef(oid) like '%refunded%'
      or conrelid = 'simulator_payouts'::regclass and pg_get_constraintdef(oid) like '%due_at%')
  loop
    execute format('alter table %s drop constraint %I', old."table", old.name);
  end loop;
end
$$;

create table collection_reversals (
  collection bigint not null references collections,
  remote_id text not null,
  amount numeric(19,4) not null check (amount > 0),
  created timestamptz not null,
  primary key (collection, remote_id)
);
create index collection_reversals_remote on collection_reversals (remote_id);
comment on table collection_reversals is 'The parts of collections that networks have taken back, each once.';
comment on column collection_reversals.remote_id is 'The network''s own id of the reversal.';
comment on column collection_reversals.amount is 'What was taken, at most what was left of the collection.';

alter table collections
  add column reversed_in_parts numeric(19,4) not null default 0,
  add constraint collections_reversed_in_parts_check check (reversed_in_parts between 0 and amount) not valid,
  add constraint collections_refunded_check check (refunded >= 0) not valid;
comment on column collections.reversed_in_parts is 'The sum of the parts that the network has taken back. The rest follows when the status becomes reversed.';
comment on column collections.refunded is 'How much of it was returned or refunded, including payments that are not complete yet. More than the amount if a refund that had failed was sent after all.';

alter table payment_recipients
  add column sent_at timestamptz,
  add column reversed_in_parts numeric(19,4) not null default 0,
  add column reversed boolean not null default false,
  add constraint payment_recipients_reversed_in_parts_check check (reversed_in_parts between 0 and amount) not valid;
comment on column payment_recipients.sent_at is 'When the payout was sent last. Null: it is not sent, or it certainly never arrived at the network and is sent again.';
comment on column payment_recipients.reversed_in_parts is 'The sum of the parts that the network has taken back.';
comment on column payment_recipients.reversed is 'Whether the network has taken back everything.';
update payment_recipients set sent_at = modified where due_at is not null and network_calls > 0;

create table payout_reversals (
  recipient bigint not null references payment_recipients,
  remote_id text not null,
  amount numeric(19,4) not null check (amount > 0),
  created timestamptz not null,
  primary key (recipient, remote_id)
);
create index payout_reversals_remote on payout_reversals (remote_id);
comment on table payout_reversals is 'The parts of payouts that networks have taken back, each once.';
comment on column payout_reversals.remote_id is 'The network''s own id of the reversal.';
comment on column payout_reversals.amount is 'What came back, at most what was left of the payout.';

create table late_payouts (
  recipient bigint primary key references payment_recipients,
  payment bigint not null references payments,
  organization bigint not null,
  amount numeric(19,4) not null check (amount > 0),
  booked boolean not null,
  detected timestamptz not null,
  reviewed timestamptz,
  reviewed_by text,
  check ((reviewed is null) = (reviewed_by is null))
);
comment on table late_payouts is 'Payouts that a network reported as sent after it had reported a failure. A person has to look into each.';
comment on column late_payouts.amount is 'What the network says that it sent.';
comment on column late_payouts.booked is 'Whether the money was taken from its account again. False if the amount is not the one that was ordered.';
comment on column late_payouts.reviewed is 'When a person said that the matter is settled.';
create index late_payouts_open on late_payouts (organization, recipient) where reviewed is null;

-- Sandbox: the simulated network does all of this for certain numbers.

alter table simulator_transactions add column reversals json not null default '[]';
comment on column simulator_transactions.reversals is 'The parts that were taken back: remote_id, amount and time of each.';

alter table simulator_payouts
  add column reversals json not null default '[]',
  add column known_from timestamptz;
comment on column simulator_payouts.reversals is 'The parts that were taken back: remote_id, amount and time of each.';
comment on column simulator_payouts.known_from is 'Until then the network says that it does not know the payout.';
create index simulator_transactions_reversals on simulator_transactions (remote_id) where json_array_length(reversals) > 0;
create index simulator_payouts_reversals on simulator_payouts (reference) where json_array_length(reversals) > 0;
comment on column simulator_payouts.times_received is 'How often the order was received. An order that is not accepted is unknown to the network until it was received often enough.';
alter table simulator_payouts
  add constraint simulator_payouts_due_at_check check (due_at is null or state in ('pending', 'failed', 'paid'));
