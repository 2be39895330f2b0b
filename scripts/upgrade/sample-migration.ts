/**
 * Migrations as a later version may have them: they widen the tables that every call uses, one table at a time.
 */
export const SAMPLE_MIGRATIONS: Record<string, string> = {
  '9998_upgrade-test.sql': `-- Outside of a transaction: each statement locks one busy table, and waits for no other meanwhile.
-- Kind: widen
alter table collection_requests add column if not exists upgrade_note text,
  add column if not exists upgrade_count integer not null default 0;
alter table collections add column if not exists upgrade_note text;
alter table network_orders add column if not exists upgrade_note text not null default '';
alter table accounts add column if not exists upgrade_count integer not null default 0;
alter table contacts add column if not exists upgrade_note text;
create table if not exists upgrade_notes (id bigint generated always as identity primary key, note text not null);
`,
  '9999_upgrade-test-index.sql': `-- Outside of a transaction: the index is built while others write.
-- Kind: widen
drop index concurrently if exists collection_requests_upgrade_note;
create index concurrently collection_requests_upgrade_note on collection_requests (upgrade_note)
  where upgrade_note is not null;
alter table transfers drop constraint if exists transfers_upgrade_check;
alter table transfers add constraint transfers_upgrade_check check (amount < 1000000000000) not valid;
alter table transfers validate constraint transfers_upgrade_check;
`,
}
