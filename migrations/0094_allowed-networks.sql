-- Kind: widen
-- Which addresses the connection of an organization may call besides public ones.

alter table connections add column allowed_networks text not null default '';
comment on column connections.allowed_networks is 'Networks in CIDR form with commas, which the operator has allowed: the connection of an organization may call their addresses beside public ones, where several organizations share the installation.';
