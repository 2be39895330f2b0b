import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../app.ts'
import { ACCESS_CHANNEL } from '../core/access/api-keys.ts'
import { eventTypes, extraEventTypes, readFeedPosition } from '../core/events/events.ts'
import {
  createEventFeed,
  type EventFeed,
  type FeedEvent,
  type Follower,
  findLastEventBefore,
} from '../core/events/feed.ts'
import { notificationBody, Webhook } from '../core/events/webhooks.ts'
import { fieldMessages, text } from '../core/fields.ts'
import { FLAGS_CHANNEL } from '../core/flags.ts'
import { Invalid, Refusal, Throttled } from '../core/refusals.ts'
import { RULES_CHANNEL } from '../core/rule-changes.ts'
import { concernsJob } from '../core/wakes.ts'
import type { Server } from '../http/server.ts'
import type { StreamAccess } from '../http/stream-access.ts'
import { encode } from '../lib/encoding/encode.ts'
import { parsePastTimestamp, truncateToSecond } from '../lib/time.ts'

const STREAM_URL = '/api/events/stream'
const MEDIA_TYPE = 'text/event-stream'

/** Interval of comments on a stream without events, and of checks of each stream. */
const HEARTBEAT_MS = 15_000
/** Maximum stall of a reader while data waits for it; then it is disconnected. */
const MAX_STALLED_MS = 60_000
/** Wait of clients before they reconnect. */
const RETRY_MS = 1_000
/** Maximum number of streams that one reader may have open in this process. */
const MAX_STREAMS = 10
const MAX_TARGET_LENGTH = 2_000

/** The error text for an invalid `since` or `Last-Event-ID`. */
const INVALID_START = 'Enter the id of an event or a time (e.g. 4711, 2030-01-31T18:00:00Z or 10 minutes ago).'

/**
 * Add the stream of an organization's events as they happen, as Server-Sent Events (HTML Living Standard, section 9.2).
 * Each has the body of a webhook notification. Clients that reconnect with `Last-Event-ID` miss no event.
 */
export function addEventStream(server: Server, app: App, readers: StreamAccess): void {
  const streams = createStreams(app, readers)
  // The service stops when all requests have ended, and streams do not end by themselves.
  server.addHook('preClose', streams.close)

  server.get(STREAM_URL, {
    config: { permission: 'view', produces: MEDIA_TYPE, waits_for_third_party: true },
    schema: {
      tags: ['Events'],
      operationId: 'streamEvents',
      summary: 'Stream events as they happen',
      description,
      produces: [MEDIA_TYPE],
      headers: z.looseObject({
        'last-event-id': z.string().optional().meta({ description: 'Continue after this event. Overrides `since`.' }),
      }),
      querystring,
      response: { 200: z.instanceof(Readable).meta({ type: 'string', examples: [example] }) },
    },
    handler: async (request, reply) => {
      const types = readTypes(request)
      const last_event_id = request.headers['last-event-id']
      const after = await readStartPosition(app, request.caller.organization, last_event_id, request.query.since)
      reply
        .type(MEDIA_TYPE)
        .header('cache-control', 'no-cache, no-transform')
        // The connection cannot be reused, and proxies must not buffer events.
        .header('connection', 'close')
        .header('x-accel-buffering', 'no')
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      const { organization, user } = request.caller
      const stream = streams.open(request, { organization, after, types })
      const hook = { id: 0, user, target: request.query.target ?? '' }
      const body = Readable.from(writeEvents(stream, after, hook), { objectMode: false })
      reply.raw.once('close', stream.close)
      if (reply.raw.destroyed) stream.close()
      body.once('close', stream.close)
      return reply.send(body)
    },
  })
}

const querystring = z.object({
  since: z
    .string()
    .optional()
    .meta({
      description: 'Id of the first event, or the time at which the stream begins.',
      examples: ['10 minutes ago'],
    }),
  event: z
    .string()
    .optional()
    .meta({ description: 'Event types, separated by commas; default: all.', examples: [eventTypes[1]] }),
  target: text(MAX_TARGET_LENGTH).optional().meta({ description: 'The value of `hook.target` in the bodies.' }),
})

