-- Signing in: attempts are counted by e-mail and by address, browsers that have signed in before are known, and a passkey
-- is a second factor beside the authenticator app (docs/decisions/0021). All times are in real time.

alter table sign_in_failures rename column email_hash to key_hash;
alter table sign_in_failures rename constraint sign_in_failures_email_hash_not_null to sign_in_failures_key_hash_not_null;
alter table sign_in_failures add column subject_hash bytea;
create index sign_in_failures_subject on sign_in_failures (subject_hash);
comment on table sign_in_failures is 'Failed attempts to sign in. After several failures the next attempt must wait, longer each time.';
comment on column sign_in_failures.key_hash is 'SHA-256 of what is counted: what is tried, for whom, and from which address or known browser.';
comment on column sign_in_failures.subject_hash is 'SHA-256 of what is tried and for whom, so that all its counts can be cleared. Null: counted by version 0.1.0.';

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
comment on column passkeys.public_key is 'In the COSE format.';
comment on column passkeys.counter is 'The signature counter at the last use. It never goes back; 0: the passkey does not count.';
comment on column passkeys.domain is 'The relying party id. The passkey works at addresses of this domain only.';
comment on column passkeys.synced is 'Whether the passkey was backed up when it was last used, so that it works on several devices.';
create index passkeys_user on passkeys ("user");

create table passkey_challenges (
  session bigint not null references sessions on delete cascade,
  purpose text not null check (purpose in ('add', 'sign_in', 'confirm')),
  challenge bytea not null,
  expires timestamptz not null,
  primary key (session, purpose)
);
comment on table passkey_challenges is 'The challenge that a passkey must sign next. It is deleted before the answer is checked, so it works once.';
