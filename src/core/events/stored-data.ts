import { deflateRawSync, inflateRawSync } from 'node:zlib'

/*
 * The objects of events as they are stored: compressed, since the events of one collection repeat its request and its
 * customer. A dictionary of their usual texts leaves a tenth of the bytes. The first byte names the dictionary, so that
 * an event stays readable when there is a newer one.
 */

const CONTACT =
  '"organization":1,"first_name":"Anonymous","last_name":"Contact","email":null,"phone_number":"+2567","type":"employee","status":"active","metadata":null,"phone_is_supported":"yes","phone_is_mm_registered":"yes","name_on_network":"","name_matches_network_status":"unchecked","name_matches_network_score":0,"network_name":"'

/** The texts of objects, the most frequent ones last. Never change it: stored events need it. Add another one instead. */
const FIRST = Buffer.from(
  [
    '"agentReference":"","kind":"electricity","service_type":"","account_number":"","phone":"","error_code":null,"statusCode":"0","transactionStatus":"success","transactionReference":,"transactionMessage":"Payment Successful","baxiReference":,"provider_message":"","tokenCode":"","creditToken":"","tokenAmount":,"amountOfPower":"","rawOutput":{"standardTokenValue":"","responseCode":"","responseMessage":""',
    '"payment_type":"money","metadata":{},"description":"","phone_nos":["+256"],"state":"processed","last_error":null,"rejected_reason":null,"rejected_by":null,"rejected_time":null,"cancelled_reason":null,"cancelled_by":null,"cancelled_time":null,"created":"2026-',
    `"phone_is_mm_registered":"unknown",${CONTACT}","created":"2026-`,
    '"processing_started","instructions_sent","failed","expired","error_message":"',
    '"remote_transaction_id":"","amount":"00.0000","reversed_amount":"0.0000","currency":"UGX","account":,"phonenumber":"+2567","payment_date":"2026-","reference":null,"status":"successful","created":"2026-","author":1,"modified":"2026-","updated_by":null,"contact":{"id":,"collection_request":{"id":,"organization":1,',
    '},"transaction":{"id":,"amount":"00.0000","type":"mobile_collection","currency":"UGX","created":"2026-","description":"Collection ","account":{"id":,"organization":1,"currency":"UGX"},"fee_transaction":null}}',
    `{"id":,"organization":1,"amount":"00.0000","currency":"UGX","account":,"phonenumber":"+2567","contact":{"id":,${CONTACT}","created":"2026-01-01T00:00:00Z","modified":"2026-01-01T00:00:00Z","author":1,"updated_by":null},"reason":"","metadata":{},"created":"2026-01-01T00:00:00Z","author":1,"modified":"2026-01-01T00:00:00Z","updated_by":"1","collection":null,"success_message":"","send_instructions":true,"instructions":null,"status":"successful","error_message":null,"expiry_date":"2026-01-01 00:00:00.000000+00:00","start_date":null,"retry_interval_minutes":null,"max_attempts":3,"subscription_settings":null}`,
  ].join(''),
)

/** The dictionaries, by the first byte of what they compressed. */
const DICTIONARIES: Readonly<Record<number, Buffer>> = { 1: FIRST }
const NEWEST = 1

/** The fastest level: higher ones save some bytes of a hundred. The window holds dictionary and object. */
const OPTIONS = { level: 1, windowBits: 13, memLevel: 5, dictionary: DICTIONARIES[NEWEST]! }

/** Compresses the JSON text of an object. */
export function packData(json: string): Buffer {
  return Buffer.concat([Buffer.of(NEWEST), deflateRawSync(json, OPTIONS)])
}

/** Returns the JSON text of an object, byte for byte as it was recorded. */
export function unpackData(stored: Buffer): string {
  const dictionary = DICTIONARIES[stored[0]!]
  if (!dictionary)
    throw new Error(`An event was stored with dictionary ${stored[0]}, which this version does not know.`)
  return inflateRawSync(stored.subarray(1), { dictionary }).toString()
}
