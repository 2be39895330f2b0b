-- Connections to networks, SMS providers and billers, with their merchant accounts, floats and health.
-- Kind: widen

create table connections (
  id bigint generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and (length(slug) <= 40)),
  driver text not null,
  environment text not null,
  organization bigint references organizations,
  hosts jsonb not null default '{}'::jsonb,
  settings jsonb not null default '{}'::jsonb,
  sealed_secrets text,
  callback_secret text not null check (callback_secret ~ '^[0-9a-f]{32,}$'),
  max_concurrent integer not null default 50 check (max_concurrent >= 1 and max_concurrent <= 10000),
  max_per_second integer not null default 100 check (max_per_second >= 1 and max_per_second <= 100000),
  priority integer not null default 100,
  state text not null check (state in ('draft', 'active', 'paused', 'removed')),
  last_test jsonb,
  tested timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  kind text not null default 'network' check (kind in ('network', 'sms', 'bills')),
  source text not null default 'person' check (source in ('person', 'settings', 'unused_settings')),
  version integer not null default 1,
  allowed_networks text not null default ''
);
comment on table connections is 'Merchant accounts at networks. Rows are never deleted, because orders and money name them by their slug.';
comment on column connections.slug is 'The name in addresses, commands and other tables. It never changes.';
comment on column connections.organization is 'Owner of the merchant account. Null: it is the operator''s own, and any organization with a number there may use it.';
comment on column connections.hosts is 'Base URLs that replace the environment''s, such as those of a simulated network.';
comment on column connections.sealed_secrets is 'The secret settings as JSON, encrypted.';
comment on column connections.callback_secret is 'The part of the callback address that only the network knows.';
comment on column connections.priority is 'Priority where several connections serve a phone: the smallest number comes first.';
comment on column connections.state is 'draft: not tested, and not used. paused: no new orders, and only status queries for open ones. removed: as paused, and hidden.';
comment on column connections.kind is 'Kind of service: orders to a mobile-money network, SMS to customers, or bill purchases. It follows from the driver.';
comment on column connections.source is 'Source of its settings. settings: the settings of the service, which use it; unused_settings: they name it and use another one.';
comment on column connections.version is 'Counts the changes of its settings, secrets and hosts. A report that another version has believed is read again.';
comment on column connections.allowed_networks is 'Networks in CIDR form with commas, which the operator has allowed: the connection of an organization may call their addresses beside public ones, where several organizations share the installation.';
alter table accounts add foreign key (connection) references connections (slug);

create table connection_places (
  connection text references connections (slug),
  number text not null,
  account bigint references accounts,
  currency text not null,
  country text,
  collects boolean not null default true,
  pays_out boolean not null default true,
  unrequested boolean not null default true,
  primary key (connection, account)
);
comment on table connection_places is 'Accounts that use a connection, each with our number there.';
comment on column connection_places.number is 'Our till, short code or merchant number at the network.';
comment on column connection_places.unrequested is 'True if unrequested money to this number belongs to this account. One account for each number and currency.';
-- Unrequested money of a number and currency goes to one account.
create unique index connection_places_unrequested on connection_places (connection, number, currency) where unrequested;
-- The places of accounts, with their wallets.
create index connection_places_account on connection_places (account);

create table connection_floats (
  connection text references connections (slug),
  currency text,
  warn_below numeric(38,4) check (warn_below >= 0),
  balance numeric(38,4),
  booked numeric(38,4),
  drift numeric(38,4),
  drifts_in_a_row integer not null default 0,
  reported timestamptz,
  drift_since timestamptz,
  low_since timestamptz,
  spent_last_day numeric(38,4),
  short_since timestamptz,
  uncounted_last_day integer,
  primary key (connection, currency)
);
comment on table connection_floats is 'The last balance of each connection and currency, and the notices about it.';
comment on column connection_floats.warn_below is 'A balance below this raises a notice. Null: none does.';
comment on column connection_floats.drift_since is 'Time since when the balance and the books drift apart, if they did so twice in a row. Null: they do not.';
comment on column connection_floats.low_since is 'Time since when the balance is below warn_below. Null: it is not.';
comment on column connection_floats.spent_last_day is 'Bill providers: cost of the purchases of the last 24 hours there.';
comment on column connection_floats.short_since is 'Time since when the balance would not last for BILL_FLOAT_HOURS at the pace of the last day. Null: it would.';
comment on column connection_floats.uncounted_last_day is 'Bill providers: the purchases of the last 24 hours in other currencies whose cost the provider has not said, which spent_last_day does not have.';

