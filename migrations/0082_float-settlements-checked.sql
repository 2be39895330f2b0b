-- Kind: widen
-- Checks the kinds of the transfers that are there already. The table can be read and written meanwhile.
alter table transfers validate constraint transfers_kind_check;
