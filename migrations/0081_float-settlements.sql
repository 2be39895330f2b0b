-- Kind: widen
-- The kinds of transfers. 0082 checks the rows that are there already.
alter table transfers drop constraint transfers_kind_check;
alter table transfers add constraint transfers_kind_check check (kind in (
  'mobile_collection', 'mobile_collection_suspense', 'mobile_collection_reversal', 'admin_funds_update', 'test_funds_refill',
  'mobile_payment', 'mobile_payment_hold', 'mobile_payment_release', 'mobile_payment_reversal',
  'airtime_topup', 'airtime_topup_hold', 'airtime_topup_release', 'airtime_topup_reversal',
  'bill_payment', 'bill_payment_hold', 'bill_payment_release', 'bill_payment_reversal',
  'service_charge', 'service_charge_hold', 'service_charge_release', 'service_charge_reversal',
  'network_fee', 'float_adjustment', 'float_settlement')) not valid;
