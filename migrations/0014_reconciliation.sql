-- Comparisons of the books with the statements of networks.
-- Kind: widen

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
  created timestamptz not null,
  zone text,
  notes text[] not null default '{}'::text[],
  sums jsonb not null default '[]'::jsonb
);
comment on table reconciliation_runs is 'Comparisons of a statement of a network with the ledger. The file is not kept, only its digest.';
comment on column reconciliation_runs.connection is 'The slug of the merchant account.';
comment on column reconciliation_runs.sent is 'True if the statement lists sent money, so that payments were compared too.';
comment on column reconciliation_runs.differences is 'Number of differences found. At most 10,000 of them are kept as findings.';
comment on column reconciliation_runs.zone is 'The time zone of times that name none in the file. Null: the network gave the statement itself.';
comment on column reconciliation_runs.notes is 'Notes on how the file was read, in sentences, such as hidden rows that were left out.';
comment on column reconciliation_runs.sums is 'Sums by currency of the statement and of the ledger, received and sent.';
-- The list of runs, newest first.
create index reconciliation_runs_newest on reconciliation_runs (organization, id desc);

create table reconciliation_findings (
  id bigint generated always as identity primary key,
  run bigint not null references reconciliation_runs,
  kind text not null check (kind in ('missing_in_books', 'missing_at_network', 'amount_differs', 'currency_differs',
    'status_differs', 'repeated_in_statement', 'fee_differs', 'unreadable')),
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
  state text not null check (state in ('open', 'asked', 'entered', 'resolved', 'explained')),
  answer text not null default '',
  note text not null default '',
  decided_by bigint references users,
  decided_by_name text,
  decided timestamptz,
  due_at timestamptz,
  leased_until timestamptz,
  problem text not null default '',
  stated_phone text,
  stated_name text,
  entry_account bigint references accounts,
  entry_phone text,
  entry_note text,
  entered_by bigint references users,
  entered_by_name text,
  entered timestamptz,
  check ((state = 'asked') = (due_at is not null)),
  check ((line is null) <= (booked_id is not null)),
  check ((state = 'explained') <= (note <> ''))
);
comment on table reconciliation_findings is 'Differences between a statement and the ledger at the time of the comparison, and the actions of people on them.';
comment on column reconciliation_findings.line is 'The line of the file. Null: the statement does not list it.';
comment on column reconciliation_findings.booked_id is 'Collection, or recipient of a payment; for a partial reversal, the whole one. Null: the ledger does not have it.';
comment on column reconciliation_findings.state is 'asked: the network is asked about it, at due_at. entered: a person has entered its money, and a second person has to approve it. resolved: the ledger has it now. explained: a person wrote why it differs.';
comment on column reconciliation_findings.answer is 'Reason why nothing was recorded when the network was asked last; empty otherwise.';
comment on column reconciliation_findings.problem is 'Part of the line that cannot be read; empty for a line that was compared.';
comment on column reconciliation_findings.stated_phone is 'The phone number of the other side as the statement has it, some with hidden digits.';
comment on column reconciliation_findings.stated_name is 'The name of the other side as the statement has it.';
comment on column reconciliation_findings.entry_account is 'The wallet to which a person has entered the money of the line.';
comment on column reconciliation_findings.entry_phone is 'The phone number of the payer (E.164), which the statement may hide.';
comment on column reconciliation_findings.entry_note is 'Note of the person who entered it.';
comment on column reconciliation_findings.entered_by is 'User who has entered the money; a second person approves it, and is in decided_by.';
-- The findings of a run, in the order of their lines.
create index reconciliation_findings_of_run on reconciliation_findings (run, id);
-- Findings about which the network is asked.
create index reconciliation_findings_due on reconciliation_findings (due_at) where due_at is not null;
