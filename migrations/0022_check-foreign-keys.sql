-- Checks the foreign keys of 0021 for the rows that are there already. The tables can be read and written meanwhile; no other
-- change stands in this file, because its transaction lasts as long as the tables are large.
alter table payments validate constraint payments_account_currency_fkey;
alter table payments validate constraint payments_source_currency_fkey;
alter table payments validate constraint payments_collection_fkey;
alter table bill_purchases validate constraint bill_purchases_account_currency_fkey;
alter table acceptance_checks validate constraint acceptance_checks_account_currency_fkey;
alter table acceptance_checks validate constraint acceptance_checks_collection_fkey;
alter table collections validate constraint collections_collection_request_fkey;
