-- Control over money that goes out: limits by sum, approvers who wait, a second factor for those who move money, changes
-- that need a second manager, and the mails that tell of them.

alter table organizations add column second_factor_required boolean not null default false;
comment on column organizations.second_factor_required is 'Whether users need a second factor for everything that moves money or manages the organization.';

alter table memberships add column approves_from timestamptz;
comment on column memberships.approves_from is 'When the user may approve payments for the first time. Null: at once.';

create table payment_limits (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  currency text not null references currencies (code),
  per_day numeric(19,4) check (per_day >= 0),
  per_recipient numeric(19,4) check (per_recipient >= 0),
  per_user numeric(19,4) check (per_user >= 0),
  unique (organization, currency)
);
comment on table payment_limits is 'The most that the payments of a UTC day may sum up to. The row is also the lock under which payments are accepted and approved.';
comment on column payment_limits.per_day is 'All payments of a day together. Null: no limit.';
comment on column payment_limits.per_recipient is 'What one phone number gets in a day. Null: no limit.';
comment on column payment_limits.per_user is 'What one user initiates in a day. Null: no limit.';

create table control_changes (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  change json not null,
  description text not null,
  state text not null check (state in ('pending', 'applied', 'confirmed', 'rejected', 'withdrawn')),
  author bigint references users,
  created timestamptz not null,
  expires timestamptz,
  decided_by bigint references users,
  decided_at timestamptz,
  check ((state = 'pending') = (decided_at is null)),
  check (state <> 'pending' or expires is not null),
  check (state <> 'confirmed' or decided_by <> author),
  check (state <> 'withdrawn' or decided_by = author)
);
comment on table control_changes is 'Changes of who may move money and how much. Those that weaken control wait for a second manager, if there is one.';
comment on column control_changes.change is 'What changes, in the form of core/control/kinds.ts, with the values before and after.';
comment on column control_changes.description is 'The change in words.';
comment on column control_changes.state is 'applied: at once, without a second manager. A pending change is void after expires.';
comment on column control_changes.author is 'Null: an operator.';
comment on column control_changes.decided_by is 'Null: an operator, or nobody.';
create index control_changes_newest on control_changes (organization, id desc);

create table mails (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  recipient text not null,
  subject text not null,
  body text not null,
  attempts integer not null default 0,
  last_error text,
  created timestamptz not null,
  due_at timestamptz,
  leased_until timestamptz
);
comment on table mails is 'The outbox of mails to users. A mail that was sent is deleted; one without due_at could not be sent.';
comment on column mails.leased_until is 'Real time. Until then, the process that claimed the row works on it.';
create index mails_due on mails (due_at) where due_at is not null;
