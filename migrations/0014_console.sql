-- Who sits at the console: sessions, the second factor, links that work once, and what people did.
-- Sessions, links and failed tries live on the real clock; the sandbox cannot move them.

alter table users
  add column totp_secret text,
  add column totp_confirmed timestamptz,
  add column totp_step bigint,
  add check (totp_confirmed is null or totp_secret is not null);
comment on column users.totp_secret is 'Sealed (AES-256-GCM). Null: no second factor. Until totp_confirmed it is only an offer.';
comment on column users.totp_step is 'The time step of the code that was used last: no code works twice.';

create table recovery_codes (
  "user" bigint not null references users,
  hash bytea not null,
  primary key ("user", hash)
);
comment on table recovery_codes is 'SHA-256 of codes that each replace the second factor once. A used one is deleted.';

create table sessions (
  id bigint generated always as identity primary key,
  hash bytea not null unique,
  "user" bigint not null references users,
  organization bigint references organizations,
  complete boolean not null,
  address text not null,
  agent text not null,
  created timestamptz not null,
  last_seen timestamptz not null,
  expires timestamptz not null
);
comment on column sessions.hash is 'SHA-256 of the token in the cookie.';
comment on column sessions.complete is 'False between the password and the second factor; such a session opens nothing else.';
create index sessions_user on sessions ("user");
create index sessions_expires on sessions (expires);

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
comment on table one_time_links is 'Invitations and password resets. hash is SHA-256 of the secret part of the link; a used or revoked one has used set.';
create index one_time_links_open on one_time_links (organization, id desc) where used is null;

create table sign_in_failures (
  hash bytea primary key,
  failures integer not null,
  last timestamptz not null
);
comment on table sign_in_failures is 'Failed tries per account, by SHA-256 of its e-mail. After some the next must wait, each time longer.';

create table audit_log (
  id bigint generated always as identity primary key,
  organization bigint references organizations,
  "user" bigint references users,
  action text not null,
  object_type text,
  object bigint,
  details json not null,
  address text,
  created timestamptz not null
);
comment on table audit_log is 'What people did in the console, and their signing in. organization is null for what concerns a person alone.';
create index audit_log_newest on audit_log (organization, id desc);
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
