-- Outside of a transaction: a constraint is validated while others write.
-- Kind: widen
-- The time zone in which an organization counts its days, and the country whose phone numbers it writes without country code.
alter table organizations add column if not exists time_zone text not null default 'UTC';
alter table organizations add column if not exists country text;
alter table organizations drop constraint if exists organizations_time_zone;
alter table organizations add constraint organizations_time_zone check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{1,63}$') not valid;
alter table organizations validate constraint organizations_time_zone;
alter table organizations drop constraint if exists organizations_country;
alter table organizations add constraint organizations_country check (country ~ '^[A-Z]{2}$') not valid;
alter table organizations validate constraint organizations_country;
comment on column organizations.time_zone is 'A name of the IANA time zone database, such as Africa/Kampala. Days of limits, charts, statements, plans and invoices begin and end in it.';
comment on column organizations.country is 'ISO 3166-1, two letters: phone numbers that people type without country code belong to it. Null: they need the country code.';
-- Earlier plans keep the days of UTC, in which they were made.
alter table plans add column if not exists time_zone text not null default 'UTC';
comment on column plans.time_zone is 'The time zone of the organization when the plan was made: its dates keep their time of day there.';
-- An organization with wallets of one country is there. All others keep UTC until a manager chooses.
update organizations o set country = c.country, time_zone = c.time_zone
from (
  select a.organization, min(z.country) as country, min(z.time_zone) as time_zone
  from accounts a join (
    values ('UGX', 'UG', 'Africa/Kampala'), ('KES', 'KE', 'Africa/Nairobi'), ('NGN', 'NG', 'Africa/Lagos')
  ) z (currency, country, time_zone) on z.currency = a.currency
  where a.kind in ('local', 'cross_border')
  group by a.organization having count(distinct a.currency) = 1
) c
where c.organization = o.id and o.country is null and o.time_zone = 'UTC';
