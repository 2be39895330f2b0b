-- Users of the service: people, organizations, API keys, sign-in, and changes that wait for a second person.
-- Kind: widen

create table users (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('person', 'system')),
  name text not null,
  email text unique check (email = lower(email)),
  password_hash text,
  created timestamptz not null,
  totp_secret text,
  totp_confirmed timestamptz,
  totp_step bigint,
  language text check (language ~ '^[a-z]{2,3}$'),
  last_sign_in timestamptz,
  check ((kind = 'person') = (email is not null)),
  check (totp_confirmed is null or totp_secret is not null)
);
comment on table users is 'People, and one system user for each organization. The system user is the author of the service''s automatic actions.';
comment on column users.totp_secret is 'Encrypted (AES-256-GCM). Null: no second factor. Not in use until totp_confirmed is set.';
comment on column users.totp_step is 'The time step of the last code used: no code works twice.';
comment on column users.language is 'The language of the console that the user has chosen, such as sw. Null: each browser decides by its settings.';
comment on column users.last_sign_in is 'Time of the user''s last sign-in to the console. Null: none since this column exists.';

create table organizations (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  service_user bigint not null references users,
  created timestamptz not null,
  modified timestamptz not null,
  second_factor_required boolean not null default false,
  send_bill_tokens boolean not null default false,
  time_zone text not null default 'UTC' check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{1,63}$'),
  country text check (country ~ '^[A-Z]{2}$')
);
comment on column organizations.second_factor_required is 'True if users need a second factor for everything that moves money or manages the organization.';
comment on column organizations.send_bill_tokens is 'True if the customer of a prepaid purchase gets the token in an SMS unless the purchase says otherwise.';
comment on column organizations.time_zone is 'A name of the IANA time zone database, such as Africa/Kampala. Days of charts, statements, plans and invoices begin and end in it.';
comment on column organizations.country is 'ISO 3166-1, two letters: phone numbers that people type without country code belong to it. Null: they need the country code.';

create table memberships (
  organization bigint references organizations,
  "user" bigint references users,
  permissions text[] not null,
  created timestamptz not null,
  approves_from timestamptz,
  approvals_mailed_at timestamptz,
  primary key (organization, "user")
);
comment on column memberships.permissions is 'Codes of permissions. A key never has more permissions than its user.';
comment on column memberships.approves_from is 'Time from which the user may approve payments. Null: at once.';
comment on column memberships.approvals_mailed_at is 'Time of this person''s last mail about payments that wait for an approval.';

create table roles (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  name text not null,
  permissions text[] not null,
  created timestamptz not null,
  modified timestamptz not null
);
comment on table roles is 'Own roles of organizations: names for sets of permissions. A user has the role whose permissions the user has; memberships hold only permissions.';
-- No two roles of an organization have the same name, in any case.
create unique index roles_name on roles (organization, lower(name));

create table saved_views (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  "user" bigint not null references users,
  list text not null check ((length(list) >= 2) and (length(list) <= 60)),
  name text not null check ((length(name) >= 1) and (length(name) <= 60)),
  search jsonb not null check (jsonb_typeof(search) = 'object'),
  created timestamptz not null,
  modified timestamptz not null,
  unique (organization, "user", list, name)
);
comment on table saved_views is 'Views of lists of the console, each of one user in one organization.';
comment on column saved_views.list is 'The path of the list''s page below /console, such as /payments.';
comment on column saved_views.search is 'Query string of the address: filters by their names, ordering and columns, all as text.';

create table api_keys (
  id bigint generated always as identity primary key,
  organization bigint not null,
  "user" bigint not null,
  name text not null,
  hash bytea not null unique,
  prefix text not null,
  last_four text not null,
  permissions text[],
  read_only boolean not null,
  reads_per_minute integer check (reads_per_minute > 0),
  writes_per_minute integer check (writes_per_minute > 0),
  expires timestamptz,
  revoked timestamptz,
  created timestamptz not null,
  last_used timestamptz,
  foreign key (organization, "user") references memberships (organization, "user")
);
comment on column api_keys.hash is 'SHA-256 of the key. The key itself is shown once and never stored.';
comment on column api_keys.permissions is 'Null: all permissions of its user.';
comment on column api_keys.last_used is 'Approximate: each process writes it at most once a minute.';

create table signing_users (
  id bigint generated always as identity primary key,
  username text not null unique,
  api_key bigint not null references api_keys,
  encrypted_secret text not null,
  revoked timestamptz,
  created timestamptz not null
);
comment on table signing_users is 'Usernames that sign requests to the bill API. Each has the permissions of its API key.';
comment on column signing_users.encrypted_secret is 'Encrypted and not hashed, because checking a signature needs the secret itself.';
-- The signing users of an organization, through its keys.
create index signing_users_by_key on signing_users (api_key);

create table idempotency_keys (
  organization bigint,
  hash bytea,
  type text not null,
  object bigint not null,
  created timestamptz not null,
  primary key (organization, hash)
);
comment on table idempotency_keys is 'Duplicate-Check-Key (interface 7): the hash of the key, and the object that the request created. A key is valid for 24 hours.';

create table sessions (
  id bigint generated always as identity primary key,
  hash bytea not null unique,
  "user" bigint not null references users,
  organization bigint references organizations,
  complete boolean not null,
  address text not null,
  user_agent text not null,
  created timestamptz not null,
  last_seen timestamptz not null,
  expires timestamptz not null
);
comment on column sessions.hash is 'SHA-256 of the token in the cookie.';
comment on column sessions.complete is 'False between the password and the second factor. Such a session gives access to nothing else.';
-- The sessions that a user sees and ends.
create index sessions_user on sessions ("user");

