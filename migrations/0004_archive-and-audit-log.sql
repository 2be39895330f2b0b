-- The archive of what has left the database, and the audit log, whose entries are chained (docs/decisions/0023, 0059).
-- Kind: widen

create table archive_segments (
  sequence bigint primary key check (sequence > 0),
  kind text not null check (kind in ('requests', 'orders', 'sms', 'audit')),
  manifest_sha256 text not null check (manifest_sha256 ~ '^[0-9a-f]{64}$'),
  subjects integer not null check (subjects > 0),
  row_count integer not null check (row_count > 0),
  bytes bigint not null check (bytes > 0),
  first_id bigint not null,
  last_id bigint not null,
  oldest timestamptz not null,
  newest timestamptz not null,
  written timestamptz not null,
  removed timestamptz
);
comment on table archive_segments is 'The parts of the archive (npx kusanya archive). Each is a folder of files with a manifest.';
comment on column archive_segments.sequence is 'The number of the segment. The manifest of each names the digest of the one before it.';
comment on column archive_segments.kind is 'Content: requests with all their rows, answers of networks to orders, SMS, or entries of the audit log.';
comment on column archive_segments.manifest_sha256 is 'The SHA-256 of its manifest, which has the SHA-256 of each of its files.';
comment on column archive_segments.subjects is 'Number of its requests, orders, SMS or entries.';
comment on column archive_segments.row_count is 'Number of its rows of all tables.';
comment on column archive_segments.bytes is 'The size of its files.';
comment on column archive_segments.first_id is 'The lowest id of its requests, orders or SMS.';
comment on column archive_segments.last_id is 'The highest id of its requests, orders or SMS.';
comment on column archive_segments.oldest is 'The age of its oldest request, order or SMS.';
comment on column archive_segments.newest is 'The age of its newest request, order or SMS.';
comment on column archive_segments.written is 'Time when its files were on disk, on the service''s clock.';
comment on column archive_segments.removed is 'Time when the last of its rows had left the database. Null: some are still to be removed.';

create table archive_pending (
  segment bigint references archive_segments,
  subject bigint,
  digest text not null,
  primary key (segment, subject)
);
comment on table archive_pending is 'The requests, orders and SMS that are written to the archive and still in the database.';
comment on column archive_pending.subject is 'The id of the request, the order or the SMS.';
comment on column archive_pending.digest is 'The SHA-256 of the rows that were written. Only the same rows are removed.';

create table archive_keys (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  contact bigint references contacts,
  phonenumber text,
  key bytea not null check (length(key) = 32),
  check (num_nonnulls(contact, phonenumber) = 1)
);
comment on table archive_keys is 'The keys that encrypt the data of persons in the archive. To erase a person, the key is deleted.';
comment on column archive_keys.contact is 'The contact whose data it encrypts.';
comment on column archive_keys.phonenumber is 'The number whose SMS it encrypts, for SMS that belong to no request.';
comment on column archive_keys.key is 'A key for AES-256-GCM.';
-- A contact has one key.
create unique index archive_keys_contact on archive_keys (contact) where contact is not null;
-- A phone number without a contact has one key.
create unique index archive_keys_phonenumber on archive_keys (organization, phonenumber) where phonenumber is not null;

create table audit_log (
  id bigint generated always as identity primary key,
  organization bigint references organizations,
  "user" bigint references users,
  action text not null,
  object_type text,
  object bigint,
  details json not null,
  address text,
  created timestamptz not null,
  key bigint references api_keys
);
comment on table audit_log is 'Actions of people in the console and of operators at the command line, and changes by API keys. organization is null for actions that concern only the person.';
comment on column audit_log.key is 'The API key that was used; null for a person in the console and for an operator.';
-- The list of entries, newest first.
create index audit_log_newest on audit_log (organization, id desc);
-- The filters object_type and object.
create index audit_log_by_object on audit_log (organization, object_type, object, id);
-- The filter action, and the actions to choose from.
create index audit_log_by_action on audit_log (organization, action, id);

create table audit_chain (
  position bigint primary key,
  entry bigint not null unique references audit_log deferrable,
  digest bytea not null
);
comment on table audit_chain is 'The entries of audit_log in the order of their commits. Positions have no gaps.';
comment on column audit_chain.digest is 'SHA-256 of the digest at the position before (32 zero bytes at first) and of the entry as audit_log_text writes it.';

