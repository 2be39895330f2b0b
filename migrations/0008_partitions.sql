-- Events, deliveries that have ended and their attempts leave by age: a partition of weeks is dropped as a whole, where
-- deletes would write every row once more and leave the table as large as it was (docs/decisions/0009). src/core/partitions.ts
-- makes the partitions ahead of the service's clock; what finds none lies in the default partition until it does.
-- What is there already goes on as a partition, without being copied: the first one, which ends with this week.

-- What was sent once more at somebody's wish, and what went wrong last.
alter table webhook_deliveries add column replayed timestamptz, add column last_failure text;
update webhook_deliveries d set last_failure = case when a.failure = 'status' then a.status::text else a.failure end
from webhook_attempts a
where a.webhook = d.webhook and a.event = d.event and a.attempt = d.attempts and a.failure is not null;

alter table webhook_attempts add column replay boolean not null default false;
do $$
begin
  -- Until now only the real time was kept. A default needs no pass through the table.
  execute format('alter table webhook_attempts add column recorded timestamptz not null default %L',
    now() + coalesce((select value::bigint from switches where name = 'clock_offset_ms'), 0) * interval '1 millisecond');
end $$;
alter table webhook_attempts alter column recorded drop default;

alter table events rename to events_earlier;
alter table events_earlier drop constraint events_pkey;
alter index events_newest rename to events_earlier_newest;
alter index events_by_type rename to events_earlier_by_type;
create table events (like events_earlier including constraints, primary key (id, created)) partition by range (created);
create index events_newest on events (organization, id desc);
create index events_by_type on events (organization, type, id desc);
create table events_default partition of events default;
comment on table events is 'Interface 2.4. The feed never skips: an event is shown once every transaction that may hold a smaller id has ended. Ids are drawn from events_id and so are unique over all partitions.';

alter table webhook_attempts rename to webhook_attempts_earlier;
alter table webhook_attempts_earlier drop constraint webhook_attempts_pkey;
create table webhook_attempts (like webhook_attempts_earlier including constraints) partition by range (recorded);
create index webhook_attempts_delivery on webhook_attempts (webhook, event, attempt);
create table webhook_attempts_default partition of webhook_attempts default;
comment on table webhook_attempts is 'What happened each time that a delivery was sent. The body sent is that of the delivery. Two processes may have made the same attempt, when one stood still for longer than its lease.';
comment on column webhook_attempts.at is 'Real time: what the receiver sees in webhook-timestamp.';
comment on column webhook_attempts.recorded is 'The same on the service''s clock, from which its age is counted.';
comment on column webhook_attempts.failure is 'Null on success.';
comment on column webhook_attempts.request_headers is 'Without credentials.';
comment on column webhook_attempts.answer_body is 'Its first 4 kB.';
comment on column webhook_attempts.replay is 'Whether it was made because somebody asked for it to be sent once more.';

alter table webhook_deliveries rename to webhook_deliveries_earlier;
alter table webhook_deliveries_earlier drop constraint webhook_deliveries_pkey;
drop index webhook_deliveries_first, webhook_deliveries_again, webhook_deliveries_oldest;
alter index webhook_deliveries_failed rename to webhook_deliveries_earlier_failed;
create table webhook_deliveries (like webhook_deliveries_earlier including constraints including defaults)
  partition by list (state);
create table webhook_deliveries_waiting partition of webhook_deliveries for values in ('waiting');
create unique index webhook_deliveries_waiting_event on webhook_deliveries_waiting (webhook, event);
create index webhook_deliveries_first on webhook_deliveries_waiting (webhook, event)
  where attempts = 0 and replayed is null;
create index webhook_deliveries_again on webhook_deliveries_waiting (webhook, due_at)
  where attempts > 0 or replayed is not null;
create table webhook_deliveries_ended partition of webhook_deliveries
  for values in ('delivered', 'failed', 'cancelled') partition by range (ended);
create index webhook_deliveries_ended_event on webhook_deliveries_ended (webhook, event);
create index webhook_deliveries_failed on webhook_deliveries_ended (webhook, event) where state = 'failed';
create table webhook_deliveries_ended_default partition of webhook_deliveries_ended default;
comment on table webhook_deliveries is 'One notification to one webhook. The row is also its own job. It refers to webhooks and events without foreign keys: every change of status writes one, and events are discarded before deliveries that still wait.';
comment on table webhook_deliveries_waiting is 'What is to be sent, now or later. It is never dropped, however old it is.';
comment on table webhook_deliveries_ended is 'What became of the others. Their age is counted from their end.';
comment on column webhook_deliveries.body is 'What is sent, as it was when the event happened.';
comment on column webhook_deliveries.earlier_attempts is 'The attempts made before somebody asked for it to be sent once more; the waits are counted from there.';
comment on column webhook_deliveries.replayed is 'When somebody last asked for it to be sent once more. Such sends come after those that are sent for the first time.';
comment on column webhook_deliveries.last_failure is 'What went wrong with the last attempt: a word such as timeout, or the status of the answer. Null when nothing did.';
with waiting as (
  delete from webhook_deliveries_earlier where state = 'waiting' returning *
)
insert into webhook_deliveries select * from waiting;

do $$
declare
  family record;
  latest timestamptz;
begin
  for family in
    select * from (values ('events', 'created', 'events_earlier'), ('webhook_attempts', 'recorded', 'webhook_attempts_earlier'),
      ('webhook_deliveries_ended', 'ended', 'webhook_deliveries_earlier')) as f(parent, age, earlier)
  loop
    execute format('select max(%I) from %I', family.age, family.earlier) into latest;
    latest := greatest(latest,
      now() + coalesce((select value::bigint from switches where name = 'clock_offset_ms'), 0) * interval '1 millisecond');
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', family.parent, family.earlier,
      date_trunc('week', latest, 'UTC') + interval '1 week');
  end loop;
end $$;
