-- Moving an organization from cell to cell: the move in both databases, and what has left.
-- Kind: widen

create table organization_moves (
  organization bigint primary key,
  role text not null check (role in ('source', 'target')),
  other_cell integer not null,
  step text not null check (step in ('hold', 'held', 'copied', 'verified', 'redirected', 'moved', 'back', 'open')),
  quiet_from timestamptz,
  figures jsonb not null default '{}'::jsonb,
  started timestamptz not null,
  modified timestamptz not null
);
comment on table organization_moves is 'Organizations that move to another cell (source) or come from one (target). Each step is repeatable; the step says which are done.';
comment on column organization_moves.organization is 'The organization. Without a foreign key: in the target it is written before the organization is there.';
comment on column organization_moves.step is 'The last step that is done, of the source: open while it works on and is copied, hold, held, copied, verified, redirected, moved; back while it is undone. Of the target: hold until it is open.';
comment on column organization_moves.quiet_from is 'Time when the last call that had begun before the hold is over.';
comment on column organization_moves.figures is 'Rows and digest of each table, and the seconds of each step.';

create table departed_places (
  connection text,
  number text,
  currency text,
  organization bigint not null references organization_moves,
  primary key (connection, number, currency)
);
comment on table departed_places is 'Numbers at networks whose unrequested money belongs to an organization that has left. Their callbacks go to its cell.';

create table departed_codes (
  code text primary key,
  organization bigint not null references organization_moves
);
comment on table departed_codes is 'Addresses of payment links, receipts and invoices of organizations that have left, and references of orders whose number at the network others use as well.';

-- On tables of the organization while it moves, with its id as the argument. The mover itself sets kusanya.moving.
create function refuse_while_moving() returns trigger language plpgsql as $$
begin
  raise exception 'organization % moves to another cell', tg_argv[0] using errcode = 'KM001';
end $$;

-- Money of a number that has left must not wait here for an account.
create function refuse_departed_money() returns trigger language plpgsql as $$
begin
  if exists (select from departed_places p where p.connection = new.connection and p.number = new.receiver and p.currency = new.currency) then
    raise exception 'the account of % has moved to another cell', new.receiver using errcode = 'KM001';
  end if;
  return new;
end $$;
create trigger unassigned_payments_departed before insert on unassigned_payments
  for each row execute function refuse_departed_money();
