-- What providers of bills say about their catalogues, and what people have decided about it.
create table bill_catalogue_syncs (
  connection text primary key,
  due_at timestamptz not null,
  leased_until timestamptz,
  last_asked timestamptz,
  last_found timestamptz,
  products integer,
  message text
);
comment on table bill_catalogue_syncs is 'When the catalogue of each connection is read next.';
comment on column bill_catalogue_syncs.message is 'Why the last question had no answer. Null: it had one.';

create table bill_differences (
  id bigint generated always as identity primary key,
  connection text not null,
  kind text not null check (kind in ('new', 'gone', 'price', 'limits')),
  bill_kind text not null,
  country text not null,
  currency text not null,
  remote_service text not null,
  remote_product text,
  name text not null,
  offer bigint references bill_offers on delete set null,
  before jsonb,
  after jsonb,
  suggested_service bigint references catalogue_services on delete set null,
  suggested_product bigint references catalogue_products on delete set null,
  state text not null check (state in ('waiting', 'approved', 'rejected', 'superseded')),
  found timestamptz not null,
  decided timestamptz,
  decided_by text,
  check ((state = 'waiting') = (decided is null))
);
create unique index bill_differences_waiting
  on bill_differences (connection, remote_service, remote_product, kind, offer) nulls not distinct where state = 'waiting';
create index bill_differences_newest on bill_differences (connection, id desc);
create index bill_differences_of_offer on bill_differences (offer) where offer is not null;
create index bill_differences_of_service on bill_differences (suggested_service) where suggested_service is not null;
create index bill_differences_of_product on bill_differences (suggested_product) where suggested_product is not null;
comment on table bill_differences is 'Differences between the catalogue of a provider and our offers, for a person to approve.';
comment on column bill_differences.before is 'What our offer says: price, commission_percent, min, max.';
comment on column bill_differences.after is 'What the provider says.';
comment on column bill_differences.state is 'superseded: the provider says something else now.';
comment on column bill_differences.decided_by is 'The operator or the user who decided; null where the provider changed its mind.';

-- The float of a bill provider, and how long it will last. What is sold there is not in the float accounts of the books.
alter table connection_floats
  add column spent_last_day numeric(38,4),
  add column short_since timestamptz;
comment on column connection_floats.spent_last_day is 'Bill providers: what the purchases of the last 24 hours have cost there.';
comment on column connection_floats.short_since is 'Since when the balance would not last for BILL_FLOAT_HOURS at the pace of the last day. Null: it would.';
