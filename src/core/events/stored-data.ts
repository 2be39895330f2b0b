import { deflateRawSync, inflateRawSync } from 'node:zlib'

/*
 * The objects of events as they are stored: compressed, since the events of one collection repeat its request and its
 * customer. A dictionary of their usual texts leaves a sixth of the bytes. The first byte names form and dictionary, so
 * that an event stays readable when there is a newer one:
 *
 *   1  deflate. It takes 23 µs for an event, mostly to begin; only long objects have it.
 *   2  runs of bytes and copies, in the manner of LZ4. A byte below 128 stands before a run of one more byte than it says.
 *      Others are copies, of 3 bytes more than their lower 6 bits say (63: and of as many as the next byte says). From 192
 *      on they go on where the copy before ended; the others have two more bytes for the place in dictionary and text.
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

/** The form of an object, by the first byte of what is stored. */
const [DEFLATED, COPIES] = [1, 2]

/** The window holds dictionary and object. */
const OPTIONS = { level: 1, windowBits: 13, memLevel: 5, dictionary: FIRST }
/** Maximum length of a text, so that two bytes name each place in dictionary and text. */
const MAX_COPIED = 60_000
/** A copy from a new place is worth its two more bytes only from so many bytes on. */
const WORTH_A_PLACE = 5
const [SHORTEST, MANY] = [3, 63]
const LONGEST = SHORTEST + MANY + 255
const [RUN, NEXT_PLACE] = [128, 192]

/** The dictionary, and after it the text that is packed or unpacked. Both are synchronous, so one is enough. */
const view = Buffer.alloc(FIRST.length + MAX_COPIED + LONGEST)
const packed = Buffer.alloc(2 * MAX_COPIED)
FIRST.copy(view)

/** The last places of five bytes, by their hash: of the dictionary, and of the text before. */
const known_places = new Uint16Array(4096)
const own_places = new Uint16Array(4096)
for (let place = 1; place <= FIRST.length - WORTH_A_PLACE; place += 1) known_places[hashAt(place)] = place

function hashAt(place: number): number {
  const bytes = view[place]! | (view[place + 1]! << 8) | (view[place + 2]! << 16) | (view[place + 3]! << 24)
  return Math.imul(bytes ^ (view[place + 4]! << 12), 0x9e3779b1) >>> 20
}

/** Compresses the JSON text of an object. */
export function packData(json: string): Buffer {
  if (json.length * 3 > MAX_COPIED) return Buffer.concat([Buffer.of(DEFLATED), deflateRawSync(json, OPTIONS)])
  const end = FIRST.length + view.write(json, FIRST.length)
  own_places.fill(0)
  packed[0] = COPIES
  let size = 1
  let run_from = FIRST.length
  let next = 0
  for (let place = FIRST.length; place < end; ) {
    const length = findCopy(place, end, next)
    if (length === 0) {
      place += 1
      continue
    }
    size = writeCopy(writeRun(size, run_from, place), next)
    next = found.from + length
    place += length
    run_from = place
  }
  size = writeRun(size, run_from, end)
  return Buffer.from(packed.subarray(0, size))
}

/** An earlier place with the text of this one. `findCopy` uses one object for all. */
const found = { from: 0, length: 0 }

/**
 * Finds an earlier place with the text of this one, which it remembers.
 * @param next where the copy before ended: the dictionary leaves out what differs, so its text often goes on there
 * @returns the length of the text; 0 if it is not worth a copy
 */
function findCopy(place: number, end: number, next: number): number {
  found.length = 0
  if (view[next] === view[place]) compare(next, place, end)
  const goes_on = found.length
  if (end - place >= WORTH_A_PLACE) {
    const hash = hashAt(place)
    const [known, own] = [known_places[hash]!, own_places[hash]!]
    own_places[hash] = place
    found.length = Math.max(goes_on + 2, WORTH_A_PLACE - 1)
    const least = found.length
    if (known > 0) compare(known, place, end)
    if (own > 0) compare(own, place, end)
    if (found.length > least) return found.length
  }
  found.from = next
  found.length = goes_on >= SHORTEST ? goes_on : 0
  return found.length
}

function compare(from: number, place: number, end: number): void {
  const most = Math.min(LONGEST, end - place)
  let length = 0
  while (length < most && view[from + length] === view[place + length]) length += 1
  if (length <= found.length) return
  found.from = from
  found.length = length
}

function writeRun(start: number, from: number, until: number): number {
  let size = start
  for (let place = from; place < until; place += RUN) {
    const length = Math.min(RUN, until - place)
    packed[size] = length - 1
    view.copy(packed, size + 1, place, place + length)
    size += 1 + length
  }
  return size
}

/** Writes the found copy. */
function writeCopy(start: number, next: number): number {
  let size = start
  const rest = found.length - SHORTEST
  packed[size++] = (found.from === next ? NEXT_PLACE : RUN) + Math.min(MANY, rest)
  if (rest >= MANY) packed[size++] = rest - MANY
  if (found.from === next) return size
  packed[size++] = found.from & 255
  packed[size++] = found.from >> 8
  return size
}

/** Returns the JSON text of an object, byte for byte as it was recorded. */
export function unpackData(stored: Buffer): string {
  if (stored[0] === COPIES) return unpackCopies(stored)
  if (stored[0] === DEFLATED) return inflateRawSync(stored.subarray(1), { dictionary: FIRST }).toString()
  throw new Error(`An event was stored in the form ${stored[0]}, which this version does not know.`)
}

function unpackCopies(stored: Buffer): string {
  let end = FIRST.length
  let next = 0
  for (let place = 1; place < stored.length; ) {
    const head = stored[place++]!
    if (head < RUN) {
      stored.copy(view, end, place, place + head + 1)
      place += head + 1
      end += head + 1
    } else {
      const rest = head & MANY
      const length = SHORTEST + rest + (rest === MANY ? stored[place++]! : 0)
      if (head < NEXT_PLACE) {
        next = stored[place]! | (stored[place + 1]! << 8)
        place += 2
      }
      // Byte by byte: a copy may reach into itself.
      for (const until = next + length; next < until; ) view[end++] = view[next++]!
    }
  }
  return view.toString('utf8', FIRST.length, end)
}
