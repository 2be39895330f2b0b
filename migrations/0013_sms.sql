-- SMS: routes, messages, replies and costs.
-- Kind: widen

create table sms_routes (
  id bigint generated always as identity primary key,
  organization bigint references organizations,
  country text check (country ~ '^[A-Z]{2}$'),
  purpose text check (purpose in ('instructions', 'reminder', 'payment_link', 'success', 'goods', 'message', 'reply')),
  connection text not null,
  sender_id text,
  priority integer not null default 100,
  price numeric(19,4) check (price >= 0),
  currency text,
  created timestamptz not null,
  unique nulls not distinct (organization, country, purpose, connection),
  check ((price is null) = (currency is null))
);
comment on table sms_routes is 'Routes: the connections that carry SMS, by organization, country and purpose. Null means all. Without a fitting route, all active connections do, in the order of their priorities.';
comment on column sms_routes.priority is 'The smallest number is preferred; of equal ones the lowest price.';
comment on column sms_routes.price is 'Price of one part, in currency. It only decides which route is cheaper.';

create table sms_country_rules (
  country text primary key check (country ~ '^[A-Z]{2}$'),
  time_zone text not null,
  quiet_from time without time zone,
  quiet_until time without time zone,
  consent_required boolean not null default false,
  check ((quiet_from is null) = (quiet_until is null))
);
comment on table sms_country_rules is 'Rules of a country for SMS that are not transactional: hours and consent. A country without a row has the rules of the program.';

create table sms_sender_ids (
  id bigint generated always as identity primary key,
  organization bigint references organizations,
  country text check (country ~ '^[A-Z]{2}$'),
  sender_id text not null,
  created timestamptz not null,
  unique nulls not distinct (organization, country)
);
comment on table sms_sender_ids is 'Senders that phones show, by organization and country. Null means all.';

create table sms_limits (
  organization bigint primary key references organizations,
  monthly_parts integer check (monthly_parts >= 0),
  stop_covers_receipts boolean not null default false
);
comment on column sms_limits.monthly_parts is 'Maximum number of SMS parts of an organization in a month (UTC). Null: any number.';
comment on column sms_limits.stop_covers_receipts is 'True if STOP also ends the SMS that confirm payments.';

create table sms_costs (
  organization bigint,
  month date,
  connection text,
  currency text,
  messages integer not null,
  cost numeric(38,4) not null,
  primary key (organization, month, connection, currency)
);
comment on table sms_costs is 'Costs of the SMS of a month, as providers reported them.';

create table sms_months (
  organization bigint,
  month date,
  messages integer not null,
  parts integer not null,
  primary key (organization, month)
);
comment on table sms_months is 'Numbers of SMS and parts that were sent in a month, or are being sent. An SMS over two routes counts twice.';

create table sms_consents (
  id bigint generated always as identity primary key,
  organization bigint references organizations,
  phonenumber text not null,
  state text not null check (state in ('given', 'withdrawn')),
  word text,
  connection text,
  by text,
  at timestamptz not null,
  unique nulls not distinct (phonenumber, organization)
);
comment on table sms_consents is 'Consents and refusals of SMS that are not transactional. Without an organization a row counts for all of them.';
comment on column sms_consents.word is 'The word that the customer sent, such as STOP. Null: a person entered it.';

