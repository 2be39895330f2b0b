-- An answer is written in the transaction that has locked its order, and orders are never deleted. The look-up of each answer
-- cost more than the answer itself (docs/decisions/0017).
alter table network_order_answers drop constraint if exists network_order_answers_network_order_fkey;
comment on column network_order_answers.network_order is 'The order, of network_orders. Without a foreign key: docs/decisions/0017.';
