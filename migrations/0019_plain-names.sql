-- Plain names for tables, columns, indexes and the rest. Every change to a large table is a change of the catalogue only:
-- no row is written and no table is read. Only the simulator's tables get other values; outside the sandbox they are empty.

-- The simulator comes first: its rows are written before any table of the core is locked.

alter table simulator_orders
  drop constraint simulator_orders_state_check,
  drop constraint simulator_orders_will_check;
update simulator_orders set will = case will when 'lapse' then 'expire' else 'reverse' end
  where due_at is not null and will in ('lapse', 'take_back');
update simulator_orders set state = 'not_accepted' where state = 'turned_away';
alter table simulator_orders rename column will to next_action;
alter table simulator_orders rename column asked to times_received;
alter table simulator_orders
  add constraint simulator_orders_state_check check (state in ('not_accepted', 'pending', 'paid', 'failed')),
  add constraint simulator_orders_next_action_check check (next_action in ('pay', 'refuse', 'expire', 'reverse'));

alter table simulator_payouts drop constraint simulator_payouts_state_check;
update simulator_payouts set state = 'not_accepted' where state = 'turned_away';
alter table simulator_payouts rename column asked to times_received;
alter table simulator_payouts
  add constraint simulator_payouts_state_check check (state in ('not_accepted', 'pending', 'paid', 'failed', 'taken_back'));

alter table simulator_callbacks rename column last_answer to last_response;
alter table simulator_offers rename to simulator_validation_requests;

-- Tables.

alter table texts rename to sms_messages;
alter table collection_request_moves rename to collection_request_transitions;
alter table payment_moves rename to payment_transitions;
alter table collection_hooks rename to acceptance_urls;
alter table collection_questions rename to acceptance_checks;
alter table switches rename to flags;
alter table duplicate_keys rename to idempotency_keys;

-- Columns.

alter table sms_messages rename column why to purpose;
alter table sms_messages rename column tries to attempts;
alter table acceptance_checks rename column tries to attempts;
alter table callbacks rename column tries to attempts;
alter table contacts rename column tries to attempts;
alter table contacts rename column erasing to number_being_erased;
alter table collection_requests rename column asked to status_queries;
alter table collection_orders rename column prompted to prompt_sent;
alter table payment_recipients rename column asked to network_calls;
alter table bill_purchases rename column asked to status_queries;
alter table plans rename column made to occurrence_count;
alter table refills rename column amount to target_balance;
alter table fees rename column least to min_fee;
alter table fees rename column most to max_fee;
alter table approval_rules rename column above to threshold;
alter table catalogue_services rename column account_least to min_account_digits;
alter table catalogue_services rename column account_most to max_account_digits;
alter table webhooks rename column previous_until to previous_secret_expires;
alter table webhook_credentials rename column sealed to encrypted_credentials;
alter table signing_users rename column sealed_secret to encrypted_secret;
alter table sessions rename column agent to user_agent;
alter table sign_in_failures rename column hash to email_hash;
alter table sign_in_failures rename column last to last_failure;

-- Partitioned tables: a column is renamed in all partitions at once. The tables keep their names, so the names of the
-- partitions still begin with the name of their table.
alter table webhook_deliveries rename column earlier_attempts to attempts_before_replay;
alter table webhook_attempts rename column answer_headers to response_headers;
alter table webhook_attempts rename column answer_body to response_body;

-- Indexes and a sequence whose own names are not plain.

alter index webhooks_told rename to webhooks_by_event;
alter index collections_fulfil_once rename to collections_one_per_request;
alter index payment_recipients_troubled rename to payment_recipients_not_complete;
alter index events_moments rename to events_created;
alter index callbacks_moments rename to callbacks_received;
alter index webhook_deliveries_first rename to webhook_deliveries_waiting_first;
alter index webhook_deliveries_again rename to webhook_deliveries_waiting_retries;
alter index collection_request_count_changes_of rename to collection_request_count_changes_status;
alter index collection_questions_once rename to acceptance_checks_unique;
alter sequence events_id rename to events_id_seq;

