-- Payment links: pages of an organization on which a customer types a phone number and pays.

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
  max_amount numeric(19,4) check (max_amount >= min_amount),
  amounts jsonb,
  single_use boolean not null,
  expiry_date timestamptz,
  fields jsonb not null,
  success_message text not null,
  return_url text,
  frame_ancestors text[] not null,
  closed boolean not null default false,
  created timestamptz not null,
  author bigint not null references users,
  modified timestamptz not null,
  updated_by bigint references users,
  check (num_nonnulls(amount, min_amount, amounts) = 1),
  check ((min_amount is null) = (max_amount is null))
);
create index payment_links_newest on payment_links (organization, id desc);
comment on table payment_links is 'Pages at /pay/<token> on which customers pay. Rows are never deleted.';
comment on column payment_links.token is 'The random part of the address. Who knows it may pay.';
comment on column payment_links.country is 'Whose phone numbers may be typed without a country code.';
comment on column payment_links.amount is 'The amount, where it is fixed.';
comment on column payment_links.min_amount is 'The limits of the amount, where the customer chooses it.';
comment on column payment_links.amounts is 'The amounts to choose from, as a list of texts.';
comment on column payment_links.single_use is 'Whether the link can be paid only once.';
comment on column payment_links.fields is 'What else the customer is asked: a list of name, label, type, required and choices.';
comment on column payment_links.frame_ancestors is 'The origins whose pages may show the page in a frame.';

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
create index payment_link_visits_of_link on payment_link_visits (link, created);
create index payment_link_visits_of_phone on payment_link_visits (phone_digest, created);
create index payment_link_visits_of_address on payment_link_visits (address_digest, created);
comment on table payment_link_visits is 'One row for each collection request that was made on the page of a link.';
comment on column payment_link_visits.token_digest is 'SHA-256 of the random part of the address of its receipt. The address itself is not stored.';
comment on column payment_link_visits.form_digest is 'SHA-256 of the token of the form, so that a form that is sent twice makes one request.';
comment on column payment_link_visits.phone_digest is 'Keyed digest of the phone number, by which prompts are limited. It stays when the person is erased, and names nobody.';
comment on column payment_link_visits.address_digest is 'Keyed digest of the network address, by which prompts are limited.';

create table payment_pages (
  organization bigint primary key references organizations,
  color text not null check (color ~ '^#[0-9a-f]{6}$'),
  logo bytea check (length(logo) between 1 and 32768),
  logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  sealed_secret text not null,
  modified timestamptz not null,
  check ((logo is null) = (logo_type is null))
);
comment on table payment_pages is 'How the pages of an organization''s links look, and the secret that signs their results.';
comment on column payment_pages.sealed_secret is 'The secret that signs results on the way back to the shop, encrypted.';
