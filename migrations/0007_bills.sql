-- Bills: the catalogue, offers of providers, and purchases.
-- Kind: widen

create table catalogue_categories (
  code text primary key,
  name text not null,
  position integer not null
);
comment on table catalogue_categories is 'Kinds of services, such as airtime and electricity.';

create table catalogue_services (
  id bigint generated always as identity primary key,
  category text not null references catalogue_categories (code),
  service_type text not null,
  aliases text[] not null default '{}'::text[],
  name text not null,
  shortname text not null,
  biller_id integer not null,
  product_id integer not null,
  enabled boolean not null default true,
  plans text[] not null default '{}'::text[],
  prepaid boolean,
  tariff numeric(19,4) check (tariff > 0),
  minimum_amount numeric(19,4) check (minimum_amount > 0),
  maximum_amount numeric(19,4),
  account_kind text check (account_kind in ('phone', 'meter', 'digits', 'text')),
  min_account_digits integer,
  max_account_digits integer,
  needs_account boolean not null default false,
  position integer not null,
  created timestamptz not null,
  modified timestamptz not null,
  country text not null default 'NG' check (country ~ '^[A-Z]{2}$'),
  currency text not null default 'NGN' check (currency ~ '^[A-Z]{3}$'),
  account_patterns text[],
  account_name text,
  account_keeps_case boolean not null default false,
  unique (category, service_type),
  check (minimum_amount <= maximum_amount)
);
comment on table catalogue_services is 'Services of billers. The same service_type may stand in several categories.';
comment on column catalogue_services.aliases is 'Other spellings of service_type that clients use.';
comment on column catalogue_services.plans is 'Airtime only: prepaid, postpaid.';
comment on column catalogue_services.prepaid is 'Electricity only: true if a purchase yields a token.';
comment on column catalogue_services.tariff is 'Electricity only: price of a kWh without tax.';
comment on column catalogue_services.account_kind is 'Rule for the account number. Null: the service has no account numbers.';
comment on column catalogue_services.min_account_digits is 'Minimum number of digits (kind digits) or characters (kind text).';
comment on column catalogue_services.max_account_digits is 'Maximum number of digits (kind digits) or characters (kind text).';
comment on column catalogue_services.needs_account is 'True if its bundles are listed for one account only.';
comment on column catalogue_services.country is 'ISO 3166-1: where it is sold. Phone numbers without a country code are numbers of this country.';
comment on column catalogue_services.currency is 'ISO 4217: the currency of its prices and limits, and of the wallet that pays.';
comment on column catalogue_services.account_patterns is 'Forms of the numbers of kind text, such as AA-999/99. Null: any letters, digits and separators.';
comment on column catalogue_services.account_name is 'Customers'' name for the number, such as IUC number. Null: account number.';
comment on column catalogue_services.account_keeps_case is 'True for a kind text whose upper and lower case letters are different.';

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
comment on table catalogue_products is 'Products of a service with a fixed price.';
comment on column catalogue_products.code is 'Code; of a pin its value without unnecessary zeros, such as 100.';
comment on column catalogue_products.bouquets is 'Codes of the bouquets that an add-on can be added to. Null: all.';
comment on column catalogue_products.available is 'Number of pins left to sell. Each purchase lowers it, and it never falls below zero.';

create table catalogue_prices (
  product bigint references catalogue_products on delete cascade,
  months integer check (months >= 0),
  invoice_period integer not null,
  price numeric(19,4) not null check (price > 0),
  primary key (product, months)
);
comment on table catalogue_prices is 'The price of a product for a number of months. months is 0 for a single purchase.';

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
  off_sale text check (off_sale = 'price_rise'),
  enabled boolean not null default true,
  priority integer not null default 100 check (priority >= 0),
  created timestamptz not null,
  modified timestamptz not null,
  unique nulls not distinct (service, product, connection),
  check (min <= max)
);
comment on table bill_offers is 'Offers: the connection, the service or product that it sells, its names there and its cost.';
comment on column bill_offers.product is 'Null: the service itself, with an amount that the customer chooses.';
comment on column bill_offers.connection is 'The slug of the connection to the provider.';
comment on column bill_offers.price is 'Price at the provider for a product with a fixed price, before its commission. Null: the amount of the purchase.';
comment on column bill_offers.commission_percent is 'Commission that the provider gives us, in percent of the price or of the amount.';
comment on column bill_offers.is_available is 'Latest word of the provider about its stock.';
comment on column bill_offers.off_sale is 'Reason why it is not sold until a person decides. Null: it is sold.';
comment on column bill_offers.priority is 'The smallest number is bought first. Offers with the same number compete by their cost.';
-- The offers of a connection: the list, and the synchronization of its catalogue.
create index bill_offers_of_connection on bill_offers (connection, remote_service);
-- Offers are deleted with their product.
create index bill_offers_of_product on bill_offers (product) where product is not null;

create table bill_differences (
  id bigint generated always as identity primary key,
  connection text not null,
  kind text not null check (kind in ('new', 'gone', 'price', 'limits')),
  bill_kind text not null,
  country text not null,
  currency text not null,
  remote_service text not null,
  remote_product text,
  name text not null,
  offer bigint references bill_offers on delete set null,
  before jsonb,
  after jsonb,
  suggested_service bigint references catalogue_services on delete set null,
  suggested_product bigint references catalogue_products on delete set null,
  state text not null check (state in ('waiting', 'approved', 'rejected', 'superseded')),
  found timestamptz not null,
  decided timestamptz,
  decided_by text,
  check ((state = 'waiting') = (decided is null))
);
comment on table bill_differences is 'Differences between the catalogue of a provider and our offers, for a person to approve.';
comment on column bill_differences.before is 'Terms of our offer: price, commission_percent, min, max.';
comment on column bill_differences.after is 'Terms of the provider.';
comment on column bill_differences.state is 'superseded: the provider says something else now.';
comment on column bill_differences.decided_by is 'The operator or the user who decided; null where the provider changed its mind.';
-- The same difference waits once, and those that wait are found by their connection.
create unique index bill_differences_waiting on bill_differences (connection, remote_service, remote_product, kind,
  offer) nulls not distinct where state = 'waiting';
