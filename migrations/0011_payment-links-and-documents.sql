-- Payment links, receipts and invoices.
-- Kind: widen

create table payment_pages (
  organization bigint primary key references organizations,
  color text not null check (color ~ '^#[0-9a-f]{6}$'),
  logo bytea check ((length(logo) >= 1) and (length(logo) <= 32768)),
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  sealed_secret text not null,
  modified timestamptz not null,
  check ((logo is null) = (logo_type is null))
);
comment on table payment_pages is 'Design of the pages of an organization''s links, and the secret that signs their results.';
comment on column payment_pages.sealed_secret is 'The secret that signs results on the way back to the shop, encrypted.';

create table payment_links (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  token text not null unique check (length(token) >= 24),
  title text not null,
  description text not null,
  currency text not null references currencies (code),
  account bigint references accounts,
  country text not null references countries (iso),
  amount numeric(19,4) check (amount > 0),
  min_amount numeric(19,4) check (min_amount > 0),
  max_amount numeric(19,4),
  amounts jsonb,
  single_use boolean not null,
  expiry_date timestamptz,
  fields jsonb not null,
  success_message text not null,
  return_url text,
  frame_ancestors text[] not null,
  closed boolean not null default false,
  number bigint check (number > 0),
  created timestamptz not null,
  author bigint not null references users,
  modified timestamptz not null,
  updated_by bigint references users,
  unique (organization, number),
  check (max_amount >= min_amount),
  check (num_nonnulls(amount, min_amount, amounts) = 1),
  check ((min_amount is null) = (max_amount is null))
);
comment on table payment_links is 'Pages at /pay/<token> on which customers pay. Rows are never deleted.';
comment on column payment_links.token is 'The random part of the address. Who knows it may pay.';
comment on column payment_links.country is 'Country whose phone numbers may be typed without a country code.';
comment on column payment_links.amount is 'The amount, if it is fixed.';
comment on column payment_links.min_amount is 'The limits of the amount, where the customer chooses it.';
comment on column payment_links.amounts is 'The amounts to choose from, as a list of texts.';
comment on column payment_links.single_use is 'True if the link can be paid only once.';
comment on column payment_links.fields is 'Further questions to the customer: a list of name, label, type, required and choices.';
comment on column payment_links.number is 'Number from 1 without gaps, for each organization, which payers at the till type. Null for the link of an invoice.';
comment on column payment_links.frame_ancestors is 'The origins whose pages may show the page in a frame.';
-- The list of links, newest first, and the search for a title.
create index payment_links_newest on payment_links (organization, id desc);

create table payment_link_visits (
  id bigint generated always as identity primary key,
  link bigint not null references payment_links,
  request bigint not null unique references collection_requests,
  token_digest bytea not null unique,
  form_digest bytea not null unique,
  phone_digest bytea not null,
  address_digest bytea not null,
  created timestamptz not null
);
comment on table payment_link_visits is 'Collection requests that were made on the page of a link.';
comment on column payment_link_visits.token_digest is 'SHA-256 of the random part of the address of its receipt. The address itself is not stored.';
comment on column payment_link_visits.form_digest is 'SHA-256 of the token of the form, so that a form that is sent twice makes one request.';
comment on column payment_link_visits.phone_digest is 'Keyed digest of the phone number, by which prompts are limited. It stays when the person is erased, and names nobody.';
comment on column payment_link_visits.address_digest is 'Keyed digest of the network address, by which prompts are limited.';
-- The requests of a link, and the limit on its prompts.
create index payment_link_visits_of_link on payment_link_visits (link, created);
-- The limit on prompts to a phone.
create index payment_link_visits_of_phone on payment_link_visits (phone_digest, created);
-- The limit on prompts from an address.
create index payment_link_visits_of_address on payment_link_visits (address_digest, created);

create table seller_details (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  legal_name text not null,
  address text not null,
  tax_number text not null,
  phone text not null,
  email text not null,
  payment_terms text not null,
  created timestamptz not null
);
comment on table seller_details is 'Details of the seller on documents. Each change adds a row, and a document shows the row of its time.';
-- The details of a seller at a time.
create index seller_details_of_organization on seller_details (organization, id desc);

create table document_series (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  kind text not null check (kind ~ '^[a-z_]{1,30}$'),
  last_number bigint not null default 0 check (last_number >= 0),
  unique (organization, kind)
);
comment on table document_series is 'The last number of each kind of document of an organization. It rises in the transaction that stores the document, so that no number is missing.';
comment on column document_series.kind is 'receipt; other kinds of documents have numbers of their own.';

