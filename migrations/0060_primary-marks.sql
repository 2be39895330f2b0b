-- Kind: widen
-- By its mark a replica shows that it has the data of the primary that writes now, and not that of a former primary or of a restored copy.

create table primary_marks (
  id integer primary key check (id = 1),
  timeline text not null,
  mark uuid not null,
  written timestamptz not null
);
comment on table primary_marks is 'One row, which the service writes anew every minute and after each failover, while DATABASE_READ_URL is set. A replica is read only if it has the same mark as the primary.';
comment on column primary_marks.timeline is 'The timeline of PostgreSQL on which the mark was written: the first eight digits of the names of its WAL files.';
