-- Kind: widen
-- Payments of many recipients that come from a file: drafts with their rows, and what became of each row.

create table bulk_payments (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  file_name text not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  ignored_columns text[] not null default '{}',
  description text not null,
  account bigint references accounts,
  send_sms_message boolean not null,
  state text not null check (state in ('draft', 'creating', 'stopped', 'created')),
  problem text,
  names_requested timestamptz,
  retry_of bigint references bulk_payments on delete set null,
  created timestamptz not null,
  author bigint not null references users,
  started timestamptz,
  started_by bigint references users,
  modified timestamptz not null,
  due_at timestamptz,
  leased_until timestamptz,
  check ((state = 'draft') = (started is null)),
  check ((started is null) = (started_by is null)),
  check ((state = 'creating') = (due_at is not null)),
  check ((state = 'stopped') = (problem is not null))
);
create index bulk_payments_newest on bulk_payments (organization, id desc);
create index bulk_payments_due on bulk_payments (due_at) where due_at is not null;
create index bulk_payments_of_file on bulk_payments (organization, digest);
comment on table bulk_payments is 'Files of payments. A draft may be changed and deleted; a started one becomes payments, a group of its rows each.';
comment on column bulk_payments.digest is 'SHA-256 of the file, so that the same file is recognized when it comes again.';
comment on column bulk_payments.description is 'What the payments are for; a row may say something else.';
comment on column bulk_payments.account is 'The wallet that pays the rows that name none. Null: the oldest wallet in the currency of the row.';
comment on column bulk_payments.problem is 'Why no more payments are created, in words.';
comment on column bulk_payments.names_requested is 'When a person asked for the names that the networks know.';
comment on column bulk_payments.retry_of is 'The one whose failed rows these are.';
comment on column bulk_payments.due_at is 'When the next group of rows becomes a payment.';

create table bulk_payment_rows (
  bulk_payment bigint not null references bulk_payments on delete cascade,
  organization bigint not null references organizations,
  number integer not null check (number > 0),
  cells jsonb not null,
  phonenumber text,
  name text not null,
  amount numeric(19,4) check (amount > 0),
  currency text,
  account bigint references accounts,
  description text not null,
  network text,
  fee numeric(19,4) check (fee >= 0),
  problems jsonb not null,
  warnings jsonb not null,
  decision text check (decision in ('pay', 'skip')),
  payment bigint references payments,
  recipient bigint unique references payment_recipients,
  primary key (bulk_payment, number),
  check ((payment is null) = (recipient is null)),
  check (recipient is null or decision is distinct from 'skip')
);
create index bulk_payment_rows_of_phone on bulk_payment_rows (organization, phonenumber);
create index bulk_payment_rows_of_payment on bulk_payment_rows (payment) where payment is not null;
comment on table bulk_payment_rows is 'The rows of the files. A row becomes a recipient of a payment at most once.';
comment on column bulk_payment_rows.number is 'Its number in the file, where the first line is 1.';
comment on column bulk_payment_rows.cells is 'What stands in the file, by column: a list of text, and what kind of cell it is if that is not text.';
comment on column bulk_payment_rows.problems is 'Why it cannot be paid: a list of column and message.';
comment on column bulk_payment_rows.warnings is 'Why it may be paid twice: a list of code, and of rows or payments.';
comment on column bulk_payment_rows.decision is 'pay: a person has seen the warnings and wants it paid. skip: it is left out.';
