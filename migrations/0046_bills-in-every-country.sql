-- Bills in every country, from several providers. What was sold before was sold in Nigeria, in naira, by one biller.
alter table catalogue_services
  add column country text not null default 'NG' check (country ~ '^[A-Z]{2}$'),
  add column currency text not null default 'NGN' check (currency ~ '^[A-Z]{3}$');
comment on column catalogue_services.country is 'ISO 3166-1: where it is sold. Phone numbers without a country code are numbers of this country.';
comment on column catalogue_services.currency is 'ISO 4217: the currency of its prices and limits, and of the wallet that pays.';

create table bill_offers (
  id bigint generated always as identity primary key,
  service bigint not null references catalogue_services on delete cascade,
  product bigint references catalogue_products on delete cascade,
  connection text not null,
  remote_service text not null check (remote_service <> ''),
  remote_product text check (remote_product <> ''),
  price numeric(19,4) check (price > 0),
  commission_percent numeric(7,4) check (commission_percent >= 0 and commission_percent < 100),
  min numeric(19,4) check (min > 0),
  max numeric(19,4),
  is_available boolean not null default true,
  off_sale text check (off_sale in ('price_rise')),
  enabled boolean not null default true,
  priority integer not null default 100 check (priority >= 0),
  created timestamptz not null,
  modified timestamptz not null,
  unique nulls not distinct (service, product, connection),
  check (min <= max)
);
create index bill_offers_of_connection on bill_offers (connection, remote_service);
create index bill_offers_of_product on bill_offers (product) where product is not null;
comment on table bill_offers is 'Which connection sells which service or product, under which names and at which cost.';
comment on column bill_offers.product is 'Null: the service itself, with an amount that the customer chooses.';
comment on column bill_offers.connection is 'The slug of the connection to the provider.';
comment on column bill_offers.price is 'What the provider takes for a product with a fixed price, before its commission. Null: the amount of the purchase.';
comment on column bill_offers.commission_percent is 'What the provider gives back to us, in percent of the price or of the amount.';
comment on column bill_offers.is_available is 'What the provider said last about its stock.';
comment on column bill_offers.off_sale is 'Why it is not sold until a person decides. Null: it is sold.';
comment on column bill_offers.priority is 'The smallest number is bought first. Offers with the same number compete by their cost.';

-- 0050 checks the rows that are there already, and builds the indexes.
alter table bill_purchases
  add column country text not null default 'NG',
  add column attempt integer not null default 1,
  add column remote_service text,
  add column remote_product text,
  add column cost numeric(19,4),
  add column started timestamptz,
  add column send_token boolean,
  add constraint bill_purchases_attempt_check check (attempt > 0) not valid,
  add constraint bill_purchases_cost_check check (cost >= 0) not valid;
comment on column bill_purchases.started is 'When the current attempt was sent, on the service''s clock. Null: it was not, or by an earlier version.';
comment on column bill_purchases.biller is 'The slug of the connection of the current attempt.';
comment on column bill_purchases.reference is 'Ours towards the provider of the current attempt: no other installation that uses the same provider has the same.';
comment on column bill_purchases.attempt is 'How many providers were tried, with the current one.';
comment on column bill_purchases.remote_service is 'The current provider''s name of the service. Null: it uses our names.';
comment on column bill_purchases.cost is 'What the current provider takes for it, as far as it is known.';
comment on column bill_purchases.send_token is 'Whether the customer gets the token in an SMS. Null: the organization decides.';

create table bill_attempts (
  id bigint generated always as identity primary key,
  purchase bigint not null references bill_purchases,
  attempt integer not null check (attempt > 0),
  connection text not null,
  reference text not null unique,
  remote_service text,
  remote_product text,
  cost numeric(19,4),
  outcome text not null check (outcome in ('failed', 'not_found')),
  reason text not null,
  message text not null,
  remote_id text,
  status_queries integer not null,
  sent timestamptz,
  ended timestamptz not null,
  sold_after_all timestamptz,
  unique (purchase, attempt)
);
create index bill_attempts_remote_ids on bill_attempts (connection, remote_id) where remote_id is not null;
comment on table bill_attempts is 'The attempts of a purchase after which another provider was tried. The current attempt is in bill_purchases.';
comment on column bill_attempts.reason is 'Why this provider has certainly not sold it.';
comment on column bill_attempts.sent is 'When it was sent, in real time.';
comment on column bill_attempts.sold_after_all is 'When this provider said that it has sold it, after it had refused. A person must look at the purchase.';

alter table organizations add column send_bill_tokens boolean not null default false;
comment on column organizations.send_bill_tokens is 'Whether the customer of a prepaid purchase gets the token in an SMS unless the purchase says otherwise.';
