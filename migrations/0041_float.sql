-- Float: the money at a network that the books know of, in an account for each owner, currency and connection. Everything that
-- was moved before went over the sandbox's network, so the accounts of it become the float there, with their balances.
alter table accounts
  add column connection text references connections (slug),
  alter column organization drop not null,
  drop constraint accounts_kind_check,
  add constraint accounts_kind_check
    check (kind in ('local', 'cross_border', 'external', 'held', 'fees', 'suspense', 'network_fees')),
  drop constraint accounts_check,
  add constraint accounts_balance_check check (balance >= 0 or overdrawn or kind in ('external', 'network_fees')),
  add constraint accounts_connection_check check (connection is null or kind = 'external'),
  add constraint accounts_organization_check check (organization is not null or kind in ('external', 'network_fees'));
comment on column accounts.organization is 'Null: the account is in the books of the operator.';
comment on column accounts.connection is 'The connection of whose float the account is the other side. Null for all other accounts; an external account without it is the other side of the operator''s own entries.';

drop index accounts_counter;
create unique index accounts_counter on accounts (organization, currency, kind, connection) nulls not distinct
  where kind not in ('local', 'cross_border');
create index accounts_floats on accounts (connection, currency) where connection is not null;

insert into connections (slug, driver, environment, callback_secret, priority, state, created, modified)
select 'sandbox', 'sandbox', 'sandbox', md5(random()::text || clock_timestamp()::text), 1000, 'active', now(), now()
where exists (select from accounts where kind = 'external')
on conflict (slug) do nothing;
update accounts set connection = 'sandbox' where kind = 'external';
insert into accounts (organization, currency, kind, name, status, created, author, modified)
select organization, currency, kind, name, status, date_trunc('second', now()), author, date_trunc('second', now())
from accounts where kind = 'external';

-- The kinds of transfers. 0042 checks the rows that are there already: that takes as long as the table is large, and must
-- not happen while this transaction holds its locks.
alter table transfers drop constraint transfers_kind_check;
alter table transfers add constraint transfers_kind_check check (kind in (
  'mobile_collection', 'mobile_collection_suspense', 'mobile_collection_reversal', 'admin_funds_update', 'test_funds_refill',
  'mobile_payment', 'mobile_payment_hold', 'mobile_payment_release', 'mobile_payment_reversal',
  'airtime_topup', 'airtime_topup_hold', 'airtime_topup_release', 'airtime_topup_reversal',
  'bill_payment', 'bill_payment_hold', 'bill_payment_release', 'bill_payment_reversal',
  'service_charge', 'service_charge_hold', 'service_charge_release', 'service_charge_reversal',
  'network_fee', 'float_adjustment')) not valid;

-- What networks say about the balances of connections, and how that compares with the books.
create table connection_balances (
  id bigint generated always as identity primary key,
  connection text not null references connections (slug),
  currency text not null,
  at timestamptz not null,
  source text not null check (source in ('reply', 'callback')),
  amount numeric(38,4) not null,
  parts jsonb not null,
  booked numeric(38,4) not null,
  lowest numeric(38,4) not null,
  highest numeric(38,4) not null,
  drift numeric(38,4) not null
);
create index connection_balances_of_connection on connection_balances (connection, currency, id);
create index connection_balances_at on connection_balances (at);
comment on table connection_balances is 'The balances of connections as their networks stated them. Rows are deleted after 90 days.';
comment on column connection_balances.parts is 'The accounts of the balance by the network''s names, where it has several.';
comment on column connection_balances.booked is 'The float in the books at that time, with unassigned money.';
comment on column connection_balances.lowest is 'What the network could state without a contradiction: the booked float, less open payouts and the tolerance.';
comment on column connection_balances.highest is 'The same upwards: the booked float with open charges and the tolerance.';
comment on column connection_balances.drift is 'How far the balance is above highest (positive) or below lowest (negative); zero if it is between them.';

create table connection_floats (
  connection text not null references connections (slug),
  currency text not null,
  warn_below numeric(38,4) check (warn_below >= 0),
  balance numeric(38,4),
  booked numeric(38,4),
  drift numeric(38,4),
  drifts_in_a_row integer not null default 0,
  reported timestamptz,
  drift_since timestamptz,
  low_since timestamptz,
  primary key (connection, currency)
);
comment on table connection_floats is 'The last balance of each connection and currency, and the notices about it.';
comment on column connection_floats.warn_below is 'A balance below this raises a notice. Null: none does.';
comment on column connection_floats.drift_since is 'Since when the balance and the books drift apart, if they did so twice in a row. Null: they do not.';
comment on column connection_floats.low_since is 'Since when the balance is below warn_below. Null: it is not.';

create table connection_balance_checks (
  connection text primary key references connections (slug),
  due_at timestamptz not null,
  leased_until timestamptz
);
comment on table connection_balance_checks is 'When each connection is asked for its balance next.';
