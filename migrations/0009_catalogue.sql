-- What the bill counter sells and at which price, and who may come to it with a signature. The catalogue is brought in
-- and taken out as one file (`bills catalogue import|export`); nothing in the code knows a price.

create table catalogue_categories (
  code text primary key,
  name text not null,
  position integer not null
);
comment on table catalogue_categories is 'Kinds of services, such as airtime and electricity.';

create table catalogue_services (
  id bigint generated always as identity primary key,
  category text not null references catalogue_categories,
  service_type text not null,
  aliases text[] not null default '{}',
  name text not null,
  shortname text not null,
  biller_id integer not null,
  product_id integer not null,
  enabled boolean not null default true,
  plans text[] not null default '{}',
  prepaid boolean,
  tariff numeric(19,4) check (tariff > 0),
  minimum_amount numeric(19,4) check (minimum_amount > 0),
  maximum_amount numeric(19,4),
  account_kind text check (account_kind in ('phone', 'meter', 'digits')),
  account_least integer,
  account_most integer,
  needs_account boolean not null default false,
  position integer not null,
  created timestamptz not null,
  modified timestamptz not null,
  unique (category, service_type),
  check (minimum_amount <= maximum_amount)
);
comment on table catalogue_services is 'One thing that one biller sells. The same service_type may stand in several categories.';
comment on column catalogue_services.aliases is 'Other spellings of service_type that clients use.';
comment on column catalogue_services.plans is 'Airtime only: prepaid, postpaid.';
comment on column catalogue_services.prepaid is 'Electricity only: whether a purchase yields a token.';
comment on column catalogue_services.tariff is 'Electricity only: price of a kWh without tax.';
comment on column catalogue_services.account_kind is 'What the account number is checked for. Null: the service knows no accounts.';
comment on column catalogue_services.account_least is 'For kind digits: the fewest digits.';
comment on column catalogue_services.needs_account is 'Whether its bundles are listed for one account only.';

create table catalogue_products (
  id bigint generated always as identity primary key,
  service bigint not null references catalogue_services on delete cascade,
  kind text not null check (kind in ('bouquet', 'addon', 'bundle', 'pin', 'exam')),
  code text not null,
  name text not null,
  description text not null,
  allowance text,
  validity text,
  bouquets text[],
  available integer check (available >= 0),
  position integer not null,
  unique (service, kind, code),
  check ((kind = 'pin') = (available is not null))
);
comment on table catalogue_products is 'What a service sells at a fixed price.';
comment on column catalogue_products.code is 'For a pin its value without needless zeros, such as 100.';
comment on column catalogue_products.bouquets is 'For an add-on: the codes of the bouquets that it goes with. Null: all.';
comment on column catalogue_products.available is 'For a pin: how many can still be bought. Purchases lower it, so it never falls below zero.';

create table catalogue_prices (
  product bigint not null references catalogue_products on delete cascade,
  months integer not null check (months >= 0),
  invoice_period integer not null,
  price numeric(19,4) not null check (price > 0),
  primary key (product, months)
);
comment on table catalogue_prices is 'The price of a product for so many months; months is 0 for what is bought once.';

create table bill_validations (
  organization bigint not null references organizations,
  service_type text not null,
  account_number text not null,
  product_code text not null,
  phone text,
  name text not null,
  validated timestamptz not null,
  primary key (organization, service_type, account_number, product_code)
);
comment on table bill_validations is 'The last successful name look-up. An exam pin is sold only for the phone that it gave (interface 4.5, rule 1).';

create table signing_users (
  id bigint generated always as identity primary key,
  username text not null unique,
  api_key bigint not null references api_keys,
  sealed_secret text not null,
  revoked timestamptz,
  created timestamptz not null
);
comment on table signing_users is 'Names under which requests to the bill counter are signed. Each acts as its API key does.';
comment on column signing_users.sealed_secret is 'Sealed, and not hashed, because checking a signature takes the secret itself.';
create index signing_users_by_key on signing_users (api_key);
