-- Kind: widen
-- Why a network did not carry out an order, with each answer that says so: the timeline of a request says it in words, and a
-- later answer does not change what it says about an earlier one.
alter table network_order_answers add column reason text;
comment on column network_order_answers.reason is 'Why the order failed, one of the reasons that all networks share. Null for other answers, and for those of version 0.1.0.';
