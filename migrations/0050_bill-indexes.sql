-- Outside of a transaction: indexes of a large table are built, and its rows checked, while others write (0040, 0046).
drop index concurrently if exists bill_purchases_attention;
create index concurrently bill_purchases_attention on bill_purchases (organization, id) where attention is not null;
drop index concurrently if exists bill_purchases_due_by_biller;
create index concurrently bill_purchases_due_by_biller on bill_purchases (biller, due_at) where due_at is not null;
drop index concurrently if exists bill_purchases_remote_ids;
create index concurrently bill_purchases_remote_ids on bill_purchases (biller, remote_id) where remote_id is not null;
alter table bill_purchases validate constraint bill_purchases_attested_check;
alter table bill_purchases validate constraint bill_purchases_attempt_check;
alter table bill_purchases validate constraint bill_purchases_cost_check;