-- Everything that PostgreSQL named after a table or a column follows it: constraints with their indexes, other indexes,
-- and the sequences of ids.
do $$
declare
  renamed record;
  one record;
begin
  for renamed in
    select r.*, c.oid as id from (values
      ('sms_messages', '^texts_', 'sms_messages_'),
      ('collection_request_transitions', '^collection_request_moves_', 'collection_request_transitions_'),
      ('payment_transitions', '^payment_moves_', 'payment_transitions_'),
      ('acceptance_urls', '^collection_hooks_', 'acceptance_urls_'),
      ('acceptance_checks', '^collection_questions_', 'acceptance_checks_'),
      ('flags', '^switches_', 'flags_'),
      ('idempotency_keys', '^duplicate_keys_', 'idempotency_keys_'),
      ('simulator_validation_requests', '^simulator_offers_', 'simulator_validation_requests_'),
      ('simulator_orders', '_asked_', '_times_received_'),
      ('simulator_payouts', '_asked_', '_times_received_'),
      ('sms_messages', '_why_', '_purpose_'),
      ('sms_messages', '_tries_', '_attempts_'),
      ('acceptance_checks', '_tries_', '_attempts_'),
      ('callbacks', '_tries_', '_attempts_'),
      ('contacts', '_tries_', '_attempts_'),
      ('contacts', '_erasing_', '_number_being_erased_'),
      ('collection_requests', '_asked_', '_status_queries_'),
      ('collection_orders', '_prompted_', '_prompt_sent_'),
      ('payment_recipients', '_asked_', '_network_calls_'),
      ('bill_purchases', '_asked_', '_status_queries_'),
      ('plans', '_made_', '_occurrence_count_'),
      ('refills', '_amount_', '_target_balance_'),
      ('fees', '_least_', '_min_fee_'),
      ('fees', '_most_', '_max_fee_'),
      ('approval_rules', '_above_', '_threshold_'),
      ('catalogue_services', '_account_least_', '_min_account_digits_'),
      ('catalogue_services', '_account_most_', '_max_account_digits_'),
      ('webhooks', '_previous_until_', '_previous_secret_expires_'),
      ('webhook_deliveries', '_earlier_attempts_', '_attempts_before_replay_'),
      ('webhook_credentials', '_sealed_', '_encrypted_credentials_'),
      ('signing_users', '_sealed_secret_', '_encrypted_secret_'),
      ('sessions', '_agent_', '_user_agent_'),
      ('sign_in_failures', '_hash_', '_email_hash_'),
      ('sign_in_failures', '_last_', '_last_failure_')
    ) as r("table", old, new)
    join pg_class c on c.relname = r."table" and c.relnamespace = current_schema()::regnamespace
  loop
    -- This also renames the index of a key, and the constraint in all partitions.
    for one in
      select conname as name, regexp_replace(conname, renamed.old, renamed.new) as new_name
      from pg_constraint where conrelid = renamed.id and conname ~ renamed.old and conparentid = 0
    loop
      execute format('alter table %I rename constraint %I to %I', renamed."table", one.name, one.new_name);
    end loop;
    for one in
      select c.relname as name, regexp_replace(c.relname, renamed.old, renamed.new) as new_name
      from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = renamed.id and c.relname ~ renamed.old
        and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
    loop
      execute format('alter index %I rename to %I', one.name, one.new_name);
    end loop;
    for one in
      select c.relname as name, regexp_replace(c.relname, renamed.old, renamed.new) as new_name
      from pg_depend d join pg_class c on c.oid = d.objid and c.relkind = 'S'
      where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = renamed.id
        and d.deptype in ('a', 'i') and c.relname ~ renamed.old
    loop
      execute format('alter sequence %I rename to %I', one.name, one.new_name);
    end loop;
  end loop;
end $$;

-- The first partitions kept the comments of the tables that they were once (0008). The comments of their parents say the same.
do $$
declare
  one record;
