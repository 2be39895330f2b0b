#!/bin/sh
# Requests money from a simulated customer and waits until it is paid. Needs a running sandbox (npm start) and curl.
#
#   sh examples/first-collection.sh
#   KUSANYA_URL=http://127.0.0.1:8080 KUSANYA_API_KEY=… sh examples/first-collection.sh +80000000001 500
set -eu

url=${KUSANYA_URL:-http://127.0.0.1:3000}
key=${KUSANYA_API_KEY:-$(cat "${DATA_DIR:-./data}/demo-api-key")}
phone=${1:-+80000000003}
amount=${2:-1500}

# The same key within 24 hours gets 409, so a repeated call never asks a customer twice.
created=$(curl --silent --show-error --fail-with-body "$url/api/collectionrequests" \
  --header "Authorization: Token $key" \
  --header "Content-Type: application/json" \
  --header "Duplicate-Check-Key: example-$$-$(date +%s)" \
  --data "{\"phonenumber\":\"$phone\",\"amount\":\"$amount\",\"currency\":\"BXC\",\"send_instructions\":true}")
id=$(printf '%s' "$created" | sed 's/^{"id":\([0-9]*\).*/\1/')
echo "Asked $phone for BXC $amount: collection request $id."

# A real program should use a webhook instead.
for _ in 1 2 3 4 5 6 7 8 9 10; do
  sleep 2
  request=$(curl --silent --show-error --fail-with-body "$url/api/collectionrequests/$id" --header "Authorization: Token $key")
  # The contact in the answer also has a status, which comes first.
  status=$(printf '%s' "$request" | sed 's/.*"status":"\([a-z_]*\)".*/\1/')
  echo "Its status is $status."
  case $status in successful | failed | expired) exit 0 ;; esac
done
