-- The language in which a user reads the console.
alter table users add column language text constraint users_language check (language ~ '^[a-z]{2,3}$');
comment on column users.language is 'The language of the console that the user has chosen, such as sw. Null: each browser decides by its settings.';
