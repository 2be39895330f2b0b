import { z } from 'zod'
import { countDeliveries, Delivery, deliveryStates, listDeliveries } from '../../core/events/deliveries.ts'
import { Endpoint, listEndpoints } from '../../core/events/endpoints.ts'
import { Event, eventTypes, findEvent, listEvents } from '../../core/events/events.ts'
import { findWebhook, listWebhooks, Webhook } from '../../core/events/webhooks.ts'
import { choice, integer } from '../../core/fields.ts'
import { exactId, exactText } from '../../core/filters.ts'
import { byTimes } from '../../http/lists.ts'
import { list, ownerOf } from './list.ts'

const eventType = exactText('Event type, exact.', eventTypes[1]!)

export const eventList = list({
  name: 'events',
  permission: 'view',
  filters: { type: eventType },
  view: Event,
  source: 'statements',
  read: (db, asked) => listEvents(db, ownerOf(asked), asked.filters, asked.page),
  one: {
    find: (db, { id }) => findEvent(db, id),
    operation: 'getEvent',
    summary: 'Get one event',
    description: 'Returns the event with the object as it was when the event happened.',
  },
  api: {
    path: '/events',
    tag: 'Events',
    operation: 'listEvents',
    summary: 'List events',
    description: 'Returns your events. An event never changes and is kept for at least 30 days.',
  },
})

export const webhookList = list({
  name: 'webhooks',
  permission: 'manage_organization',
  filters: {
    user: integer()
      .optional()
      .meta({ description: 'Id of the user who created the webhook, exact.', examples: [1] }),
    event: eventType,
  },
  order: { ...byTimes, modified: 'updated' },
  view: Webhook,
  source: 'primary',
  read: (db, asked) => listWebhooks(db, ownerOf(asked), asked.filters, asked.page),
  one: {
    find: (db, { id }) => findWebhook(db, id),
    operation: 'getWebhook',
    summary: 'Get one webhook',
    description: 'Returns the webhook with its event type and its URL.',
  },
  api: {
    path: '/webhooks',
    tag: 'Webhooks',
    operation: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Returns your webhooks.',
  },
}).withCommand({
  path: 'webhooks list',
  description: 'list the webhooks of one organization or of all, newest first',
  organization: 'each',
  limit: null,
  none: 'There are no webhooks.',
  columns: {
    id: 'id',
    organization: 'organization',
    event: 'event',
    target: 'target',
    endpoint: 'endpoint',
    'created (UTC)': 'created',
    'failing since': 'failing_since',
    'paused since': 'paused',
    description: 'description',
  },
})

export const endpointList = list({
  name: 'endpoints of webhooks',
  permission: 'manage_integrations',
  filters: {},
  people: { event: eventType },
  view: Endpoint,
  source: 'primary',
  read: (db, asked) => listEndpoints(db, asked.now, ownerOf(asked), { ...asked.page, event: asked.filters.event }),
  console: { path: '/webhooks/health' },
})

export const deliveryList = list({
  name: 'notifications',
  permission: 'manage_integrations',
  filters: {},
  people: {
    webhook: exactId('Those to one webhook.'),
    event: exactId('Those of one event.'),
    state: choice(deliveryStates).optional(),
    type: eventType,
  },
  view: Delivery.extend({ id: z.string() }),
  async read(db, asked) {
    const { filters, page } = asked
    const organization = ownerOf(asked)
    const [rows, count] = await Promise.all([
      listDeliveries(db, organization, filters, page.limit, page),
      countDeliveries(db, organization, filters),
    ])
    return { rows: rows.map((row) => ({ ...row, id: `${row.webhook}-${row.event}` })), count }
  },
  console: { path: '/webhooks/deliveries' },
}).withCommand({
  path: 'webhooks deliveries',
  description: 'list the newest notifications and their states',
  organization: 'each',
  typed: {
    webhook: ['[webhook]', 'those to one webhook, as `webhooks list` shows it'],
    state: ['--state <state>', 'those in one state'],
  },
  limit: 'how many of each organization',
  none: 'There are no notifications.',
  columns: {
    webhook: 'webhook',
    event: 'event',
    'happened (UTC)': 'created',
    type: 'type',
    state: 'state',
    attempts: 'attempts',
    replayed: 'replayed',
    'last failure': 'last_failure',
    'next attempt': 'due_at',
    target: 'target',
  },
})
