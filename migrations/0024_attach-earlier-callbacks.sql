-- Attaches the callbacks of earlier versions as the oldest partition (0023). Nobody uses this table meanwhile, so that the
-- passes through it keep nobody waiting. Callbacks that ended before 0023 are kept for as long as those that end with it.
with waiting as (
  delete from callbacks_earlier where state = 'waiting' returning *
)
insert into callbacks (id, network, received, headers, body, verified, state, note, attempts, due_at, leased_until)
select id, network, received, headers, body, verified, 'waiting', note, attempts, coalesce(due_at, received), leased_until
from waiting;

create index callbacks_earlier_key on callbacks_earlier (id);

do $$
declare
  latest timestamptz := (select max(ended) from callbacks_earlier);
  partition_end timestamptz;
begin
  partition_end := date_trunc('week', coalesce(latest, now()), 'UTC') + interval '1 week';
  -- The attachment finds these conditions checked already, and does not check the rows again.
  execute format('alter table callbacks_earlier
    add constraint callbacks_check check ((ended is null) = (state in (''waiting'', ''failed''))),
    add constraint callbacks_earlier_range check (state in (''settled'', ''ignored'') and ended is not null and ended < %L)',
    partition_end);
  execute format('alter table callbacks_ended attach partition callbacks_earlier for values from (minvalue) to (%L)',
    partition_end);
end $$;
alter table callbacks_earlier drop constraint callbacks_earlier_range;
