import { z } from 'zod'
import type { App } from '../app.ts'
import {
  Attempt,
  attemptsOf,
  countDeliveries,
  Delivery,
  deliveryStates,
  findDelivery,
  listDeliveries,
} from '../core/events/deliveries.ts'
import { id, integer, texts, wrong } from '../core/fields.ts'
import { moment } from '../core/filters.ts'
import { owned } from '../core/access/organizations.ts'
import { Invalid } from '../core/refusals.ts'
import { countReplays, type ReplayChoice, replayDeliveries, replayNamed } from '../core/events/replays.ts'
import { begin } from '../db/client.ts'
import { snapshot } from '../db/snapshot.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../http/lists.ts'
import { readPage } from '../http/pages.ts'
import { closeAddress } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { recordDeed } from './audit.ts'
import { ownWebhook } from './webhooks.ts'

const permission = 'manage_organization'

const state = z.enum(deliveryStates, { error: (issue) => texts.choice(issue.input) })
const deliveryParams = idParams.extend({ event: idParams.shape.id })

/** What receivers were sent and what they answered, and sending it once more. */
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
      querystring: listQuery({ webhook: integer().optional(), state: state.optional(), type: z.string().optional() }),
      response: { 200: listOf(Delivery.extend({ id: z.string() })) },
    },
    handler: async (request) => {
      const { webhook, state, type } = request.query
      const page = readPage(request.query, orderings)
      const slice = { offset: page.offset, descending: page.ordering.descending }
      const { organization } = request.caller
      const list = await snapshot(app.db, async (tx) => ({
        rows: await listDeliveries(tx, organization, { webhook, state, type }, page.limit, slice),
        count: await countDeliveries(tx, organization, { webhook, state, type }),
      }))
      const rows = list.rows.map((row) => ({ ...row, id: `${row.webhook}-${row.event}` }))
      return answerPage(app, request, page, { ...list, rows })
    },
  })
  closeAddress(server, url, ['GET'])
}

function addGet(server: Server, app: App): void {
  const url = '/console/api/webhooks/:id/deliveries/:event'
  server.get(url, {
    config: { permission },
    schema: {
      params: deliveryParams,
      response: { 200: Delivery.extend({ body: z.string(), tries: z.array(Attempt) }) },
    },
    handler: (request) =>
      snapshot(app.db, async (tx) => {
        const { id: webhook, event } = request.params
        const delivery = owned(request.caller.organization, await findDelivery(tx, webhook, event))
        return { ...delivery, tries: await attemptsOf(tx, webhook, event) }
      }),
  })
  closeAddress(server, url, ['GET'])
}

function addReplay(server: Server, app: App): void {
  const url = '/console/api/webhooks/:id/deliveries/:event/replay'
  server.post(url, {
    config: { permission },
    schema: { params: deliveryParams },
    handler: async (request, reply) => {
      const { id: webhook, event } = request.params
      await begin(app.db, async (tx) => {
        await ownWebhook(tx, request, webhook)
        await replayNamed(tx, app.clock.now(), webhook, [event])
        const details = { event }
        await recordDeed(tx, app, request, {
          action: 'resend notification',
          object_type: 'webhook',
          object: webhook,
          details,
        })
      })
      app.wake()
      return reply.code(204).send()
    },
  })
  closeAddress(server, url, ['POST'])
}

/** How many are made due in one request, so that each is over in a moment. The page asks again from `next` on. */
const MOST_AT_ONCE = 500

const Cursor = z.object({ webhook: id, event: id })

const ReplayWish = z.object({
  webhook: id.nullish(),
  since: moment('From then on.'),
  until: moment('Before then.'),
  failed: z.boolean({ error: wrong(texts.boolean) }).default(false),
  /** Only counts them. */
  dry_run: z.boolean({ error: wrong(texts.boolean) }).default(false),
  after: Cursor.nullish(),
})

/** Those of a time or those that failed, a piece with each request. */
function addReplays(server: Server, app: App): void {
  const url = '/console/api/webhooks/replays'
  server.post(url, {
    config: { permission },
    schema: { body: ReplayWish, response: { 200: z.object({ count: z.int(), next: Cursor.nullable() }) } },
    handler: async (request) => {
      const { dry_run, after, webhook, since, until, failed } = request.body
      if (!since && !until && !failed)
        throw new Invalid({ since: ['Say of what time, or that only failed ones are meant.'] })
      if (since && until && since >= until) throw new Invalid({ until: ['The end must come after the beginning.'] })
      const choice: ReplayChoice = { organization: request.caller.organization, since, until, failed }
      if (webhook) choice.webhook = webhook
      const answer = await begin(app.db, async (tx) => {
        if (webhook) await ownWebhook(tx, request, webhook)
        if (dry_run) return { count: await countReplays(tx, choice), next: null }
        if (!after) await recordDeed(tx, app, request, { action: 'resend notifications', details: describe(choice) })
        return replayDeliveries(tx, app.clock.now(), choice, MOST_AT_ONCE, after ?? undefined)
      })
      if (!dry_run) app.wake()
      return answer
    },
  })
  closeAddress(server, url, ['POST'])
}

/** What was asked for, for the audit log. */
function describe({ webhook, since, until, failed }: ReplayChoice) {
  return {
    ...(webhook !== undefined && { webhook }),
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
    ...(failed && { only: 'failed' }),
  }
}
