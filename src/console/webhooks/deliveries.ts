import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import { performAction } from '../../actions/routes.ts'
import type { App } from '../../app.ts'
import { resendNotificationAction, resendNotificationsAction } from '../../core/events/actions.ts'
import { Attempt, Delivery, findDelivery, listAttempts } from '../../core/events/deliveries.ts'
import { countReplays, ReplayCursor } from '../../core/events/replays.ts'
import { errorMessage, fieldMessages } from '../../core/fields.ts'
import { Invalid } from '../../core/refusals.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { addAction } from '../actor.ts'
import { findOwnEndpoint } from './manage.ts'

const permission = 'manage_integrations'

const deliveryParams = idParams.extend({ event: idParams.shape.id })

/** The routes for webhook deliveries, their attempts and replays. */
export function addDeliveries(server: Server, app: App): void {
  addGet(server, app)
  addReplay(server, app)
  addReplays(server, app)
}

function addGet(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/webhooks/:id/deliveries/:event',
    permission,
    params: deliveryParams,
    answer: Delivery.extend({ body: z.string().nullable(), tries: z.array(Attempt) }),
    of: (db, { id, event }) => findDelivery(db, id, event),
    read: async (db, { params: { id, event }, of: delivery }) => ({
      ...delivery,
      tries: await listAttempts(db, id, event),
    }),
  })
}

function addReplay(server: Server, app: App): void {
  addAction(server, app, resendNotificationAction, {
    method: 'POST',
    url: '/console/api/webhooks/:id/deliveries/:event/replay',
    params: deliveryParams,
    input: ({ params: { id, event } }) => ({ id, events: [event] }),
  })
}

const ReplayInput = resendNotificationsAction.input.extend({
  /** True to count the deliveries and replay none. */
  dry_run: z.boolean({ error: errorMessage(fieldMessages.boolean) }).default(false),
})

/** Replay the deliveries of a period or those that failed, a chunk with each request. */
function addReplays(server: Server, app: App): void {
  const url = '/console/api/webhooks/replays'
  server.post(url, {
    config: { permission },
    schema: { body: ReplayInput, response: { 200: z.object({ count: z.int(), next: ReplayCursor.nullable() }) } },
    handler: async (request) => {
      const { dry_run, ...input } = request.body
      const { webhook, since, until, failed } = input
      if (!since && !until && !failed) throw new Invalid({ since: [getMessage('webhooks.period')] })
      if (since && until && since >= until) throw new Invalid({ until: [getMessage('webhooks.period_end')] })
      if (!dry_run) return performAction(app, request, resendNotificationsAction, { input })
      if (webhook) await findOwnEndpoint(app.db, request, webhook)
      const { organization } = request.caller
      const filters = { organization, since, until, failed, ...(webhook && { webhook }) }
      return { count: await countReplays(app.db, filters), next: null }
    },
  })
}
