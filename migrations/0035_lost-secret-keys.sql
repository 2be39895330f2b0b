-- SECRET_KEY can change (docs/decisions/0028). The service refuses to start while values are encrypted with a key that it does
-- not have, unless an operator has accepted that this key is lost.

create table lost_secret_keys (
  id text primary key,
  accepted timestamptz not null
);
comment on table lost_secret_keys is 'Keys that an operator has accepted as lost (npx kusanya secret-key accept). What they encrypted stays where it is until it is replaced.';
comment on column lost_secret_keys.id is 'The id with which the values of the key begin. Empty: values of version 0.1.0, which do not name their key.';
