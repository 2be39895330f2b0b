-- Bill purchases (interface 4.5) and the simulated biller of the sandbox. Due times are on the service's clock; leases and
-- the times at which something was sent to a biller are on the real one.

create table bill_purchases (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  account bigint not null references accounts,
  agent_reference text not null check (agent_reference <> ''),
  agent_id text,
  reference text not null unique,
  biller text not null,
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
  message text,
  remote_id text,
  vended json,
  failure_code text,
  sent timestamptz,
  asked integer not null default 0,
  due_at timestamptz,
  leased_until timestamptz,
  created timestamptz not null,
  author bigint not null,
  modified timestamptz not null,
  updated_by bigint,
  unique (organization, agent_reference),
  check ((status = 'pending') = (due_at is not null)),
  check ((status = 'success') = (vended is not null)),
  check ((status = 'failed') = (failure_code is not null))
) with (fillfactor = 70);
comment on table bill_purchases is 'What organizations bought for their customers. The row is also its own job, and its money is on hold while it is pending.';
comment on column bill_purchases.agent_reference is 'The caller''s own, burned for ever once money was held.';
comment on column bill_purchases.reference is 'Ours towards the biller: no other installation that uses the same biller has the same.';
comment on column bill_purchases.details is 'What only some kinds need, such as the datacode of a data bundle.';
comment on column bill_purchases.scenario is 'Sandbox only: what the simulated biller is told to do.';
comment on column bill_purchases.outcome is 'What the biller said last; null before it was asked.';
comment on column bill_purchases.message is 'The words that came with the outcome.';
comment on column bill_purchases.vended is 'What the customer got.';
comment on column bill_purchases.sent is 'Real time, written before the biller is called. From then on the biller is only asked: there is never a second vend.';
comment on column bill_purchases.asked is 'How often the biller was asked what became of it.';
create index bill_purchases_due on bill_purchases (due_at) where due_at is not null;
create index bill_purchases_newest on bill_purchases (organization, id desc);

create table simulator_vends (
  id bigint generated always as identity (start with 1000001) primary key,
  reference text not null unique,
  kind text not null,
  service_type text not null,
  account_number text not null,
  phone text not null,
  amount numeric(19,4) not null check (amount > 0),
  scenario text not null,
  state text not null check (state in ('vended', 'refused')),
  refusal text,
  vended json,
  token text unique check (token ~ '^\d{20}$'),
  key_change boolean not null,
  known_at timestamptz not null,
  created timestamptz not null,
  check ((state = 'refused') = (refusal is not null)),
  check ((state = 'vended') = (vended is not null))
);
comment on table simulator_vends is 'What the simulated biller was told to sell. Its end is decided at once and shown from known_at on.';
comment on column simulator_vends.key_change is 'Whether the meter was given a pair of key-change tokens along with it.';
create index simulator_vends_meters on simulator_vends (account_number) where key_change;

create table simulator_pins (
  pin text primary key,
  serial_number text not null unique,
  vend text not null
);
comment on table simulator_pins is 'Vouchers that the simulated biller has sold; no two are alike.';