const description = `Each event has the body of a webhook notification, with its type and its id:

    id: 4711
    event: collection.received
    data: {"hook":{…},"data":{…}}

\`hook\` has the id 0. Without \`since\` and \`Last-Event-ID\` the stream begins with the
next event. The stream stays open until the reader disconnects, the key is revoked or the service stops. \`EventSource\`
reconnects by itself with \`Last-Event-ID\` and misses no event that is still kept. A key may have ${MAX_STREAMS} streams open.`

const example = `retry: ${RETRY_MS}
id: 4710

id: 4711
event: contact.created
data: {"hook":{"id":0,"user":7,"event":"contact.created","created":"2030-01-31T12:00:00Z","updated":"2030-01-31T12:00:00Z","target":""},"data":{"id":12}}

`

/** The requested event types: the parameter may occur several times and hold several types. @throws Invalid */
function readTypes(request: FastifyRequest): string[] | undefined {
  const known: readonly string[] = [...eventTypes, ...extraEventTypes]
  const values = new URLSearchParams(request.url.slice(request.url.indexOf('?') + 1)).getAll('event')
  const types = values.flatMap((value) => value.split(',')).flatMap((type) => type.trim() || [])
  const unknown = types.filter((type) => !known.includes(type))
  if (unknown.length > 0) throw new Invalid({ event: unknown.map((type) => fieldMessages.choice(type, known)) })
  return types.length > 0 ? types : undefined
}

/** The id after which a stream begins: the last event that the reader received, or the one before `since`. @throws Invalid */
async function readStartPosition(
  app: App,
  organization: number,
  last_event_id: string | undefined,
  since: string | undefined,
) {
  const [field, start] = last_event_id ? ['Last-Event-ID', last_event_id] : ['since', since]
  const { committed, newest } = await readFeedPosition(app.db)
  if (start === undefined) return committed
  if (!/^\d{1,16}$/.test(start)) {
    const timestamp = parsePastTimestamp(start, app.clock.now())
    if (!timestamp) throw new Invalid({ [field]: [INVALID_START] })
    // The times of events are stored in whole seconds.
    return findLastEventBefore(app.db, organization, truncateToSecond(timestamp))
  }
  const after = last_event_id ? Number(start) : Math.max(0, Number(start) - 1)
  // A larger id comes from another database: a reader that waited for it would miss the events before it.
  if (after > newest) throw new Invalid({ [field]: [`There is no event ${start} yet.`] })
  return after
}

/**
 * Changes besides events that console pages hear: the state of the whole service, or the organization's rules of
 * approval.
 */
type Change = 'service' | 'rules'

/** The channels that notify processes of these changes: the text is the organization that it concerns, or empty for all. */
const changeChannels = [
  [FLAGS_CHANNEL, 'service'],
  [RULES_CHANNEL, 'rules'],
] as const satisfies [string, Change][]

/** Open stream. */
interface Stream {
  request: FastifyRequest
  follower: Follower
  /** Time at which unreceived data was written; null while the stream waits for events. */
  sent_at_ms: number | null
  /** Unsent changes without an event. */
  changes: Set<Change>
  close(): void
}

/** Wake the feed after work that may have recorded events. Other work causes no delivery. */
function wakeForEvents(app: App, feed: EventFeed): void {
  app.onWake((causes) => {
    if (concernsJob(causes, 'deliver-webhooks')) feed.wake()
  })
}

