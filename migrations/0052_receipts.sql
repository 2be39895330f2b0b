-- Receipts for payments that arrived, and the numbers of documents.

create table document_series (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  kind text not null check (kind ~ '^[a-z_]{1,30}$'),
  last_number bigint not null default 0 check (last_number >= 0),
  unique (organization, kind)
);
comment on table document_series is 'The last number of each kind of document of an organization. It rises in the transaction that stores the document, so that no number is missing.';
comment on column document_series.kind is 'receipt; other kinds of documents have numbers of their own.';

create table receipts (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  number bigint not null check (number > 0),
  code text not null unique check (length(code) >= 22),
  collection bigint not null unique references collections,
  issuer text not null,
  created timestamptz not null,
  modified timestamptz not null,
  unique (organization, number)
);
create index receipts_newest on receipts (organization, id desc);
comment on table receipts is 'One receipt for a payment. Rows are never deleted, and hold nothing about the person who paid: that is read from the collection.';
comment on column receipts.number is 'From 1 without gaps, for each organization.';
comment on column receipts.code is 'The random part of the address. Who knows it may see the receipt.';
comment on column receipts.issuer is 'The name of the organization when the receipt was made.';

create table receipt_sends (
  id bigint generated always as identity primary key,
  receipt bigint not null references receipts,
  channel text not null check (channel in ('sms', 'email')),
  recipient text not null,
  message bigint not null,
  created timestamptz not null,
  author bigint references users
);
create index receipt_sends_of_receipt on receipt_sends (receipt, id);
comment on table receipt_sends is 'To whom receipts were sent. Rows change only to erase a person.';
comment on column receipt_sends.message is 'The row of sms_messages, or of mails; a mail that was sent is no longer there.';
comment on column receipt_sends.author is 'Who sent it by hand. Null: it was sent when the payment arrived, or by an operator.';

create table receipt_settings (
  organization bigint primary key references organizations,
  every_payment boolean not null,
  sms boolean not null check (every_payment or not sms),
  email boolean not null check (every_payment or not email),
  language text not null check (language in ('en', 'sw', 'fr')),
  event_position bigint not null,
  modified timestamptz not null
);
create index receipt_settings_every_payment on receipt_settings (organization) where every_payment;
comment on table receipt_settings is 'Which receipts an organization makes and sends by itself. Without a row it makes them when they are asked for.';
comment on column receipt_settings.language is 'The language of SMS and mails. The page follows the browser.';
comment on column receipt_settings.event_position is 'Receipts were made for all events of received money up to this id.';

comment on table mails is 'The outbox of mails to users, and to customers who get a receipt. A mail that was sent is deleted; one without due_at could not be sent.';
