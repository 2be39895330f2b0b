-- Outside of a transaction: a constraint is validated while others write.
-- Kind: widen
-- The language in which a user reads the console.
alter table users add column if not exists language text;
alter table users drop constraint if exists users_language;
alter table users add constraint users_language check (language ~ '^[a-z]{2,3}$') not valid;
alter table users validate constraint users_language;
comment on column users.language is 'The language of the console that the user has chosen, such as sw. Null: each browser decides by its settings.';
