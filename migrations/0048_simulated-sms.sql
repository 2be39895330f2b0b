create table simulator_sms (
  id bigint generated always as identity primary key,
  door text not null,
  remote_id text not null,
  reference text,
  phonenumber text not null,
  sender text not null,
  body text not null,
  parts integer not null check (parts > 0),
  ends text not null check (ends in ('delivered', 'failed', 'never')),
  reason text,
  ends_at timestamptz not null,
  details json not null default '{}',
  created timestamptz not null,
  unique (door, remote_id)
);
comment on table simulator_sms is 'SMS that simulated providers have accepted for simulated phones.';
comment on column simulator_sms.door is 'The simulated provider: the code of its driver.';
comment on column simulator_sms.remote_id is 'The id that the provider gave it.';
comment on column simulator_sms.reference is 'The name that the business gave it, where the provider takes one.';
comment on column simulator_sms.ends is 'What becomes of it at ends_at. Until then, and for ever where it is never, it is on its way.';
comment on column simulator_sms.reason is 'Why it fails, in the words that all simulated providers share.';
create index simulator_sms_phonenumber on simulator_sms (phonenumber, id);

-- Kannel reports with GET.
alter table simulator_callbacks drop constraint simulator_callbacks_method_check;
alter table simulator_callbacks
  add constraint simulator_callbacks_method_check check (method in ('GET', 'POST', 'PUT')) not valid;
