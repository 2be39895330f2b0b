/**
 * A migration as a later version may have it: it widens the tables that every call uses. The second one builds an index
 * while others write.
 */
export const SAMPLE_MIGRATIONS: Record<string, string> = {
  '9998_upgrade-test.sql': `-- Kind: widen
alter table collection_requests add column upgrade_note text, add column upgrade_count integer not null default 0;
alter table collections add column upgrade_note text;
alter table network_orders add column upgrade_note text not null default '';
alter table accounts add column upgrade_count integer not null default 0;
alter table contacts add column upgrade_note text;
alter table transfers add constraint transfers_upgrade_check check (amount < 1000000000000) not valid;
create table upgrade_notes (id bigint generated always as identity primary key, note text not null);
`,
  '9999_upgrade-test-index.sql': `-- Outside of a transaction: the index is built while others write.
-- Kind: widen
drop index concurrently if exists collection_requests_upgrade_note;
create index concurrently collection_requests_upgrade_note on collection_requests (upgrade_note) where upgrade_note is not null;
alter table transfers validate constraint transfers_upgrade_check;
`,
}
