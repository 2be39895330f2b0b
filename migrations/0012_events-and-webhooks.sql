-- The event feed and the notifications of webhooks. Old rows leave with their partition (docs/decisions/0009).
-- Kind: widen

create sequence events_id_seq;

create table events (
  id bigint,
  organization bigint not null,
  type text not null,
  data json not null,
  created timestamptz,
  author bigint not null,
  modified timestamptz not null,
  updated_by bigint,
  primary key (id, created)
) partition by range (created);
comment on table events is 'Interface 2.4. The feed never skips an event: an event is shown when no open transaction can still write a smaller id. Ids come from events_id_seq and so are unique over all partitions.';
create index events_newest on events (organization, id desc);
create index events_by_type on events (organization, type, id desc);
create index events_created on events using brin (created) with (pages_per_range = 16, autosummarize = on);

create table events_default partition of events default;

create table webhook_credentials (
  organization bigint primary key references organizations,
  encrypted_credentials text not null,
  modified timestamptz not null
);
comment on table webhook_credentials is 'Basic credentials that an organization''s notifications carry (interface 4.2).';
comment on column webhook_credentials.encrypted_credentials is 'Encrypted with AES-256-GCM.';

create table webhooks (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  "user" bigint not null references users,
  event text not null,
  target text not null,
  token text not null unique,
  secret text not null,
  previous_secret text,
  previous_secret_expires timestamptz,
  created timestamptz not null,
  updated timestamptz not null,
  deleted timestamptz,
  failing_since timestamptz,
  leased_until timestamptz,
  description text,
  paused timestamptz,
  past_events text[] not null default '{}'::text[],
  check ((previous_secret is null) = (previous_secret_expires is null))
) with (fillfactor = 50);
comment on table webhooks is 'Interface 2.3. A deleted webhook stays, so that its deliveries can still be shown.';
comment on column webhooks.token is 'Random part of the webhook-id header. It keeps the ids of different installations different.';
comment on column webhooks.secret is 'Signs notifications (Standard Webhooks). Encrypted.';
comment on column webhooks.previous_secret is 'Also signs notifications until previous_secret_expires, while receivers change to the new secret. Encrypted.';
comment on column webhooks.failing_since is 'When the first attempt after the last success failed. Null when the last attempt succeeded.';
comment on column webhooks.leased_until is 'Real time. Until then, only one process sends to this webhook. That process keeps the order of events and limits how many are sent at once.';
comment on column webhooks.description is 'What people wrote about it. Null for nothing.';
comment on column webhooks.paused is 'Since when nothing is sent. Deliveries are still queued. Null: it is not paused.';
comment on column webhooks.past_events is 'The event types that it had before. Deliveries of these types may still be there.';
create index webhooks_by_event on webhooks (organization, event) where deleted is null;
create index webhooks_failing on webhooks (failing_since) where failing_since is not null;

create table webhook_deliveries (
  webhook bigint not null,
  event bigint not null,
  body text not null,
  state text not null check (state in ('waiting', 'delivered', 'failed', 'cancelled')),
  attempts integer not null default 0,
  attempts_before_replay integer not null default 0,
  created timestamptz not null,
  ended timestamptz,
  due_at timestamptz,
  replayed timestamptz,
  last_failure text,
  check ((state = 'waiting') = (due_at is not null)),
  check ((state = 'waiting') = (ended is null))
) partition by list (state);
comment on table webhook_deliveries is 'One notification to one webhook. The row is also its own job. It has no foreign keys to webhooks and events: each change of a status writes a delivery, and old events are deleted before deliveries that still wait.';
comment on column webhook_deliveries.body is 'The body to send, as it was when the event happened.';
comment on column webhook_deliveries.attempts_before_replay is 'The number of attempts before the last replay. The retry waits are counted from there.';
comment on column webhook_deliveries.replayed is 'When the last replay was requested. Replays are sent after first attempts.';
comment on column webhook_deliveries.last_failure is 'Why the last attempt failed: a word such as timeout, or the HTTP status. Null when it did not fail.';

create table webhook_deliveries_waiting partition of webhook_deliveries for values in ('waiting');
comment on table webhook_deliveries_waiting is 'Deliveries to send, now or later. They are never deleted because of their age.';
create unique index webhook_deliveries_waiting_event on webhook_deliveries_waiting (webhook, event);
create index webhook_deliveries_waiting_first on webhook_deliveries_waiting (webhook, event)
  where attempts = 0 and replayed is null;
create index webhook_deliveries_waiting_retries on webhook_deliveries_waiting (webhook, due_at)
  where attempts > 0 or replayed is not null;

create table webhook_deliveries_ended partition of webhook_deliveries
  for values in ('delivered', 'failed', 'cancelled') partition by range (ended);
comment on table webhook_deliveries_ended is 'Deliveries that are delivered, failed or cancelled. Their age is counted from their end.';
create index webhook_deliveries_ended_event on webhook_deliveries_ended (webhook, event);
create index webhook_deliveries_failed on webhook_deliveries_ended (webhook, event) where state = 'failed';

create table webhook_deliveries_ended_default partition of webhook_deliveries_ended default;

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
  response_headers json,
  response_body text,
  replay boolean not null,
  recorded timestamptz not null
) partition by range (recorded);
comment on table webhook_attempts is 'The result of each attempt to send a delivery. The body sent is the body of the delivery. The same attempt can be there twice, when a process stopped for longer than its lease.';
comment on column webhook_attempts.at is 'Real time, as in the webhook-timestamp header.';
comment on column webhook_attempts.failure is 'Null on success.';
comment on column webhook_attempts.request_headers is 'Without credentials.';
comment on column webhook_attempts.response_body is 'The first 4 kB.';
comment on column webhook_attempts.replay is 'Whether the attempt was part of a replay.';
comment on column webhook_attempts.recorded is 'The same time on the service''s clock. The age of the row is counted from it.';
create index webhook_attempts_delivery on webhook_attempts (webhook, event, attempt);

create table webhook_attempts_default partition of webhook_attempts default;