/** Manage the open streams of this process: count them, and close those that may not or should not stay open. */
function createStreams(app: App, readers: StreamAccess) {
  const streams = new Set<Stream>()
  const limit = limitStreams(readers.kind)
  let feed: EventFeed | undefined
  let timer: NodeJS.Timeout | undefined
  const subscriptions: Promise<{ unlisten(): Promise<void> } | undefined>[] = []

  /** Start the feed with the first stream and not before: `openapi` creates the server without a database. */
  function start(): EventFeed {
    if (feed) return feed
    feed = createEventFeed(app.db)
    wakeForEvents(app, feed)
    // Without notifications of changed keys, the timer still checks each stream.
    const listen = (...args: Parameters<typeof app.db.listen>) =>
      subscriptions.push(app.db.listen(...args).catch(() => undefined))
    listen(ACCESS_CHANNEL, () => [...streams].forEach(checkReader))
    if (readers.kind === 'session')
      for (const [channel, change] of changeChannels) {
        const notify = (organization = '') => notifyStreams(streams, change, organization)
        listen(channel, notify, notify)
      }
    timer = setInterval(checkAll, HEARTBEAT_MS).unref()
    return feed
  }

  async function checkReader(stream: Stream): Promise<void> {
    try {
      await readers.checkAccess(stream.request)
    } catch (error) {
      // Other errors, such as a lost database, say nothing about the access of the reader.
      if (error instanceof Refusal) stream.close()
    }
  }

  function checkAll(): void {
    for (const stream of streams) {
      void checkReader(stream)
      if (stream.sent_at_ms !== null && performance.now() - stream.sent_at_ms > MAX_STALLED_MS)
        stream.request.raw.destroy()
    }
  }

  return {
    open(request: FastifyRequest, options: Parameters<EventFeed['follow']>[0]): Stream {
      const reader = readers.readerId(request)
      limit.enter(reader)
      const follower = start().follow(options)
      const stream: Stream = {
        request,
        follower,
        sent_at_ms: null,
        changes: new Set(),
        close() {
          if (!streams.delete(stream)) return
          follower.close()
          // Data that was not received yet is dropped: a revoked key must not receive it.
          if (stream.sent_at_ms !== null) request.raw.destroy()
          limit.leave(reader)
        },
      }
      streams.add(stream)
      return stream
    },
    async close() {
      clearInterval(timer)
      feed?.close()
      for (const subscription of subscriptions) await (await subscription)?.unlisten()
    },
  }
}

/**
 * Notify console pages of a change in holds, maintenance, the sandbox's clock, or waiting approvals. They are also
 * notified when listening begins: notifications may have been lost while the database was away.
 * @param organization the one that it concerns; empty for all
 */
function notifyStreams(streams: ReadonlySet<Stream>, change: Change, organization: string): void {
  for (const stream of streams) {
    if (organization !== '' && organization !== String(stream.request.caller.organization)) continue
    stream.changes.add(change)
    stream.follower.interrupt()
  }
}

/** Count the open streams of each reader. `enter` throws Throttled when it has as many as it may have. */
function limitStreams(kind: StreamAccess['kind']) {
  const counts = new Map<number, number>()
  return {
    enter(reader: number): void {
      const count = counts.get(reader) ?? 0
      if (count >= MAX_STREAMS)
        throw new Throttled(HEARTBEAT_MS / 1_000, `This ${kind} has ${MAX_STREAMS} streams open. Close one first.`)
      counts.set(reader, count + 1)
    },
    leave(reader: number): void {
      const remaining = counts.get(reader)! - 1
      if (remaining > 0) counts.set(reader, remaining)
      else counts.delete(reader)
    },
  }
}

/** The members of `hook` that all bodies of one stream share. */
type StreamWebhook = Pick<Webhook, 'id' | 'user' | 'target'>

/** The text of a stream in chunks. Each chunk is made only after the one before was written to the connection. */
async function* writeEvents(stream: Stream, after: number, hook: StreamWebhook) {
  const markSent = (chunk: string) => {
    stream.sent_at_ms = performance.now()
    return chunk
  }
  yield markSent(`retry: ${RETRY_MS}\nid: ${after}\n\n`)
  for (;;) {
    stream.sent_at_ms = null
    const events = await stream.follower.next(HEARTBEAT_MS)
    if (events === null) return
    const changes = [...stream.changes]
    stream.changes.clear()
    for (const change of changes) yield markSent(`event: ${change}\ndata: {}\n\n`)
    if (changes.length === 0 && events.length === 0) yield markSent(': heartbeat\n\n')
    for (const event of events) yield markSent(formatEvent(event, hook))
  }
}

function formatEvent({ id, type, data, created }: FeedEvent, hook: StreamWebhook): string {
  const wire = encode(Webhook, { ...hook, event: type, created, updated: created })
  return `id: ${id}\nevent: ${type}\ndata: ${notificationBody(JSON.stringify(wire), data)}\n\n`
}
