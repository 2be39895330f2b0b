-- Payments, bulk payments, and the rules of approval.
-- Kind: widen

create table payments (
  id bigint generated always as identity primary key,
  organization bigint not null,
  purpose text not null check (purpose in ('payment', 'return', 'refund')),
  collection bigint references collections,
  payment_type text not null check (payment_type in ('money', 'airtime')),
  amount numeric(19,4) not null check (amount > 0),
  currency text not null,
  account bigint not null,
  source bigint not null,
  description text not null,
  metadata json not null,
  send_sms_message boolean not null,
  start_date timestamptz,
  state text not null check (state in ('new', 'validated', 'approval_needed', 'approval_requested', 'approved', 'rejected',
    'scheduled', 'processed', 'processed_with_errors', 'cancelled')),
  last_error text,
  approved_by bigint,
  approved_time timestamptz,
  rejected_reason text,
  rejected_by bigint,
  rejected_time timestamptz,
  cancelled_reason text,
  cancelled_by bigint,
  cancelled_time timestamptz,
  created timestamptz not null,
  author bigint not null,
  modified timestamptz not null,
  updated_by bigint,
  approvals_required integer not null,
  approvals integer not null default 0,
  foreign key (account, currency) references accounts (id, currency),
  foreign key (source, currency) references accounts (id, currency),
  check (approved_by is null or approvals_required <= 1 or approvals >= approvals_required),
  check ((purpose = 'payment') = (collection is null)),
  check (purpose = 'return' or source = account),
  check (approved_by <> author),
  check ((state = 'rejected') = (rejected_by is not null)),
  check ((state = 'cancelled') = (cancelled_by is not null))
) with (fillfactor = 85);
comment on table payments is 'Money sent to one or more recipients. amount is the sum of the recipients'' amounts.';
comment on column payments.purpose is 'payment: sent by the organization; return: of unmatched money to its sender; refund: of a collection, whole or in part.';
comment on column payments.source is 'The ledger account that the money is taken from: the wallet or, for money that was never accepted, suspense.';
comment on column payments.approvals_required is 'Number of persons who have to approve it, by the rule at its creation.';
comment on column payments.approvals is 'Number of persons with the permission who have approved it, as of the last approval.';
-- The list, newest first.
create index payments_newest on payments (organization, id desc);
-- The filters created_after and created_before, the order by creation, and limits on what is spent in a day.
create index payments_created on payments (organization, created, id);
-- The filters modified_after and modified_before, and the order by change.
create index payments_modified on payments (organization, modified, id);
-- The filter payment_state.
create index payments_state on payments (organization, state, id);
-- Refunds of a collection.
create index payments_collection on payments (collection) where collection is not null;
-- Limits on what is spent in a day, of which approved payments count from their approval.
create index payments_approved on payments (organization, approved_time) where approved_time is not null;
-- Payments that wait for approvals: the queue, and mails to approvers.
create index payments_awaiting_approval on payments (organization, id) where state in ('approval_needed', 'approval_requested');
-- The filter amount, and the search for an amount.
create index payments_amount on payments (organization, amount, id);

create table payment_recipients (
  id bigint generated always as identity primary key,
  payment bigint not null references payments,
  organization bigint not null,
  contact bigint not null,
  network text not null,
  phonenumber text not null,
  amount numeric(19,4) not null check (amount > 0),
  fee numeric(19,4) not null check (fee >= 0),
  description text not null,
  metadata json not null,
  national_id text,
  national_id_type text check (national_id_type in ('passport', 'military', 'national')),
  state text not null check (state in ('new', 'queued', 'processing', 'pending_confirmation', 'complete', 'error', 'paused',
    'parked', 'aborted')),
  last_error text,
  remote_id text,
  remote_transaction_id text,
  network_calls integer not null default 0,
  modified timestamptz not null,
  due_at timestamptz,
  leased_until timestamptz,
  sent_at timestamptz,
  reversed_in_parts numeric(19,4) not null default 0,
  reversed boolean not null default false,
  connection text not null,
  check ((state in ('complete', 'error', 'aborted')) <= (due_at is null)),
  check (reversed_in_parts >= 0 and reversed_in_parts <= amount)
) with (fillfactor = 85);
comment on table payment_recipients is 'Phones of payments. due_at is the time to make its order; the order then has a job of its own (network_orders).';
comment on column payment_recipients.remote_id is 'The network''s id of our order.';
comment on column payment_recipients.remote_transaction_id is 'The network''s id of the money that it sent.';
comment on column payment_recipients.network_calls is 'Number of calls to the network for this recipient: the order itself and each status query.';
comment on column payment_recipients.leased_until is 'Real time. Until then, the process that claimed the row works on it.';
comment on column payment_recipients.sent_at is 'Time when the payout was sent last. Null: it is not sent, or it certainly never arrived at the network and is sent again.';
comment on column payment_recipients.reversed_in_parts is 'The sum of the parts that the network has reversed.';
comment on column payment_recipients.reversed is 'True if the network has reversed everything.';
-- The recipients of a payment.
create index payment_recipients_payment on payment_recipients (payment, id);
-- The filter phone_number, the search, and duplicates in a file.
create index payment_recipients_phone on payment_recipients (organization, phonenumber);
-- Payouts that need a person, and money of a wallet that is on hold for payouts.
create index payment_recipients_not_complete on payment_recipients (organization, state)
  where state not in ('complete', 'aborted');
