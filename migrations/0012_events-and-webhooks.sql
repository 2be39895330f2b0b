-- The event feed and the notifications of webhooks. Old rows leave with their partition (docs/decisions/0009).
-- Kind: widen

create sequence events_id_seq;

create table events (
  id bigint,
  organization bigint not null,
  type text not null,
  object bigint,
  status text,
  previous_status text,
  data bytea not null,
  created timestamptz,
  author bigint not null,
  modified timestamptz not null,
  updated_by bigint,
  -- New events of all organizations, and an event by its id.
  primary key (id, created)
) partition by range (created);
comment on table events is 'Interface 2.4. The feed never skips an event: an event is shown when no open transaction can still write a smaller id. Ids come from events_id_seq and so are unique over all partitions.';
comment on column events.object is 'The id of the object, if it has one.';
comment on column events.status is 'The status or the state of the object when the event happened, if it has one.';
comment on column events.previous_status is 'The status before, of a collection request: its counts read it (count_collection_requests). Null for other events.';
comment on column events.data is 'The JSON text of the object when the event happened, compressed (src/core/events/stored-data.ts).';
-- The filter type; what a webhook has not sent yet, and what matching and receipts have not read yet. The list and the feed of an
-- organization, which merge its types (eventsInOrder).
create index events_by_type on events (organization, type, id desc);
-- The events of an object at the times of its changes, in its timeline.
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
  position bigint not null,
  created timestamptz not null,
  updated timestamptz not null,
  deleted timestamptz,
  failing_since timestamptz,
  leased_until timestamptz,
  description text,
  paused timestamptz,
  endpoint bigint references webhooks,
  check ((previous_secret is null) = (previous_secret_expires is null))
) with (fillfactor = 50);
comment on table webhooks is 'Interface 2.3. A webhook reads the event feed as a consumer reads a log. A deleted webhook stays, so that its deliveries can still be shown.';
comment on column webhooks.event is 'The event type that it has now.';
comment on column webhooks.token is 'Random part of the webhook-id header. It keeps the ids of different installations different.';
comment on column webhooks.secret is 'Signs notifications (Standard Webhooks). Encrypted.';
comment on column webhooks.previous_secret is 'Also signs notifications until previous_secret_expires, while receivers change to the new secret. Encrypted.';
comment on column webhooks.position is 'Position: events up to this id were sent at least once. It is written with the lease, so some later ones may have been sent: webhook_attempts has them.';
comment on column webhooks.failing_since is 'Time of the first failed attempt after the last success. Null when the last attempt succeeded.';
comment on column webhooks.leased_until is 'Real time. Until then, only one process sends to this webhook. That process keeps the order of events and limits how many are sent at once.';
comment on column webhooks.description is 'Description that people wrote. Null for none.';
comment on column webhooks.paused is 'Time since when nothing is sent. Null: it is not paused.';
comment on column webhooks.endpoint is 'First webhook of its endpoint: webhooks that have one target, secret, description and pause in common, each for a type. Null: it is the first one.';
-- A type once for each endpoint, and the webhooks of an endpoint.
create unique index webhooks_by_endpoint on webhooks (coalesce(endpoint, id), event) where deleted is null;
-- The lists of webhooks and endpoints, and the filter event.
create index webhooks_by_event on webhooks (organization, event) where deleted is null;
-- Webhooks that fail: doctor and metrics.
create index webhooks_failing on webhooks (failing_since) where failing_since is not null;

create table webhook_types (
  webhook bigint references webhooks,
  after bigint,
  type text not null,
  until bigint,
  primary key (webhook, after)
);
comment on table webhook_types is 'Types of events that a webhook gets, each with a range of ids. A new range begins when the type changes.';
comment on column webhook_types.after is 'The newest id that was drawn when the range began. Events with greater ids are in it.';
comment on column webhook_types.until is 'The last id of the range. Null: it goes on.';

