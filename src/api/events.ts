import { z } from 'zod'
import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { Event, eventTypes, findEvent, listEvents } from '../core/events/events.ts'
import { answerList, byId, idParams, listOf, listQuery } from '../http/lists.ts'
import type { Server } from '../http/server.ts'

/** Add the events, which are read-only (interface 4.4). */
export function addEvents(server: Server, app: App): void {
  server.get('/api/events', {
    config: { permission: 'view' },
    schema: {
      tags: ['Events'],
      operationId: 'listEvents',
      summary: 'List events',
      description: 'Returns your events. An event never changes and is kept for at least 30 days.',
      querystring: listQuery({
        type: z
          .string()
          .optional()
          .meta({ description: 'Event type, exact.', examples: [eventTypes[1]] }),
      }),
      response: { 200: listOf(Event) },
    },
    handler: (request) =>
      answerList(app, request, byId, (slice) =>
        listEvents(app.db, request.caller.organization, { type: request.query.type }, slice),
      ),
  })

  server.get('/api/events/:id', {
    config: { permission: 'view' },
    schema: {
      tags: ['Events'],
      operationId: 'getEvent',
      summary: 'Get one event',
      description: 'Returns the event with the object as it was when the event happened.',
      params: idParams,
      response: { 200: Event },
    },
    handler: async (request) => requireOwned(request.caller.organization, await findEvent(app.db, request.params.id)),
  })
}