-- Payments to a customer, and the filters by name.
create index payment_recipients_contact on payment_recipients (contact);
-- The payout that a statement or a callback names, the filter remote_transaction_id, and the search.
create index payment_recipients_connection_remote_id on payment_recipients (connection, remote_transaction_id)
  where remote_transaction_id is not null;
-- Recipients that are due, in turn by organization.
create index payment_recipients_due_by_organization on payment_recipients (organization, due_at) where due_at is not null;

create table payment_transitions (
  id bigint generated always as identity primary key,
  payment bigint not null,
  from_state text not null,
  to_state text not null,
  at timestamptz not null,
  author bigint not null,
  note text
);
comment on table payment_transitions is 'Changes of a payment''s state. The creation of a payment is not a change.';
-- The timeline of a payment.
create index payment_transitions_payment on payment_transitions (payment);

create table payout_reversals (
  recipient bigint references payment_recipients,
  remote_id text,
  amount numeric(19,4) not null check (amount > 0),
  created timestamptz not null,
  primary key (recipient, remote_id)
);
comment on table payout_reversals is 'The parts of payouts that networks have reversed, each once.';
comment on column payout_reversals.remote_id is 'The network''s own id of the reversal.';
comment on column payout_reversals.amount is 'Amount that came back, at most the rest of the payout.';
-- Reversals that a statement of the network lists.
create index payout_reversals_remote on payout_reversals (remote_id);

create table late_payouts (
  recipient bigint primary key references payment_recipients,
  payment bigint not null references payments,
  organization bigint not null,
  amount numeric(19,4) not null check (amount > 0),
  booked boolean not null,
  detected timestamptz not null,
  reviewed timestamptz,
  reviewed_by text,
  check ((reviewed is null) = (reviewed_by is null))
);
comment on table late_payouts is 'Payouts that a network reported as sent after it had reported a failure. A person has to look into each.';
comment on column late_payouts.amount is 'Amount that the network says it sent.';
comment on column late_payouts.booked is 'True if the money was taken from its account again. False if the amount is not the ordered one.';
comment on column late_payouts.reviewed is 'Time when a person settled the matter.';
-- Late payouts that nobody has reviewed.
create index late_payouts_open on late_payouts (organization, recipient) where reviewed is null;
-- The late payouts of a payment, when it is deleted.
create index late_payouts_payment on late_payouts (payment);

create table bulk_payments (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  file_name text not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  ignored_columns text[] not null default '{}'::text[],
  description text not null,
  account bigint references accounts,
  send_sms_message boolean not null,
  state text not null check (state in ('draft', 'creating', 'stopped', 'created')),
  problem text,
  names_requested timestamptz,
  retry_of bigint references bulk_payments on delete set null,
  created timestamptz not null,
  author bigint not null references users,
  started timestamptz,
  started_by bigint references users,
  modified timestamptz not null,
  due_at timestamptz,
  leased_until timestamptz,
  notes text[] not null default '{}'::text[],
  check ((state = 'draft') = (started is null)),
  check ((started is null) = (started_by is null)),
  check ((state = 'creating') = (due_at is not null)),
  check ((state = 'stopped') = (problem is not null))
);
comment on table bulk_payments is 'Files of payments. A draft may be changed and deleted; a started one becomes payments, a group of its rows each.';
comment on column bulk_payments.digest is 'SHA-256 of the file, so that the same file is recognized when it comes again.';
comment on column bulk_payments.description is 'Purpose of the payments; a row may say something else.';
comment on column bulk_payments.account is 'The wallet that pays the rows that name none. Null: the oldest wallet in the currency of the row.';
comment on column bulk_payments.problem is 'Reason why no more payments are created, in words.';
comment on column bulk_payments.names_requested is 'Time when a person asked for the names that the networks know.';
comment on column bulk_payments.retry_of is 'The one whose failed rows these are.';
comment on column bulk_payments.due_at is 'Time when the next group of rows becomes a payment.';
comment on column bulk_payments.notes is 'Notes on how the file was read, in sentences: hidden rows, columns and sheets that were left out, columns of formulas, a guessed encoding.';
-- The list of files, newest first.
create index bulk_payments_newest on bulk_payments (organization, id desc);
-- Files whose next payment is due.
create index bulk_payments_due on bulk_payments (due_at) where due_at is not null;
-- Earlier uploads of the same file.
create index bulk_payments_of_file on bulk_payments (organization, digest);

