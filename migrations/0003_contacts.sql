-- Customers of organizations, and imports of them.
-- Kind: widen

-- The words of a contact's names and each four digits in a row of the phone number, all below the organization: `12/jane`,
-- `12/7720`. It is one expression, which PostgreSQL writes into the index: a body with queries would run one for each contact.
create function contact_search_terms(organization bigint, first_name text, last_name text, name_on_network text, phone_number text)
returns tsvector language sql immutable parallel safe
return array_to_tsvector(
  array[
    organization::text || '/' || substr(phone_number, 2, 4), organization::text || '/' || substr(phone_number, 3, 4),
    organization::text || '/' || substr(phone_number, 4, 4), organization::text || '/' || substr(phone_number, 5, 4),
    organization::text || '/' || substr(phone_number, 6, 4), organization::text || '/' || substr(phone_number, 7, 4),
    organization::text || '/' || substr(phone_number, 8, 4), organization::text || '/' || substr(phone_number, 9, 4),
    organization::text || '/' || substr(phone_number, 10, 4), organization::text || '/' || substr(phone_number, 11, 4),
    organization::text || '/' || substr(phone_number, 12, 4), organization::text || '/' || substr(phone_number, 13, 4)
  ] || string_to_array(
    organization::text || '/' || replace(
      translate(lower(first_name || ' ' || last_name || ' ' || name_on_network),
        '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                '),
      ' ', ' ' || organization::text || '/'),
    ' '));
comment on function contact_search_terms is 'Terms by which the search finds a contact (src/core/search/contacts.ts).';

-- The first two and the first three letters of each word of a contact's names, below the organization: `12/ja`, `12/jan`. Names
-- that begin alike are too many to be found by their words: the index reads all words with a beginning.
create function contact_beginnings(organization bigint, first_name text, last_name text, name_on_network text)
returns tsvector language sql immutable parallel safe
return array_to_tsvector(array_remove(string_to_array(regexp_replace(
    translate(lower(first_name || ' ' || last_name || ' ' || name_on_network),
      '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                '),
    '\s*(?:(\S{2})(\S?)\S*|\S)\s*', organization::text || '/\1 ' || organization::text || '/\1\2 ', 'g'), ' '), ''));
comment on function contact_beginnings is 'The beginnings of names that the search finds a contact by (src/core/search/contacts.ts).';

create table contacts (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  first_name text not null,
  last_name text not null,
  email text,
  phone_number text not null,
  type text not null,
  status text not null,
  metadata json,
  phone_is_supported text not null,
  phone_is_mm_registered text not null,
  name_on_network text not null,
  name_matches_network_status text not null,
  name_matches_network_score double precision not null,
  network_name text not null,
  created timestamptz not null,
  modified timestamptz not null,
  author bigint not null,
  updated_by bigint,
  national_id text,
  national_id_type text check (national_id_type in ('passport', 'military', 'national')),
  erased timestamptz,
  number_being_erased text,
  attempts integer not null default 0,
  due_at timestamptz,
  leased_until timestamptz,
  looked_up timestamptz,
  number text check (number <> ''),
  notes text not null default '',
  unique (organization, phone_number),
  check ((national_id is null) = (national_id_type is null)),
  check (number_being_erased is null or erased is not null)
) with (fillfactor = 75);
comment on table contacts is 'Interface 2.6. One per organization and phone number, and one per customer number.';
comment on column contacts.erased is 'Time when the personal data of this contact was erased on request.';
comment on column contacts.number_being_erased is 'The phone number that is still being erased from stored messages. Null when the erasure is complete or was never requested.';
comment on column contacts.attempts is 'Number of starts of the due work: the account holder look-up or the erasure.';
comment on column contacts.due_at is 'Time to look up the account holder, or to continue the erasure.';
comment on column contacts.leased_until is 'Real time. Until then, the process that claimed the row works on it.';
comment on column contacts.phone_number is 'Phone number in E.164. A customer for whom others pay may have none. Then it is none: with the customer number, and nothing is sent to it.';
comment on column contacts.number is 'The customer number, as payers type it: unique in the organization by its key in contact_number_keys. Null: none.';
comment on column contacts.notes is 'Notes of people about the customer. Empty after the person was erased.';
comment on column contacts.looked_up is 'Time when a network last named the holder of the number. Null: never.';
-- The filter first_name, also of requests, collections and payments. Most customers without a name are left out.
create index contacts_first_name on contacts (organization, first_name) where first_name <> 'Anonymous';
-- The filter last_name, also of requests, collections and payments.
create index contacts_last_name on contacts (organization, last_name) where last_name <> 'Contact';
-- Lookups and erasures from messages that are due.
create index contacts_due on contacts (due_at) where due_at is not null;
-- The filters created_after and created_before, and the order by creation.
create index contacts_created on contacts (organization, created, id);
-- The filter email, and the search.
create index contacts_email on contacts (organization, email) where email is not null;
-- The search for whole words of names, for parts of phone numbers, and for beginnings of names: one index, since a write costs
-- the same for both.
create index contacts_search on contacts using gin (
  contact_search_terms(organization, first_name, last_name, name_on_network, phone_number),
  contact_beginnings(organization, first_name, last_name, name_on_network)) with (gin_pending_list_limit = 512);

