-- The nouns of the core: who may do what, what the books say, what was asked and what came in.
-- Times are given by the service, never by now(): the sandbox can move its clock.

create table countries (
  iso text primary key check (iso ~ '^[A-Z]{2}$'),
  iso3 text not null,
  iso_numeric integer not null,
  name text not null,
  printable_name text not null,
  phone_prefix text not null,
  supported boolean not null
);
comment on table countries is 'Interface 2.2. The countries of the currencies below.';

create table currencies (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[A-Z]{3}$'),
  name text not null,
  country text not null references countries,
  usd_rate double precision not null check (usd_rate > 0),
  rate_updated timestamptz
);
comment on table currencies is 'Interface 2.1. usd_rate is the only number of the program that may be a float: local units for one US dollar.';

insert into countries values
  ('XX', 'XXX', 0, 'TESTLAND', 'Testland', '800', true),
  ('UG', 'UGA', 800, 'UGANDA', 'Uganda', '256', true),
  ('KE', 'KEN', 404, 'KENYA', 'Kenya', '254', true),
  ('NG', 'NGA', 566, 'NIGERIA', 'Nigeria', '234', true);

insert into currencies (code, name, country, usd_rate) values
  ('BXC', 'Test Currency', 'XX', 1),
  ('UGX', 'Ugandan Shilling', 'UG', 3560),
  ('KES', 'Kenyan Shilling', 'KE', 129.2),
  ('NGN', 'Nigerian Naira', 'NG', 1445);

create table users (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('person', 'system')),
  name text not null,
  email text unique check (email = lower(email)),
  password_hash text,
  created timestamptz not null,
  check ((kind = 'person') = (email is not null))
);
comment on table users is 'People, and one system user per organization that stands for what the service does by itself.';

create table organizations (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  service_user bigint not null references users,
  created timestamptz not null,
  modified timestamptz not null
);

create table memberships (
  organization bigint not null references organizations,
  "user" bigint not null references users,
  permissions text[] not null,
  created timestamptz not null,
  primary key (organization, "user")
);
comment on column memberships.permissions is 'Codes from core/credentials.ts. A key never has more than its user.';

create table api_keys (
  id bigint generated always as identity primary key,
  organization bigint not null,
  "user" bigint not null,
  name text not null,
  hash bytea not null unique,
  prefix text not null,
  last_four text not null,
  permissions text[],
  read_only boolean not null,
  reads_per_minute integer check (reads_per_minute > 0),
  writes_per_minute integer check (writes_per_minute > 0),
  expires timestamptz,
  revoked timestamptz,
  created timestamptz not null,
  foreign key (organization, "user") references memberships
);
comment on column api_keys.hash is 'SHA-256 of the key. The key itself is shown once and kept nowhere.';
comment on column api_keys.permissions is 'Null: everything its user may do.';

create table accounts (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  currency text not null references currencies (code),
  kind text not null check (kind in ('local', 'cross_border', 'external', 'held', 'fees', 'suspense')),
  name text not null,
  status text not null check (status in ('active', 'inactive')),
  balance numeric(38,4) not null default 0,
  overdrawn boolean not null default false,
  created timestamptz not null,
  author bigint not null references users,
  modified timestamptz not null,
  updated_by bigint references users,
  unique (id, currency),
  check (balance >= 0 or overdrawn or kind = 'external')
);
comment on table accounts is 'Ledger accounts. local and cross_border are wallets; the others are the far side of transfers. balance always equals the sum of the transfers.';
comment on column accounts.overdrawn is 'True only while a reversal by a network has taken more than the wallet held.';
create unique index accounts_counter on accounts (organization, currency, kind) where kind not in ('local', 'cross_border');
create index accounts_wallets on accounts (organization, currency, id) where kind in ('local', 'cross_border');

create table transfers (
  id bigint generated always as identity primary key,
  reference text not null unique,
  kind text not null,
  from_account bigint not null,
  to_account bigint not null check (to_account <> from_account),
  currency text not null,
  amount numeric(19,4) not null check (amount > 0),
  description text not null,
  created timestamptz not null,
  author bigint not null,
  foreign key (from_account, currency) references accounts (id, currency),
  foreign key (to_account, currency) references accounts (id, currency)
);
comment on table transfers is 'Double entry: one positive amount from one account to another of the same currency. Never changed, never deleted.';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger transfers_append_only before update or delete on transfers
  for each row execute function refuse_change();
create trigger transfers_no_truncate before truncate on transfers
  for each statement execute function refuse_change();

create table receivers (
  network text not null,
  number text not null,
  account bigint not null references accounts,
  primary key (network, number),
  unique (network, account)
);
comment on table receivers is 'A till or short code on a network belongs to exactly one account; money that reaches it is credited there.';

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
  unique (organization, phone_number)
);
comment on table contacts is 'Interface 2.6. One per organization and phone number.';