create table receipt_settings (
  organization bigint primary key references organizations,
  every_payment boolean not null,
  sms boolean not null,
  email boolean not null,
  language text not null check (language in ('en', 'sw', 'fr')),
  event_position bigint not null,
  modified timestamptz not null,
  check (every_payment or (not sms)),
  check (every_payment or (not email))
);
comment on table receipt_settings is 'Receipts that an organization makes and sends automatically. Without a row it makes them when they are asked for.';
comment on column receipt_settings.language is 'The language of SMS and mails. The page follows the browser.';
comment on column receipt_settings.event_position is 'Receipts were made for all events of received money up to this id.';
-- Organizations that send a receipt for every payment.
create index receipt_settings_every_payment on receipt_settings (organization) where every_payment;

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
comment on table receipts is 'Receipts for payments. Rows are never deleted, and hold nothing about the payer: the collection has these data.';
comment on column receipts.number is 'Number from 1 without gaps, for each organization.';
comment on column receipts.code is 'The random part of the address. Who knows it may see the receipt.';
comment on column receipts.issuer is 'The name of the organization when the receipt was made.';
-- The list of receipts, newest first.
create index receipts_newest on receipts (organization, id desc);

create table receipt_sends (
  id bigint generated always as identity primary key,
  receipt bigint not null references receipts,
  channel text not null check (channel in ('sms', 'email')),
  recipient text not null,
  message bigint not null,
  created timestamptz not null,
  author bigint references users
);
comment on table receipt_sends is 'Receivers of receipts. Rows change only to erase a person.';
comment on column receipt_sends.message is 'The row of sms_messages, or of mails; a mail that was sent is no longer there.';
comment on column receipt_sends.author is 'User who sent it by hand. Null: it was sent when the payment arrived, or by an operator.';
-- The sendings of a receipt.
create index receipt_sends_of_receipt on receipt_sends (receipt, id);

create table invoices (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  number bigint check (number > 0),
  code text not null unique check (length(code) >= 22),
  state text not null check (state in ('draft', 'issued', 'paid', 'void')),
  contact bigint not null references contacts,
  currency text not null references currencies (code),
  account bigint references accounts,
  lines jsonb not null,
  taxes jsonb not null,
  subtotal numeric(19,4) not null,
  total numeric(19,4) not null,
  due_date date not null,
  notes text not null,
  language text not null check (language in ('en', 'sw', 'fr')),
  reminder_days integer[] not null,
  reminder_prompts boolean not null,
  min_part numeric(19,4) check (min_part > 0),
  issuer text,
  customer_name text not null default '',
  amount_paid numeric(19,4) not null default 0 check (amount_paid >= 0),
  amount_reversed numeric(19,4) not null default 0 check (amount_reversed >= 0),
  amount_refunded numeric(19,4) not null default 0 check (amount_refunded >= 0),
  overdue_at timestamptz,
  issued timestamptz,
  paid timestamptz,
  voided timestamptz,
  void_reason text not null default '',
  due_at timestamptz,
  leased_until timestamptz,
  created timestamptz not null,
  author bigint not null references users,
  modified timestamptz not null,
  updated_by bigint references users,
  unique (organization, number),
  check ((state = 'draft') = (number is null)),
  check ((state = 'draft') = (issued is null)),
  check ((state = 'draft') = (overdue_at is null)),
  check (state = 'draft' or total > 0),
  check ((state = 'void') = (voided is not null)),
  check (state = 'issued' or due_at is null)
);
comment on table invoices is 'Invoices of organizations to their customers. Drafts may be changed and deleted; an issued invoice keeps its number, lines and amounts.';
comment on column invoices.number is 'Number from 1 without gaps, for each organization. A draft has none.';
comment on column invoices.code is 'The random part of the address of its page. Who knows it may see the invoice and pay.';
comment on column invoices.lines is 'A list of text, quantity, unit_price, tax_rate in percent or null, and amount without tax.';
comment on column invoices.taxes is 'A list of rate, net and amount: one for each rate.';
comment on column invoices.reminder_days is 'On which days the customer is reminded: days after the due date, negative ones before it.';
comment on column invoices.reminder_prompts is 'True if a reminder also requests the money that is still open.';
comment on column invoices.min_part is 'The least that its page takes as a part. Null: its page takes the open amount only.';
comment on column invoices.issuer is 'The name of the organization when the invoice was issued.';
comment on column invoices.customer_name is 'The name of the contact when the invoice was issued. Empty after the person was erased.';
comment on column invoices.amount_paid is 'Amount received by its requests and allocations, without reversals by the network. A refund does not change it.';
comment on column invoices.overdue_at is 'Time when the due date is over where the currency is used.';
comment on column invoices.paid is 'Time when the sum was reached. It stays if a network takes money back.';
comment on column invoices.due_at is 'Time when the next reminder is due; null for none.';
-- The list of invoices, newest first.
create index invoices_newest on invoices (organization, id desc);
-- The filter state; open invoices on Home and in reports.
create index invoices_by_state on invoices (organization, state, id desc);
-- Invoices of a customer: the filter, the account, matching, and the search.
create index invoices_of_contact on invoices (contact);
-- Reminders that are due, in turn by organization.
create index invoices_due on invoices (organization, due_at) where due_at is not null;
-- The filter total, and the search for an amount.
create index invoices_total on invoices (organization, total, id);

