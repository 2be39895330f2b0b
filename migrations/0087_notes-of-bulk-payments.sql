-- Kind: widen
-- What a person must know before the payments of a file start, such as which hidden rows were left out.
alter table bulk_payments add column notes text[] not null default '{}';
comment on column bulk_payments.notes is 'How the file was read, in sentences: hidden rows, columns and sheets that were left out, columns of formulas, an encoding that was guessed.';
