import { z } from 'zod'
import { addView } from '../actions/lists/views.ts'
import type { App } from '../app.ts'
import { requestsById } from '../core/collections/requests.ts'
import { readTimeline, TimelineEntry } from '../core/collections/timelines.ts'
import { RequestOutcome, readOutcome } from '../core/follow-ups/outcomes.ts'
import { smsSuffix } from '../core/sms/message.ts'
import type { Server } from '../http/server.ts'

/** The routes with the history of a collection request, with its state and the possible next actions. */
export function addTimelines(server: Server, app: App): void {
  const url = '/console/api/collectionrequests/:id'
  const suffix = smsSuffix(app.config.SERVICE_NAME)
  addView(server, app, {
    url: `${url}/timeline`,
    permission: 'view',
    answer: z.object({ results: z.array(TimelineEntry) }),
    of: async (db, { id }) => (await requestsById(db, [id])).get(id),
    read: async (db, { of: request }) => ({ results: await readTimeline(db, request, suffix) }),
  })
  addView(server, app, {
    url: `${url}/outcome`,
    permission: 'view',
    answer: RequestOutcome,
    source: 'statements',
    of: async (db, { id }) => (await requestsById(db, [id])).get(id),
    read: (db, { of: request, now }) => readOutcome(db, now, request),
  })
}
