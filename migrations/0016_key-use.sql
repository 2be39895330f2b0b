-- When each API key was last used, so that people see which ones nobody needs any more.

alter table api_keys add column last_used timestamptz;
comment on column api_keys.last_used is 'About: it is written at most once a minute by each process.';
