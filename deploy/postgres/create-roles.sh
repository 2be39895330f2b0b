#!/bin/sh
# Creates the two roles of Kusanya and its database: one owns the tables, the other works on them and owns nothing.
# The image of PostgreSQL runs it once, when the volume is empty. psql quotes the passwords, whatever they contain.
set -eu
psql --username "${POSTGRES_USER:-postgres}" --dbname postgres --set ON_ERROR_STOP=1 \
  --set owner_password="$(cat "${SECRETS:-/run/secrets}/owner_password")" \
  --set service_password="$(cat "${SECRETS:-/run/secrets}/service_password")" <<'SQL'
create role kusanya_owner login password :'owner_password';
create role kusanya_service login password :'service_password';
create database kusanya owner kusanya_owner template template0 encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8' locale 'C';
SQL
