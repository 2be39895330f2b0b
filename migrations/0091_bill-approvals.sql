-- Kind: widen
-- Purchases above the amounts of an approval rule wait for as many persons as payments do.
alter table bill_purchases add column approvals_required integer not null default 0;
alter table bill_purchases add column approvals integer not null default 0;
comment on column bill_purchases.approvals_required is 'How many persons have to approve it, by the rule that held when it was made.';
comment on column bill_purchases.approvals is 'How many persons with the permission have approved it, as of the last approval.';
-- A purchase that waits for an approval is pending, and no job has it. 0092 checks the rows that are there already.
alter table bill_purchases drop constraint bill_purchases_check;
alter table bill_purchases add constraint bill_purchases_due
  check ((status = 'pending' and approvals >= approvals_required) = (due_at is not null)) not valid;

create table bill_approvals (
  organization bigint not null,
  purchase bigint not null references bill_purchases,
  "user" bigint not null references users,
  approved timestamptz not null,
  primary key (purchase, "user")
);
comment on table bill_approvals is 'The approvals of bill purchases, one for each person.';
create index bill_approvals_user on bill_approvals (organization, "user", approved);

create table bill_approval_notices (
  organization bigint not null,
  purchase bigint not null references bill_purchases,
  "user" bigint not null references users,
  told timestamptz not null,
  primary key (purchase, "user")
);
comment on table bill_approval_notices is 'Which approvers have got a mail about a purchase that waits for them. The rows are deleted when the purchase is decided.';
