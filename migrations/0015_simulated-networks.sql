-- The simulated networks, billers and SMS providers.
-- Kind: widen

create table simulator_orders (
  reference text not null,
  remote_id text not null,
  receiver text not null,
  phonenumber text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  reason text not null,
  prompt boolean not null,
  times_received integer not null default 1,
  state text not null check (state in ('not_accepted', 'pending', 'paid', 'failed')),
  failure_reason text,
  failure_message text,
  transaction text,
  next_action text check (next_action in ('pay', 'refuse', 'expire', 'reverse')),
  due_at timestamptz,
  created timestamptz not null,
  id bigint generated always as identity primary key,
  door text not null,
  business_reference text,
  callback_url text,
  details json not null default '{}'::json,
  outcome json,
  prompt_s integer,
  failure_code text,
  unique (door, reference),
  check ((next_action is null) = (due_at is null)),
  check ((state = 'paid') = (transaction is not null)),
  check ((state = 'failed') = (failure_reason is not null and failure_message is not null))
) with (fillfactor = 85);
comment on table simulator_orders is 'Orders to the simulated network to collect money.';
comment on column simulator_orders.reference is 'The name under which the door finds the order: the reference of the business, or an id of the network.';
comment on column simulator_orders.prompt is 'True if the customer''s phone shows a prompt for the PIN. Otherwise the network only expects the payment.';
comment on column simulator_orders.times_received is 'Number of times the order was received. An order that is not accepted is unknown to the network until it was received often enough.';
comment on column simulator_orders.transaction is 'The remote_id of the transaction that paid it.';
comment on column simulator_orders.next_action is 'Action of the customer or the network at due_at. Null: none, until a person uses the simulated phone.';
comment on column simulator_orders.door is 'The simulated network: the code of its driver.';
comment on column simulator_orders.business_reference is 'The reference of the business, where it is not the name under which the door finds the order.';
comment on column simulator_orders.callback_url is 'Address for the callback about this order.';
comment on column simulator_orders.details is 'Details of the order for the simulated network.';
comment on column simulator_orders.outcome is 'Outcome of the order, if a test number of the simulated network decides it. Null: the phone number decides.';
comment on column simulator_orders.prompt_s is 'Seconds until a prompt without an answer expires. Null: as the customer''s behaviour says.';
comment on column simulator_orders.failure_code is 'The network''s own code of the failure, where a test number of the door decides it.';
-- Orders that are due.
create index simulator_orders_due on simulator_orders (due_at) where due_at is not null;
-- The prompt that a phone shows.
create index simulator_orders_prompts on simulator_orders (phonenumber) where state = 'pending' and prompt;
-- The status of an order by its remote id.
create index simulator_orders_remote_id on simulator_orders (door, remote_id);
-- The status of an order by the reference that it shows.
create index simulator_orders_business_reference on simulator_orders (door, business_reference)
  where business_reference is not null;

create table simulator_transactions (
  remote_id text primary key,
  status text not null check (status in ('successful', 'reversed')),
  receiver text not null,
  phonenumber text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  order_reference text,
  reference text,
  name text not null,
  paid_at timestamptz not null,
  reversals json not null default '[]'::json,
  door text not null,
  details json not null default '{}'::json,
  refunded numeric(19,4) not null default 0,
  check (refunded >= 0 and refunded <= amount)
);
comment on table simulator_transactions is 'Payments by simulated customers, for an order or unrequested.';
comment on column simulator_transactions.reference is 'The reference typed by the customer.';
comment on column simulator_transactions.reversals is 'The reversed parts: remote_id, amount and time of each.';
comment on column simulator_transactions.refunded is 'Amount that refunds give back, including unfinished ones.';
-- Reversals in the statement.
create index simulator_transactions_reversals on simulator_transactions (remote_id) where json_array_length(reversals) > 0;

create table simulator_payouts (
  reference text not null,
  remote_id text not null,
  sender text not null,
  phonenumber text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  reason text not null,
  kind text not null check (kind in ('money', 'airtime', 'refund')),
  times_received integer not null default 1,
  state text not null check (state in ('not_accepted', 'pending', 'paid', 'failed', 'taken_back')),
  failure_reason text,
  failure_message text,
  transaction text unique,
  due_at timestamptz,
  created timestamptz not null,
  paid_at timestamptz,
  reversals json not null default '[]'::json,
  known_from timestamptz,
  id bigint generated always as identity primary key,
  door text not null,
  business_reference text,
  callback_url text,
  details json not null default '{}'::json,
  outcome json,
  failure_code text,
  refund_of text,
  unique (door, reference),
  check ((state in ('paid', 'taken_back')) = (transaction is not null)),
  check ((state = 'failed') = (failure_reason is not null and failure_message is not null)),
  check ((transaction is null) = (paid_at is null)),
  check ((kind = 'refund') = (refund_of is not null)),
  check (due_at is null or state in ('pending', 'failed', 'paid'))
) with (fillfactor = 85);
comment on table simulator_payouts is 'Orders to the simulated network to send money to a phone.';
comment on column simulator_payouts.reference is 'The name under which the door finds the order: the reference of the business, or an id of the network.';
comment on column simulator_payouts.times_received is 'Number of times the order was received. An order that is not accepted is unknown to the network until it was received often enough.';
comment on column simulator_payouts.transaction is 'The id of the transaction, when the money has reached the phone.';
comment on column simulator_payouts.paid_at is 'Time when the money reached the phone. For rows older than this column, the time of the order.';
comment on column simulator_payouts.reversals is 'The reversed parts: remote_id, amount and time of each.';
comment on column simulator_payouts.known_from is 'Time until which the network says that it does not know the payout.';
comment on column simulator_payouts.door is 'The simulated network: the code of its driver.';
comment on column simulator_payouts.business_reference is 'The reference of the business, where it is not the name under which the door finds the order.';
comment on column simulator_payouts.refund_of is 'The remote_id of the payment that this order gives back.';
-- Payouts that are due.
create index simulator_payouts_due on simulator_payouts (due_at) where due_at is not null;
-- Payouts in the statement, in its order.
create index simulator_payouts_statement on simulator_payouts (paid_at, transaction) where transaction is not null;
-- Reversals of payouts in the statement.
create index simulator_payouts_reversals on simulator_payouts (reference) where json_array_length(reversals) > 0;
-- The status of a payout by its remote id.
create index simulator_payouts_remote_id on simulator_payouts (door, remote_id);
-- The status of a payout by the reference that it shows.
create index simulator_payouts_business_reference on simulator_payouts (door, business_reference)
  where business_reference is not null;

