-- Sandbox: the simulated network may take money back that it has sent to a phone, and lists what it sent in its statement.

alter table simulator_payouts
  add column paid_at timestamptz,
  drop constraint simulator_payouts_state_check,
  drop constraint simulator_payouts_check,
  drop constraint simulator_payouts_check2;
comment on column simulator_payouts.paid_at is 'When the money reached the phone; for what was sent before this column, when it was asked for.';
update simulator_payouts set paid_at = created where state = 'paid';
alter table simulator_payouts
  add check (state in ('turned_away', 'pending', 'paid', 'failed', 'taken_back')),
  add check ((state in ('paid', 'taken_back')) = (transaction is not null)),
  add check ((transaction is null) = (paid_at is null)),
  add check (due_at is null or state in ('pending', 'paid'));
create index simulator_payouts_statement on simulator_payouts (paid_at, transaction) where transaction is not null;
