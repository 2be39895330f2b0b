-- Indexes for the lists of the interface. Every filter of 4.3.2 finds its requests through one of them. An index is paid
-- for by every new request and again by every change of its status, so one index serves several filters where it can:
-- PostgreSQL 18 skips over leading columns that hold few different values ("skip scan").

-- Also the order that existing clients ask for with every list, -created.
create index collection_requests_created on collection_requests (organization, created, id);

-- status, alone or with modified; modified alone by skipping over the seven statuses.
create index collection_requests_status on collection_requests (organization, status, modified, id);

-- currency, network and amount in every combination: an organization has few currencies and networks.
create index collection_requests_amount on collection_requests (organization, currency, network, amount, id);

create index collection_requests_phonenumber on collection_requests (organization, phonenumber, id);

-- Nobody can ask for requests without a reason, and most have none: those cost nothing here.
create index collection_requests_reason on collection_requests (organization, reason, id) where reason <> '';

-- contact_first_name and contact_last_name: from the names to the contacts, from those to their requests.
create index collection_requests_contact on collection_requests (contact);
create index contacts_first_name on contacts (organization, first_name);
create index contacts_last_name on contacts (organization, last_name);

-- The filters collection and remote_transaction_id go through collections, by its primary key and by its unique key
-- (network, remote_transaction_id), where the few networks are skipped over.

-- A request is written several times in its life. With room left in its page the writes that change no indexed column
-- (leases, attempts) add nothing to any index; measured, that wins back a third of what these indexes cost.
alter table collection_requests set (fillfactor = 60);
