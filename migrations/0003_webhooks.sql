-- Webhooks and what is delivered to them (interface 4.2). A delivery is written in the transaction of its event, with the
-- body as it will be sent, and sent by a job afterwards. Due times are on the service's clock, leases on the real one.

create table webhooks (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  "user" bigint not null references users,
  event text not null,
  target text not null,
  token text not null unique,
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  created timestamptz not null,
  updated timestamptz not null,
  deleted timestamptz,
  failing_since timestamptz,
  leased_until timestamptz,
  check ((previous_secret is null) = (previous_until is null))
) with (fillfactor = 50);
comment on table webhooks is 'Interface 2.3. A deleted one stays, so that its deliveries can still be looked at.';
comment on column webhooks.token is 'Random part of the webhook-id header: the ids of another database never look like ours.';
comment on column webhooks.secret is 'Signs notifications (Standard Webhooks). Sealed.';
comment on column webhooks.previous_secret is 'Signs as well, until previous_until, while receivers move to the new secret. Sealed.';
comment on column webhooks.failing_since is 'When the first attempt failed after the last success; null while all is well.';
comment on column webhooks.leased_until is 'Real time. Until then one process alone sends to this webhook: it keeps the order of events and the number under way.';
create index webhooks_told on webhooks (organization, event) where deleted is null;

create table webhook_deliveries (
  webhook bigint not null,
  event bigint not null,
  body text not null,
  state text not null check (state in ('waiting', 'delivered', 'failed', 'cancelled')),
  attempts integer not null default 0,
  earlier_attempts integer not null default 0,
  created timestamptz not null,
  ended timestamptz,
  due_at timestamptz,
  primary key (webhook, event),
  check ((state = 'waiting') = (due_at is not null)),
  check ((state = 'waiting') = (ended is null))
);
comment on table webhook_deliveries is 'One notification to one webhook. The row is also its own job. It refers to webhooks and events without foreign keys: every change of status writes one, and events are discarded before deliveries that still wait.';
comment on column webhook_deliveries.body is 'What is sent, as it was when the event happened.';
comment on column webhook_deliveries.earlier_attempts is 'The attempts made before somebody asked for it to be sent once more; the waits are counted from there.';
create index webhook_deliveries_first on webhook_deliveries (webhook, event) where due_at is not null and attempts = 0;
create index webhook_deliveries_again on webhook_deliveries (webhook, due_at) where due_at is not null and attempts > 0;
create index webhook_deliveries_oldest on webhook_deliveries (webhook, event) where due_at is not null and attempts > 0;
create index webhook_deliveries_failed on webhook_deliveries (webhook, event) where state = 'failed';

create table webhook_attempts (
  webhook bigint not null,
  event bigint not null,
  attempt integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  remote_address text,
  status integer,
  failure text check (failure in ('timeout', 'dns', 'tls', 'refused', 'private_address', 'too_large', 'status')),
  request_headers json not null,
  answer_headers json,
  answer_body text,
  primary key (webhook, event, attempt)
);
comment on table webhook_attempts is 'What happened each time that a delivery was sent. The body sent is that of the delivery.';
comment on column webhook_attempts.at is 'Real time: what the receiver sees in webhook-timestamp.';
comment on column webhook_attempts.failure is 'Null on success.';
comment on column webhook_attempts.request_headers is 'Without credentials.';
comment on column webhook_attempts.answer_body is 'Its first 4 kB.';

create table webhook_credentials (
  organization bigint primary key references organizations,
  sealed text not null,
  modified timestamptz not null
);
comment on table webhook_credentials is 'Basic credentials that an organization''s notifications carry (interface 4.2). Sealed.';
