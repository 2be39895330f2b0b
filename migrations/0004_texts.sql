-- The SMS outbox. A text is written in the transaction that gives the reason for it, and sent by a job afterwards: a
-- provider that is down never holds up money. Due times are on the service's clock, leases on the real one.

create table texts (
  id bigint generated always as identity primary key,
  organization bigint not null,
  collection_request bigint not null,
  why text not null check (why in ('instructions', 'success')),
  phonenumber text not null,
  body text not null,
  suffix text,
  state text not null check (state in ('waiting', 'sent', 'failed')),
  sender text,
  remote_id text,
  last_error text,
  tries integer not null default 0,
  created timestamptz not null,
  sent_at timestamptz,
  due_at timestamptz,
  leased_until timestamptz,
  unique (collection_request, why),
  check ((state = 'waiting') = (due_at is not null)),
  check ((state = 'sent') = (sent_at is not null))
) with (fillfactor = 70);
comment on table texts is 'SMS to customers: at most one with instructions and one on success for a request. The row is also its own job.';
comment on column texts.suffix is 'What follows the body. Fixed by the first try, so that every further try says the same.';
comment on column texts.sender is 'The code of the sender that tried last.';
comment on column texts.remote_id is 'What the provider calls the text, where it says so.';
comment on column texts.tries is 'How often sending was begun since the text was written or a person asked for it again.';
comment on column texts.leased_until is 'Real time. Until then the process that claimed the row sends it.';
create index texts_due on texts (due_at) where due_at is not null;
create index texts_failed on texts (id) where state = 'failed';
