-- The outside world of the sandbox: a mobile-money network with its customers. It shares nothing with the core's tables;
-- the two meet over HTTP only. Due times are on the sandbox's clock, leases on the real one.

create table simulator_orders (
  reference text primary key,
  remote_id text not null,
  receiver text not null,
  phonenumber text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  reason text not null,
  prompt boolean not null,
  asked integer not null default 1,
  state text not null check (state in ('turned_away', 'pending', 'paid', 'failed')),
  failure_reason text,
  failure_message text,
  transaction text,
  will text check (will in ('pay', 'refuse', 'lapse', 'take_back')),
  due_at timestamptz,
  created timestamptz not null,
  check ((will is null) = (due_at is null)),
  check ((state = 'paid') = (transaction is not null)),
  check ((state = 'failed') = (failure_reason is not null and failure_message is not null))
) with (fillfactor = 85);
comment on table simulator_orders is 'What a business asked the simulated network to collect.';
comment on column simulator_orders.prompt is 'Whether the customer''s phone was made to ask for the PIN. Else the network only expects the money.';
comment on column simulator_orders.asked is 'How often an order that is turned away was sent. While it is turned away the network does not know it.';
comment on column simulator_orders.transaction is 'The remote_id of the money that paid it.';
comment on column simulator_orders.will is 'What happens at due_at. Null: nothing, unless a person does something on the phone.';
create index simulator_orders_due on simulator_orders (due_at) where due_at is not null;
create index simulator_orders_prompts on simulator_orders (phonenumber) where state = 'pending' and prompt;

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
  paid_at timestamptz not null
);
comment on table simulator_transactions is 'Money that simulated customers have paid, for an order or unasked.';
comment on column simulator_transactions.reference is 'What the customer typed.';

create table simulator_missed_prompts (
  phonenumber text not null,
  receiver text not null,
  currency text not null,
  amount numeric(19,4) not null,
  primary key (phonenumber, receiver, currency, amount)
);
comment on table simulator_missed_prompts is 'What customers who answer the second prompt only have missed: the next prompt for the same is paid and takes the row away.';

create table simulator_callbacks (
  id bigint generated always as identity primary key,
  body text not null,
  attempts integer not null default 0,
  last_answer text,
  due_at timestamptz not null,
  leased_until timestamptz
) with (fillfactor = 70);
comment on table simulator_callbacks is 'What the network has still to tell the business; a row goes when the business has answered 2xx.';
comment on column simulator_callbacks.leased_until is 'Real time. Until then the process that claimed the row sends it.';
create index simulator_callbacks_due on simulator_callbacks (due_at, id);
