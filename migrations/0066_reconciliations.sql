-- Kind: widen
-- Comparisons of networks' statements with the ledger that people made in the console, and what was done about the differences.
create table reconciliation_runs (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  connection text not null,
  network text not null,
  file_name text not null,
  file_sha256 text not null check (file_sha256 ~ '^[0-9a-f]{64}$'),
  period_from timestamptz not null,
  period_to timestamptz not null,
  lines integer not null check (lines >= 0),
  agreeing integer not null check (agreeing >= 0),
  sent boolean not null,
  differences integer not null check (differences >= 0),
  author bigint not null references users,
  author_name text not null,
  created timestamptz not null
);
create index reconciliation_runs_newest on reconciliation_runs (organization, id desc);
comment on table reconciliation_runs is 'One comparison of a statement of a network with the ledger. The file is not kept, only its digest.';
comment on column reconciliation_runs.connection is 'The slug of the merchant account.';
comment on column reconciliation_runs.sent is 'Whether the statement lists sent money, so that payments were compared too.';
comment on column reconciliation_runs.differences is 'How many differences were found. At most 10,000 of them are kept as findings.';

create table reconciliation_findings (
  id bigint generated always as identity primary key,
  run bigint not null references reconciliation_runs,
  kind text not null check (kind in ('missing_in_books', 'missing_at_network', 'amount_differs', 'currency_differs',
    'status_differs', 'repeated_in_statement', 'fee_differs')),
  remote_id text not null,
  line integer,
  stated_status text,
  stated_amount numeric(19,4),
  stated_currency text,
  stated_sent boolean,
  stated_fee numeric(19,4),
  stated_reversal_of text,
  stated_at timestamptz,
  booked_what text check (booked_what in ('collection', 'payment', 'reversal')),
  booked_id bigint,
  booked_status text,
  booked_amount numeric(19,4),
  booked_currency text,
  booked_fee numeric(19,4),
  booked_at timestamptz,
  state text not null check (state in ('open', 'asked', 'resolved', 'explained')),
  answer text not null default '',
  note text not null default '',
  decided_by bigint references users,
  decided_by_name text,
  decided timestamptz,
  due_at timestamptz,
  leased_until timestamptz,
  check ((state = 'asked') = (due_at is not null)),
  check ((line is null) <= (booked_id is not null)),
  check ((state = 'explained') <= (note <> ''))
);
create index reconciliation_findings_of_run on reconciliation_findings (run, id);
create index reconciliation_findings_due on reconciliation_findings (due_at) where due_at is not null;
comment on table reconciliation_findings is 'One difference between a statement and the ledger, as it was when they were compared, and what a person did about it.';
comment on column reconciliation_findings.line is 'The line of the file. Null: the statement does not list it.';
comment on column reconciliation_findings.booked_id is 'The collection, or the recipient of a payment; for a reversal that of the whole. Null: the ledger does not have it.';
comment on column reconciliation_findings.state is 'asked: the network is asked about it, at due_at. resolved: the ledger has now what the network confirmed. explained: a person wrote why it differs.';
comment on column reconciliation_findings.answer is 'Why nothing was recorded when the network was asked last; empty otherwise.';
