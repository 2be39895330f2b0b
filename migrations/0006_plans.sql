-- Recurring collection requests (interface 2.7). The request that was created is the first occurrence of its plan; every
-- later one is a request of its own, made when its date has come.

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
  made integer not null default 1,
  stopped timestamptz,
  due_at timestamptz,
  leased_until timestamptz,
  check (stopped is null or due_at is null)
) with (fillfactor = 85);
comment on table plans is 'A recurrence. The row is also its own job.';
comment on column plans.collection_request is 'The first occurrence, from which all others are copied.';
comment on column plans.weekdays is '0 is Monday. Empty: no choice of weekdays.';
comment on column plans.months is '1 is January. Empty: every month.';
comment on column plans.expires_after_s is 'How long after its start an occurrence expires.';
comment on column plans.made is 'How many occurrences there are, the first included.';
comment on column plans.due_at is 'The next date. Null when none is left or the plan was stopped.';
comment on column plans.leased_until is 'Real time. Until then the process that claimed the row makes its occurrence.';
create index plans_due on plans (due_at) where due_at is not null;
create index plans_newest on plans (organization, id desc);

create table occurrences (
  plan bigint not null references plans,
  date timestamptz not null,
  collection_request bigint not null unique,
  primary key (plan, date)
);
comment on table occurrences is 'Which date of a plan became which request. One date never becomes two.';