create table audit_anchors (
  position bigint primary key check ("position" > 0),
  entry bigint not null,
  digest bytea not null check (length(digest) = 32),
  segment bigint not null unique references archive_segments,
  manifest_sha256 text not null,
  created timestamptz not null default now()
);
comment on table audit_anchors is 'The last entry of each stretch of the audit log that has left for the archive. The chain goes on from the newest anchor.';
comment on column audit_anchors.position is 'The position of this entry in the chain. All entries up to it are in the archive.';
comment on column audit_anchors.entry is 'The id of this entry, which is not in audit_log any more.';
comment on column audit_anchors.digest is 'The digest of this entry, as audit_chain had it. The next entry covers it.';
comment on column audit_anchors.segment is 'The segment of the archive with the stretch that ends here.';
comment on column audit_anchors.manifest_sha256 is 'The SHA-256 of the manifest of the segment.';
comment on column audit_anchors.created is 'Time when the entries left, on the clock of the database.';

-- The entry as a text that no other entry has: each value with its length in bytes, and - for null.
create function audit_log_text(audit_position bigint, entry audit_log) returns text
language sql stable set search_path = pg_catalog, pg_temp as $$
  select string_agg(coalesce(octet_length(value) || ':' || value, '-'), ',' order by place)
  from unnest(array[audit_position::text, entry.id::text, entry.organization::text, entry."user"::text, entry.key::text,
    entry.action, entry.object_type, entry.object::text, entry.details::text, entry.address,
    to_char(entry.created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')]) with ordinality as fields(value, place)
$$;

-- Runs at the end of the transaction, after all its other locks, so it can wait only for commits that are under way.
create function chain_audit_entry() returns trigger language plpgsql security definer as $$
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

-- An entry may leave only when an anchor covers it. Nothing may be changed.
create function refuse_audit_change() returns trigger language plpgsql as $$
declare
  anchored bigint;
begin
  if tg_op = 'DELETE' then
    select max(position) into anchored from audit_anchors;
    if tg_table_name = 'audit_chain' then
      if old.position <= anchored then return old; end if;
    elsif exists (select from audit_chain c where c.entry = old.id and c.position <= anchored) then
      return old;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;

-- Removes the oldest entries of the log, up to this position. They must be all entries of one registered
-- segment that is not removed yet. Each must be older than a year on the clock of the database, and none the newest of the log.
create function remove_archived_audit_entries(of_segment bigint, until bigint) returns void
language plpgsql security definer as $$
declare
  segment archive_segments;
  last audit_chain;
  first bigint;
  written bigint;
begin
  select * into segment from archive_segments s where s.sequence = of_segment and s.kind = 'audit' and s.removed is null;
  if not found then raise exception 'segment % is not an open segment of the audit log', of_segment; end if;
  select coalesce(max(a.position), 0) + 1 into first from audit_anchors a;
  select * into last from audit_chain c where c.position = until;
  if not found or until < first or not exists (select from audit_chain c where c.position > until) then
    raise exception 'position % is not the end of a stretch that may leave', until;
  end if;
  select count(*) into written from audit_chain c
  join archive_pending p on p.segment = of_segment and p.subject = c.entry
  where c.position between first and until;
  if written <> until - first + 1 or written <> segment.subjects then
    raise exception 'segment % does not have the entries from position % to %', of_segment, first, until;
  end if;
  if exists (select from audit_chain c join audit_log l on l.id = c.entry
    where c.position between first and until and l.created > now() - interval '365 days') then
    raise exception 'an entry of segment % is younger than a year', of_segment;
  end if;
  insert into audit_anchors (position, entry, digest, segment, manifest_sha256)
  values (last.position, last.entry, last.digest, of_segment, segment.manifest_sha256);
  set constraints audit_chain_entry_fkey deferred;
  delete from audit_log where id in (select c.entry from audit_chain c where c.position between first and until);
  delete from audit_chain c where c.position between first and until;
end $$;

-- A function that runs with the rights of its owner must find its tables in this schema and nowhere else.
do $$
begin
  execute format('alter function chain_audit_entry() set search_path = %I, pg_temp', current_schema());
  execute format('alter function remove_archived_audit_entries(bigint, bigint) set search_path = %I, pg_temp', current_schema());
  revoke execute on function remove_archived_audit_entries(bigint, bigint) from public;
end $$;

create constraint trigger audit_log_chain after insert on audit_log
  deferrable initially deferred for each row execute function chain_audit_entry();
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();
create trigger audit_chain_append_only before update or delete on audit_chain
  for each row execute function refuse_audit_change();
create trigger audit_chain_no_truncate before truncate on audit_chain for each statement execute function refuse_change();
create trigger audit_anchors_append_only before update or delete on audit_anchors
  for each row execute function refuse_change();
create trigger audit_anchors_no_truncate before truncate on audit_anchors for each statement execute function refuse_change();