create table sms_messages (
  id bigint generated always as identity primary key,
  organization bigint not null,
  collection_request bigint,
  purpose text not null check (purpose in ('instructions', 'reminder', 'payment_link', 'success', 'goods', 'message', 'reply')),
  phonenumber text not null,
  body text not null,
  suffix text,
  state text not null check (state in ('waiting', 'sent', 'delivered', 'failed', 'unknown')),
  sender text,
  remote_id text,
  last_error text,
  attempts integer not null default 0,
  created timestamptz not null,
  sent_at timestamptz,
  due_at timestamptz,
  leased_until timestamptz,
  bill_purchase bigint,
  country text,
  transactional boolean not null default true,
  valid_until timestamptz,
  connection text not null default '',
  queue text not null default '',
  sender_id text,
  route_attempt smallint not null default 0,
  attempt smallint not null default 0,
  reason text,
  code text,
  encoding text,
  parts integer,
  cost numeric(19,4),
  currency text,
  status_queries integer not null default 0,
  delivered_at timestamptz,
  number smallint not null default 0,
  payment_recipient bigint,
  check (num_nonnulls(collection_request, bill_purchase) <= 1),
  check (due_at is not null or state <> 'waiting'),
  check (due_at is null or state in ('waiting', 'sent', 'delivered')),
  check (sent_at is not null or state not in ('sent', 'delivered'))
) with (fillfactor = 50);
comment on table sms_messages is 'SMS to customers. For each request there is at most one with instructions and one that confirms success. For each purchase there is at most one with the goods, and for each recipient of a payment at most one. The row is also its own job.';
comment on column sms_messages.purpose is 'Purpose. instructions: how to pay. reminder: the same again, because a person asked for it. payment_link: the address of a page to pay on. success: the money has arrived. goods: the goods, such as a token. message: a person wrote it. reply: the answer to a word such as STOP.';
comment on column sms_messages.suffix is 'The text after the body. Set at the first attempt, so that every attempt sends the same message.';
comment on column sms_messages.state is 'State. waiting: to be sent. sent: a provider has it. delivered: it reached the phone. failed: it did not. unknown: no provider confirmed that it has it, and it is not sent any more.';
comment on column sms_messages.sender is 'The slug of the connection of the last attempt.';
comment on column sms_messages.remote_id is 'The provider''s id of the message, if it gives one.';
comment on column sms_messages.attempts is 'Number of times sending was started since the message was written or a person requested to send it again.';
comment on column sms_messages.due_at is 'Time of the next sending or, once it is sent, of the next status query about outcome and cost.';
comment on column sms_messages.leased_until is 'Real time. Until then, the process that claimed the row sends it.';
comment on column sms_messages.country is 'ISO 3166-1 of the phone. Null: not known yet.';
comment on column sms_messages.transactional is 'True if the customer has just done something that it answers. Only such SMS are sent in quiet hours and after STOP.';
comment on column sms_messages.valid_until is 'Time after which it is not sent. Null: a day after its creation.';
comment on column sms_messages.connection is 'The slug of the connection that sends it; empty before a route was chosen.';
comment on column sms_messages.queue is 'The connection in whose turn it is due. Empty before a route was chosen, and during the first call, so that the choice writes no index.';
comment on column sms_messages.sender_id is 'Sender that the phone shows. Null: the provider''s own.';
comment on column sms_messages.route_attempt is 'Route that it goes over: 1, or 2 after the first one failed. 0: none was chosen.';
comment on column sms_messages.attempt is 'The number of its newest row in sms_attempts.';
comment on column sms_messages.status_queries is 'Number of status queries to its provider.';
comment on column sms_messages.number is 'Counts the reminders and links of a request; 0 for SMS that a request has only once.';
comment on column sms_messages.payment_recipient is 'Recipient of a payment who gets this SMS about the money.';
-- SMS that are due, in turn by connection and organization.
create index sms_messages_due on sms_messages (queue, organization, due_at) where due_at is not null;
-- The list of SMS, newest first.
create index sms_messages_of_organization on sms_messages (organization, id);
-- The SMS to a phone: the organizations that an answer is for, and the filter phonenumber.
create index sms_messages_of_phone on sms_messages (phonenumber, id);
-- A purchase has one SMS for each purpose; the SMS of a purchase.
create unique index sms_messages_of_purchase on sms_messages (bill_purchase, purpose) where bill_purchase is not null;
-- SMS that did not arrive, on Home.
create index sms_messages_not_arrived on sms_messages (organization, id) where state in ('failed', 'unknown');
-- A request has one SMS for each purpose and number; the SMS of a request.
create unique index sms_messages_of_request on sms_messages (collection_request, purpose, number);
-- A recipient has one SMS; the SMS of a payment.
create unique index sms_messages_of_recipient on sms_messages (payment_recipient) where payment_recipient is not null;

create table sms_attempts (
  id bigint generated always as identity,
  sms_message bigint not null,
  attempt smallint not null,
  connection text not null,
  sender_id text,
  reference text not null,
  remote_id text,
  outcome text check (outcome in ('sent', 'delivered', 'failed', 'unknown')),
  parts integer not null,
  cost numeric(19,4),
  currency text,
  month date,
  created timestamptz not null,
  -- Nothing reads an attempt by its id: sms_answers have it.
  primary key (sms_message, attempt),
  check ((cost is null) = (currency is null))
) with (fillfactor = 50);
comment on table sms_attempts is 'The providers over which an SMS was sent, each with the reference of the SMS there. A second one follows when the first did not deliver it.';
comment on column sms_attempts.reference is 'Fifteen random letters and digits and nine for the SMS, by which the attempt is found. It stays the same over all tries at this provider.';
comment on column sms_attempts.remote_id is 'The provider''s id of the SMS.';
comment on column sms_attempts.outcome is 'Latest report of the provider. Null: it was not asked to send it yet.';
comment on column sms_attempts.month is 'The first day of the month in whose usage its parts are counted. Null: they are not.';
-- Reports that name an SMS by the id of its provider.
create index sms_attempts_remote_id on sms_attempts (connection, remote_id) where remote_id is not null;

create table sms_answers (
  id bigint generated always as identity,
  sms_attempt bigint not null,
  at timestamptz not null,
  source text not null check (source in ('reply', 'status', 'report')),
  outcome text not null check (outcome in ('sent', 'delivered', 'failed', 'unknown')),
  reason text,
  code text,
  message text,
  primary key (sms_attempt, id)
);
comment on table sms_answers is 'Reports of providers about SMS, each change. Rows are added, and changed only to erase a person.';

create table sms_early_reports (
  id bigint generated always as identity primary key,
  connection text not null,
  remote_id text not null,
  report jsonb not null,
  received timestamptz not null
);
comment on table sms_early_reports is 'Reports that came before the answer that tells the provider''s id of their SMS. Rows are deleted after a day.';
-- Reports that came before the answer to which they belong.
create index sms_early_reports_remote_id on sms_early_reports (connection, remote_id);
-- Early reports are deleted after a day.
create index sms_early_reports_received on sms_early_reports (received);

create table sms_incoming (
  id bigint generated always as identity primary key,
  connection text not null,
  remote_id text not null,
  phonenumber text not null,
  recipient text not null,
  body text not null,
  meaning text check (meaning in ('stop', 'start', 'help')),
  organization bigint,
  received timestamptz not null,
  unique (connection, remote_id)
);
comment on table sms_incoming is 'SMS that customers sent to us. Rows are deleted after 90 days.';
comment on column sms_incoming.recipient is 'Our number, short code or sender id.';
-- Incoming SMS are deleted by their age.
create index sms_incoming_received on sms_incoming (received);

create table sms_sessions (
  connection text primary key,
  holder text not null,
  leased_until timestamptz not null,
  is_open boolean not null
);
comment on table sms_sessions is 'Process that holds the session of a connection, such as a bind over SMPP. Times are real ones.';
