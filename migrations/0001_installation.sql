-- The installation: flags, keys that encrypt secrets, countries, currencies and networks. Shared functions.
-- Kind: widen

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

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

create table flags (
  name text primary key,
  value text not null
);
comment on table flags is 'Values that operators change while the service runs, the same for all processes: maintenance mode and the offset of the sandbox clock.';

create table secret_keys (
  id text primary key,
  canary text not null,
  created timestamptz not null
);
comment on table secret_keys is 'The keys that encrypt secrets of this database. The service starts only with one of them.';
comment on column secret_keys.id is 'The first bytes of a digest of the key, in hex. Encrypted values name their key in this way.';
comment on column secret_keys.canary is 'The id, encrypted with the key.';

create table lost_secret_keys (
  id text primary key,
  accepted timestamptz not null
);
comment on table lost_secret_keys is 'Keys that an operator has accepted as lost (npx kusanya secret-key accept). The values that they encrypted stay until they are replaced.';
comment on column lost_secret_keys.id is 'The id with which the values of the key begin.';

create table primary_marks (
  id integer primary key check (id = 1),
  timeline text not null,
  mark uuid not null,
  written timestamptz not null
);
comment on table primary_marks is 'Single row, which the service rewrites every minute and after each failover, while DATABASE_READ_URL is set. A replica is read only if it has the same mark as the primary.';
comment on column primary_marks.timeline is 'The timeline of PostgreSQL on which the mark was written: the first eight digits of the names of its WAL files.';

create table countries (
  iso text primary key check (iso ~ '^[A-Z]{2}$'),
  iso3 text not null,
  iso_numeric integer not null,
  name text not null,
  printable_name text not null,
  phone_prefix text not null,
  supported boolean not null
);
comment on table countries is 'Interface 2.2. The countries of the currencies.';

create table currencies (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[A-Z]{3}$'),
  name text not null,
  country text not null references countries (iso),
  usd_rate double precision not null check (usd_rate > 0),
  rate_updated timestamptz
);
comment on table currencies is 'Interface 2.1.';
comment on column currencies.usd_rate is 'Local units for one US dollar. The only number of the program that may be a float.';

create table networks (
  id bigint generated always as identity primary key,
  code text not null,
  country text not null references countries (iso),
  unique (code, country)
);
comment on table networks is 'The ids of this installation''s networks in the interface, one for each country.';

insert into countries values
  ('XX', 'XXX', 0, 'TESTLAND', 'Testland', '800', true),
  ('UG', 'UGA', 800, 'UGANDA', 'Uganda', '256', true),
  ('KE', 'KEN', 404, 'KENYA', 'Kenya', '254', true),
  ('NG', 'NGA', 566, 'NIGERIA', 'Nigeria', '234', true);

insert into currencies (code, name, country, usd_rate) values
  ('BXC', 'Test Currency', 'XX', 1),
  ('UGX', 'Ugandan Shilling', 'UG', 3560),
  ('KES', 'Kenyan Shilling', 'KE', 129.2),
  ('NGN', 'Nigerian Naira', 'NG', 1445);
