-- A change of a connection may wait for a second manager. The secrets that it would set wait encrypted, and leave with the decision.
alter table control_changes add column sealed text;
comment on column control_changes.sealed is 'Secret settings of a connection that a pending change would set, as encrypted JSON. Null otherwise.';
