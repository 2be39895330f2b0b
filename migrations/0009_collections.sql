-- Collection requests, incoming money, and plans.
-- Kind: widen

create table collection_requests (
  id bigint generated always as identity primary key,
  organization bigint not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  account bigint not null,
  phonenumber text not null,
  contact bigint not null,
  network text not null,
  reason text not null,
  metadata json not null,
  success_message text not null,
  send_instructions boolean not null,
  instructions text,
  status text not null check (status in ('pending', 'processing_started', 'instructions_sent', 'successful', 'failed',
    'expired', 'reversed')),
  error_message text,
  collection bigint,
  expiry_date timestamptz not null,
  start_date timestamptz,
  retry_interval_minutes integer check (retry_interval_minutes >= 10),
  max_attempts integer not null check (max_attempts >= 0 and max_attempts <= 3),
  subscription_settings json,
  created timestamptz not null,
  author bigint not null,
  modified timestamptz not null,
  updated_by bigint,
  attempt integer not null default 0,
  connection text not null,
  prompt_again_at timestamptz,
  archived bigint,
  traceparent text,
  history text not null default '',
  unsuccessful text generated always as (case when status in ('failed', 'expired', 'reversed') then status end) stored,
  check ((collection is null) = (status not in ('successful', 'reversed')))
) with (fillfactor = 50);
comment on table collection_requests is 'Interface 2.5. On the way from pending to successful no column of an index changes, so that each change of status writes its row alone. What is indexed while a request is open stands in open_collection_requests.';
comment on column collection_requests.attempt is 'Number of orders begun for it; the last one belongs to the newest attempt.';
comment on column collection_requests.prompt_again_at is 'Time when a person asked for the next prompt, after the last one had failed. Null: it did not happen.';
comment on column collection_requests.archived is 'The segment of the archive with the history of a request that stays in the books. Null: its history is here.';
comment on column collection_requests.traceparent is 'W3C trace context of the span that stored the request. Null while traces are off, and for traces that are not exported.';
comment on column collection_requests.history is 'Changes of its status, oldest first, read as collection_request_transitions. A line for each: the JSON of the new status, the time in milliseconds since 1970, the author, and a note if there is one.';
comment on column collection_requests.unsuccessful is 'The status of a request that failed, expired or was reversed: for its index, which a successful request never enters.';
-- The list, newest first; also of successful requests, which are found by their collections where they are rare.
create index collection_requests_newest on collection_requests (organization, id desc);
-- The list by creation, which clients ask for; figures of days, and the archive, which begins with the oldest.
create index collection_requests_created on collection_requests (organization, created, id);
-- The filters amount, currency and network of the list, and the search for an amount.
create index collection_requests_amount on collection_requests (organization, currency, network, amount, id);
-- The filter phonenumber; duplicates in a file, and suggestions for money.
create index collection_requests_phonenumber on collection_requests (organization, phonenumber, id);
-- The filter reason, and the search.
create index collection_requests_reason on collection_requests (organization, reason, id) where reason <> '';
-- Requests of a customer, and the filters by name.
create index collection_requests_contact on collection_requests (contact);
-- The filter status, for the statuses that few requests may have.
create index collection_requests_unsuccessful on collection_requests (organization, unsuccessful, id)
  where unsuccessful is not null;
-- The filters modified_after and modified_before. Rows change soon after they are written, so neighbours on disk have neighbouring times.
create index collection_requests_modified on collection_requests using brin (modified)
  with (pages_per_range = 16, autosummarize = on);
-- Its history only grows, until the archive has it.
create trigger collection_requests_history_grows before update of history on collection_requests for each row
  when (not starts_with(new.history, old.history) and new.archived is null) execute function refuse_change();

create view collection_request_transitions as
  select r.id as collection_request, t.id, t.from_status, t.to_status, t.at, t.author, t.note
  from collection_requests r cross join lateral (
    select number as id, coalesce(lag(line::json ->> 0) over (order by number), 'pending') as from_status,
      line::json ->> 0 as to_status,
      timestamptz 'epoch' + (line::json ->> 1)::bigint * interval '1 millisecond' as at,
      (line::json ->> 2)::bigint as author, line::json ->> 3 as note
    from string_to_table(rtrim(r.history, E'\n'), E'\n') with ordinality as lines (line, number)) t;
comment on view collection_request_transitions is 'Changes of a request''s status, numbered from 1. The creation of a request is not a change.';

