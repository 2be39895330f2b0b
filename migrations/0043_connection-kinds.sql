-- Providers of SMS and of bills are connections, as networks are.
alter table connections add column kind text not null default 'network' check (kind in ('network', 'sms', 'bills'));
comment on column connections.kind is 'What the connection is for: orders to a mobile-money network, SMS to customers, or bill purchases. It follows from the driver.';