begin
  for one in
    select c.relname as "table", a.attname as "column" from pg_description d join pg_class c on c.oid = d.objoid
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid and d.objsubid > 0
    where d.classoid = 'pg_class'::regclass and c.relnamespace = current_schema()::regnamespace and c.relispartition
      and c.relname in ('events_earlier', 'webhook_attempts_earlier', 'webhook_deliveries_earlier')
  loop
    if one."column" is null then execute format('comment on table %I is null', one."table");
    else execute format('comment on column %I.%I is null', one."table", one."column");
    end if;
  end loop;
end $$;

-- The kinds of transfers. 0020 checks the rows that are there already: that takes as long as the table is large, and must
-- not happen while this transaction holds its locks.
alter table transfers add constraint transfers_kind_check check (kind in (
  'mobile_collection', 'mobile_collection_suspense', 'mobile_collection_reversal', 'admin_funds_update', 'test_funds_refill',
  'mobile_payment', 'mobile_payment_hold', 'mobile_payment_release', 'mobile_payment_reversal',
  'airtime_topup', 'airtime_topup_hold', 'airtime_topup_release', 'airtime_topup_reversal',
  'bill_payment', 'bill_payment_hold', 'bill_payment_release', 'bill_payment_reversal',
  'service_charge', 'service_charge_hold', 'service_charge_release', 'service_charge_reversal')) not valid;

-- Comments.

comment on column currencies.usd_rate is 'Local units for one US dollar. The only number of the program that may be a float.';
comment on table currencies is 'Interface 2.1.';
comment on table countries is 'Interface 2.2. The countries of the currencies.';
comment on table users is 'People, and one system user for each organization. The system user is the author of what the service does automatically.';
comment on column memberships.permissions is 'Codes of permissions. A key never has more permissions than its user.';
comment on column api_keys.hash is 'SHA-256 of the key. The key itself is shown once and never stored.';
comment on column api_keys.permissions is 'Null: all permissions of its user.';
comment on column api_keys.last_used is 'Approximate: each process writes it at most once a minute.';
comment on table accounts is 'Ledger accounts. local and cross_border are wallets; the other kinds are the counter accounts of transfers. balance always equals the sum of the transfers.';
comment on column accounts.overdrawn is 'True only while the balance is below zero because a network reversed more money than the wallet held.';
comment on table transfers is 'Double entry: one positive amount from one account to another of the same currency. Rows are never changed and never deleted.';
comment on table receivers is 'A till or short code on a network belongs to exactly one account. Money paid to it is credited to that account.';

comment on column contacts.erased is 'When the personal data of this contact was erased on request.';
comment on column contacts.number_being_erased is 'The phone number that is still being erased from stored messages. Null when the erasure is complete or was never requested.';
comment on column contacts.attempts is 'How often the work that is due was started: the account holder look-up or the erasure.';
comment on column contacts.due_at is 'When to look up the account holder, or when to continue the erasure.';
comment on column contacts.leased_until is 'Real time. Until then, the process that claimed the row works on it.';

comment on table collection_requests is 'Interface 2.5. The row is also its own job: due_at says when the next action is due.';
comment on column collection_requests.attempt is 'How many prompts were started. The last order carries this number.';
comment on column collection_requests.status_queries is 'How often the network was asked for the status of the last order.';
comment on column collection_requests.leased_until is 'Real time. Until then, the process that claimed the row works on it.';
comment on table collection_request_transitions is 'One row for each change of a request''s status. The creation of a request is not a change.';
comment on table collection_request_counts is 'How many requests each organization has in each status, without the changes that are not added yet.';
comment on table collection_request_count_changes is 'Each transaction that creates a request or changes its status appends rows here, so that writers never wait for each other. A job adds them to the counts every second.';
comment on table collection_orders is 'The orders sent to networks for requests, and the last answer of the network. Written before the network is called.';
comment on column collection_orders.prompt_sent is 'Whether the order asks the network to show a prompt on the phone. Otherwise the network only expects the payment.';

