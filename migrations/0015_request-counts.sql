-- How many collection requests there are, without counting them: what a list says before its first page (interface 1,
-- `count`) would otherwise grow with the table.

create table collection_request_counts (
  organization bigint not null,
  status text not null,
  count bigint not null,
  primary key (organization, status)
);
comment on table collection_request_counts is 'Requests by organization and status, up to the changes that are not folded in yet (core/request-counts.ts).';

create table collection_request_count_changes (
  organization bigint not null,
  status text not null,
  change bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
comment on table collection_request_count_changes is 'Appended by every transaction that makes or moves requests, so that writers never wait for one another; folded into the counts every second.';
create index collection_request_count_changes_of on collection_request_count_changes (organization, status);

insert into collection_request_counts
select organization, status, count(*) from collection_requests group by organization, status;

-- The newest of one status, found without walking past all others: a status that only old requests have is met late.
drop index collection_requests_status;
create index collection_requests_status on collection_requests (organization, status, id);

-- Lists by the time of the last change, and all filters on it.
create index collection_requests_modified on collection_requests (organization, modified, id);