create table collection_requests (
  id bigint generated always as identity primary key,
  organization bigint not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  account bigint not null,
  phonenumber text not null,
  contact bigint not null,
  network text not null,
  reason text not null,
  metadata json not null,
  success_message text not null,
  send_instructions boolean not null,
  instructions text,
  status text not null check (status in
    ('pending', 'processing_started', 'instructions_sent', 'successful', 'failed', 'expired', 'reversed')),
  error_message text,
  collection bigint,
  expiry_date timestamptz not null,
  start_date timestamptz,
  retry_interval_minutes integer check (retry_interval_minutes >= 10),
  max_attempts integer not null check (max_attempts between 0 and 3),
  subscription_settings json,
  created timestamptz not null,
  author bigint not null,
  modified timestamptz not null,
  updated_by bigint,
  attempt integer not null default 0,
  asked integer not null default 0,
  due_at timestamptz,
  leased_until timestamptz,
  check ((collection is null) = (status not in ('successful', 'reversed')))
) with (fillfactor = 85);
comment on table collection_requests is 'Interface 2.5. The row is also its own job: due_at says when something must happen to it next.';
comment on column collection_requests.attempt is 'How many prompts were begun; the order sent last carries this number.';
comment on column collection_requests.asked is 'How often the network was asked about the order sent last.';
comment on column collection_requests.leased_until is 'Real time. Until then the process that claimed the row works on it.';
create index collection_requests_newest on collection_requests (organization, id desc);
create index collection_requests_due on collection_requests (due_at) where due_at is not null;
create index collection_requests_match on collection_requests (account, phonenumber, amount, id)
  where status in ('pending', 'processing_started', 'instructions_sent');

create table collection_request_moves (
  id bigint generated always as identity primary key,
  collection_request bigint not null,
  from_status text not null,
  to_status text not null,
  at timestamptz not null,
  author bigint not null,
  note text
);
comment on table collection_request_moves is 'One row for every change of a request''s status; its creation is not a change.';
create index collection_request_moves_request on collection_request_moves (collection_request);

create table collection_orders (
  reference text primary key,
  collection_request bigint not null,
  attempt integer not null,
  network text not null,
  prompted boolean not null,
  remote_id text,
  outcome text check (outcome in ('accepted', 'successful', 'failed', 'unknown', 'not_found')),
  message text,
  sent timestamptz not null,
  answered timestamptz,
  unique (collection_request, attempt)
);
comment on table collection_orders is 'What was sent to a network for a request, and what it last said. Written before the network is called.';

create table collections (
  id bigint generated always as identity primary key,
  organization bigint not null,
  account bigint not null,
  network text not null,
  remote_transaction_id text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  phonenumber text not null,
  contact bigint not null,
  reference text,
  status text not null check (status in ('successful', 'reversed')),
  payment_date timestamptz not null,
  collection_request bigint,
  created timestamptz not null,
  author bigint not null,
  modified timestamptz not null,
  updated_by bigint,
  unique (network, remote_transaction_id)
);
comment on table collections is 'Money that came in, recorded once per network and remote transaction.';
create unique index collections_fulfil_once on collections (collection_request) where collection_request is not null;
create index collections_newest on collections (organization, id desc);

create table callbacks (
  id bigint generated always as identity primary key,
  network text not null,
  received timestamptz not null,
  headers json not null,
  body text not null,
  verified boolean not null,
  state text not null check (state in ('waiting', 'settled', 'ignored')),
  note text,
  tries integer not null default 0,
  due_at timestamptz,
  leased_until timestamptz
);
comment on table callbacks is 'What networks told our callback door, word for word. An unverified one is a knock: the network is asked before anything is believed.';
create index callbacks_due on callbacks (due_at) where due_at is not null;

create sequence events_id;
create table events (
  id bigint primary key,
  organization bigint not null,
  type text not null,
  data json not null,
  created timestamptz not null,
  author bigint not null,
  modified timestamptz not null,
  updated_by bigint
);
comment on table events is 'Interface 2.4. The feed never skips: an event is shown once every transaction that may hold a smaller id has ended.';
comment on sequence events_id is 'Taken under an advisory lock that shows readers where a transaction still writes (core/events.ts).';
create index events_newest on events (organization, id desc);
create index events_by_type on events (organization, type, id desc);

create table duplicate_keys (
  organization bigint not null,
  hash bytea not null,
  type text not null,
  object bigint not null,
  created timestamptz not null,
  primary key (organization, hash)
);
comment on table duplicate_keys is 'Duplicate-Check-Key (interface 7): the hash of the key and the object that its request made. A key lives 24 hours.';

create table switches (
  name text primary key,
  value text not null
);
comment on table switches is 'What operators switch while the service runs, the same for all processes: maintenance, the sandbox clock.';
