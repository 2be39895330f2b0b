-- Outside of a transaction: an index of a large table is built while others write.
-- Kind: widen
-- Bills count against the limits of payments: what an organization bought in the last 24 hours is summed up.
drop index concurrently if exists bill_purchases_created;
create index concurrently bill_purchases_created on bill_purchases (organization, created);
