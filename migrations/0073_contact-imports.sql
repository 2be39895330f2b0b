-- Outside of a transaction: an index of a large table is built while others write. Each statement can be repeated.
-- Kind: widen
-- Contacts from a file, when a contact was looked up, and the bills of a phone number for the page of its contact.
create table if not exists contact_imports (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  file_name text not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  known text not null check (known in ('skip', 'update')),
  rows integer not null check (rows > 0),
  refused integer not null check (refused between 0 and rows),
  last_row integer not null default 0,
  added integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  created timestamptz not null,
  author bigint not null references users,
  finished timestamptz,
  check (added + updated + unchanged + refused <= rows)
);
drop index concurrently if exists contact_imports_newest;
create index concurrently contact_imports_newest on contact_imports (organization, id desc);
drop index concurrently if exists contact_imports_of_file;
create index concurrently contact_imports_of_file on contact_imports (organization, digest);
comment on table contact_imports is 'Files of contacts that were imported, with counts. The rows themselves are not stored.';
comment on column contact_imports.digest is 'SHA-256 of the file, so that the same file is recognized when it comes again.';
comment on column contact_imports.known is 'What happens to contacts that have a name already: skip leaves them as they are, update writes what the file has.';
comment on column contact_imports.last_row is 'The number of the last row of the file that was imported. An import that was interrupted goes on after it.';
comment on column contact_imports.finished is 'When its last row was imported. Null: it was interrupted, or is running.';

alter table contacts add column if not exists looked_up timestamptz;
comment on column contacts.looked_up is 'When a network last said who holds the number. Null: never, or before this was recorded.';

drop index concurrently if exists bill_purchases_phone;
create index concurrently bill_purchases_phone on bill_purchases (organization, phone, id);
