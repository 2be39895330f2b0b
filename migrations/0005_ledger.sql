-- The ledger: accounts, transfers between them, and fees.
-- Kind: widen

create table accounts (
  id bigint generated always as identity primary key,
  organization bigint references organizations,
  currency text not null references currencies (code),
  kind text not null check (kind in ('local', 'cross_border', 'external', 'held', 'fees', 'suspense', 'network_fees')),
  name text not null,
  status text not null check (status in ('active', 'inactive')),
  balance numeric(38,4) not null default 0,
  overdrawn boolean not null default false,
  created timestamptz not null,
  author bigint not null references users,
  modified timestamptz not null,
  updated_by bigint references users,
  connection text,
  unique (id, currency),
  constraint accounts_balance_check check (balance >= 0 or overdrawn or kind in ('external', 'network_fees')),
  check (connection is null or kind = 'external'),
  check (organization is not null or kind in ('external', 'network_fees'))
);
comment on table accounts is 'Ledger accounts. local and cross_border are wallets; the other kinds are the counter accounts of transfers. balance always equals the sum of the transfers.';
comment on column accounts.organization is 'Null: the account is in the books of the operator.';
comment on column accounts.overdrawn is 'True only while the balance is below zero because a network reversed more money than the wallet held.';
comment on column accounts.connection is 'The connection of whose float the account is the other side. Null for all other accounts; an external account without it is the other side of the operator''s own entries.';
-- The wallets of an organization, and the currencies that it has.
create index accounts_wallets on accounts (organization, currency, id) where kind in ('local', 'cross_border');
-- An organization has one counter account for each currency, kind and connection.
create unique index accounts_counter on accounts (organization, currency, kind, connection) nulls not distinct
  where kind not in ('local', 'cross_border');
-- The money that the books expect in a merchant account.
create index accounts_floats on accounts (connection, currency) where connection is not null;

create table transfers (
  id bigint generated always as identity primary key,
  reference text not null unique,
  kind text not null check (kind in ('mobile_collection', 'mobile_collection_suspense', 'mobile_collection_reversal',
    'admin_funds_update', 'test_funds_refill', 'mobile_payment', 'mobile_payment_hold', 'mobile_payment_release',
    'mobile_payment_reversal', 'airtime_topup', 'airtime_topup_hold', 'airtime_topup_release', 'airtime_topup_reversal',
    'bill_payment', 'bill_payment_hold', 'bill_payment_release', 'bill_payment_reversal', 'service_charge',
    'service_charge_hold', 'service_charge_release', 'service_charge_reversal', 'network_fee', 'float_adjustment',
    'float_settlement')),
  from_account bigint not null,
  to_account bigint not null,
  currency text not null,
  amount numeric(19,4) not null check (amount > 0),
  description text not null,
  created timestamptz not null,
  author bigint not null,
  foreign key (from_account, currency) references accounts (id, currency),
  foreign key (to_account, currency) references accounts (id, currency),
  check (to_account <> from_account)
);
comment on table transfers is 'Double entry: one positive amount from one account to another of the same currency. Rows are never changed and never deleted.';
-- Transactions of a wallet: money that came in.
create index transfers_to on transfers (to_account, id);
-- Transactions of a wallet: money that went out. Collections leave external accounts, which have no list.
create index transfers_from on transfers (from_account, id) where kind <> 'mobile_collection';
-- The filter type, for kinds that few transfers have; the last deposit to a wallet.
create index transfers_to_kind on transfers (to_account, kind, id) where kind <> 'mobile_collection';
-- Transactions and reports of a period. Transfers are only appended, so their order is that of their pages.
create index transfers_created on transfers using brin (created) with (pages_per_range = 16, autosummarize = on);
create trigger transfers_no_truncate before truncate on transfers for each statement execute function refuse_change();
create trigger transfers_append_only before delete or update on transfers for each row execute function refuse_change();

create table refills (
  account bigint primary key references accounts,
  target_balance numeric(19,4) not null check (target_balance > 0),
  due_at timestamptz not null
);
comment on table refills is 'Sandbox: test wallets that are filled up to target_balance every night. The row is also its own job.';

create table fees (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  kind text not null check (kind in ('collection', 'payment', 'airtime', 'bill', 'return', 'refund')),
  currency text not null references currencies (code),
  network text,
  fixed numeric(19,4) not null check (fixed >= 0),
  percent numeric(7,4) not null check (percent >= 0 and percent <= 100),
  min_fee numeric(19,4) not null check (min_fee >= 0),
  max_fee numeric(19,4),
  modified timestamptz not null,
  unique nulls not distinct (organization, kind, currency, network),
  check (max_fee >= min_fee)
);
comment on table fees is 'Charges to an organization: fixed plus percent of the amount, at least min_fee and at most max_fee. Without a row there is no charge.';
comment on column fees.network is 'Null: all networks without a row of their own.';