-- The list of differences of a connection, newest first.
create index bill_differences_newest on bill_differences (connection, id desc);
-- A difference forgets an offer that is deleted.
create index bill_differences_of_offer on bill_differences (offer) where offer is not null;
-- A difference forgets a service that is deleted.
create index bill_differences_of_service on bill_differences (suggested_service) where suggested_service is not null;
-- A difference forgets a product that is deleted.
create index bill_differences_of_product on bill_differences (suggested_product) where suggested_product is not null;

create table bill_catalogue_syncs (
  connection text primary key,
  due_at timestamptz not null,
  leased_until timestamptz,
  last_asked timestamptz,
  last_found timestamptz,
  products integer,
  message text
);
comment on table bill_catalogue_syncs is 'Time of the next reading of each connection''s catalogue.';
comment on column bill_catalogue_syncs.message is 'Reason why the last question had no answer. Null: it had one.';

create table bill_validations (
  organization bigint references organizations,
  service_type text,
  account_number text,
  product_code text,
  phone text,
  name text not null,
  validated timestamptz not null,
  primary key (organization, service_type, account_number, product_code)
);
comment on table bill_validations is 'The last successful name look-up. An exam pin is sold only to the phone given in that look-up (interface 4.5, rule 1).';

create table bill_purchases (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  account bigint not null,
  agent_reference text not null check (agent_reference <> ''),
  agent_id text,
  kind text not null check (kind in ('airtime', 'databundle', 'electricity', 'cabletv', 'epin', 'exampin')),
  service_type text not null,
  account_number text not null,
  phone text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  details json not null,
  scenario text,
  metadata json not null,
  status text not null check (status in ('pending', 'success', 'failed')),
  outcome text check (outcome in ('accepted', 'successful', 'failed', 'unknown', 'not_found')),
  vended json,
  failure_code text,
  created timestamptz not null,
  author bigint not null,
  modified timestamptz not null,
  updated_by bigint,
  fee numeric(19,4) not null default 0 check (fee >= 0),
  country text not null default 'NG',
  attempt integer not null default 1 check (attempt > 0),
  send_token boolean,
  approvals_required integer not null default 0,
  approvals integer not null default 0,
  unique (organization, agent_reference),
  foreign key (account, currency) references accounts (id, currency),
  check ((status = 'success') = (vended is not null)),
  check ((status = 'failed') = (failure_code is not null))
) with (fillfactor = 70);
comment on table bill_purchases is 'Bills that organizations pay for their customers. Each attempt to buy one at a provider is a row of network_orders. Its money is on hold while it is pending.';
comment on column bill_purchases.agent_reference is 'The caller''s own reference. It can never be used again after money was held for it.';
comment on column bill_purchases.details is 'Fields that only some kinds have, such as the datacode of a data bundle.';
comment on column bill_purchases.scenario is 'Sandbox only: the scenario for the simulated biller.';
comment on column bill_purchases.outcome is 'The last answer of the current provider. Null before it was called.';
comment on column bill_purchases.vended is 'Goods of the customer, such as an electricity token.';
comment on column bill_purchases.attempt is 'Number of providers tried, with the current one: the attempt of its current order.';
comment on column bill_purchases.send_token is 'True if the customer gets the token in an SMS. Null: the organization decides.';
comment on column bill_purchases.approvals_required is 'Number of persons who have to approve it, by the rule at its creation.';
comment on column bill_purchases.approvals is 'Number of persons with the permission who have approved it, as of the last approval.';
-- The list of purchases, newest first.
create index bill_purchases_newest on bill_purchases (organization, id desc);
-- The search for an amount.
create index bill_purchases_amount on bill_purchases (organization, amount, id);
-- The search for the number of a meter or account.
create index bill_purchases_account_number on bill_purchases (organization, account_number, id);
-- The search for a phone number.
create index bill_purchases_phone on bill_purchases (organization, phone, id);
-- Limits on what is spent in a day.
create index bill_purchases_created on bill_purchases (organization, created);
-- Money of a wallet that is on hold for purchases.
create index bill_purchases_on_hold on bill_purchases (organization, account) where status = 'pending';
comment on index bill_purchases_on_hold is 'Adds up the money of a wallet that is on hold for bills.';
-- Purchases that wait for approvals: the queue, and mails to approvers.
create index bill_purchases_awaiting_approval on bill_purchases (organization, id)
  where status = 'pending' and approvals < approvals_required;

create table bill_approvals (
  organization bigint not null,
  purchase bigint references bill_purchases,
  "user" bigint references users,
  approved timestamptz not null,
  primary key (purchase, "user")
);
comment on table bill_approvals is 'The approvals of bill purchases, one for each person.';
-- Limits on what a person approves in a day, and on what is spent in a day.
create index bill_approvals_user on bill_approvals (organization, "user", approved);

create table bill_approval_notices (
  organization bigint not null,
  purchase bigint references bill_purchases,
  "user" bigint references users,
  told timestamptz not null,
  primary key (purchase, "user")
);
comment on table bill_approval_notices is 'Approvers who have got a mail about a purchase that waits for them. The rows are deleted when the purchase is decided.';
