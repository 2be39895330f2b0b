-- Outside of a transaction: indexes of large tables are built while others write.
-- What is due is claimed in turn by organization, so that a million due rows of one do not delay the single row of another.
drop index concurrently if exists collection_requests_due_by_organization;
create index concurrently collection_requests_due_by_organization on collection_requests (organization, due_at)
  where due_at is not null;
drop index concurrently if exists collection_requests_due;
drop index concurrently if exists plans_due_by_organization;
create index concurrently plans_due_by_organization on plans (organization, due_at) where due_at is not null;
drop index concurrently if exists plans_due;
drop index concurrently if exists payment_recipients_due_by_organization;
create index concurrently payment_recipients_due_by_organization on payment_recipients (organization, due_at)
  where due_at is not null;
drop index concurrently if exists payment_recipients_due;