create table bulk_payment_rows (
  bulk_payment bigint references bulk_payments on delete cascade,
  organization bigint not null references organizations,
  number integer check (number > 0),
  cells jsonb not null,
  phonenumber text,
  name text not null,
  amount numeric(19,4) check (amount > 0),
  currency text,
  account bigint references accounts,
  description text not null,
  network text,
  fee numeric(19,4) check (fee >= 0),
  problems jsonb not null,
  warnings jsonb not null,
  decision text check (decision in ('pay', 'skip')),
  payment bigint references payments,
  recipient bigint unique references payment_recipients,
  primary key (bulk_payment, number),
  check ((payment is null) = (recipient is null)),
  check (recipient is null or (decision is distinct from 'skip'))
);
comment on table bulk_payment_rows is 'The rows of the files. A row becomes a recipient of a payment at most once.';
comment on column bulk_payment_rows.number is 'Number of the row in the file, where the first line is 1.';
comment on column bulk_payment_rows.cells is 'Cells of the file, by column: a list of text, and the kind of the cell if it is not text.';
comment on column bulk_payment_rows.problems is 'Reasons why it cannot be paid: a list of column and message.';
comment on column bulk_payment_rows.warnings is 'Reasons why it may be paid twice: a list of code, and of rows or payments.';
comment on column bulk_payment_rows.decision is 'pay: a person has seen the warnings and wants it paid. skip: it is left out.';
-- The erasure of a person, and duplicates in files that are not paid yet.
create index bulk_payment_rows_of_phone on bulk_payment_rows (organization, phonenumber);
-- The file of a payment.
create index bulk_payment_rows_of_payment on bulk_payment_rows (payment) where payment is not null;

create table approval_rules (
  organization bigint references organizations,
  currency text references currencies (code),
  threshold numeric(19,4) not null check (threshold >= 0),
  second_threshold numeric(19,4),
  third_threshold numeric(19,4),
  primary key (organization, currency),
  check (second_threshold >= 0 and third_threshold >= 0)
);
comment on table approval_rules is 'Rules for payments that need the approval of a second person.';
comment on column approval_rules.threshold is 'Payments of more than this amount need the approval of a second person.';
comment on column approval_rules.second_threshold is 'Payments of more than this amount need the approval of two persons besides the one who initiated them. Null: one is enough.';
comment on column approval_rules.third_threshold is 'Payments of more than this amount need the approval of three persons. Null: two are enough.';

create table approver_limits (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  "user" bigint not null references users,
  currency text not null references currencies (code),
  per_payment numeric(19,4) check (per_payment >= 0),
  per_day numeric(19,4) check (per_day >= 0),
  unique (organization, "user", currency)
);
comment on table approver_limits is 'Limits of approvers. The row is also the lock under which this person approves payments.';
comment on column approver_limits.per_payment is 'The largest payment that this person may approve. Null: no limit.';
comment on column approver_limits.per_day is 'Sum that this person may approve in 24 hours. Null: no limit.';

create table payment_limits (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  currency text not null references currencies (code),
  per_day numeric(19,4) check (per_day >= 0),
  per_recipient numeric(19,4) check (per_recipient >= 0),
  per_user numeric(19,4) check (per_user >= 0),
  unique (organization, currency)
);
comment on table payment_limits is 'Limits of the sums of payments in 24 hours. The row is also the lock under which payments are accepted and approved.';
comment on column payment_limits.per_day is 'All payments of a day together. Null: no limit.';
comment on column payment_limits.per_recipient is 'Sum that one phone number may get in 24 hours. Null: no limit.';
comment on column payment_limits.per_user is 'Sum that one user may initiate in 24 hours. Null: no limit.';

create table payment_approvals (
  organization bigint not null,
  payment bigint references payments,
  "user" bigint references users,
  approved timestamptz not null,
  primary key (payment, "user")
);
comment on table payment_approvals is 'The approvals of payments, one for each person.';
-- Limits on what a person approves in a day.
create index payment_approvals_user on payment_approvals (organization, "user", approved);

create table approval_notices (
  organization bigint not null,
  payment bigint references payments,
  "user" bigint references users,
  told timestamptz not null,
  primary key (payment, "user")
);
comment on table approval_notices is 'Approvers who have got a mail about a payment that waits for them. The rows are deleted when the payment is decided.';
