import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync }

/** Send a request and return the bytes of the answer as they are on the wire. `fetch` would decompress them. */
export async function callOnWire(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const { body, ...rest } = options
  const sent = request(url, rest).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) }
}