create table money_positions (
  organization bigint primary key references organizations,
  event_position bigint not null
);
comment on table money_positions is 'Positions up to which events of incoming money were matched with its purpose. An organization has a row since its first invoice, customer number or payment link.';

create table matching_settings (
  organization bigint primary key references organizations,
  overpayment text not null check (overpayment in ('keep', 'credit', 'return')),
  unknown_number text not null check (unknown_number in ('accept', 'reject')),
  modified timestamptz not null
);
comment on table matching_settings is 'Rules of an organization for money beyond the amount asked for, and for unknown numbers. Without a row: keep, accept.';
comment on column matching_settings.overpayment is 'keep: it stays unmatched. credit: it is on the account of the customer, and pays the next invoice. return: it is sent back.';
comment on column matching_settings.unknown_number is 'The answer to a network that asks before it takes money, where the typed number is not known.';

create table matching_thresholds (
  organization bigint references organizations,
  currency text references currencies (code),
  threshold numeric(19,4) not null check (threshold >= 0),
  primary key (organization, currency)
);
comment on table matching_thresholds is 'Amounts above which a second manager confirms a match by hand. Without a row one person matches any amount.';

create table allocations (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  collection bigint not null references collections,
  invoice bigint references invoices,
  payment_link bigint references payment_links,
  contact bigint references contacts,
  amount numeric(19,4) not null check (amount > 0),
  reason text not null,
  note text not null default '',
  author bigint references users,
  created timestamptz not null,
  ended timestamptz,
  check (num_nonnulls(invoice, payment_link, contact) = 1)
);
comment on table allocations is 'Allocations of money that no request asked for: a part of a collection for an invoice, a payment link, or the account of a customer. An end takes it back.';
comment on column allocations.contact is 'The customer on whose account it is: credit that pays the next invoice.';
comment on column allocations.reason is 'Reason: invoice_number, link_number, customer_number, same_amount, only_customer, surplus, credit or person.';
comment on column allocations.author is 'The person who did it; null for the service.';
comment on column allocations.ended is 'Time when it was taken back, moved or used. Null: it counts.';
-- The allocations of a collection's money.
create index allocations_collection on allocations (collection);
comment on index allocations_collection is 'Finds the allocations of a collection.';
-- The money of an invoice.
create index allocations_invoice on allocations (invoice) where invoice is not null;
comment on index allocations_invoice is 'Adds up the money of an invoice.';
-- The credit of a customer.
create index allocations_contact on allocations (contact) where contact is not null;
comment on index allocations_contact is 'Adds up the credit of a customer, and reads it for statements.';
-- The money of a link.
create index allocations_payment_link on allocations (payment_link) where payment_link is not null;
comment on index allocations_payment_link is 'Reads the money that came to the till with the number of a link.';

create table surplus_returns (
  collection bigint primary key references collections,
  problem text,
  created timestamptz not null
);
comment on table surplus_returns is 'Collections whose unrequested rest is to be sent back.';
comment on column surplus_returns.problem is 'Reason why it was not sent back, in words. Then a person decides.';
-- Surpluses to return.
create index surplus_returns_due on surplus_returns (created) where problem is null;
comment on index surplus_returns_due is 'Finds the surplus to send back.';

