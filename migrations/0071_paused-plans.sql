-- Outside of a transaction: a constraint is validated while others write.
-- Kind: widen
-- Recurring requests that people pause and resume. A version that does not know the column sees a plan without a next date.

alter table plans add column if not exists paused timestamptz;
alter table plans drop constraint if exists plans_paused;
alter table plans add constraint plans_paused check (paused is null or due_at is null) not valid;
alter table plans validate constraint plans_paused;
comment on column plans.paused is 'Since when the plan is paused. Null: it is not. A paused plan has no next date until it is resumed.';
