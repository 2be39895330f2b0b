-- Outside of a transaction: a constraint is validated, and an index is built, while others write.
-- Kind: widen
-- Payments that need more than one approval, how much each person may approve, and whom a mail has told of a payment that waits.

alter table approval_rules add column if not exists second_threshold numeric(19,4);
alter table approval_rules add column if not exists third_threshold numeric(19,4);
alter table approval_rules drop constraint if exists approval_rules_steps;
alter table approval_rules add constraint approval_rules_steps check (second_threshold >= 0 and third_threshold >= 0) not valid;
alter table approval_rules validate constraint approval_rules_steps;
comment on column approval_rules.second_threshold is 'Payments of more than this amount need the approval of two persons besides the one who initiated them. Null: one is enough.';
comment on column approval_rules.third_threshold is 'Payments of more than this amount need the approval of three persons. Null: two are enough.';

create table if not exists approver_limits (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  "user" bigint not null references users,
  currency text not null references currencies (code),
  per_payment numeric(19,4) check (per_payment >= 0),
  per_day numeric(19,4) check (per_day >= 0),
  unique (organization, "user", currency)
);
comment on table approver_limits is 'How much a person may approve. The row is also the lock under which this person approves payments.';
comment on column approver_limits.per_payment is 'The largest payment that this person may approve. Null: no limit.';
comment on column approver_limits.per_day is 'What this person may approve in a UTC day. Null: no limit.';

create table if not exists payment_approvals (
  organization bigint not null,
  payment bigint not null references payments,
  "user" bigint not null references users,
  approved timestamptz not null,
  primary key (payment, "user")
);
comment on table payment_approvals is 'The approvals of payments, one for each person. Earlier versions kept only payments.approved_by.';
create index concurrently if not exists payment_approvals_user on payment_approvals (organization, "user", approved);

create table if not exists approval_notices (
  organization bigint not null,
  payment bigint not null references payments,
  "user" bigint not null references users,
  told timestamptz not null,
  primary key (payment, "user")
);
comment on table approval_notices is 'Which approvers have got a mail about a payment that waits for them. The rows are deleted when the payment is decided.';

alter table memberships add column if not exists approvals_mailed_at timestamptz;
comment on column memberships.approvals_mailed_at is 'When this person got the last mail about payments that wait for an approval.';

alter table payments add column if not exists approvals_required integer;
alter table payments add column if not exists approvals integer not null default 0;
alter table payments drop constraint if exists payments_approvals;
alter table payments add constraint payments_approvals
  check (approved_by is null or approvals_required <= 1 or approvals >= approvals_required) not valid;
alter table payments validate constraint payments_approvals;
comment on column payments.approvals_required is 'How many persons have to approve it, by the rule that held when it was made. Null: made by an earlier version, which knew one approval.';
comment on column payments.approvals is 'How many persons with the permission have approved it, as of the last approval.';
drop index concurrently if exists payments_awaiting_approval;
create index concurrently payments_awaiting_approval on payments (organization, id)
  where state in ('approval_needed', 'approval_requested');
