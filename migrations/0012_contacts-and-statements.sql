-- Contacts with their look-up at the network and their erasure, the ledger as organizations read it, and networks.

alter table contacts
  add column national_id text,
  add column national_id_type text check (national_id_type in ('passport', 'military', 'national')),
  add column erased timestamptz,
  add column erasing text,
  add column tries integer not null default 0,
  add column due_at timestamptz,
  add column leased_until timestamptz,
  add check ((national_id is null) = (national_id_type is null)),
  add check (erasing is null or erased is not null);
comment on column contacts.erased is 'When the personal data of this contact was erased on request.';
comment on column contacts.erasing is 'The number whose traces are still being erased; null once there are none.';
comment on column contacts.tries is 'How often the network was asked who holds the number since the look-up became due.';
comment on column contacts.due_at is 'When the network is asked who holds the number, or when its traces are erased further.';
comment on column contacts.leased_until is 'Real time. Until then the process that claimed the row works on it.';
-- Claims change no indexed column; with room in the page they add nothing to any index.
alter table contacts set (fillfactor = 80);
create index contacts_due on contacts (due_at) where due_at is not null;
create index contacts_created on contacts (organization, created, id);
create index contacts_email on contacts (organization, email) where email is not null;

-- What was there before is looked up as well.
update contacts set due_at = created where phone_is_supported = 'yes';

-- A wallet's transactions in their order. What leaves a wallet is never a collection, so that the far more frequent
-- collections pay for one of these only.
create index transfers_to on transfers (to_account, id);
create index transfers_from on transfers (from_account, id) where kind <> 'mobile_collection';
create index transfers_to_kind on transfers (to_account, kind, id) where kind <> 'mobile_collection';
-- Transfers are only ever added, so those of one day lie together; this index costs next to nothing.
create index transfers_created on transfers using brin (created) with (pages_per_range = 16, autosummarize = on);

create table networks (
  id bigint generated always as identity primary key,
  code text not null,
  country text not null references countries,
  unique (code, country)
);
comment on table networks is 'The ids under which the interface shows the networks of this installation, one for each country.';