create table open_collection_requests (
  collection_request bigint primary key,
  organization bigint not null,
  account bigint not null,
  phonenumber text not null,
  amount numeric(19,4) not null,
  due_at timestamptz not null,
  leased_until timestamptz
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
comment on table open_collection_requests is 'Requests that are pending, processing_started or instructions_sent, with a row each. The row is the job of the request: due_at says when the next action is due.';
comment on column open_collection_requests.collection_request is 'The request, of collection_requests. Without a foreign key: docs/decisions/0017.';
comment on column open_collection_requests.leased_until is 'Real time. Until then, the process that claimed the row works on it.';
-- Requests that are due, and the filter by an open status.
create index open_collection_requests_due_by_organization on open_collection_requests (organization, due_at);
-- Open requests that a payment fits.
create index open_collection_requests_match on open_collection_requests (account, phonenumber, amount, collection_request);

create table collection_request_counts (
  organization bigint,
  status text,
  count bigint not null,
  primary key (organization, status)
);
comment on table collection_request_counts is 'Numbers of requests by organization and status, up to collection_request_count_position. count_collection_requests adds the changes after it.';

create table collection_request_count_position (
  id integer primary key check (id = 1),
  event bigint not null,
  collection_request bigint not null
);
comment on table collection_request_count_position is 'Single row: the counts have the changes of status up to this event, and the requests created up to this one, as pending. A job moves it every second. Without a row they have none.';

-- A plan is kept: to plan it takes longer than to run it. It always uses indexes, since few rows are after the position.
create function count_collection_requests(of_organization bigint, in_status text) returns bigint
language plpgsql stable parallel safe
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  if in_status is null then
    return (select coalesce(sum(c.count), 0) from collection_request_counts c where c.organization = of_organization)
      + (select count(*) from collection_requests r where r.organization = of_organization
        and r.id > coalesce((select p.collection_request from collection_request_count_position p), 0));
  end if;
  return coalesce((select c.count from collection_request_counts c where c.organization = of_organization and c.status = in_status), 0)
    + (select count(*) from collection_requests r where in_status = 'pending' and r.organization = of_organization
      and r.id > coalesce((select p.collection_request from collection_request_count_position p), 0))
    + (select coalesce(sum((e.status = in_status)::integer - (e.previous_status = in_status)::integer), 0) from events e
      where e.organization = of_organization and e.type = 'collectionrequest.status.changed' and e.previous_status is not null
        and e.id > coalesce((select p.event from collection_request_count_position p), 0));
end $$;
comment on function count_collection_requests is 'Number of an organization''s requests, in one status or, for null, in all; exact for the snapshot of the statement that calls it.';

create table collections (
  id bigint generated always as identity primary key,
  organization bigint not null,
  account bigint not null,
  network text not null,
  remote_transaction_id text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  phonenumber text not null,
  contact bigint not null,
  reference text,
  status text not null check (status in ('pending', 'successful', 'failed', 'reversed')),
  payment_date timestamptz not null,
  collection_request bigint references collection_requests,
  created timestamptz not null,
  author bigint not null,
  modified timestamptz not null,
  updated_by bigint,
  claimed_by bigint,
  refunded numeric(19,4) not null default 0 check (refunded >= 0),
  reversed_in_parts numeric(19,4) not null default 0,
  connection text not null,
  network_order bigint,
  allocated numeric(19,4) not null default 0 check (allocated >= 0 and allocated <= amount),
  match_reason text,
  check (allocated = 0 or collection_request is null),
  check (collection_request is null or status in ('successful', 'reversed')),
  check (claimed_by is null or collection_request is null),
  check (reversed_in_parts >= 0 and reversed_in_parts <= amount)
);
comment on table collections is 'Incoming money, recorded once for each network and remote transaction.';
comment on column collections.claimed_by is 'The user who claimed the collection while it was unmatched. Claimed money is no longer unmatched.';
comment on column collections.refunded is 'Amount that was returned or refunded, including payments that are not complete yet. More than the amount if a refund that had failed was sent after all.';
comment on column collections.reversed_in_parts is 'The sum of the parts that the network has reversed. The rest follows when the status becomes reversed.';
comment on column collections.network_order is 'The order that this money answers. One order is paid once.';
comment on column collections.allocated is 'Amount that is allocated to invoices, payment links and accounts of customers.';
comment on column collections.match_reason is 'Reason for which it fulfilled its request: order, request_number, invoice_number, customer_number, same_amount or person. Null: it fulfilled none.';
-- A request is paid once; the filter collection_request, and the payment of a request.
create unique index collections_one_per_request on collections (collection_request) where collection_request is not null;
-- The list, newest first.
create index collections_newest on collections (organization, id desc);
-- The list by creation, which clients ask for; figures of days.
create index collections_created on collections (organization, created, id);
-- The filter status, for the statuses that few collections may have.
create index collections_status on collections (organization, status, modified, id) where status <> 'successful';
-- The filters modified_after and modified_before. Rows change soon after they are written, so neighbours on disk have neighbouring times.
create index collections_modified on collections using brin (modified) with (pages_per_range = 16, autosummarize = on);
-- The filters amount, currency and network of the list, and the search for an amount.
create index collections_amount on collections (organization, currency, network, amount, id);
-- The filter phonenumber, the search, and money that fits a request or an invoice.
create index collections_phonenumber on collections (organization, phonenumber, id);
-- The filter reference, and the search. A reference may be longer than an index takes.
create index collections_reference on collections (organization, md5(reference), id) where reference is not null;
-- Collections of a customer, and the filters by name.
create index collections_contact on collections (contact);
-- Money without a purpose: the list, Home and metrics.
create index collections_unmatched on collections (organization, id desc)
  where collection_request is null and claimed_by is null and allocated < amount and status in ('successful', 'failed');
-- Money is recorded once for each connection and remote transaction. It is found by this id.
create unique index collections_connection_remote_id on collections (connection, remote_transaction_id);
-- An order is paid once.
create unique index collections_network_order on collections (network_order) where network_order is not null;

create table collection_reversals (
  collection bigint references collections,
  remote_id text,
  amount numeric(19,4) not null check (amount > 0),
  created timestamptz not null,
  primary key (collection, remote_id)
);
comment on table collection_reversals is 'The parts of collections that networks have reversed, each once.';
comment on column collection_reversals.remote_id is 'The network''s own id of the reversal.';
comment on column collection_reversals.amount is 'Reversed amount, at most the rest of the collection.';
-- Reversals that a statement of the network lists.
create index collection_reversals_remote on collection_reversals (remote_id);

create table acceptance_urls (
  organization bigint primary key references organizations,
  url text not null,
  when_unreachable text not null check (when_unreachable in ('accept', 'reject')),
  timeout_s integer not null check (timeout_s >= 1 and timeout_s <= 60),
  created timestamptz not null,
  modified timestamptz not null
);
comment on table acceptance_urls is 'URLs where organizations accept or reject unrequested money.';
comment on column acceptance_urls.when_unreachable is 'The verdict when the organization does not answer in time.';
comment on column acceptance_urls.timeout_s is 'Time limit for the organization''s decision, all attempts together.';

create table acceptance_checks (
  id bigint generated always as identity primary key,
  organization bigint not null,
  account bigint not null,
  network text not null,
  remote_transaction_id text not null,
  phonenumber text not null,
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  reference text,
  collection bigint unique references collections,
  created timestamptz not null,
  deadline timestamptz not null,
  attempts integer not null default 0,
  last_error text,
  verdict text check (verdict in ('accept', 'reject')),
  unreachable boolean not null default false,
  reason text,
  answered timestamptz,
  due_at timestamptz,
  leased_until timestamptz,
  connection text not null,
  foreign key (account, currency) references accounts (id, currency),
  check ((verdict is null) = (due_at is not null)),
  check ((verdict is null) = (answered is null))
) with (fillfactor = 85);
comment on table acceptance_checks is 'Requests to organizations to accept or reject unrequested money. The row is also its own job.';
comment on column acceptance_checks.collection is 'The collection, when the money has arrived. Null while the network asks before it accepts the money; stays null when the money never arrives.';
comment on column acceptance_checks.attempts is 'Number of calls to the acceptance URL, including one just started.';
comment on column acceptance_checks.unreachable is 'True when the organization did not answer in time. The verdict is then when_unreachable of its acceptance URL.';
comment on column acceptance_checks.leased_until is 'Real time. Until then, the process that claimed the row calls the acceptance URL.';
-- Checks that are due.
create index acceptance_checks_due on acceptance_checks (due_at) where due_at is not null;
-- The list of checks, newest first.
create index acceptance_checks_newest on acceptance_checks (organization, id desc);
-- The same money is checked once.
create unique index acceptance_checks_unique_payment on acceptance_checks (connection, remote_transaction_id, account,
  phonenumber, amount, coalesce(md5(reference), ''));
comment on index acceptance_checks_unique_payment is 'A second check of the same money gets the same verdict. Different money is a different check, so the verdict on one payment is never used for another.';

create table unassigned_payments (
  id bigint generated always as identity primary key,
  network text not null,
  remote_transaction_id text not null,
  receiver text not null,
  currency text not null,
  amount numeric(19,4) not null check (amount > 0),
  phonenumber text not null,
  order_reference text,
  reference text,
  payment_date timestamptz not null,
  state text not null check (state in ('unassigned', 'assigned', 'reversed')),
  account bigint references accounts,
  collection bigint references collections,
  assigned_by text,
  received timestamptz not null,
  modified timestamptz not null,
  due_at timestamptz,
  leased_until timestamptz,
  connection text not null,
  unique (connection, remote_transaction_id),
  check ((collection is not null) = (state = 'assigned')),
  check ((account is not null) = (state = 'assigned'))
);
comment on table unassigned_payments is 'Payments that a network has reported for a receiver or currency without an account. No organization has the money in its books until the payment is assigned.';
comment on column unassigned_payments.state is 'unassigned: it waits for an account. assigned: it is in the books as a collection. reversed: the network has taken it back, and it is never credited.';
comment on column unassigned_payments.assigned_by is 'The person who chose the account; null if its receiver was assigned to the account.';
comment on column unassigned_payments.due_at is 'Time when the service looks for an account of its receiver.';
-- Payments for which an account is looked for again.
create index unassigned_payments_due on unassigned_payments (due_at) where due_at is not null;
-- Payments that wait for an account: by receiver, their sums, and metrics.
create index unassigned_payments_waiting on unassigned_payments (connection, receiver, currency) where state = 'unassigned';
-- The payment that became a collection, when the collection is deleted.
create index unassigned_payments_collection on unassigned_payments (collection) where collection is not null;

create table unassigned_payment_reversals (
  id bigint generated always as identity primary key,
  unassigned_payment bigint not null references unassigned_payments,
  remote_id text not null,
  amount numeric(19,4) not null check (amount > 0),
  unique (unassigned_payment, remote_id)
);
comment on table unassigned_payment_reversals is 'Reversed parts of payments without an account. They leave the books as soon as the payment is assigned.';
comment on column unassigned_payment_reversals.remote_id is 'The network''s own id of the reversal.';

create table plans (
  id bigint generated always as identity primary key,
  organization bigint not null,
  collection_request bigint not null unique references collection_requests,
  start_date timestamptz not null,
  end_date timestamptz not null,
  weekdays integer[] not null,
  months integer[] not null,
  frequencies text[] not null,
  expires_after_s bigint not null check (expires_after_s > 0),
  occurrence_count integer not null default 1,
  stopped timestamptz,
  due_at timestamptz,
  leased_until timestamptz,
  time_zone text not null default 'UTC',
  paused timestamptz,
  check (stopped is null or due_at is null),
  check (paused is null or due_at is null)
) with (fillfactor = 85);
comment on table plans is 'Recurring collection requests. The row is also its own job.';
comment on column plans.collection_request is 'The first occurrence. All others are copies of it.';
comment on column plans.weekdays is '0 is Monday. Empty: any weekday.';
comment on column plans.months is '1 is January. Empty: every month.';
comment on column plans.expires_after_s is 'Lifetime of an occurrence after its start.';
comment on column plans.occurrence_count is 'Number of occurrences created, including the first.';
comment on column plans.due_at is 'The next date. Null when no date is left or the plan was stopped.';
comment on column plans.leased_until is 'Real time. Until then, the process that claimed the row creates its occurrence.';
comment on column plans.time_zone is 'The time zone of the organization when the plan was made: its dates keep their time of day there.';
comment on column plans.paused is 'Time since when the plan is paused. Null: it is not. A paused plan has no next date until it is resumed.';
-- The list of plans, newest first.
create index plans_newest on plans (organization, id desc);
-- Plans that are due, in turn by organization.
create index plans_due_by_organization on plans (organization, due_at) where due_at is not null;

create table occurrences (
  plan bigint references plans,
  date timestamptz,
  collection_request bigint not null unique,
  primary key (plan, date)
);
comment on table occurrences is 'Dates of plans with their requests. One date never becomes two requests.';
