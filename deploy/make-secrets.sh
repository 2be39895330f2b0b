#!/bin/sh
# Writes the secrets that compose.yaml mounts into deploy/secrets, once: files that exist stay as they are, because a new
# SECRET_KEY could not read what the old one has encrypted. Keep a copy of secret_key with the backups, on another machine.
set -eu
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
write() {
  [ -e "$folder/$1" ] && return
  printf '%s\n' "$2" >"$folder/$1.new"
  # The user of the container reads it; the folder keeps the other users of this machine out.
  chmod 444 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
}
read_secret() { cat "$folder/$1"; }
write secret_key "$(random)"
write postgres_password "$(random)"
write owner_password "$(random)"
write service_password "$(random)"
write database_url "postgres://kusanya_service:$(read_secret service_password)@postgres:5432/kusanya"
write migration_database_url "postgres://kusanya_owner:$(read_secret owner_password)@postgres:5432/kusanya"
