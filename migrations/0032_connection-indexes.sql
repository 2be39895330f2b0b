-- Outside of a transaction: indexes of large tables are built while others write.
-- Money is one per connection and network id: two merchant accounts of one network in two countries may see the same id.
drop index concurrently if exists collections_connection_remote_id;
create unique index concurrently collections_connection_remote_id on collections (connection, remote_transaction_id);
alter table collections drop constraint if exists collections_network_remote_transaction_id_key;
drop index concurrently if exists collections_network_order;
create unique index concurrently collections_network_order on collections (network_order) where network_order is not null;
drop index concurrently if exists acceptance_checks_unique_payment;
create unique index concurrently acceptance_checks_unique_payment on acceptance_checks
  (connection, remote_transaction_id, account, phonenumber, amount, coalesce(md5(reference), ''));
drop index concurrently if exists acceptance_checks_unique;
comment on index acceptance_checks_unique_payment is 'A second check of the same money gets the same verdict. Different money is a different check, so the verdict on one payment is never used for another.';
drop index concurrently if exists payment_recipients_connection_remote_id;
create index concurrently payment_recipients_connection_remote_id on payment_recipients (connection, remote_transaction_id)
  where remote_transaction_id is not null;
