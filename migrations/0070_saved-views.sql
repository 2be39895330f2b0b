-- Kind: widen
-- Filters, columns and order of a list of the console, which a user has stored under a name.
create table saved_views (
  id bigint generated always as identity primary key,
  organization bigint not null references organizations,
  "user" bigint not null references users,
  list text not null check (length(list) between 2 and 60),
  name text not null check (length(name) between 1 and 60),
  search jsonb not null check (jsonb_typeof(search) = 'object'),
  created timestamptz not null,
  modified timestamptz not null,
  unique (organization, "user", list, name)
);
create index saved_views_user on saved_views ("user");
comment on table saved_views is 'Views of lists of the console, each of one user in one organization.';
comment on column saved_views.list is 'The path of the list''s page below /console, such as /payments.';
comment on column saved_views.search is 'What stands behind the question mark of the address: filters by their names, ordering and columns, all as text.';
