-- Outside of a transaction: indexes of large tables are built while others write.
-- Kind: widen
-- Callbacks and webhooks that need a person are counted every few seconds. They are few among many.
drop index concurrently if exists callbacks_open_failed;
create index concurrently callbacks_open_failed on callbacks_open (id) where state = 'failed';
drop index concurrently if exists webhooks_failing;
create index concurrently webhooks_failing on webhooks (failing_since) where failing_since is not null;
