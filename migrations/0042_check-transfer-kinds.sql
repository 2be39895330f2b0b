-- Checks the kinds of the transfers that are there already. The table can be read and written meanwhile; no other change
-- stands in this file, because its transaction lasts as long as the table is large.
alter table transfers validate constraint transfers_kind_check;
