-- Outside of a transaction: it changes two tables. Each statement can be repeated.
-- Kind: widen
-- The refused rows of imports of contacts, and when an attempt to buy a bill was sent on the clock of the service.
create table if not exists contact_import_refusals (
  contact_import bigint not null references contact_imports on delete cascade,
  organization bigint not null references organizations,
  number integer not null check (number > 0),
  phone_number text not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  type text not null,
  problems jsonb not null,
  primary key (contact_import, number)
);
drop index concurrently if exists contact_import_refusals_of_phone;
create index concurrently contact_import_refusals_of_phone on contact_import_refusals (organization, phone_number);
comment on table contact_imports is 'Files of contacts that were imported, with counts. Of the rows only those that were refused are stored.';
comment on table contact_import_refusals is 'The refused rows of files of contacts, to be corrected and imported again. Imports before this table have none.';
comment on column contact_import_refusals.number is 'Its number in the file, where the first line is 1.';
comment on column contact_import_refusals.phone_number is 'In E.164, or what the file has if that is no phone number.';
comment on column contact_import_refusals.problems is 'Why it was refused: a list of column and message.';

alter table bill_attempts add column if not exists started timestamptz;
comment on column bill_attempts.started is 'When it was sent, on the clock of the service; `sent` is the real time. Null: never sent, or before this was recorded.';