create table webhook_attempts (
  webhook bigint not null,
  event bigint not null,
  attempt integer not null,
  type text not null,
  event_created timestamptz not null,
  replayed timestamptz,
  at timestamptz not null,
  duration_ms integer not null,
  remote_address text,
  status integer,
  failure text check (failure in ('timeout', 'dns', 'tls', 'refused', 'private_address', 'too_large', 'status')),
  signature text not null,
  further_headers json,
  response_headers json,
  response_body text,
  retry_at timestamptz,
  recorded timestamptz not null
) partition by range (recorded);
comment on table webhook_attempts is 'Each attempt to send a notification, with its result. The same attempt can be there twice, when a process stopped for longer than its lease.';
comment on column webhook_attempts.type is 'The type of the event.';
comment on column webhook_attempts.event_created is 'Time of the event, on the service''s clock.';
comment on column webhook_attempts.replayed is 'Time when a person asked for this attempt. Null: nobody did.';
comment on column webhook_attempts.at is 'Real time, as in the webhook-timestamp header.';
comment on column webhook_attempts.failure is 'Null on success.';
comment on column webhook_attempts.signature is 'The header webhook-signature. The headers that each notification has follow from this row and its webhook.';
comment on column webhook_attempts.further_headers is 'Further headers of the request, without credentials. Null: none.';
comment on column webhook_attempts.response_body is 'The first 4 kB.';
comment on column webhook_attempts.retry_at is 'Time when the next attempt was due after this one. Null: there was to be none.';
comment on column webhook_attempts.recorded is 'The same time on the service''s clock. The age of the row is counted from it.';
-- The attempts at a delivery, and the deliveries of a webhook.
create index webhook_attempts_delivery on webhook_attempts (webhook, event, attempt);

-- Deliveries that failed or were cancelled. Few of all attempts did.
create index webhook_attempts_failed on webhook_attempts (webhook, event) where failure is not null;

create table webhook_attempts_default partition of webhook_attempts default;

create table webhook_retries (
  webhook bigint references webhooks,
  event bigint,
  attempts integer not null,
  attempts_before_replay integer not null default 0,
  due_at timestamptz not null,
  replayed timestamptz,
  primary key (webhook, event)
) with (fillfactor = 70);
comment on table webhook_retries is 'Notifications to send again: after a failure, or because a person asked for it. The row is also its own job.';
comment on column webhook_retries.attempts is 'Number of attempts made.';
comment on column webhook_retries.attempts_before_replay is 'The number of attempts before the last replay. The retry waits are counted from there.';
comment on column webhook_retries.replayed is 'Time of the last request for a replay. Replays are sent after all others.';
-- Notifications to send again, by webhook.
create index webhook_retries_due on webhook_retries (webhook, due_at);

-- Notifications that were sent at least once, each by its last attempt.
create view webhook_deliveries_sent as
  select a.webhook, a.event, a.type,
    case when r.event is not null then 'waiting' when a.failure is null then 'delivered' when a.retry_at is null then 'failed'
      else 'cancelled' end as state,
    a.attempt as attempts, a.event_created as created, case when r.event is null then a.recorded end as ended, r.due_at,
    coalesce(r.replayed, a.replayed) as replayed, a.failure as problem,
    case when a.failure = 'status' then a.status::text else a.failure end as last_failure
  from webhook_attempts a left join webhook_retries r on r.webhook = a.webhook and r.event = a.event
  where not exists (select from webhook_attempts later
    where later.webhook = a.webhook and later.event = a.event
      and (later.attempt, later.failure is null, later.at, later.ctid) > (a.attempt, a.failure is null, a.at, a.ctid));

-- Notifications that were not sent yet. They have no row of their own: they are events behind the position.
create view webhook_deliveries_unsent as
  select w.id as webhook, e.id as event, e.type, case when w.deleted is null then 'waiting' else 'cancelled' end as state,
    0 as attempts, e.created, w.deleted as ended, case when w.deleted is null then e.created end as due_at,
    null::timestamptz as replayed, case when w.deleted is not null then 'deleted' end as problem, null::text as last_failure
  from webhooks w join webhook_types t on t.webhook = w.id
  -- Not merged with the rest, so that it reads the index from the position on.
  cross join lateral (select id, type, created from events
    where organization = w.organization and type = t.type and id > greatest(w.position, t.after)
      and id <= coalesce(t.until, 9223372036854775807)
    offset 0) e
  where (select true from webhook_attempts a where a.webhook = w.id and a.event = e.id limit 1) is null;

create view webhook_deliveries as
  select * from webhook_deliveries_sent union all select * from webhook_deliveries_unsent;
comment on view webhook_deliveries is 'Notifications to webhooks: waiting, delivered, failed after all attempts, or cancelled with its webhook.';
comment on view webhook_deliveries_sent is 'Notifications that were sent at least once.';
comment on view webhook_deliveries_unsent is 'Notifications that were never sent.';
