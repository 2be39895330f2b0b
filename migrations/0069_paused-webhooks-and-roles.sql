-- Outside of a transaction: the indexes of the audit log are built while others write.
-- Kind: widen
-- Webhooks that are paused, described and changed; own roles of organizations; the last sign-in of users; the audit log by object and action.
alter table webhooks add column if not exists description text;
alter table webhooks add column if not exists paused timestamptz;
alter table webhooks add column if not exists past_events text[] not null default '{}';
comment on column webhooks.description is 'What people wrote about it. Null for nothing.';
comment on column webhooks.paused is 'Since when nothing is sent. Deliveries are still queued. Null: it is not paused.';
comment on column webhooks.past_events is 'The event types that it had before. Deliveries of these types may still be there.';

alter table users add column if not exists last_sign_in timestamptz;
comment on column users.last_sign_in is 'When the user last signed in to the console. Null: not since this column exists.';

create table if not exists roles (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  name text not null,
  permissions text[] not null,
  created timestamptz not null,
  modified timestamptz not null
);
comment on table roles is 'Own roles of organizations: names for sets of permissions. A user has the role whose permissions the user has; memberships hold only permissions.';
drop index concurrently if exists roles_name;
create unique index concurrently roles_name on roles (organization, lower(name));

drop index concurrently if exists audit_log_by_object;
create index concurrently audit_log_by_object on audit_log (organization, object_type, object, id);
drop index concurrently if exists audit_log_by_action;
create index concurrently audit_log_by_action on audit_log (organization, action, id);
