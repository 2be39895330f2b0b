-- Outside of a transaction: each statement locks its tables for a moment, and a constraint is validated while others write.
-- Each of them can be repeated.
-- Kind: widen
-- The oldest stretch of the audit log may leave for the archive (docs/decisions/0059). An anchor stays, from which the chain goes
-- on. The service has no right to delete entries: a function removes them, which checks what it can.
alter table archive_segments drop constraint if exists archive_segments_kind_check;
alter table archive_segments add constraint archive_segments_kind_check
  check (kind in ('requests', 'orders', 'sms', 'audit')) not valid;
alter table archive_segments validate constraint archive_segments_kind_check;
comment on column archive_segments.kind is 'What is in it: requests with all that belongs to them, answers of networks to orders, SMS, or entries of the audit log.';

create table if not exists audit_anchors (
  position bigint primary key check (position > 0),
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
comment on column audit_anchors.created is 'When the entries left, on the clock of the database.';
create or replace trigger audit_anchors_append_only before update or delete on audit_anchors
  for each row execute function refuse_change();
create or replace trigger audit_anchors_no_truncate before truncate on audit_anchors
  for each statement execute function refuse_change();

-- An entry may leave only when an anchor covers it. Nothing may be changed.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
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
create or replace trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create or replace trigger audit_chain_append_only before update or delete on audit_chain
  for each row execute function refuse_audit_change();
-- Entries leave before their places in the chain, in one transaction.
alter table audit_chain alter constraint audit_chain_entry_fkey deferrable initially immediate;

-- Removes the oldest entries of the log, up to this position. They must be those of one segment that is registered and not
-- removed yet, all of them and nothing else, older than a year on the clock of the database, and not the newest of the log.
create or replace function remove_archived_audit_entries(of_segment bigint, until bigint) returns void
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

do $$
begin
  execute format('alter function remove_archived_audit_entries(bigint, bigint) set search_path = %I, pg_temp', current_schema());
  revoke execute on function remove_archived_audit_entries(bigint, bigint) from public;
end $$;
