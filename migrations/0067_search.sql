-- Outside of a transaction: indexes of large tables are built while others write.
-- Kind: widen
-- The search of the console. Collection requests and collections get no index for it: each would cost every collection. People are found among the contacts, and their requests by phone number.

-- The words of a contact's names and each four digits in a row of the phone number, all below the organization: `12/jane`, `12/7720`. It is one expression, which PostgreSQL writes into the index: a body with
-- queries would be run as a query for each contact.
create or replace function contact_search_terms(organization bigint, first_name text, last_name text, name_on_network text, phone_number text)
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
comment on function contact_search_terms is 'What the search finds a contact by (src/core/search/contacts.ts).';
drop index concurrently if exists contacts_search;
create index concurrently contacts_search on contacts
  using gin (contact_search_terms(organization, first_name, last_name, name_on_network, phone_number))
  with (gin_pending_list_limit = 512);
drop index concurrently if exists payments_amount;
create index concurrently payments_amount on payments (organization, amount, id);
drop index concurrently if exists invoices_total;
create index concurrently invoices_total on invoices (organization, total, id);
drop index concurrently if exists bill_purchases_amount;
create index concurrently bill_purchases_amount on bill_purchases (organization, amount, id);
drop index concurrently if exists bill_purchases_phone;
create index concurrently bill_purchases_phone on bill_purchases (organization, phone, id);
drop index concurrently if exists bill_purchases_account_number;
create index concurrently bill_purchases_account_number on bill_purchases (organization, account_number, id);
