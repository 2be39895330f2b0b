-- Outside of a transaction: the index of a large table is built while others write.
-- A payment counts on the day of its approval (payment_limits). Few payments have one, so this index is small.
drop index concurrently if exists payments_approved;
create index concurrently payments_approved on payments (organization, approved_time) where approved_time is not null;