create table connection_balances (
  id bigint generated always as identity primary key,
  connection text not null references connections (slug),
  currency text not null,
  at timestamptz not null,
  source text not null check (source in ('reply', 'callback')),
  amount numeric(38,4) not null,
  parts jsonb not null,
  booked numeric(38,4) not null,
  lowest numeric(38,4) not null,
  highest numeric(38,4) not null,
  drift numeric(38,4) not null
);
comment on table connection_balances is 'The balances of connections as their networks stated them. Rows are deleted after 90 days.';
comment on column connection_balances.parts is 'The accounts of the balance by the network''s names, if it has several.';
comment on column connection_balances.booked is 'The float in the books at that time, with unassigned money.';
comment on column connection_balances.lowest is 'Lowest balance that contradicts nothing: the booked float, less open payouts and the tolerance.';
comment on column connection_balances.highest is 'The same upwards: the booked float with open charges and the tolerance.';
comment on column connection_balances.drift is 'Distance of the balance above highest (positive) or below lowest (negative); zero if it is between them.';
-- Balances are deleted by their age.
create index connection_balances_at on connection_balances (at);

create table connection_balance_checks (
  connection text primary key references connections (slug),
  due_at timestamptz not null,
  leased_until timestamptz
);
comment on table connection_balance_checks is 'Time of the next question about the balance of each connection.';

create table connection_health (
  connection text,
  process text,
  updated timestamptz not null,
  calls integer not null,
  unanswered integer not null,
  durations jsonb not null,
  last_call timestamptz,
  last_answer timestamptz,
  degraded_since timestamptz,
  primary key (connection, process)
);
comment on table connection_health is 'Results of each process''s calls over a connection in its last 15 minutes. Rows of ended processes are deleted.';
comment on column connection_health.process is 'A random name of the process.';
comment on column connection_health.unanswered is 'Number of calls without an answer, or with one that says that the network does not work.';
comment on column connection_health.durations is 'Counts of calls by duration, in the steps of src/lib/latencies.ts.';
comment on column connection_health.degraded_since is 'Time since when this process sends only one call at a time because most had no answer. Null: it does not.';

create table connection_alarms (
  connection text,
  message text check (length(message) <= 500),
  first timestamptz not null,
  last timestamptz not null,
  count bigint not null,
  primary key (connection, message)
);
comment on table connection_alarms is 'Problems of a connection that only the operator can repair, such as a refused credential. Rows are deleted 30 days after they were seen last.';

create table network_tokens (
  connection text,
  name text,
  revision text not null,
  sealed text,
  expires timestamptz,
  fetched timestamptz,
  leased_until timestamptz,
  leased_by text,
  primary key (connection, name),
  check (((sealed is null) = (expires is null)) and ((sealed is null) = (fetched is null)))
);
comment on table network_tokens is 'Access tokens of networks, one for all processes: at some networks a new token ends the earlier one.';
comment on column network_tokens.connection is 'The slug of the connection.';
comment on column network_tokens.name is 'The driver''s name of the token, such as collection.';
comment on column network_tokens.revision is 'The version of the connection''s settings with which the token was fetched. Another one makes it worthless.';
comment on column network_tokens.sealed is 'The token, encrypted. Null until the first one is there.';
comment on column network_tokens.leased_until is 'Time until which one process (leased_by) fetches a new token, while the others wait for it.';
