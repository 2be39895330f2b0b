import { setTimeout as sleep } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import { withoutTrailing } from '../lib/text/trailing.ts'
import { CommandError } from './errors.ts'
import type { Terminal } from './terminal.ts'
import { type Given, typed } from './typed.ts'

/** Service reached over HTTP: its address and an API key. */
export interface Remote {
  url: string
  api_key: string
}

const DEFAULT_URL = 'http://127.0.0.1:3000'

/** Options of the commands that need a service but no database. */
export const REMOTE = {
  url: typed('--url <url>', `the address of the service, or KUSANYA_URL (default: ${DEFAULT_URL})`),
  api_key: typed('--api-key <key>', 'an API key of your organization, or KUSANYA_API_KEY'),
}
type RemoteOptions = Partial<Given<typeof REMOTE>>

/** Read the address from the options or the environment. @throws CommandError when it is wrong */
export function readUrl(terminal: Terminal, options: Pick<RemoteOptions, 'url'>): string {
  const url = withoutTrailing(options.url ?? terminal.environment.KUSANYA_URL ?? DEFAULT_URL, '/')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new CommandError(`${url} is not the address of a service. An address looks like ${DEFAULT_URL}.`)
  return url
}

/** Read address and key from the options or the environment. @throws CommandError when one is missing or wrong */
export function readRemote(terminal: Terminal, options: RemoteOptions): Remote {
  const url = readUrl(terminal, options)
  const api_key = options.api_key ?? terminal.environment.KUSANYA_API_KEY
  if (!api_key)
    throw new CommandError(
      'Give an API key with --api-key or KUSANYA_API_KEY. `npm start` prints the key of the demo shop.',
    )
  return { url, api_key }
}

/** Send a request to the API; a created object has an id. @throws CommandError with the reason of a refusal */
export async function sendRequest<Answer = { id: number }>(
  remote: Remote,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetchRemote(remote, path, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    body: body ? JSON.stringify(body) : undefined,
  })
  if (!response.ok) throw await errorFromResponse(remote, response)
  return (await response.json()) as Answer
}

/** An event of the stream. `body` is the body that a webhook would get. */
export interface Notification {
  id: number
  type: string
  body: string
}

export interface FollowOptions {
  /** Start after this event id or time; the default is now. */
  since?: string
  /** Types to follow. Default: all. */
  events?: readonly string[]
  /** The target that the bodies name. */
  target?: string
  signal: AbortSignal
  /** Called when the first connection is open. */
  onOpen?(): void
  /** Called when the connection is lost, when it is restored, and when a reset of the sandbox restarts its events. */
  onConnectionChange?(change: 'lost' | 'restored' | 'restarted'): void
}

/**
 * Follow the events of an organization until the signal. A broken or silent connection is reopened after the last
 * received event. So every event is yielded once and in order.
 * @throws CommandError when the service refuses, or when the first connection fails.
 */
export async function* follow(remote: Remote, options: FollowOptions): AsyncGenerator<Notification> {
  const position: StreamPosition = { last_id: undefined, since: options.since }
  let delay_ms = MIN_RETRY_DELAY_MS
  let is_lost = false
  for (let has_opened = false; !options.signal.aborted; ) {
    try {
      const response = await openStream(remote, options, position)
      if (!has_opened) options.onOpen?.()
      else if (is_lost) options.onConnectionChange?.('restored')
      has_opened = true
      is_lost = false
      delay_ms = MIN_RETRY_DELAY_MS
      yield* readStream(response, position, options.signal)
    } catch (error) {
      if (options.signal.aborted) return
      if (error instanceof StreamRestarted) {
        options.onConnectionChange?.('restarted')
        Object.assign(position, { last_id: undefined, since: '0' })
        continue
      }
      if (!has_opened || (error instanceof CommandError && !(error instanceof Unreachable))) throw error
    }
    if (!is_lost && !options.signal.aborted) options.onConnectionChange?.('lost')
    is_lost = true
    await sleep(delay_ms, undefined, { signal: options.signal }).catch(() => {})
    delay_ms = Math.min(delay_ms * 2, MAX_RETRY_DELAY_MS)
  }
}

