import { toStorableText } from '../lib/storable-text.ts'

/** A request to our callback address, as it came. */
export interface RawCallback {
  method: string
  /** The rest of the path after the secret of the connection, with a leading slash: `/<reference>/result`; `` for none. */
  path: string
  /** The query without its question mark. */
  query: string
  /** Headers with names in lower case. */
  headers: Record<string, string>
  /** Text without a byte order mark. U+FFFD replaces null characters and invalid UTF-8. */
  body: string
  /** The bytes as they were sent, where they are not exactly `body` in UTF-8. Signatures are checked on `signedBytes`. */
  bytes?: Uint8Array | null
  /** The IP address of the sender; null if it is no longer known. */
  address: string | null
}

/** Make the text of a callback of the bytes that were sent. Nothing of them is lost. */
export function toRawBody(sent: Uint8Array): Pick<RawCallback, 'body' | 'bytes'> {
  const bytes = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength)
  const body = toStorableText(utf8.decode(bytes))
  return Buffer.from(body).equals(bytes) ? { body } : { body, bytes }
}

/** The decoder removes a byte order mark. */
const utf8 = new TextDecoder()

/** Return the bytes of a callback as sent and signed by its network. */
export function signedBytes({ body, bytes }: Pick<RawCallback, 'body' | 'bytes'>): Uint8Array {
  return bytes ?? Buffer.from(body)
}