create table contact_number_keys (
  contact bigint not null references contacts,
  organization bigint not null,
  key text not null,
  is_whole boolean not null,
  primary key (contact, key)
);
comment on table contact_number_keys is 'The ways to type the number of a customer: without blanks, dashes, leading zeros or its prefix (src/core/numbers).';
comment on column contact_number_keys.is_whole is 'The one key by which numbers differ.';
-- A customer number belongs to one customer, and finds the customer.
create unique index contact_number_keys_whole on contact_number_keys (organization, key) where is_whole;
-- Numbers written in other ways, in references and in the search; beginnings of numbers.
create index contact_number_keys_key on contact_number_keys (organization, key text_pattern_ops);
comment on index contact_number_keys_key is 'Finds the customer whose number a payer typed, and numbers that begin alike.';

create table contact_tags (
  contact bigint not null references contacts,
  organization bigint not null,
  tag text not null check (tag <> ''),
  primary key (contact, tag)
);
comment on table contact_tags is 'Groups of customers, such as a class, a branch or a route.';
-- Customers with a tag: the filter, the search, and what is made for a tag.
create index contact_tags_tag on contact_tags (organization, lower(tag), contact);
comment on index contact_tags_tag is 'Finds the customers of a group.';

create table contact_payers (
  contact bigint not null references contacts,
  organization bigint not null,
  phone_number text not null,
  name text not null default '',
  position integer not null,
  primary key (contact, phone_number)
);
comment on table contact_payers is 'Other payers of a customer, such as parents or a sponsor. Money from their phones may be for this customer.';
comment on column contact_payers.phone_number is 'Phone number in E.164.';
comment on column contact_payers.name is 'Name or role, such as Mother or Grace Nakato.';
comment on column contact_payers.position is 'The order in which people wrote them. The first is asked when the customer has no phone.';
-- The customers that a phone pays for: matching, the filter payer, and the search.
create index contact_payers_phone_number on contact_payers (organization, phone_number);
comment on index contact_payers_phone_number is 'Finds the customers for whom a phone pays.';
-- The search for whole words of names of payers, for parts of their phone numbers, and for beginnings of their names.
create index contact_payers_search on contact_payers using gin (
  contact_search_terms(organization, name, '', '', phone_number), contact_beginnings(organization, name, '', ''))
  with (gin_pending_list_limit = 512);

create table contact_imports (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  file_name text not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  known text not null check (known in ('skip', 'update')),
  rows integer not null check (rows > 0),
  refused integer not null,
  last_row integer not null default 0,
  added integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  created timestamptz not null,
  author bigint not null references users,
  finished timestamptz,
  check (refused >= 0 and refused <= rows),
  check ((((added + updated) + unchanged) + refused) <= rows)
);
comment on table contact_imports is 'Files of contacts that were imported, with counts. Of the rows only those that were refused are stored.';
comment on column contact_imports.digest is 'SHA-256 of the file, so that the same file is recognized when it comes again.';
comment on column contact_imports.known is 'Treatment of contacts that have a name already: skip leaves them as they are, update writes the file''s data.';
comment on column contact_imports.last_row is 'The number of the last row of the file that was imported. An import that was interrupted goes on after it.';
comment on column contact_imports.finished is 'Time of the import of its last row. Null: it was interrupted, or is running.';
-- The list of imports, newest first.
create index contact_imports_newest on contact_imports (organization, id desc);
-- Earlier imports of the same file.
create index contact_imports_of_file on contact_imports (organization, digest);

create table contact_import_refusals (
  contact_import bigint references contact_imports on delete cascade,
  organization bigint not null references organizations,
  number integer check (number > 0),
  phone_number text not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  type text not null,
  customer_number text not null,
  tags text not null,
  notes text not null,
  payers text not null,
  problems jsonb not null,
  primary key (contact_import, number)
);
comment on table contact_import_refusals is 'The refused rows of files of contacts, to be corrected and imported again. Imports before this table have none.';
comment on column contact_import_refusals.number is 'Number of the row in the file, where the first line is 1.';
comment on column contact_import_refusals.phone_number is 'Phone number in E.164, or the text of the file if that is no phone number.';
comment on column contact_import_refusals.tags is 'Tags with commas between them.';
comment on column contact_import_refusals.payers is 'Payers with semicolons between them: Grace Nakato +256772000001; Father +256772000002.';
comment on column contact_import_refusals.problems is 'Reasons of the refusal: a list of column and message.';
-- The erasure of a person, who may be in any refused row of the organization.
create index contact_import_refusals_of_organization on contact_import_refusals (organization);
