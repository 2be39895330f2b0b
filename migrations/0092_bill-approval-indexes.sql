-- Outside of a transaction: indexes of a large table are built, and its rows checked, while others write (0091).
-- Kind: widen
drop index concurrently if exists bill_purchases_awaiting_approval;
create index concurrently bill_purchases_awaiting_approval on bill_purchases (organization, id)
  where status = 'pending' and approvals < approvals_required;
alter table bill_purchases validate constraint bill_purchases_due;
