-- Outside of a transaction: the index is built while others write.
-- SMS to the recipients of payments (send_sms_message).
alter table sms_messages add column if not exists payment_recipient bigint;
comment on column sms_messages.payment_recipient is 'The recipient of a payment who is told that the money was sent.';
comment on table sms_messages is 'SMS to customers: for each request, at most one with instructions and one that confirms success; for each purchase, at most one with what was bought; for each recipient of a payment, at most one. The row is also its own job.';
-- One SMS for each recipient, however often a job runs.
drop index concurrently if exists sms_messages_of_recipient;
create unique index concurrently sms_messages_of_recipient on sms_messages (payment_recipient)
  where payment_recipient is not null;