create table batches (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('invoices', 'requests')),
  organization bigint not null references organizations,
  source text not null check (source in ('file', 'tag')),
  name text not null,
  digest text check (digest ~ '^[0-9a-f]{64}$'),
  asked text not null check (asked ~ '^[0-9a-f]{64}$'),
  duplicates text not null check (duplicates in ('skip', 'create')),
  issue boolean check ((issue is null) = (kind = 'requests')),
  rows integer not null check (rows > 0),
  refused integer not null,
  skipped integer not null default 0,
  created_count integer not null default 0,
  last_row bigint not null default 0,
  created timestamptz not null,
  author bigint not null references users,
  finished timestamptz,
  check (refused >= 0 and refused <= rows)
);
comment on table batches is 'Invoices, or collection requests, that were made together, from a file or for all customers with a tag, with counts. The rows of files are not stored.';
comment on column batches.name is 'The name of the file, or the tag.';
comment on column batches.digest is 'SHA-256 of the file, so that the same file is recognized when it comes again. Null for a tag.';
comment on column batches.asked is 'SHA-256 of the whole input. The same call with the same key goes on with this batch.';
comment on column batches.duplicates is 'Treatment of a customer who has the same invoice or request already: skip makes none, create makes one more.';
comment on column batches.issue is 'True if its invoices are issued at once. Otherwise they are drafts. Null for requests.';
comment on column batches.rows is 'Rows of the file, or customers with the tag.';
comment on column batches.last_row is 'The number of the last row of the file, or the id of the last customer, whose item was made. A batch that was interrupted goes on after it.';
comment on column batches.finished is 'Time when its last item was made. Null: it was interrupted, or is running.';
-- The list of batches of a kind, newest first.
create index batches_newest on batches (organization, kind, id desc);
-- Earlier batches of the same file.
create index batches_of_digest on batches (organization, digest);

create table invoice_batch_items (
  invoice bigint primary key references invoices on delete cascade,
  batch bigint not null references batches
);
comment on table invoice_batch_items is 'The invoices of batches. A draft that is deleted leaves its batch.';
-- The filter batch of invoices.
create index invoice_batch_items_of_batch on invoice_batch_items (batch, invoice);

create table invoice_links (
  payment_link bigint primary key references payment_links,
  invoice bigint not null references invoices
);
comment on table invoice_links is 'The payment links behind the button of the page of an invoice: one for each open amount.';
-- The payment links of an invoice.
create index invoice_links_of_invoice on invoice_links (invoice);

create table invoice_requests (
  request bigint primary key references collection_requests,
  invoice bigint not null references invoices,
  source text not null check (source in ('page', 'reminder', 'manual')),
  created timestamptz not null
);
comment on table invoice_requests is 'The collection requests that ask for the money of an invoice.';
-- The requests of an invoice.
create index invoice_requests_of_invoice on invoice_requests (invoice);

create table invoice_reminders (
  id bigint generated always as identity primary key,
  invoice bigint not null references invoices,
  day date not null,
  sms_message bigint,
  request bigint references collection_requests,
  problem text,
  created timestamptz not null,
  unique (invoice, day)
);
comment on table invoice_reminders is 'Reminders that were made: at most one a day for an invoice.';
comment on column invoice_reminders.day is 'The day where the currency is used.';
comment on column invoice_reminders.problem is 'Reason why no SMS or no request was made, in words.';
-- The reminder that made a request, when the request is deleted.
create index invoice_reminders_request on invoice_reminders (request) where request is not null;

create table invoice_sends (
  id bigint generated always as identity primary key,
  invoice bigint not null references invoices,
  channel text not null check (channel in ('sms', 'email')),
  recipient text not null,
  message bigint not null,
  created timestamptz not null,
  author bigint references users
);
comment on table invoice_sends is 'Receivers of invoices. Rows change only to erase a person.';
-- The sendings of an invoice.
create index invoice_sends_of_invoice on invoice_sends (invoice, id);

create table request_actions (
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
comment on table request_actions is 'Actions of people on a request or its money. Rows are never deleted; an erasure empties the comments.';
comment on column request_actions.collection_request is 'The request that it concerns. Null: the refund of money that no request asked for.';
comment on column request_actions.comment is 'Reason in the words of the person; empty for none.';
comment on column request_actions.sms_message is 'The SMS that was sent, of sms_messages.';
comment on column request_actions.prompt is 'True if the next prompt was brought forward.';
comment on column request_actions.new_request is 'The request that asks for the same money again.';
comment on column request_actions.reason is 'Reason of the refund, from the list.';
-- The actions of people on a request.
create index request_actions_of_request on request_actions (collection_request, id);
