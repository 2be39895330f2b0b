import { z } from 'zod'
import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { requestsById } from '../core/collections/requests.ts'
import { readTimeline, TimelineEntry } from '../core/collections/timelines.ts'
import { RequestOutcome, readOutcome } from '../core/follow-ups/outcomes.ts'
import { smsSuffix } from '../core/sms/message.ts'
import { idParams } from '../http/lists.ts'
import type { Server } from '../http/server.ts'

/** The route with the history of a collection request, from its creation to the last notification. */
export function addTimelines(server: Server, app: App): void {
  const url = '/console/api/collectionrequests/:id/timeline'
  const suffix = smsSuffix(app.config.SERVICE_NAME)
  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: z.object({ results: z.array(TimelineEntry) }) } },
    handler: async ({ caller, params: { id } }) => ({
      results: await app.reads.snapshot(async (tx) => {
        const request = requireOwned(caller.organization, (await requestsById(tx, [id])).get(id))
        return readTimeline(tx, request, suffix)
      }),
    }),
  })
  addOutcomes(server, app)
}

/** Add the route with the state of a request and the possible next actions. */
function addOutcomes(server: Server, app: App): void {
  const url = '/console/api/collectionrequests/:id/outcome'
  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: RequestOutcome } },
    handler: async ({ caller, params: { id } }) => {
      const request = requireOwned(caller.organization, (await requestsById(app.db, [id])).get(id))
      return readOutcome(app.db, app.clock.now(), request)
    },
  })
}
