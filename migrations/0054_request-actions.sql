-- Outside of a transaction: the SMS table is large, and its index is built while others write. Each statement can be repeated.
-- What people do about a request or a collection: reminders, retries, payment links that are sent, and refunds.
create table if not exists request_actions (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  kind text not null check (kind in ('reminder', 'retry', 'payment_link', 'refund')),
  collection_request bigint references collection_requests,
  author bigint not null references users,
  comment text not null,
  created timestamptz not null,
  sms_message bigint,
  prompt boolean not null default false,
  new_request bigint unique references collection_requests,
  payment_link bigint unique references payment_links,
  payment bigint unique references payments,
  reason text check (reason in ('customer_request', 'duplicate', 'wrong_amount', 'not_delivered', 'fraud', 'other')),
  check (collection_request is not null or kind = 'refund'),
  check ((kind = 'retry') = (new_request is not null)),
  check ((kind = 'payment_link') = (payment_link is not null)),
  check ((kind = 'refund') = (payment is not null and reason is not null))
);
create index if not exists request_actions_of_request on request_actions (collection_request, id);
comment on table request_actions is 'What people did about a request or its money. Rows are never deleted; an erasure empties the comments.';
comment on column request_actions.collection_request is 'The request that it was done about. Null: the refund of money that no request asked for.';
comment on column request_actions.comment is 'Why, in the words of the person; empty if nothing was said.';
comment on column request_actions.sms_message is 'The SMS that was sent, of sms_messages.';
comment on column request_actions.prompt is 'Whether the next prompt was brought forward.';
comment on column request_actions.new_request is 'The request that asks for the same money again.';
comment on column request_actions.reason is 'Why the money was refunded, from the list.';

alter table collection_requests add column if not exists prompt_again_at timestamptz;
comment on column collection_requests.prompt_again_at is 'When a person asked for the next prompt, after the last one had failed. Null: it did not happen.';

alter table sms_messages add column if not exists number smallint not null default 0;
comment on column sms_messages.number is 'Counts the reminders and links of a request; 0 for SMS that a request has only once.';
drop index concurrently if exists sms_messages_of_request;
create unique index concurrently sms_messages_of_request on sms_messages (collection_request, purpose, number);
alter table sms_messages drop constraint if exists sms_messages_collection_request_purpose_key;
alter table sms_messages drop constraint if exists sms_messages_purpose_check;
alter table sms_messages add constraint sms_messages_purpose_check
  check (purpose in ('instructions', 'reminder', 'payment_link', 'success', 'goods', 'message', 'reply')) not valid;
alter table sms_messages validate constraint sms_messages_purpose_check;
comment on column sms_messages.purpose is 'instructions: how to pay. reminder: the same again, because a person asked for it. payment_link: the address of a page to pay on. success: the money has arrived. goods: what was bought, such as a token. message: a person wrote it. reply: the answer to a word such as STOP.';
comment on table sms_messages is 'SMS to customers: for each request, at most one with instructions and one that confirms success; for each purchase, at most one with what was bought. The row is also its own job.';
alter table sms_routes drop constraint if exists sms_routes_purpose_check;
alter table sms_routes add constraint sms_routes_purpose_check
  check (purpose in ('instructions', 'reminder', 'payment_link', 'success', 'goods', 'message', 'reply'));