create table simulator_callbacks (
  id bigint generated always as identity primary key,
  body text not null,
  attempts integer not null default 0,
  last_response text,
  due_at timestamptz not null,
  leased_until timestamptz,
  door text not null,
  method text not null default 'POST' check (method in ('GET', 'POST', 'PUT')),
  url text,
  headers json not null default '{}'::json,
  max_attempts integer check (max_attempts > 0),
  about text,
  held boolean not null default false
) with (fillfactor = 70);
comment on table simulator_callbacks is 'Callbacks that the network still has to send to the business. A row is deleted when the business answers 2xx.';
comment on column simulator_callbacks.leased_until is 'Real time. Until then, the process that claimed the row sends it.';
comment on column simulator_callbacks.url is 'Null: the address that the business has given to the simulator.';
comment on column simulator_callbacks.max_attempts is 'Maximum number of attempts. Null: until the business accepts it.';
comment on column simulator_callbacks.about is 'The order that it reports, for callbacks that are to come out of order.';
comment on column simulator_callbacks.held is 'True if it waits until the next callback about the same order was sent.';
-- Callbacks that are due.
create index simulator_callbacks_due on simulator_callbacks (due_at, id);
-- Callbacks of an order that are held back until its next one.
create index simulator_callbacks_held on simulator_callbacks (about) where held;

create table simulator_validation_requests (
  remote_id text primary key,
  receiver text not null,
  phonenumber text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  reference text,
  due_at timestamptz not null,
  leased_until timestamptz,
  door text not null,
  details json not null default '{}'::json
) with (fillfactor = 70);
comment on table simulator_validation_requests is 'Unrequested payments that the business has to accept first. A row is deleted when the network accepts or rejects the payment.';
comment on column simulator_validation_requests.leased_until is 'Real time. Until then, the process that claimed the row asks the business.';
-- Validation requests that are due.
create index simulator_validation_requests_due on simulator_validation_requests (due_at);

create table simulator_missed_prompts (
  phonenumber text,
  receiver text,
  currency text,
  amount numeric(19,4),
  door text,
  primary key (door, phonenumber, receiver, currency, amount)
);
comment on table simulator_missed_prompts is 'Prompts ignored by customers who answer only the second prompt. The next prompt for the same amount is paid, and the row is deleted.';

create table simulator_door_values (
  door text,
  name text,
  value json not null,
  expires timestamptz,
  primary key (door, name)
);
comment on table simulator_door_values is 'Values that a simulated network remembers besides orders: its switches, registered addresses and access tokens.';
-- Tokens that have expired are deleted.
create index simulator_door_values_expires on simulator_door_values (expires) where expires is not null;

create table simulator_sms (
  id bigint generated always as identity primary key,
  door text not null,
  remote_id text not null,
  reference text,
  phonenumber text not null,
  sender text not null,
  body text not null,
  parts integer not null check (parts > 0),
  ends text not null check (ends in ('delivered', 'failed', 'never')),
  reason text,
  ends_at timestamptz not null,
  details json not null default '{}'::json,
  created timestamptz not null,
  unique (door, remote_id)
);
comment on table simulator_sms is 'SMS that simulated providers have accepted for simulated phones.';
comment on column simulator_sms.door is 'The simulated provider: the code of its driver.';
comment on column simulator_sms.remote_id is 'The id that the provider gave it.';
comment on column simulator_sms.reference is 'The name that the business gave it, where the provider takes one.';
comment on column simulator_sms.ends is 'Outcome at ends_at. Until then, and for ever if it is never, it is on its way.';
comment on column simulator_sms.reason is 'Reason why it fails, in the words that all simulated providers share.';
-- The SMS to a phone, newest first.
create index simulator_sms_phonenumber on simulator_sms (phonenumber, id);

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
comment on table simulator_vends is 'Sales of the simulated biller. The result is decided at once and shown from known_at on.';
comment on column simulator_vends.key_change is 'True if the meter also received a pair of key-change tokens.';
-- A meter gets its key change once.
create index simulator_vends_meters on simulator_vends (account_number) where key_change;

create table simulator_pins (
  pin text primary key,
  serial_number text not null unique,
  vend text not null
);
comment on table simulator_pins is 'Pins sold by the simulated biller. Each pin is unique.';
