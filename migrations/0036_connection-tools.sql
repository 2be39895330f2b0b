-- What the processes of the service share about the connections to networks: access tokens, health, and alarms. All of it may
-- be lost at any time: tokens are fetched again, and health is measured again.

create table network_tokens (
  connection text not null,
  name text not null,
  revision text not null,
  sealed text,
  expires timestamptz,
  fetched timestamptz,
  leased_until timestamptz,
  leased_by text,
  primary key (connection, name),
  check ((sealed is null) = (expires is null) and (sealed is null) = (fetched is null))
);
comment on table network_tokens is 'Access tokens of networks, one for all processes: at some networks a new token ends the earlier one.';
comment on column network_tokens.connection is 'The slug of the connection.';
comment on column network_tokens.name is 'The driver''s name of the token, such as collection.';
comment on column network_tokens.revision is 'The version of the connection''s settings with which the token was fetched. Another one makes it worthless.';
comment on column network_tokens.sealed is 'The token, encrypted. Null until the first one is there.';
comment on column network_tokens.leased_until is 'Until when one process (leased_by) fetches a new token, while the others wait for it.';

create table connection_health (
  connection text not null,
  process text not null,
  updated timestamptz not null,
  calls integer not null,
  unanswered integer not null,
  durations jsonb not null,
  last_call timestamptz,
  last_answer timestamptz,
  degraded_since timestamptz,
  primary key (connection, process)
);
comment on table connection_health is 'How the calls of each process over a connection went in its last 15 minutes. Rows of ended processes are deleted.';
comment on column connection_health.process is 'A random name of the process.';
comment on column connection_health.unanswered is 'How many of the calls had no answer, or one that says that the network does not work.';
comment on column connection_health.durations is 'Counts of calls by duration, in the steps of src/lib/latencies.ts.';
comment on column connection_health.degraded_since is 'Since when this process sends only one call at a time because most had no answer. Null: it does not.';

create table connection_alarms (
  connection text not null,
  message text not null check (length(message) <= 500),
  first timestamptz not null,
  last timestamptz not null,
  count bigint not null,
  primary key (connection, message)
);
comment on table connection_alarms is 'What only the operator can repair about a connection, such as a refused credential. Rows are deleted 30 days after they were seen last.';
