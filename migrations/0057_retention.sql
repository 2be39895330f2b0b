-- Kind: widen
-- Which callbacks are about which order, so that the history of a request is read by an index; and what has left for the archive.
create table callback_orders (
  reference text not null,
  callback bigint not null,
  recorded timestamptz not null
) partition by range (recorded);
create index callback_orders_reference on callback_orders (reference);
create table callback_orders_default partition of callback_orders default;
comment on table callback_orders is 'The callbacks that name an order or the money of one. Partitioned by time; dropped after CALLBACK_RETENTION_DAYS, as callbacks are.';
comment on column callback_orders.reference is 'The reference of the order.';
comment on column callback_orders.callback is 'The callback, of callbacks. Without a foreign key, because callbacks leave in partitions.';
comment on column callback_orders.recorded is 'When the callback was stored or processed, on the service''s clock.';

-- The callbacks of earlier versions name their orders in their bodies. References have one of four forms; those of version 0.1.0 are such as KR25-1.
insert into callback_orders (reference, callback, recorded)
select distinct o.reference, c.id, coalesce(c.ended, c.received)
from callbacks c
cross join lateral (
  select found[1] as named from regexp_matches(c.body,
    '\y([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Z][0-9A-Z]{11}|[A-Z][0-9A-Z]{24}|K[A-Z][0-9]+(?:-[0-9]+)?)\y', 'g') as found
  union select c.reference where c.subject = 'order') n
join (select reference from network_orders union select reference from collection_orders) o on o.reference = n.named;

create table archive_segments (
  sequence bigint primary key check (sequence > 0),
  kind text not null check (kind in ('requests', 'orders', 'sms')),
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
comment on column archive_segments.kind is 'What is in it: requests with all that belongs to them, answers of networks to orders, or SMS.';
comment on column archive_segments.manifest_sha256 is 'The SHA-256 of its manifest, which has the SHA-256 of each of its files.';
comment on column archive_segments.subjects is 'How many requests, orders or SMS it has.';
comment on column archive_segments.row_count is 'How many rows of all tables it has.';
comment on column archive_segments.bytes is 'The size of its files.';
comment on column archive_segments.first_id is 'The lowest id of its requests, orders or SMS.';
comment on column archive_segments.last_id is 'The highest id of its requests, orders or SMS.';
comment on column archive_segments.oldest is 'The age of its oldest request, order or SMS.';
comment on column archive_segments.newest is 'The age of its newest request, order or SMS.';
comment on column archive_segments.written is 'When its files were on disk, on the service''s clock.';
comment on column archive_segments.removed is 'When the last of its rows had left the database. Null: some are still to be removed.';

create table archive_pending (
  segment bigint not null references archive_segments,
  subject bigint not null,
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
create unique index archive_keys_contact on archive_keys (contact) where contact is not null;
create unique index archive_keys_phonenumber on archive_keys (organization, phonenumber) where phonenumber is not null;
comment on table archive_keys is 'The keys that encrypt the data of persons in the archive. To erase a person, the key is deleted.';
comment on column archive_keys.contact is 'The contact whose data it encrypts.';
comment on column archive_keys.phonenumber is 'The number whose SMS it encrypts, for SMS that belong to no request.';
comment on column archive_keys.key is 'A key for AES-256-GCM.';

-- The last statement, because it holds the table until the end of this transaction.
alter table collection_requests add column archived bigint;
comment on column collection_requests.archived is 'The segment of the archive with the history of a request that stays in the books. Null: its history is here.';
