-- Account numbers with letters and separators, and what providers say they have taken from our float.
alter table catalogue_services
  add column account_patterns text[],
  add column account_name text,
  add column account_keeps_case boolean not null default false;
alter table catalogue_services drop constraint catalogue_services_account_kind_check;
alter table catalogue_services
  add constraint catalogue_services_account_kind_check check (account_kind in ('phone', 'meter', 'digits', 'text'));
comment on column catalogue_services.account_patterns is 'For kind text: the forms of the numbers, such as AA-999/99. Null: any letters, digits and separators.';
comment on column catalogue_services.account_name is 'What customers call the number, such as IUC number. Null: account number.';
comment on column catalogue_services.account_keeps_case is 'For kind text: whether upper and lower case letters are different.';
comment on column catalogue_services.min_account_digits is 'For kind digits the minimum number of digits, for kind text that of characters.';
comment on column catalogue_services.max_account_digits is 'For kind digits the maximum number of digits, for kind text that of characters.';

alter table connections
  add column source text not null default 'person' check (source in ('person', 'settings', 'unused_settings'));
comment on column connections.source is 'Where its settings come from. settings: the settings of the service, which use it; unused_settings: they name it and use another one.';

alter table bill_purchases
  add column restored boolean not null default false,
  add column charged numeric(38,4),
  add column charged_currency text,
  add constraint bill_purchases_charge check (
    (charged is null) = (charged_currency is null) and charged >= 0 and charged_currency ~ '^[A-Z]{3}$') not valid;
alter table connection_floats add column uncounted_last_day integer;
comment on column connection_floats.uncounted_last_day is 'Bill providers: the purchases of the last 24 hours in other currencies whose cost the provider has not said, which spent_last_day does not have.';
comment on column bill_purchases.restored is 'A restore found the current attempt unsent. It may have been sent at a time that is not known, so it is only asked about.';
comment on column bill_purchases.charged is 'What the provider says it has taken from our float for this, in charged_currency. Null: it has not said.';
