-- Outside of a transaction: constraints are checked while others write.
-- Kind: widen
-- A statement is compared as its portal writes it: in the time zone of the network, with the lines that cannot be read, with the other
-- side of each line, and with the sums of both sides. Money that only the statement shows is entered by two persons.
alter table reconciliation_runs
  add column if not exists zone text,
  add column if not exists notes text[] not null default '{}',
  add column if not exists sums jsonb not null default '[]';
comment on column reconciliation_runs.zone is 'The time zone of times that name none in the file. Null: compared by an earlier version, as UTC.';
comment on column reconciliation_runs.notes is 'How the file was read, in sentences, such as hidden rows that were left out.';
comment on column reconciliation_runs.sums is 'By currency: what the statement lists and what the ledger has, received and sent.';
alter table reconciliation_findings
  add column if not exists problem text not null default '',
  add column if not exists stated_phone text,
  add column if not exists stated_name text,
  add column if not exists entry_account bigint,
  add column if not exists entry_phone text,
  add column if not exists entry_note text,
  add column if not exists entered_by bigint,
  add column if not exists entered_by_name text,
  add column if not exists entered timestamptz;
alter table reconciliation_findings drop constraint if exists reconciliation_findings_kind_check;
alter table reconciliation_findings drop constraint if exists reconciliation_findings_kind;
alter table reconciliation_findings add constraint reconciliation_findings_kind check (kind in ('missing_in_books',
  'missing_at_network', 'amount_differs', 'currency_differs', 'status_differs', 'repeated_in_statement', 'fee_differs',
  'unreadable')) not valid;
alter table reconciliation_findings validate constraint reconciliation_findings_kind;
alter table reconciliation_findings drop constraint if exists reconciliation_findings_state_check;
alter table reconciliation_findings drop constraint if exists reconciliation_findings_state;
alter table reconciliation_findings add constraint reconciliation_findings_state
  check (state in ('open', 'asked', 'entered', 'resolved', 'explained')) not valid;
alter table reconciliation_findings validate constraint reconciliation_findings_state;
alter table reconciliation_findings drop constraint if exists reconciliation_findings_entry_account;
alter table reconciliation_findings add constraint reconciliation_findings_entry_account
  foreign key (entry_account) references accounts not valid;
alter table reconciliation_findings validate constraint reconciliation_findings_entry_account;
alter table reconciliation_findings drop constraint if exists reconciliation_findings_entered_by;
alter table reconciliation_findings add constraint reconciliation_findings_entered_by
  foreign key (entered_by) references users not valid;
alter table reconciliation_findings validate constraint reconciliation_findings_entered_by;
comment on column reconciliation_findings.problem is 'What cannot be read in the line; empty for a line that was compared.';
comment on column reconciliation_findings.stated_phone is 'The phone number of the other side as the statement has it, some with hidden digits.';
comment on column reconciliation_findings.stated_name is 'The name of the other side as the statement has it.';
comment on column reconciliation_findings.entry_account is 'The wallet to which a person has entered the money of the line.';
comment on column reconciliation_findings.entry_phone is 'The phone number of the payer (E.164), which the statement may hide.';
comment on column reconciliation_findings.entry_note is 'What the person who entered it wrote.';
comment on column reconciliation_findings.entered_by is 'Who has entered the money; a second person approves it, and is in decided_by.';
comment on column reconciliation_findings.state is 'asked: the network is asked about it, at due_at. entered: a person has entered its money, and a second person has to approve it. resolved: the ledger has it now. explained: a person wrote why it differs.';