/** The delay between two attempts to connect doubles from the minimum to the maximum. */
const MIN_RETRY_DELAY_MS = 500
const MAX_RETRY_DELAY_MS = 8_000
/** The service sends a line at least every 15 seconds, so a connection that is silent for this long is dead. */
const MAX_SILENCE_MS = 50_000

/** Error for a missing answer or a temporarily unavailable service, which justify another try. */
class Unreachable extends CommandError {}
/** The service does not know our last event id any more, because the sandbox was reset. */
class StreamRestarted extends Error {}

/** Position from which the next connection continues. */
interface StreamPosition {
  last_id: string | undefined
  since: string | undefined
}

async function openStream(
  remote: Remote,
  { events, target, signal }: FollowOptions,
  position: StreamPosition,
): Promise<Response> {
  const query = new URLSearchParams()
  if (position.since !== undefined) query.set('since', position.since)
  if (events && events.length > 0) query.set('event', events.join(','))
  if (target !== undefined) query.set('target', target)
  const headers = {
    accept: 'text/event-stream',
    ...(position.last_id !== undefined && { 'last-event-id': position.last_id }),
  }
  const response = await fetchRemote(remote, `/api/events/stream?${query}`, { headers, signal })
  if (response.status === 400 && position.last_id !== undefined) throw new StreamRestarted()
  if (!response.ok) throw await errorFromResponse(remote, response)
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw wrongServiceError(remote)
  return response
}

async function* readStream(
  response: Response,
  position: StreamPosition,
  signal: AbortSignal,
): AsyncGenerator<Notification> {
  const parsed: Notification[] = []
  const parser = createParser({
    onId(id) {
      position.last_id = id
    },
    onEvent: ({ id, event, data }) => parsed.push({ id: Number(id), type: event ?? '', body: data }),
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    for (;;) {
      const silence = setTimeout(cancel, MAX_SILENCE_MS)
      const { done, value } = await reader.read().finally(() => clearTimeout(silence))
      if (done) return
      parser.feed(value)
      yield* parsed.splice(0)
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

/** Send a request to the service as it is. @throws CommandError if no service answers */
export async function fetchRemote({ url, api_key }: Remote, path: string, init: RequestInit): Promise<Response> {
  const headers = { accept: 'application/json', authorization: `Token ${api_key}`, ...init.headers }
  try {
    return await fetch(url + path, { ...init, headers, redirect: 'manual' })
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
    throw new Unreachable(
      `No service answers at ${url} (${code ?? message}). Start one with \`npm start\`, or give its address with --url or KUSANYA_URL.`,
    )
  }
}

/** Turn an unsuccessful response into an error for the person. */
async function errorFromResponse(remote: Remote, response: Response): Promise<CommandError> {
  const body: unknown = await response.json().catch(() => undefined)
  const { status } = response
  if (status === 401)
    return new CommandError(
      `The service at ${remote.url} does not know this API key: it is mistyped, revoked, or belongs to another service.`,
    )
  if (body === undefined || typeof body !== 'object' || body === null || status === 404)
    return wrongServiceError(remote)
  const { detail, message, ...fields } = body as Record<string, unknown>
  // Bill payments answer with `message` instead of `detail`.
  const reason = detail ?? message
  if (status === 429 || status >= 500) return new Unreachable(String(reason))
  if (typeof reason === 'string') return new CommandError(reason)
  return new CommandError(
    Object.entries(fields)
      .map(([field, texts]) => `${field}: ${[texts].flat().join(' ')}`)
      .join('; '),
  )
}

function wrongServiceError({ url }: Remote): CommandError {
  return new CommandError(
    `The server at ${url} is not this service, or an older version of it. Give the address with --url.`,
  )
}
