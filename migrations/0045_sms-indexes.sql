-- Outside of a transaction: indexes of large tables are built while others write.
-- What is due is claimed in turn by connection and organization. Lists are read by organization, by phone and by state.
drop index concurrently if exists sms_messages_due_by_connection;
create index concurrently sms_messages_due_by_connection on sms_messages (connection, organization, due_at)
  where due_at is not null;
drop index concurrently if exists sms_messages_due;
drop index concurrently if exists sms_messages_of_organization;
create index concurrently sms_messages_of_organization on sms_messages (organization, id);
drop index concurrently if exists sms_messages_of_phone;
create index concurrently sms_messages_of_phone on sms_messages (phonenumber, id);
drop index concurrently if exists sms_messages_of_purchase;
create unique index concurrently sms_messages_of_purchase on sms_messages (bill_purchase, purpose)
  where bill_purchase is not null;
drop index concurrently if exists sms_messages_not_arrived;
create index concurrently sms_messages_not_arrived on sms_messages (organization, id) where state in ('failed', 'unknown');
drop index concurrently if exists sms_messages_failed;
alter table sms_messages validate constraint sms_messages_purpose_check;
alter table sms_messages validate constraint sms_messages_state_check;
alter table sms_messages validate constraint sms_messages_due_check;
alter table sms_messages validate constraint sms_messages_ended_check;
alter table sms_messages validate constraint sms_messages_sent_check;
alter table sms_messages validate constraint sms_messages_cause_check;
