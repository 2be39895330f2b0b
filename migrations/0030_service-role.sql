-- What the role of the service needs when it owns no table (docs/decisions/0024), and which SECRET_KEY belongs to this data.

create table secret_keys (
  id text primary key,
  canary text not null,
  created timestamptz not null
);
comment on table secret_keys is 'The keys that encrypt secrets of this database. The service starts only with one of them.';
comment on column secret_keys.id is 'The first bytes of a digest of the key, in hex. Encrypted values name their key in this way.';
comment on column secret_keys.canary is 'The id, encrypted with the key.';

-- Only the owner of a table creates and drops its partitions. The two functions run with the rights of the owner, and change
-- nothing but partitions by time. They find their tables in this schema and nowhere else.
create function partition_age_column(parent text) returns text language plpgsql stable as $$
declare
  age_column text;
begin
  select a.attname into age_column
  from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
  join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where c.relname = parent and c.relnamespace = current_schema()::regnamespace
    and p.partstrat = 'r' and p.partnatts = 1 and p.partdefid <> 0 and a.atttypid = 'timestamptz'::regtype;
  if age_column is null then raise exception 'table % has no partitions by time', parent; end if;
  return age_column;
end $$;

create function create_time_partition(parent text, starts timestamptz, ends timestamptz) returns text
language plpgsql security definer as $$
declare
  age_column text := partition_age_column(parent);
  made text := parent || '_' || to_char(starts at time zone 'UTC', 'YYYYMMDD');
begin
  -- Most reads are at the end of the newest partition, so its statistics must be up to date.
  execute format('create table %I (like %I including defaults including constraints) with (autovacuum_analyze_scale_factor = 0.02)',
    made, parent);
  execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
    parent || '_default', age_column, starts, age_column, ends, made);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, made, starts, ends);
  return made;
end $$;

create function drop_time_partition(parent text, partition text) returns void
language plpgsql security definer as $$
begin
  perform partition_age_column(parent);
  if not exists (
    select from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where c.relname = partition and p.relname = parent and p.relnamespace = current_schema()::regnamespace
      and pg_get_expr(c.relpartbound, c.oid) like 'FOR VALUES FROM%'
  ) then raise exception '% is not a partition by time of %', partition, parent; end if;
  execute format('drop table %I', partition);
end $$;

do $$
declare
  routine text;
begin
  foreach routine in array array['partition_age_column(text)', 'create_time_partition(text, timestamptz, timestamptz)',
    'drop_time_partition(text, text)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', routine, current_schema());
    execute format('alter function %s set timezone = %L', routine, 'UTC');
    execute format('revoke execute on function %s from public', routine);
  end loop;
end $$;