comment on table collections is 'Incoming money, recorded once for each network and remote transaction.';
comment on column collections.claimed_by is 'The user who claimed the collection while it was unmatched. Claimed money is no longer unmatched.';
comment on column collections.refunded is 'How much of it was returned or refunded, including payments that are not complete yet.';
comment on table acceptance_urls is 'The URL where an organization decides whether it accepts unrequested money.';
comment on column acceptance_urls.timeout_s is 'How long the organization may take to decide, all attempts together.';
comment on column acceptance_urls.when_unreachable is 'The verdict when the organization does not answer in time.';
comment on table acceptance_checks is 'Requests to organizations to accept or reject unrequested money. The row is also its own job.';
comment on column acceptance_checks.collection is 'The collection, when the money has arrived. Null while the network asks before it accepts the money; stays null when the money never arrives.';
comment on column acceptance_checks.unreachable is 'True when the organization did not answer in time. The verdict is then when_unreachable of its acceptance URL.';
comment on column acceptance_checks.attempts is 'How often the acceptance URL was called, or a call was started.';
comment on column acceptance_checks.leased_until is 'Real time. Until then, the process that claimed the row calls the acceptance URL.';
comment on index acceptance_checks_unique is 'A second check of the same money gets the same verdict. Different money is a different check, so the verdict on one payment is never used for another.';

comment on table callbacks is 'Callbacks from networks, word for word. An unverified callback is never believed: the network is asked first.';
comment on column callbacks.attempts is 'How often the network was asked about it.';
comment on table events is 'Interface 2.4. The feed never skips an event: an event is shown when no open transaction can still write a smaller id. Ids come from events_id_seq and so are unique over all partitions.';
comment on sequence events_id_seq is 'Used under an advisory lock that shows readers which transactions are still writing (core/events.ts).';
comment on table idempotency_keys is 'Duplicate-Check-Key (interface 7): the hash of the key, and the object that the request created. A key is valid for 24 hours.';
comment on table flags is 'Values that operators change while the service runs, the same for all processes: maintenance mode and the offset of the sandbox clock.';

comment on table webhooks is 'Interface 2.3. A deleted webhook stays, so that its deliveries can still be shown.';
comment on column webhooks.token is 'Random part of the webhook-id header. It keeps the ids of different installations different.';
comment on column webhooks.secret is 'Signs notifications (Standard Webhooks). Encrypted.';
comment on column webhooks.previous_secret is 'Also signs notifications until previous_secret_expires, while receivers change to the new secret. Encrypted.';
comment on column webhooks.failing_since is 'When the first attempt after the last success failed. Null when the last attempt succeeded.';
comment on column webhooks.leased_until is 'Real time. Until then, only one process sends to this webhook. That process keeps the order of events and limits how many are sent at once.';
comment on table webhook_deliveries is 'One notification to one webhook. The row is also its own job. It has no foreign keys to webhooks and events: each change of a status writes a delivery, and old events are deleted before deliveries that still wait.';
comment on table webhook_deliveries_waiting is 'Deliveries to send, now or later. They are never deleted because of their age.';
comment on table webhook_deliveries_ended is 'Deliveries that are delivered, failed or cancelled. Their age is counted from their end.';
comment on column webhook_deliveries.body is 'The body to send, as it was when the event happened.';
comment on column webhook_deliveries.attempts_before_replay is 'The number of attempts before the last replay. The retry waits are counted from there.';
comment on column webhook_deliveries.replayed is 'When the last replay was requested. Replays are sent after first attempts.';
comment on column webhook_deliveries.last_failure is 'Why the last attempt failed: a word such as timeout, or the HTTP status. Null when it did not fail.';
comment on table webhook_attempts is 'The result of each attempt to send a delivery. The body sent is the body of the delivery. The same attempt can be there twice, when a process stopped for longer than its lease.';
comment on column webhook_attempts.at is 'Real time, as in the webhook-timestamp header.';
comment on column webhook_attempts.recorded is 'The same time on the service''s clock. The age of the row is counted from it.';
comment on column webhook_attempts.request_headers is 'Without credentials.';
comment on column webhook_attempts.response_body is 'The first 4 kB.';
comment on column webhook_attempts.replay is 'Whether the attempt was part of a replay.';
comment on table webhook_credentials is 'Basic credentials that an organization''s notifications carry (interface 4.2).';
comment on column webhook_credentials.encrypted_credentials is 'Encrypted with AES-256-GCM.';

