import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, request } from 'undici'
import type { Transport } from './http-call.ts'

export interface OpenTransport {
  transport: Transport
  /** Waits for the calls that are under way, and closes the idle connections. */
  close(): Promise<void>
}

/**
 * Idle connections are kept for this long, or as long as the server says in `Keep-Alive`. Servers close theirs later, so none is
 * used while it is closed.
 */
const IDLE_MS = 4_000
/** The time for a connection to one of a host's addresses. Node's default of 250 ms is too short for distant hosts. */
const CONNECT_PER_ADDRESS_MS = 1_500

/**
 * Opens a transport with connections of its own, which stay open between calls. It sends exactly the headers of the call besides
 * `host`, `connection` and `content-length`. It costs less than `fetch`, and follows no redirects.
 */
export function openTransport(): OpenTransport {
  const dispatcher = new Agent({
    keepAliveTimeout: IDLE_MS,
    // The time limit of the call counts. These would end a long one earlier.
    ...{ headersTimeout: 0, bodyTimeout: 0 },
    ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: CONNECT_PER_ADDRESS_MS },
  })
  const transport: Transport = async ({ method, url, headers, body, signal }) => {
    const answer = await request(url, { method, headers: headers as Record<string, string>, body, signal, dispatcher })
    let received: Headers | undefined
    return {
      status: answer.statusCode,
      get headers() {
        received ??= toHeaders(answer.headers)
        return received
      },
      body: decompress(answer.body, answer.headers['content-encoding']),
    }
  }
  return {
    transport,
    async close() {
      if (!dispatcher.closed) await dispatcher.close()
    },
  }
}

type RawHeaders = Record<string, string | string[] | undefined>

function toHeaders(raw: RawHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(raw))
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one)
  return headers
}

const decompressors = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** We do not ask for compressed answers, but a server may send one all the same. The limit for answers counts the text. */
function decompress(body: Readable, encoding: RawHeaders[string]): Readable {
  const create = typeof encoding === 'string' && decompressors.get(encoding.trim().toLowerCase())
  // Errors reach the reader through the last stream.
  return create ? pipeline(body, create(), () => {}) : body
}
