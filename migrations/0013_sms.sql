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
comment on table sms_months is 'Numbers of SMS and parts that were sent in a month, or are being sent. An SMS over two routes counts twice. SMS with stored_parts after sms_month_position are missing: count_new_sms has them.';

create table sms_month_position (
  id integer primary key check (id = 1),
  sms_message bigint not null
);
comment on table sms_month_position is 'Single row: sms_months has the stored_parts of SMS up to this one. A job moves it every second. Without a row it has none.';

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
  stored_parts smallint,
  payment_recipient bigint,
  providers json not null default '[]',
  provider_ids text[],
  check (num_nonnulls(collection_request, bill_purchase) <= 1),
  check (due_at is not null or leased_until is not null or state <> 'waiting'),
  check (due_at is null or state in ('waiting', 'sent', 'delivered')),
  check (last_error is not null or state not in ('failed', 'unknown')),
  check (sent_at is not null or state not in ('sent', 'delivered'))
) with (fillfactor = 85);
comment on table sms_messages is 'SMS to customers. For each request there is at most one with instructions and one that confirms success. For each purchase there is at most one with the goods, and for each recipient of a payment at most one. The row is also its own job.';
comment on column sms_messages.purpose is 'Purpose. instructions: how to pay. reminder: the same again, because a person asked for it. payment_link: the address of a page to pay on. success: the money has arrived. goods: the goods, such as a token. message: a person wrote it. reply: the answer to a word such as STOP.';
comment on column sms_messages.suffix is 'The text after the body. Set at the first attempt, so that every attempt sends the same message.';
comment on column sms_messages.state is 'State. waiting: to be sent. sent: a provider has it. delivered: it reached the phone. failed: it did not. unknown: no provider confirmed that it has it, and it is not sent any more.';
comment on column sms_messages.sender is 'The slug of the connection of the last attempt.';
comment on column sms_messages.remote_id is 'The provider''s id of the message, if it gives one.';
comment on column sms_messages.attempts is 'Number of times sending was started since the message was written or a person requested to send it again.';
comment on column sms_messages.due_at is 'Time of the next sending or, once it is sent, of the next status query about outcome and cost. Null: nothing is to be done, or the process that stored the row sends it at once, under its lease.';
comment on column sms_messages.leased_until is 'Real time. Until then, the process that claimed the row sends it.';
comment on column sms_messages.country is 'ISO 3166-1 of the phone. Null: not known yet.';
comment on column sms_messages.transactional is 'True if the customer has just done something that it answers. Only such SMS are sent in quiet hours and after STOP.';
comment on column sms_messages.valid_until is 'Time after which it is not sent. Null: a day after its creation.';
comment on column sms_messages.connection is 'The slug of the connection that sends it; empty before a route was chosen.';
comment on column sms_messages.queue is 'The connection in whose turn it is due. Empty before a route was chosen, and during the first call, so that the choice writes no index.';
comment on column sms_messages.sender_id is 'Sender that the phone shows. Null: the provider''s own.';
comment on column sms_messages.route_attempt is 'Route that it goes over: 1, or 2 after the first one failed. 0: none was chosen.';
comment on column sms_messages.attempt is 'Number of the providers.';
comment on column sms_messages.status_queries is 'Number of status queries to its provider.';
comment on column sms_messages.number is 'Counts the reminders and links of a request; 0 for SMS that a request has only once.';
comment on column sms_messages.stored_parts is 'Parts that usage has by this row, because its process sends it at once. They never change: corrections are in sms_months. Null: it is counted when it is given to a provider.';
comment on column sms_messages.payment_recipient is 'Recipient of a payment who gets this SMS about the money.';
comment on column sms_messages.providers is 'The providers over which it was sent, the newest last, read as sms_providers. Each is an array: connection, sender_id, the random part of the reference, remote_id, outcome, parts, cost, currency, true if its parts are counted, the time when it began, and then its reports, each change of the outcome: time, source, outcome, reason, code, message. Times are milliseconds since 1970.';
comment on column sms_messages.provider_ids is 'The ids that providers gave it, each after the slug of its connection. Null: none did.';
-- SMS that are due, in turn by connection and organization.
create index sms_messages_due on sms_messages (queue, organization, due_at) where due_at is not null;
-- The list of SMS, newest first.
create index sms_messages_of_organization on sms_messages (organization, id);
-- The SMS to a phone: the organizations that an answer is for, and the filter phonenumber.
create index sms_messages_of_phone on sms_messages (phonenumber, id);
-- A purchase has one SMS for each purpose; the SMS of a purchase.
create unique index sms_messages_of_purchase on sms_messages (bill_purchase, purpose) where bill_purchase is not null;
-- SMS that did not arrive, on Home and in lists: they have an error. The state is in no index, so that an outcome is written to none.
create index sms_messages_not_arrived on sms_messages (organization, id) where last_error is not null;
-- A request has one SMS for each purpose and number; the SMS of a request.
create unique index sms_messages_of_request on sms_messages (collection_request, purpose, number);
-- Reports that name an SMS by the id of its provider.
create index sms_messages_provider_ids on sms_messages using gin (provider_ids) with (gin_pending_list_limit = 512)
  where provider_ids is not null;
-- A recipient has one SMS; the SMS of a payment.
create unique index sms_messages_of_recipient on sms_messages (payment_recipient) where payment_recipient is not null;

create view sms_providers as
  select m.id as sms_message, m.organization, m.phonenumber, place as attempt, p ->> 0 as connection, p ->> 1 as sender_id,
    p ->> 2 as reference_start, p ->> 3 as remote_id, p ->> 4 as outcome, (p ->> 5)::integer as parts, (p ->> 6)::numeric as cost,
    p ->> 7 as currency, case when (p ->> 8)::boolean then date_trunc('month', c.at at time zone 'UTC')::date end as month,
    c.at as created
  from sms_messages m cross join lateral json_array_elements(m.providers) with ordinality as used (p, place)
  cross join lateral (select timestamptz 'epoch' + (p ->> 9)::bigint * interval '1 millisecond' as at) c;
comment on view sms_providers is 'The providers over which an SMS was sent. A second one follows when the first did not deliver it. reference_start: the fifteen random letters and digits of its reference, which nine for the SMS follow; it stays the same over all tries. remote_id: the provider''s id of the SMS. outcome: null until it was asked to send it. month: whose usage has its parts; null for none.';

-- Written in plpgsql for the settings: it always uses the primary key, since few rows are after the position.
create function count_new_sms() returns table (organization bigint, month date, messages bigint, parts bigint)
language plpgsql stable parallel safe
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return query select m.organization, date_trunc('month', m.created at time zone 'UTC')::date, count(*), sum(m.stored_parts)
    from sms_messages m
    where m.stored_parts is not null and m.id > coalesce((select p.sms_message from sms_month_position p), 0) group by 1, 2;
end $$;
comment on function count_new_sms is 'Numbers of SMS and parts that sms_months does not have yet, in the snapshot of the statement that calls it.';

create table sms_requeued (
  id boolean primary key default true check (id),
  up_to bigint not null
);
comment on table sms_requeued is 'SMS up to this one were sent by the process that stored them, or are due. Later ones are looked at, because their process may have ended.';

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