comment on table sms_messages is 'SMS to customers: for each request, at most one with instructions and one that confirms success. The row is also its own job.';
comment on column sms_messages.suffix is 'The text after the body. Set at the first attempt, so that every attempt sends the same message.';
comment on column sms_messages.sender is 'The code of the sender that made the last attempt.';
comment on column sms_messages.remote_id is 'The provider''s id of the message, if it gives one.';
comment on column sms_messages.attempts is 'How often sending was started since the message was written or a person requested to send it again.';
comment on column sms_messages.leased_until is 'Real time. Until then, the process that claimed the row sends it.';

comment on table plans is 'Recurring collection requests. The row is also its own job.';
comment on column plans.collection_request is 'The first occurrence. All others are copies of it.';
comment on column plans.weekdays is '0 is Monday. Empty: any weekday.';
comment on column plans.months is '1 is January. Empty: every month.';
comment on column plans.occurrence_count is 'How many occurrences were created, including the first.';
comment on column plans.due_at is 'The next date. Null when no date is left or the plan was stopped.';
comment on column plans.leased_until is 'Real time. Until then, the process that claimed the row creates its occurrence.';
comment on table occurrences is 'Which date of a plan became which request. One date never becomes two requests.';

comment on column catalogue_services.account_kind is 'How the account number is checked. Null: the service has no account numbers.';
comment on column catalogue_services.min_account_digits is 'For kind digits: the minimum number of digits.';
comment on column catalogue_services.max_account_digits is 'For kind digits: the maximum number of digits.';
comment on column catalogue_services.needs_account is 'Whether its bundles are listed for one account only.';
comment on column catalogue_products.code is 'For a pin its value without unnecessary zeros, such as 100.';
comment on column catalogue_products.bouquets is 'For an add-on: the codes of the bouquets that it can be added to. Null: all.';
comment on column catalogue_products.available is 'For a pin: how many are left to sell. Each purchase lowers it, and it never falls below zero.';
comment on table catalogue_prices is 'The price of a product for a number of months. months is 0 for a single purchase.';
comment on table bill_validations is 'The last successful name look-up. An exam pin is sold only to the phone given in that look-up (interface 4.5, rule 1).';
comment on table signing_users is 'Usernames that sign requests to the bill API. Each has the permissions of its API key.';
comment on column signing_users.encrypted_secret is 'Encrypted and not hashed, because checking a signature needs the secret itself.';

comment on table bill_purchases is 'Bills that organizations pay for their customers. The row is also its own job, and its money is on hold while it is pending.';
comment on column bill_purchases.agent_reference is 'The caller''s own reference. It can never be used again after money was held for it.';
comment on column bill_purchases.reference is 'Our reference at the biller. No other installation that uses the same biller has the same.';
comment on column bill_purchases.details is 'Fields that only some kinds have, such as the datacode of a data bundle.';
comment on column bill_purchases.scenario is 'Sandbox only: the scenario for the simulated biller.';
comment on column bill_purchases.outcome is 'The last answer of the biller. Null before it was called.';
comment on column bill_purchases.message is 'The message of the last answer.';
comment on column bill_purchases.vended is 'What the customer received, such as an electricity token.';
comment on column bill_purchases.sent is 'Real time, written before the biller is called. After that, the biller is only asked for the status: there is never a second vend.';
comment on column bill_purchases.status_queries is 'How often the biller was asked for the status.';

