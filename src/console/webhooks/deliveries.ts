import { z } from 'zod'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import {
  Attempt,
  countDeliveries,
  Delivery,
  deliveryStates,
  findDelivery,
  listAttempts,
  listDeliveries,
} from '../../core/events/deliveries.ts'
import { countReplays, type ReplayFilters, replayByEvents, replayDeliveries } from '../../core/events/replays.ts'
import { choiceError, errorMessage, fieldMessages, id, integer } from '../../core/fields.ts'
import { timestampFilter } from '../../core/filters.ts'
import { Invalid } from '../../core/refusals.ts'
import { begin } from '../../db/client.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { recordRequestAction } from '../audit.ts'
import { findOwnEndpoint } from './manage.ts'

const permission = 'manage_integrations'

const state = z.enum(deliveryStates, { error: choiceError(deliveryStates) })
const deliveryParams = idParams.extend({ event: idParams.shape.id })

/** The routes for webhook deliveries, their attempts and replays. */
export function addDeliveries(server: Server, app: App): void {
  addList(server, app)
  addGet(server, app)
  addReplay(server, app)
  addReplays(server, app)
}

function addList(server: Server, app: App): void {
  const url = '/console/api/webhooks/deliveries'
  server.get(url, {
    config: { permission },
    schema: {
      querystring: listQuery({
        webhook: integer().optional(),
        event: integer().optional(),
        state: state.optional(),
        type: z.string().optional(),
      }),
      response: { 200: listOf(Delivery.extend({ id: z.string() })) },
    },
    handler: async (request) => {
      const { webhook, event, state, type } = request.query
      const filters = { webhook, event, state, type }
      const page = readPage(request.query, orderings)
      const slice = { offset: page.offset, descending: page.ordering.descending }
      const { organization } = request.caller
      const list = await app.reads.snapshot(async (tx) => ({
        rows: await listDeliveries(tx, organization, filters, page.limit, slice),
        count: await countDeliveries(tx, organization, filters),
      }))
      const rows = list.rows.map((row) => ({ ...row, id: `${row.webhook}-${row.event}` }))
      return answerPage(app, request, page, { ...list, rows })
    },
  })
}

function addGet(server: Server, app: App): void {
  const url = '/console/api/webhooks/:id/deliveries/:event'
  server.get(url, {
    config: { permission },
    schema: {
      params: deliveryParams,
      response: { 200: Delivery.extend({ body: z.string().nullable(), tries: z.array(Attempt) }) },
    },
    handler: (request) =>
      app.reads.snapshot(async (tx) => {
        const { id: webhook, event } = request.params
        const delivery = requireOwned(request.caller.organization, await findDelivery(tx, webhook, event))
        return { ...delivery, tries: await listAttempts(tx, webhook, event) }
      }),
  })
}

function addReplay(server: Server, app: App): void {
  const url = '/console/api/webhooks/:id/deliveries/:event/replay'
  server.post(url, {
    config: { permission },
    schema: { params: deliveryParams },
    handler: async (request, reply) => {
      const { id: webhook, event } = request.params
      await begin(app.db, async (tx) => {
        const { id: object } = await findOwnEndpoint(tx, request, webhook)
        await replayByEvents(tx, app.clock.now(), webhook, [event])
        const details = { event }
        await recordRequestAction(tx, app, request, {
          action: 'resend notification',
          object_type: 'webhook',
          object,
          details,
        })
      })
      app.wake()
      return reply.code(204).send()
    },
  })
}

/** The number of replays in one request keeps it short. The page sends the next request with `next`. */
const MAX_PER_REQUEST = 500

const Cursor = z.object({ webhook: id, event: id })

const ReplayInput = z.object({
  webhook: id.nullish(),
  since: timestampFilter('Events of this time or later.'),
  until: timestampFilter('Events before this time.'),
  failed: z.boolean({ error: errorMessage(fieldMessages.boolean) }).default(false),
  /** True to count the deliveries and replay none. */
  dry_run: z.boolean({ error: errorMessage(fieldMessages.boolean) }).default(false),
  after: Cursor.nullish(),
})

/** Replay the deliveries of a period or those that failed, a chunk with each request. */
function addReplays(server: Server, app: App): void {
  const url = '/console/api/webhooks/replays'
  server.post(url, {
    config: { permission },
    schema: { body: ReplayInput, response: { 200: z.object({ count: z.int(), next: Cursor.nullable() }) } },
    handler: async (request) => {
      const { dry_run, after, webhook, since, until, failed } = request.body
      if (!since && !until && !failed) throw new Invalid({ since: [getMessage('webhooks.period')] })
      if (since && until && since >= until) throw new Invalid({ until: [getMessage('webhooks.period_end')] })
      const filters: ReplayFilters = { organization: request.caller.organization, since, until, failed }
      if (webhook) filters.webhook = webhook
      const answer = await begin(app.db, async (tx) => {
        if (webhook) await findOwnEndpoint(tx, request, webhook)
        if (dry_run) return { count: await countReplays(tx, filters), next: null }
        if (!after)
          await recordRequestAction(tx, app, request, { action: 'resend notifications', details: describe(filters) })
        return replayDeliveries(tx, app.clock.now(), filters, MAX_PER_REQUEST, after ?? undefined)
      })
      if (!dry_run) app.wake()
      return answer
    },
  })
}

/** The filters as the audit log shows them. */
function describe({ webhook, since, until, failed }: ReplayFilters) {
  return {
    ...(webhook !== undefined && { webhook }),
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
    ...(failed && { only: 'failed' }),
  }
}
