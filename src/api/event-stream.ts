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
import { Invalid, Refusal, Throttled } from '../core/refusals.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import type { StreamAccess } from '../http/stream-access.ts'
import { parsePastTimestamp, truncateToSecond } from '../lib/time.ts'

const STREAM_URL = '/api/events/stream'
const MEDIA_TYPE = 'text/event-stream'

/** A quiet stream says this often that it is alive, and every stream is looked after this often. */
const HEARTBEAT_MS = 15_000
/** A reader who takes nothing for this long while something waits for it is cut off. */
const MAX_STALLED_MS = 60_000
/** How long readers wait before they come back after a break. */
const RETRY_MS = 1_000
/** The most streams that one reader may have open in this process. */
const MAX_STREAMS = 10
const MAX_TARGET_LENGTH = 2_000

/** What `since` and `Last-Event-ID` may be, in the words of a refusal. */
const INVALID_START = 'Enter the id of an event or a time (e.g. 4711, 2030-01-31T18:00:00Z or 10 minutes ago).'

/**
 * The events of an organization as they happen, as Server-Sent Events (HTML Living Standard, section 9.2). Each carries the
 * body that a webhook would be sent. Readers who come back with `Last-Event-ID` miss nothing.
 */
export function addEventStream(server: Server, app: App, readers: StreamAccess): void {
  const streams = createStreams(app, readers)
  // The service stops when its requests have ended, and these do not end by themselves.
  server.addHook('preClose', streams.close)

  server.get(STREAM_URL, {
    config: { permission: 'view', allow: 'GET, HEAD, OPTIONS', produces: MEDIA_TYPE, waits_for_third_party: true },
    schema: {
      tags: ['Events'],
      operationId: 'streamEvents',
      summary: 'Follow events as they happen',
      description,
      produces: [MEDIA_TYPE],
      headers: z.looseObject({
        'last-event-id': z.string().optional().meta({ description: 'Go on after this event. Stands above `since`.' }),
      }),
      querystring,
      response: { 200: z.instanceof(Readable).meta({ type: 'string', examples: [example] }) },
    },
    handler: async (request, reply) => {
      const types = readTypes(request)
      const last = request.headers['last-event-id']
      const after = await readStartPosition(app, request.caller.organization, last, request.query.since)
      reply
        .type(MEDIA_TYPE)
        .header('cache-control', 'no-cache, no-transform')
        // Nothing can follow on this connection, and proxies are to pass on each event at once.
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
  refuseOtherMethods(server, STREAM_URL, ['GET'])
}

const querystring = z.object({
  since: z
    .string()
    .optional()
    .meta({ description: 'The id of an event, or a time: begin with it.', examples: ['10 minutes ago'] }),
  event: z
    .string()
    .optional()
    .meta({ description: 'Event types, with commas between them; all unless given.', examples: [eventTypes[1]] }),
  target: text(MAX_TARGET_LENGTH).optional().meta({ description: 'What `hook.target` says in the bodies.' }),
})

const description = `Each event is the body that a webhook would be sent, under its type and its id:

    id: 4711
    event: collection.received
    data: {"hook":{…},"data":{…}}

\`hook\` has the id 0, because no webhook is behind it. Without \`since\` and \`Last-Event-ID\` the stream begins with what happens
next. The stream stays open until the reader leaves, the key is revoked or the service stops; \`EventSource\` and its kin come back by
themselves, with \`Last-Event-ID\`, and miss nothing that is still kept. One key may have ${MAX_STREAMS} streams open.`

const example = `retry: ${RETRY_MS}
id: 4710

id: 4711
event: contact.created
data: {"hook":{"id":0,"user":7,"event":"contact.created","created":"2030-01-31T12:00:00Z","updated":"2030-01-31T12:00:00Z","target":""},"data":{"id":12}}

`

/** The types that are wanted: the parameter may come several times, and hold several. @throws Invalid */
function readTypes(request: FastifyRequest): string[] | undefined {
  const known: readonly string[] = [...eventTypes, ...extraEventTypes]
  const given = new URLSearchParams(request.url.slice(request.url.indexOf('?') + 1)).getAll('event')
  const types = given.flatMap((value) => value.split(',')).flatMap((type) => type.trim() || [])
  const unknown = types.filter((type) => !known.includes(type))
  if (unknown.length > 0) throw new Invalid({ event: unknown.map(fieldMessages.choice) })
  return types.length > 0 ? types : undefined
}

/** The id after which a stream begins: the last one that the reader has had, or the one before `since`. @throws Invalid */
async function readStartPosition(app: App, organization: number, last: string | undefined, since: string | undefined) {
  const [field, start] = last ? ['Last-Event-ID', last] : ['since', since]
  const { committed: settled, newest } = await readFeedPosition(app.db)
  if (start === undefined) return settled
  if (!/^\d{1,15}$/.test(start)) {
    const moment = parsePastTimestamp(start, app.clock.now())
    if (!moment) throw new Invalid({ [field]: [INVALID_START] })
    // Events are kept to the second.
    return findLastEventBefore(app.db, organization, truncateToSecond(moment))
  }
  const after = last ? Number(start) : Math.max(0, Number(start) - 1)
  // Whoever has seen more than there is has seen another database: to wait for that event would be to miss others.
  if (after > newest) throw new Invalid({ [field]: [`There has been no event ${start} yet.`] })
  return after
}

/** One open stream. */
interface Stream {
  request: FastifyRequest
  follower: Follower
  /** When the reader was last handed something that it has not taken; null while it waits for us. */
  sent_at_ms: number | null
  close(): void
}

/** Looks after the open streams of this process: how many there are, and whether each may and should stay open. */
function createStreams(app: App, readers: StreamAccess) {
  const streams = new Set<Stream>()
  const counts = new Map<number, number>()
  let feed: EventFeed | undefined
  let rounds: NodeJS.Timeout | undefined
  let subscription: Promise<{ unlisten(): Promise<void> } | undefined> | undefined

  /** With the first stream and not before: whoever only describes the server needs no database. */
  function start(): EventFeed {
    if (feed) return feed
    feed = createEventFeed(app.db)
    app.onWake(feed.wake)
    // Whoever cannot be told of changes still looks in every round.
    subscription = app.db.listen(ACCESS_CHANNEL, () => [...streams].forEach(checkReader)).catch(() => undefined)
    rounds = setInterval(lookAfterAll, HEARTBEAT_MS).unref()
    return feed
  }

  async function checkReader(stream: Stream): Promise<void> {
    try {
      await readers.checkAccess(stream.request)
    } catch (error) {
      // While the database is away nobody knows, and nothing is told either.
      if (error instanceof Refusal) stream.close()
    }
  }

  function lookAfterAll(): void {
    for (const stream of streams) {
      void checkReader(stream)
      if (stream.sent_at_ms !== null && performance.now() - stream.sent_at_ms > MAX_STALLED_MS)
        stream.request.raw.destroy()
    }
  }

  return {
    open(request: FastifyRequest, interest: Parameters<EventFeed['follow']>[0]): Stream {
      const reader = readers.readerId(request)
      const count = counts.get(reader) ?? 0
      if (count >= MAX_STREAMS)
        throw new Throttled(
          HEARTBEAT_MS / 1_000,
          `This ${readers.kind} has ${MAX_STREAMS} streams open. Close one first.`,
        )
      counts.set(reader, count + 1)
      const follower = start().follow(interest)
      const stream: Stream = {
        request,
        follower,
        sent_at_ms: null,
        close() {
          if (!streams.delete(stream)) return
          follower.close()
          // What it has not taken it need not take any more, and must not with a key that was revoked.
          if (stream.sent_at_ms !== null) request.raw.destroy()
          const left = counts.get(reader)! - 1
          if (left > 0) counts.set(reader, left)
          else counts.delete(reader)
        },
      }
      streams.add(stream)
      return stream
    },
    async close() {
      clearInterval(rounds)
      feed?.close()
      await (await subscription)?.unlisten()
    },
  }
}

/** What all bodies of one stream say of the webhook in whose place it stands. */
type StreamWebhook = Pick<Webhook, 'id' | 'user' | 'target'>

/** What a reader is told, piece by piece; each is made only when the one before is on its way. */
async function* writeEvents(stream: Stream, after: number, hook: StreamWebhook) {
  const hand = (piece: string) => {
    stream.sent_at_ms = performance.now()
    return piece
  }
  yield hand(`retry: ${RETRY_MS}\nid: ${after}\n\n`)
  for (;;) {
    stream.sent_at_ms = null
    const events = await stream.follower.next(HEARTBEAT_MS)
    if (events === null) return
    if (events.length === 0) yield hand(': all is quiet\n\n')
    for (const event of events) yield hand(formatEvent(event, hook))
  }
}

function formatEvent({ id, type, data, created }: FeedEvent, hook: StreamWebhook): string {
  const wire = z.encode(Webhook, { ...hook, event: type, created, updated: created })
  return `id: ${id}\nevent: ${type}\ndata: ${notificationBody(JSON.stringify(wire), data)}\n\n`
}