comment on column approval_rules.threshold is 'Payments of more than this amount need the approval of a second person.';
comment on table approval_rules is 'Which payments need the approval of a second person.';
comment on table fees is 'What an organization is charged: fixed plus percent of the amount, at least min_fee and at most max_fee. Without a row there is no charge.';
comment on column fees.network is 'Null: all networks without a row of their own.';
comment on table payments is 'Money sent to one or more recipients. amount is the sum of the recipients'' amounts.';
comment on column payments.purpose is 'payment: sent by the organization; return: of unmatched money to its sender; refund: of a collection, whole or in part.';
comment on column payments.source is 'The ledger account that the money is taken from: the wallet or, for money that was never accepted, suspense.';
comment on table payment_recipients is 'One phone of a payment. The row is also its own job: due_at says when to send its order, or when to ask for its status.';
comment on column payment_recipients.remote_id is 'The network''s id of our order.';
comment on column payment_recipients.remote_transaction_id is 'The network''s id of the money that it sent.';
comment on column payment_recipients.network_calls is 'How often the network was called for this recipient: the order itself and each status query.';
comment on column payment_recipients.leased_until is 'Real time. Until then, the process that claimed the row works on it.';
comment on table payment_transitions is 'One row for each change of a payment''s state. The creation of a payment is not a change.';
comment on table refills is 'Sandbox: test wallets that are filled up to target_balance every night. The row is also its own job.';

comment on column users.totp_secret is 'Encrypted (AES-256-GCM). Null: no second factor. Not in use until totp_confirmed is set.';
comment on column users.totp_step is 'The time step of the last code used: no code works twice.';
comment on table recovery_codes is 'SHA-256 of codes that each replace the second factor once. A used code is deleted.';
comment on column sessions.complete is 'False between the password and the second factor. Such a session gives access to nothing else.';
comment on table one_time_links is 'Invitations and password resets. hash is SHA-256 of the secret part of the link. used is set when the link was used or revoked.';
comment on table sign_in_failures is 'Failed sign-ins of an account. After several failures the next attempt must wait, longer each time.';
comment on column sign_in_failures.email_hash is 'SHA-256 of the e-mail address.';
comment on table audit_log is 'What people did in the console, and their sign-ins. organization is null for actions that concern only the person.';
comment on table networks is 'The ids of this installation''s networks in the interface, one for each country.';

comment on table simulator_orders is 'Orders to the simulated network to collect money.';
comment on column simulator_orders.prompt is 'Whether the customer''s phone shows a prompt for the PIN. Otherwise the network only expects the payment.';
comment on column simulator_orders.times_received is 'How often the order was received. An order that is not accepted is unknown to the network until it was received often enough.';
comment on column simulator_orders.transaction is 'The remote_id of the transaction that paid it.';
comment on column simulator_orders.next_action is 'What the customer or the network does at due_at. Null: nothing, until a person uses the simulated phone.';
comment on table simulator_transactions is 'Payments by simulated customers, for an order or unrequested.';
comment on column simulator_transactions.reference is 'The reference typed by the customer.';
comment on table simulator_missed_prompts is 'Prompts ignored by customers who answer only the second prompt. The next prompt for the same amount is paid, and the row is deleted.';
comment on table simulator_callbacks is 'Callbacks that the network still has to send to the business. A row is deleted when the business answers 2xx.';
comment on column simulator_callbacks.leased_until is 'Real time. Until then, the process that claimed the row sends it.';
comment on table simulator_validation_requests is 'Unrequested payments that the business has to accept first. A row is deleted when the network accepts or rejects the payment.';
comment on column simulator_validation_requests.leased_until is 'Real time. Until then, the process that claimed the row asks the business.';
comment on table simulator_payouts is 'Orders to the simulated network to send money to a phone.';
comment on column simulator_payouts.times_received is 'How often the order was received. An order that is not accepted is unknown to the network until it was received often enough.';
comment on column simulator_payouts.transaction is 'The id of the transaction, when the money has reached the phone.';
comment on column simulator_payouts.paid_at is 'When the money reached the phone. For rows older than this column, when the order was created.';
comment on table simulator_vends is 'Sales of the simulated biller. The result is decided at once and shown from known_at on.';
comment on column simulator_vends.key_change is 'Whether the meter also received a pair of key-change tokens.';
comment on table simulator_pins is 'Pins sold by the simulated biller. Each pin is unique.';
