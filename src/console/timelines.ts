import { z } from 'zod'
import type { App } from '../app.ts'
import { requestsById } from '../core/collections/requests.ts'
import { owned } from '../core/access/organizations.ts'
import { suffixOf } from '../core/collections/sms.ts'
import { readTimeline, TimelineEntry } from '../core/collections/timelines.ts'
import { snapshot } from '../db/snapshot.ts'
import { idParams } from '../http/lists.ts'
import { closeAddress } from '../http/methods.ts'
import type { Server } from '../http/server.ts'

/** What happened to a collection request, from the first move to the last notification. */
export function addTimelines(server: Server, app: App): void {
  const address = '/console/api/collectionrequests/:id/timeline'
  const suffix = suffixOf(app.config.SERVICE_NAME)
  server.get(address, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: z.object({ results: z.array(TimelineEntry) }) } },
    handler: async ({ caller, params: { id } }) => ({
      results: await snapshot(app.db, async (tx) => {
        const request = owned(caller.organization, (await requestsById(tx, [id])).get(id))
        return readTimeline(tx, request, suffix)
      }),
    }),
  })
  closeAddress(server, address, ['GET'])
}
