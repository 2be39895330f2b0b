import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { createParser } from 'eventsource-parser'
import { CommandError } from './errors.ts'
import type { Terminal } from './terminal.ts'

/** A service somewhere, as a program of a developer sees it: by its address and with a key. */
export interface Remote {
  url: string
  api_key: string
}

export interface RemoteOptions {
  url?: string
  apiKey?: string
}

const DEFAULT_URL = 'http://127.0.0.1:3000'

/** Adds the options of the commands that need no database, only a service. */
export function addRemoteOptions(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', `the address of the service, or KUSANYA_URL (default: ${DEFAULT_URL})`))
    .addOption(new Option('--api-key <key>', 'a key of your organization, or KUSANYA_API_KEY'))
}

/** @throws CommandError when there is no key, or no address. */
export function readRemote(terminal: Terminal, options: RemoteOptions): Remote {
  const url = (options.url ?? terminal.environment.KUSANYA_URL ?? DEFAULT_URL).replace(/\/+$/, '')
  const api_key = options.apiKey ?? terminal.environment.KUSANYA_API_KEY
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new CommandError(`${url} is no address of a service. One looks like ${DEFAULT_URL}.`)
  if (!api_key)
    throw new CommandError(
      'Say with which API key, by --api-key or KUSANYA_API_KEY. `npm start` prints that of the demo shop.',
    )
  return { url, api_key }
}

/** Asks the service something; whatever is made has an id. @throws CommandError with what it has against it. */
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

/** An event as the stream tells it; `body` is what a webhook would be sent. */
export interface Notification {
  id: number
  type: string
  body: string
}

export interface FollowOptions {
  /** The id of an event or a time, as the stream takes it; else what happens from now on. */
  since?: string
  /** Only these types. */
  events?: readonly string[]
  /** What the bodies name as the address that they are for. */
  target?: string
  signal: AbortSignal
  /** Called when the service listens to us. */
  onOpen?(): void
  /** Called when the connection was lost, once for each time, and when it is there again. */
  onConnectionChange?(what: 'lost' | 'back' | 'begun anew'): void
}

/**
 * Follows the events of an organization until the signal. A connection that breaks, or falls silent, is made again and goes
 * on after the last event that was told, so that none is lost and each comes once and in its order.
 * @throws CommandError when the service will have none of it, or cannot be reached in the first place.
 */
export async function* follow(remote: Remote, following: FollowOptions): AsyncGenerator<Notification> {
  const place: StreamPosition = { last_id: undefined, since: following.since }
  let pause_ms = MIN_RETRY_DELAY_MS
  let is_lost = false
  for (let was_open = false; !following.signal.aborted; ) {
    try {
      const response = await openStream(remote, following, place)
      if (!was_open) following.onOpen?.()
      else if (is_lost) following.onConnectionChange?.('back')
      was_open = true
      is_lost = false
      pause_ms = MIN_RETRY_DELAY_MS
      yield* readStream(response, place, following.signal)
    } catch (error) {
      if (following.signal.aborted) return
      if (error instanceof StreamRestarted) {
        following.onConnectionChange?.('begun anew')
        Object.assign(place, { last_id: undefined, since: '0' })
        continue
      }
      if (!was_open || (error instanceof CommandError && !(error instanceof Unreachable))) throw error
    }
    if (!is_lost && !following.signal.aborted) following.onConnectionChange?.('lost')
    is_lost = true
    await sleep(pause_ms, undefined, { signal: following.signal }).catch(() => {})
    pause_ms = Math.min(pause_ms * 2, MAX_RETRY_DELAY_MS)
  }
}

/** Between tries to reach the service again. */
const MIN_RETRY_DELAY_MS = 500
const MAX_RETRY_DELAY_MS = 8_000
/** The service says something every 15 seconds; a connection that is silent for this long leads nowhere. */
const MAX_SILENCE_MS = 50_000

/** No answer came, or the service cannot work now: it may be better in a moment. */
class Unreachable extends CommandError {}
/** The place at which we were is not known any more: the sandbox was emptied. */
class StreamRestarted extends Error {}

/** Where a reader goes on. */
interface StreamPosition {
  last_id: string | undefined
  since: string | undefined
}

async function openStream(
  remote: Remote,
  { events, target, signal }: FollowOptions,
  place: StreamPosition,
): Promise<Response> {
  const query = new URLSearchParams()
  if (place.since !== undefined) query.set('since', place.since)
  if (events && events.length > 0) query.set('event', events.join(','))
  if (target !== undefined) query.set('target', target)
  const headers = {
    accept: 'text/event-stream',
    ...(place.last_id !== undefined && { 'last-event-id': place.last_id }),
  }
  const response = await fetchRemote(remote, `/api/events/stream?${query}`, { headers, signal })
  if (response.status === 400 && place.last_id !== undefined) throw new StreamRestarted()
  if (!response.ok) throw await errorFromResponse(remote, response)
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw wrongServiceError(remote)
  return response
}

async function* readStream(
  response: Response,
  place: StreamPosition,
  signal: AbortSignal,
): AsyncGenerator<Notification> {
  const arrived: Notification[] = []
  const parser = createParser({
    onId(id) {
      place.last_id = id
    },
    onEvent: ({ id, event, data }) => arrived.push({ id: Number(id), type: event ?? '', body: data }),
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const leave = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', leave)
  try {
    for (;;) {
      const silence = setTimeout(leave, MAX_SILENCE_MS)
      const { done, value } = await reader.read().finally(() => clearTimeout(silence))
      if (done) return
      parser.feed(value)
      yield* arrived.splice(0)
    }
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
  }
}

/** @throws Unreachable */
async function fetchRemote({ url, api_key }: Remote, path: string, init: RequestInit): Promise<Response> {
  const headers = { accept: 'application/json', authorization: `Token ${api_key}`, ...init.headers }
  try {
    return await fetch(url + path, { ...init, headers, redirect: 'manual' })
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
    throw new Unreachable(
      `No service answers at ${url} (${code ?? message}). Start one with \`npm start\`, or say where it is with --url or KUSANYA_URL.`,
    )
  }
}

/** What a person is told about an answer that is no success. */
async function errorFromResponse(remote: Remote, response: Response): Promise<CommandError> {
  const said: unknown = await response.json().catch(() => undefined)
  const { status } = response
  if (status === 401)
    return new CommandError(
      `The service at ${remote.url} does not know this API key: it is mistyped, revoked, or that of another service.`,
    )
  if (said === undefined || typeof said !== 'object' || said === null || status === 404)
    return wrongServiceError(remote)
  const { detail, message, ...fields } = said as Record<string, unknown>
  // Bill payments have a dialect of their own.
  const words = detail ?? message
  if (status === 429 || status >= 500) return new Unreachable(String(words))
  if (typeof words === 'string') return new CommandError(words)
  return new CommandError(
    Object.entries(fields)
      .map(([field, texts]) => `${field}: ${[texts].flat().join(' ')}`)
      .join('; '),
  )
}

function wrongServiceError({ url }: Remote): CommandError {
  return new CommandError(`What answers at ${url} is not this service, or an older one. Say where it is with --url.`)
}
