-- Outside of a transaction: the log may be long, and people and keys write to it meanwhile. Each statement can be repeated.
-- The audit log becomes a chain: each entry has a digest that covers the digest of the entry before it
-- (docs/decisions/0023). src/core/access/audit-chain.ts computes the same digests to verify them.

alter table audit_log add column if not exists key bigint references api_keys;
comment on table audit_log is 'What people did in the console, what operators did at the command line, and what API keys changed. organization is null for actions that concern only the person.';
comment on column audit_log.key is 'The API key that was used; null for a person in the console and for an operator.';

create table if not exists audit_chain (
  position bigint primary key,
  entry bigint not null unique references audit_log,
  digest bytea not null
);
comment on table audit_chain is 'The entries of audit_log in the order of their commits. Positions have no gaps.';
comment on column audit_chain.digest is 'SHA-256 of the digest at the position before (32 zero bytes at first) and of the entry as audit_log_text writes it.';

-- The entry as a text that no other entry has: each value with its length in bytes, and - for null.
create or replace function audit_log_text(audit_position bigint, entry audit_log) returns text
language sql stable set search_path = pg_catalog, pg_temp as $$
  select string_agg(coalesce(octet_length(value) || ':' || value, '-'), ',' order by place)
  from unnest(array[audit_position::text, entry.id::text, entry.organization::text, entry."user"::text, entry.key::text,
    entry.action, entry.object_type, entry.object::text, entry.details::text, entry.address,
    to_char(entry.created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')]) with ordinality as fields(value, place)
$$;

-- Runs at the end of the transaction, after all its other locks, so it can wait only for commits that are under way.
create or replace function chain_audit_entry() returns trigger language plpgsql security definer as $$
declare
  last audit_chain;
begin
  perform pg_advisory_xact_lock(7305118822);
  select * into last from audit_chain order by position desc limit 1;
  last.position := coalesce(last.position, 0) + 1;
  insert into audit_chain (position, entry, digest)
  values (last.position, new.id,
    sha256(coalesce(last.digest, decode(repeat('00', 32), 'hex')) || convert_to(audit_log_text(last.position, new), 'UTF8')));
  return null;
end $$;

do $$
begin
  -- A function that runs with the rights of its owner must find its tables in this schema and nowhere else.
  execute format('alter function chain_audit_entry() set search_path = %I, pg_temp', current_schema());
  -- From here on new entries join the chain. The earlier ones follow below.
  if not exists (select from pg_trigger where tgrelid = 'audit_log'::regclass and tgname = 'audit_log_chain') then
    create constraint trigger audit_log_chain after insert on audit_log
      deferrable initially deferred for each row execute function chain_audit_entry();
  end if;
end $$;

-- The entries that are there already, some at a time: who writes to the log waits until the next commit at most.
do $$
declare
  last audit_chain;
  last_id bigint := 0;
  places bigint[];
  entries bigint[];
  texts text[];
  digests bytea[];
  place integer;
begin
  loop
    perform pg_advisory_xact_lock(7305118822);
    -- Planning audit_log_text anew for each entry takes longer than all the rest. A kept plan must be that of the index.
    perform set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true);
    last := null;
    select * into last from audit_chain order by position desc limit 1;
    last.position := coalesce(last.position, 0);
    last.digest := coalesce(last.digest, decode(repeat('00', 32), 'hex'));
    with piece as materialized (
      select l as entry, l.id, (select c.position from audit_chain c where c.entry = l.id) is not null as is_chained
      from audit_log l where l.id > last_id order by l.id limit 1000),
    numbered as (
      select p.id, p.entry, last.position + row_number() over (order by p.id) as position from piece p where not p.is_chained)
    select (select max(id) from piece), array_agg(n.position order by n.id), array_agg(n.id order by n.id),
      array_agg(audit_log_text(n.position, n.entry) order by n.id)
    into last_id, places, entries, texts from numbered n;
    exit when last_id is null;
    digests := '{}';
    for place in 1 .. coalesce(cardinality(texts), 0) loop
      last.digest := sha256(last.digest || convert_to(texts[place], 'UTF8'));
      digests[place] := last.digest;
    end loop;
    insert into audit_chain (position, entry, digest) select * from unnest(places, entries, digests);
    commit;
  end loop;
end $$;

create or replace trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();
create or replace trigger audit_chain_append_only before update or delete on audit_chain
  for each row execute function refuse_change();
create or replace trigger audit_chain_no_truncate before truncate on audit_chain
  for each statement execute function refuse_change();
