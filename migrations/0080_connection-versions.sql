-- Kind: widen
-- A report of a network is believed because of the settings of its connection. It counts only if they are those of the row.
alter table connections add column version integer not null default 1;
comment on column connections.version is 'Counts the changes of its settings, secrets and hosts. A report that another version has believed is read again.';
