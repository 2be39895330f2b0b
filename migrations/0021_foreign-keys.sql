-- Foreign keys that guard money where they do not slow down creating and settling requests (docs/decisions/0017). They check
-- new rows from now on; 0022 checks the rows that are there already, because that takes as long as the tables are large and
-- must not happen while this transaction holds its locks.

alter table payments
  add constraint payments_account_currency_fkey foreign key (account, currency) references accounts (id, currency) not valid,
  add constraint payments_source_currency_fkey foreign key (source, currency) references accounts (id, currency) not valid,
  add constraint payments_collection_fkey foreign key (collection) references collections not valid;

alter table bill_purchases
  add constraint bill_purchases_account_currency_fkey
    foreign key (account, currency) references accounts (id, currency) not valid,
  drop constraint bill_purchases_account_fkey;

alter table acceptance_checks
  add constraint acceptance_checks_account_currency_fkey
    foreign key (account, currency) references accounts (id, currency) not valid,
  add constraint acceptance_checks_collection_fkey foreign key (collection) references collections not valid;

alter table collections
  add constraint collections_collection_request_fkey foreign key (collection_request) references collection_requests not valid;
