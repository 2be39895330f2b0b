-- Sandbox: the simulated world has one door for each network driver. An order belongs to a door, and the door's name of it is
-- unique there. What was stored before belongs to the door of the sandbox's own network.

alter table simulator_orders
  drop constraint simulator_orders_pkey,
  add column id bigint generated always as identity primary key,
  add column door text not null default 'sandbox',
  add column business_reference text,
  add column callback_url text,
  add column details json not null default '{}',
  add column outcome json,
  add column prompt_s integer,
  add column failure_code text,
  add unique (door, reference);
create index simulator_orders_remote_id on simulator_orders (door, remote_id);
create index simulator_orders_business_reference on simulator_orders (door, business_reference)
  where business_reference is not null;
comment on column simulator_orders.door is 'The simulated network: the code of its driver.';
comment on column simulator_orders.reference is 'The name under which the door finds the order: the reference of the business, or an id of the network.';
comment on column simulator_orders.business_reference is 'The reference of the business, where it is not the name under which the door finds the order.';
comment on column simulator_orders.callback_url is 'Where the business wants the callback about this order.';
comment on column simulator_orders.details is 'What the door needs to know about the order.';
comment on column simulator_orders.outcome is 'How the order ends, where a test number of the door decides it. Null: the phone number decides.';
comment on column simulator_orders.prompt_s is 'When a prompt without an answer expires, in seconds. Null: as the customer''s behaviour says.';
comment on column simulator_orders.failure_code is 'The network''s own code of the failure, where a test number of the door decides it.';

alter table simulator_payouts
  drop constraint simulator_payouts_pkey,
  drop constraint simulator_payouts_kind_check,
  add column id bigint generated always as identity primary key,
  add column door text not null default 'sandbox',
  add column business_reference text,
  add column callback_url text,
  add column details json not null default '{}',
  add column outcome json,
  add column failure_code text,
  add column refund_of text,
  add check (kind in ('money', 'airtime', 'refund')),
  add check ((kind = 'refund') = (refund_of is not null)),
  add unique (door, reference);
create index simulator_payouts_remote_id on simulator_payouts (door, remote_id);
create index simulator_payouts_business_reference on simulator_payouts (door, business_reference)
  where business_reference is not null;
comment on column simulator_payouts.door is 'The simulated network: the code of its driver.';
comment on column simulator_payouts.reference is 'The name under which the door finds the order: the reference of the business, or an id of the network.';
comment on column simulator_payouts.business_reference is 'The reference of the business, where it is not the name under which the door finds the order.';
comment on column simulator_payouts.refund_of is 'The remote_id of the payment that this order gives back.';

alter table simulator_transactions
  add column door text not null default 'sandbox',
  add column details json not null default '{}',
  add column refunded numeric(19,4) not null default 0 check (refunded between 0 and amount);
comment on column simulator_transactions.refunded is 'How much of it refunds give back, those included that have not ended.';

alter table simulator_validation_requests
  add column door text not null default 'sandbox',
  add column details json not null default '{}';
alter table simulator_missed_prompts
  add column door text not null default 'sandbox',
  drop constraint simulator_missed_prompts_pkey,
  add primary key (door, phonenumber, receiver, currency, amount);

alter table simulator_callbacks
  add column door text not null default 'sandbox',
  add column method text not null default 'POST' check (method in ('POST', 'PUT')),
  add column url text,
  add column headers json not null default '{}',
  add column max_attempts integer check (max_attempts > 0),
  add column about text,
  add column held boolean not null default false;
comment on column simulator_callbacks.url is 'Null: the address that the business has given to the simulator.';
comment on column simulator_callbacks.max_attempts is 'How often it is sent at most. Null: until the business accepts it.';
comment on column simulator_callbacks.about is 'The order that it reports, for callbacks that are to come out of order.';
comment on column simulator_callbacks.held is 'It waits until the next callback about the same order was sent.';
create index simulator_callbacks_held on simulator_callbacks (about) where held;

create table simulator_door_values (
  door text not null,
  name text not null,
  value json not null,
  expires timestamptz,
  primary key (door, name)
);
comment on table simulator_door_values is 'What a simulated network remembers besides orders: its switches, registered addresses and access tokens.';
create index simulator_door_values_expires on simulator_door_values (expires) where expires is not null;
