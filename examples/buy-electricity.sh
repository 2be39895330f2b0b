#!/bin/sh
# Buys electricity for a prepaid meter: looks up the owner of the meter, pays, and shows the token. Needs a running
# service (npm start) and curl.
#
#   sh examples/buy-electricity.sh
#   KUSANYA_URL=http://127.0.0.1:8080 KUSANYA_API_KEY=… sh examples/buy-electricity.sh 45060582249 5000 abuja_electric_prepaid
set -eu

url=${KUSANYA_URL:-http://127.0.0.1:3000}/api/gateway
key=${KUSANYA_API_KEY:-$(cat "${DATA_DIR:-./data}/demo-api-key")}
meter=${1:-04042404048}
amount=${2:-2000}
service=${3:-ikeja_electric_prepaid}
phone=${4:-08031234567}

# Store this reference with the order. A reference buys only once, so it is safe to send the request again.
reference="example-$$-$(date +%s)"

# Reads one field of the JSON answer. A real program would parse the JSON.
field() {
  printf '%s' "$answer" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"
}

answer=$(curl --silent --show-error "$url/services/electricity/verify" --header "x-api-key: $key" \
  --data "service_type=$service" --data "account_number=$meter")
if [ "$(field status)" = error ]; then
  echo "The meter $meter: $(field code) $answer" >&2
  exit 1
fi
echo "The meter $meter belongs to $(field name)."

answer=$(curl --silent --show-error "$url/services/electricity/request" --header "x-api-key: $key" \
  --data "service_type=$service" --data "account_number=$meter" --data "amount=$amount" --data "phone=$phone" \
  --data "agentId=1" --data "agentReference=$reference")

# Pending, or BX0021 because the result is unknown: the money is on hold until a requery gives the result. Do not buy
# again.
tries=0
while [ "$(field transactionStatus)" = pending ] || [ "$(field code)" = BX0021 ]; do
  tries=$((tries + 1))
  if [ $tries -gt 20 ]; then
    echo "Still pending. Requery $reference later." >&2
    exit 1
  fi
  sleep 3
  echo "Asking for the result of $reference …"
  answer=$(curl --silent --show-error "$url/superagent/transaction/requery?agentReference=$reference" --header "x-api-key: $key")
done

if [ "$(field transactionStatus)" != success ]; then
  echo "Not bought: $(field code) $answer" >&2
  exit 1
fi
token=$(field tokenCode)
if [ -n "$token" ]; then
  echo "Token for NGN $amount, $(field amountOfPower): $token"
else
  echo "Paid NGN $amount."
fi