create table one_time_links (
  id bigint generated always as identity primary key,
  hash bytea not null unique,
  purpose text not null check (purpose in ('invitation', 'password_reset')),
  email text not null,
  organization bigint references organizations,
  permissions text[],
  author bigint references users,
  created timestamptz not null,
  expires timestamptz not null,
  used timestamptz,
  check ((purpose = 'invitation') = (organization is not null and permissions is not null))
);
comment on table one_time_links is 'Invitations and password resets. hash is SHA-256 of the secret part of the link. used is set when the link was used or revoked.';
-- Open invitations of an organization, newest first.
create index one_time_links_open on one_time_links (organization, id desc) where used is null;

create table known_browsers (
  id bigint generated always as identity primary key,
  "user" bigint not null references users,
  hash bytea not null unique,
  address text not null,
  user_agent text not null,
  created timestamptz not null,
  last_sign_in timestamptz not null
);
comment on table known_browsers is 'Browsers in which a user has signed in. Wrong passwords from elsewhere do not make them wait. Gives no access.';
comment on column known_browsers.hash is 'SHA-256 of the token in the cookie of the browser.';
-- The browsers that a user sees and forgets, and the oldest ones above the limit.
create index known_browsers_user on known_browsers ("user");

create table passkeys (
  id bigint generated always as identity primary key,
  "user" bigint not null references users,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  domain text not null,
  name text not null,
  synced boolean not null,
  created timestamptz not null,
  last_used timestamptz
);
comment on table passkeys is 'Passkeys (WebAuthn) as second factors.';
comment on column passkeys.public_key is 'Public key in the COSE format.';
comment on column passkeys.counter is 'The signature counter at the last use. It never goes back; 0: the passkey does not count.';
comment on column passkeys.domain is 'The relying party id. The passkey works at addresses of this domain only.';
comment on column passkeys.synced is 'True if the passkey was backed up when it was last used, so that it works on several devices.';
-- The passkeys of a user.
create index passkeys_user on passkeys ("user");

create table passkey_challenges (
  session bigint references sessions on delete cascade,
  purpose text check (purpose in ('add', 'sign_in', 'confirm')),
  challenge bytea not null,
  expires timestamptz not null,
  primary key (session, purpose)
);
comment on table passkey_challenges is 'The challenge that a passkey must sign next. It is deleted before the answer is checked, so it works once.';

create table recovery_codes (
  "user" bigint references users,
  hash bytea,
  primary key ("user", hash)
);
comment on table recovery_codes is 'SHA-256 of codes that each replace the second factor once. A used code is deleted.';

create table sign_in_failures (
  key_hash bytea primary key,
  failures integer not null,
  last_failure timestamptz not null,
  subject_hash bytea
);
comment on table sign_in_failures is 'Failed attempts to sign in. After several failures the next attempt must wait, longer each time.';
comment on column sign_in_failures.key_hash is 'SHA-256 of the counted attempt: its method, account, and address or known browser.';
comment on column sign_in_failures.subject_hash is 'SHA-256 of the attempt''s method and account, so that all its counts can be cleared. Null: counted for nobody in particular.';
-- A password that was set again ends the waits of its user, whatever the address.
create index sign_in_failures_subject on sign_in_failures (subject_hash);

create table mails (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  recipient text not null,
  subject text not null,
  body text not null,
  attempts integer not null default 0,
  last_error text,
  created timestamptz not null,
  due_at timestamptz,
  leased_until timestamptz
);
comment on table mails is 'The outbox of mails to users, and to customers who get a receipt. A mail that was sent is deleted; one without due_at could not be sent.';
comment on column mails.leased_until is 'Real time. Until then, the process that claimed the row works on it.';
-- Mails that are due.
create index mails_due on mails (due_at) where due_at is not null;

create table control_changes (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  change json not null,
  description text not null,
  state text not null check (state in ('pending', 'applied', 'confirmed', 'rejected', 'withdrawn')),
  author bigint references users,
  created timestamptz not null,
  expires timestamptz,
  decided_by bigint references users,
  decided_at timestamptz,
  sealed text,
  check ((state = 'pending') = (decided_at is null)),
  check (state <> 'pending' or expires is not null),
  check (state <> 'confirmed' or decided_by <> author),
  check (state <> 'withdrawn' or decided_by = author)
);
comment on table control_changes is 'Changes of the right to move money, and of its limits. Those that weaken control wait for a second manager, if there is one.';
comment on column control_changes.change is 'Content of the change, in the form of core/control/kinds.ts, with the values before and after.';
comment on column control_changes.description is 'The change in words.';
comment on column control_changes.state is 'applied: at once, without a second manager. A pending change is void after expires.';
comment on column control_changes.author is 'Null: an operator.';
comment on column control_changes.decided_by is 'Null: an operator, or nobody.';
comment on column control_changes.sealed is 'Secret settings of a connection that a pending change would set, as encrypted JSON. Null otherwise.';
-- The list of changes of an organization, newest first.
create index control_changes_newest on control_changes (organization, id desc);
-- Changes that wait, for the pages of collections.
create index control_changes_pending on control_changes (organization) where state = 'pending';
