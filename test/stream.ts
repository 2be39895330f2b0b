import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { createParser } from 'eventsource-parser'
import { eventually } from './test-app.ts'

export interface StreamEvent {
  id: number
  type: string
  data: string
}

/** A reader of the stream of events. */
export interface StreamReader {
  status: number
  headers: IncomingHttpHeaders
  events: StreamEvent[]
  /** The id after which a reader would go on who came back now. */
  last_id: string
  /** Number of comments so far. */
  comments: number
  ended: boolean
  /** Pause or resume taking data. */
  pause(): void
  resume(): void
  /** Wait until so many events were told, and give them. */
  waitForEvents(count: number): Promise<StreamEvent[]>
  waitForEnd(): Promise<unknown>
  close(): void
}

/** Megabytes take a while on a busy machine. */
const STREAM_TIMEOUT_MS = 40_000

/** Open `/api/events/stream` with this query; resolves with the first bytes, or with the end of another answer. */
export function openStream(
  base: string,
  key: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<StreamReader> {
  return new Promise((resolve, reject) => {
    const options = { agent: false as const, headers: { authorization: `Token ${key}`, ...headers } }
    const request = httpRequest(`${base}/api/events/stream${query}`, options)
    request.on('error', reject).end()
    request.on('response', (response) => {
      const reader: StreamReader = {
        status: response.statusCode!,
        headers: response.headers,
        events: [],
        last_id: '',
        comments: 0,
        ended: false,
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        waitForEvents: (count) =>
          eventually(
            `${count} events on the stream`,
            async () => (reader.events.length >= count ? reader.events : undefined),
            STREAM_TIMEOUT_MS,
          ),
        waitForEnd: () => eventually('the end of the stream', async () => reader.ended || undefined),
        close: () => request.destroy(),
      }
      const parser = createParser({
        onEvent({ id, event, data }) {
          reader.events.push({ id: Number(id), type: event!, data })
        },
        onId(id) {
          reader.last_id = id
        },
        onComment() {
          reader.comments += 1
        },
      })
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        parser.feed(chunk)
        resolve(reader)
      })
      response.on('error', () => {})
      response.on('close', () => {
        reader.ended = true
        resolve(reader)
      })
    })
  })
}
