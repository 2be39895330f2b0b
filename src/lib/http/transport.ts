import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Agent, buildConnector } from 'undici'
import type { Transport } from './http-call.ts'
import { lookupWithin, mustCheckLookup, type Reach } from './reach.ts'
import { loadUndici } from './undici.ts'

interface OpenTransport {
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
 * @param reach which addresses it may call; any unless given
 */
export function openTransport(reach?: Reach): OpenTransport {
  let agent: Agent | undefined
  let closed = false
  const transport: Transport = async ({ method, url, headers, body, signal }) => {
    if (closed) throw new Error('These connections are closed.')
    const { request } = loadUndici()
    agent ??= openAgent(reach)
    const sent = { method, headers: headers as Record<string, string>, body, signal, dispatcher: agent }
    const answer = await request(url, sent)
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
      if (closed) return
      closed = true
      await agent?.close()
    },
  }
}

function openAgent(reach: Reach | undefined): Agent {
  const { Agent } = loadUndici()
  return new Agent({
    keepAliveTimeout: IDLE_MS,
    // The time limit of the call counts. These would end a long one earlier.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: reach ? connectWithin(reach) : CONNECT_OPTIONS,
  })
}

const CONNECT_OPTIONS = {
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: CONNECT_PER_ADDRESS_MS,
  // The type wants a port, and each target brings its own.
  port: 0,
}

/** Connects to addresses within a reach only. Every new connection is checked, whoever has looked up its name before. */
function connectWithin(reach: Reach): buildConnector.connector {
  const { buildConnector } = loadUndici()
  const toAny = buildConnector(CONNECT_OPTIONS)
  const toAllowed = buildConnector({ ...CONNECT_OPTIONS, lookup: lookupWithin(reach) })
  return (target, callback) => {
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80))
    mustCheckLookup(reach, target.hostname, port).then(
      (must_check) => (must_check ? toAllowed : toAny)(target, callback),
      (error: Error) => callback(error, null),
    )
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
