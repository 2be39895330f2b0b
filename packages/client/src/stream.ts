import { KusanyaError, messageOf, readRefusal } from './errors.ts'
import { createSseParser } from './sse.ts'
import { type Query, sleep, type Transport, waitBefore } from './transport.ts'
import type { EventType, Notification } from './types.ts'
import { parseNotification } from './webhooks.ts'

/** Start of an event stream, and its filter. */
export interface StreamOptions {
  /** Continue after the event with this id. Keep the id of the last event that you have processed to miss none over restarts. */
  last_event_id?: number
  /** Else the id of the first event, or a time: `2030-01-31T12:00:00Z`, `10 minutes ago`. Default: the next event. */
  since?: number | string
  /** Types to stream. Default: all. */
  types?: readonly EventType[]
  /** End the stream: the loop over it ends without an error. */
  signal?: AbortSignal
  /** The connection is made anew when nothing came for so long, in milliseconds. Default 45,000; the service says something every 15 seconds. */
  idle_timeout_ms?: number
}

/** An event of a stream. */
export type StreamedEvent = Notification & {
  /** The id of the event, in ascending order. */
  id: number
}

const PATH = '/api/events/stream'
const DEFAULT_IDLE_TIMEOUT_MS = 45_000
/** Refusals that another attempt would not change. */
const FINAL_STATUSES: readonly number[] = [400, 401, 403, 404, 405, 406]

/**
 * Give the events of an organization as they happen. After a break it connects again, for as long as it takes, and
 * continues after the last event that it gave. @throws KusanyaError when the service refuses the stream
 */
export async function* streamEvents(
  transport: Transport,
  options: StreamOptions = {},
): AsyncGenerator<StreamedEvent, void, undefined> {
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const query: Query = { since: options.since, event: options.types?.join(',') }
  let last_id = options.last_event_id === undefined ? '' : String(options.last_event_id)
  let attempts = 0
  let has_begun = false
  try {
    while (!signal.aborted) {
      attempts += 1
      let retry_after_ms: number | undefined
      try {
        const headers: Record<string, string> = last_id === '' ? {} : { 'last-event-id': last_id }
        const connection = connect(transport, query, headers, signal, options.idle_timeout_ms)
        for await (const { id, data } of connection) {
          attempts = 0
          has_begun = true
          last_id = id
          if (data !== undefined) yield { id: Number(id), ...parseNotification(data) }
        }
      } catch (error) {
        if (signal.aborted) return
        // An address that redirects or gives a page is wrong. Once it has given a stream, it may do so for a while.
        const isFinal = ({ status }: KusanyaError) => FINAL_STATUSES.includes(status) || (status < 400 && !has_begun)
        if (error instanceof KusanyaError && isFinal(error)) throw error
        if (error instanceof SyntaxError) throw error
        retry_after_ms = error instanceof KusanyaError ? error.retry_after_ms : undefined
      }
      await sleep(waitBefore(Math.max(1, attempts), retry_after_ms), signal).catch(() => {})
    }
  } finally {
    stop.abort()
  }
}

/** A part of a stream: an event, or without data only the place at which the stream is. */
interface Part {
  id: string
  data: string | undefined
}

/** Read one connection to its end. @throws KusanyaError, or errors of fetch */
async function* connect(
  transport: Transport,
  query: Query,
  headers: Record<string, string>,
  signal: AbortSignal,
  idle_timeout_ms = DEFAULT_IDLE_TIMEOUT_MS,
): AsyncGenerator<Part, void, undefined> {
  const idle = new AbortController()
  const restart = () => setTimeout(() => idle.abort(new Error('Nothing came for too long.')), idle_timeout_ms)
  let timer = restart()
  const both = AbortSignal.any([signal, idle.signal])
  try {
    const response = await transport.open(PATH, query, { accept: 'text/event-stream', ...headers }, both)
    const is_stream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? true
    if (!response.ok || !response.body || !is_stream) throw await refusalOf(response)
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    const parse = createSseParser()
    for (;;) {
      const { done, value } = await reader.read()
      clearTimeout(timer)
      if (done) return
      // While the caller works on an event, nothing is read: that is no silence of the service.
      yield* parse(decoder.decode(value, { stream: true }))
      timer = restart()
    }
  } finally {
    clearTimeout(timer)
    idle.abort()
  }
}

async function refusalOf(response: Response): Promise<KusanyaError> {
  const text = await response.text()
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {
    // Some proxies answer in HTML.
  }
  const { detail, ...others } = readRefusal(response, body)
  const no_stream = response.status < 400 ? 'The answer is no stream of events.' : undefined
  const details = { ...others, detail: detail ?? no_stream }
  return new KusanyaError(messageOf('GET', PATH, details), { method: 'GET', path: PATH, ...details })
}
