-- Invoices with lines, whose money is asked for with collection requests.

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
create index invoices_newest on invoices (organization, id desc);
create index invoices_by_state on invoices (organization, state, id desc);
create index invoices_of_contact on invoices (contact);
create index invoices_due on invoices (organization, due_at) where due_at is not null;
comment on table invoices is 'What organizations ask their customers to pay. Drafts may be changed and deleted; an issued invoice keeps its number, lines and amounts.';
comment on column invoices.number is 'From 1 without gaps, for each organization. A draft has none.';
comment on column invoices.code is 'The random part of the address of its page. Who knows it may see the invoice and pay.';
comment on column invoices.lines is 'A list of text, quantity, unit_price, tax_rate in percent or null, and amount without tax.';
comment on column invoices.taxes is 'A list of rate, net and amount: one for each rate.';
comment on column invoices.reminder_days is 'On which days the customer is reminded: days after the due date, negative ones before it.';
comment on column invoices.reminder_prompts is 'Whether a reminder also requests the money that is still open.';
comment on column invoices.issuer is 'The name of the organization when the invoice was issued.';
comment on column invoices.customer_name is 'The name of the contact when the invoice was issued. Empty after the person was erased.';
comment on column invoices.amount_paid is 'What arrived and was not taken back by the network. A refund does not change it.';
comment on column invoices.overdue_at is 'When the due date is over where the currency is used.';
comment on column invoices.paid is 'When the sum was reached. It stays if a network takes money back.';
comment on column invoices.due_at is 'When the next reminder is due; null for none.';

create table invoice_requests (
  request bigint primary key references collection_requests,
  invoice bigint not null references invoices,
  source text not null check (source in ('page', 'reminder', 'manual')),
  created timestamptz not null
);
create index invoice_requests_of_invoice on invoice_requests (invoice);
comment on table invoice_requests is 'The collection requests that ask for the money of an invoice.';

create table invoice_links (
  payment_link bigint primary key references payment_links,
  invoice bigint not null references invoices
);
create index invoice_links_of_invoice on invoice_links (invoice);
comment on table invoice_links is 'The payment links behind the button of the page of an invoice: one for each open amount.';

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
comment on column invoice_reminders.problem is 'Why no SMS or no request was made, in words.';

create table invoice_sends (
  id bigint generated always as identity primary key,
  invoice bigint not null references invoices,
  channel text not null check (channel in ('sms', 'email')),
  recipient text not null,
  message bigint not null,
  created timestamptz not null,
  author bigint references users
);
create index invoice_sends_of_invoice on invoice_sends (invoice, id);
comment on table invoice_sends is 'To whom invoices were sent. Rows change only to erase a person.';

create table invoice_positions (
  organization bigint primary key references organizations,
  event_position bigint not null
);
comment on table invoice_positions is 'Payments were counted for invoices up to this event. An organization has a row since its first invoice was issued.';
