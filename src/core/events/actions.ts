import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { decrypt, type SealingKeys } from '../../lib/secrets.ts'
import {
  type ActionContext,
  type ActionEntry,
  type ActionService,
  action,
  makerOf,
  organizationOf,
  requireOwn,
} from '../access/action.ts'
import { booleanField, errorMessage, fieldMessages, id, integer, requiredText, text } from '../fields.ts'
import { timestampFilter } from '../filters.ts'
import { Invalid } from '../refusals.ts'
import {
  createEndpoint,
  deleteEndpoint,
  Endpoint,
  editEndpoint,
  findEndpoint,
  readEndpoints,
  readEndpointWebhooks,
  readSealedSecret,
  rotateSecret,
  setPaused,
} from './endpoints.ts'
import { ReplayCursor, replayByEvents, replayDeliveries } from './replays.ts'
import {
  CredentialsView,
  clearCredentials,
  findWebhook,
  setCredentials,
  WEBHOOK_KEY_PURPOSE,
  type WebhookRow,
  webhookDescription,
  webhookTarget,
} from './webhooks.ts'

const permission = 'manage_integrations'

/** Notifications that are sent again in one transaction. The next ones follow with the cursor of its answer. */
const MAX_REPLAYS = 500

const WEBHOOK_ARGUMENT = ['<webhook>', 'as `webhooks list` shows it'] as const
const noEvents = errorMessage(getMessage('webhooks.no_events'))

export const setCredentialsAction = action({
  name: 'set webhook credentials',
  permission,
  input: z.object({ user: requiredText(200), password: text(1_000) }),
  async run(tx, context, credentials) {
    await setCredentials(tx, context.now, organizationOf(context), credentials, keysOf(context))
    return { user: credentials.user, modified: context.now }
  },
  audit: ({ user }) => ({ details: { user } }),
  console: { method: 'PUT', path: '/webhook-credentials', answer: CredentialsView },
})

/** Send notifications without Basic credentials. @returns false if there were none */
export const clearCredentialsAction = action({
  name: 'clear webhook credentials',
  permission,
  input: z.object({}),
  run: (tx, context) => clearCredentials(tx, organizationOf(context)),
  audit: (existed) => (existed ? {} : undefined),
  console: { method: 'DELETE', path: '/webhook-credentials' },
})

const events = z
  .array(
    text(100).transform((typed) => typed.trim()),
    { error: noEvents },
  )
  .min(1, { error: noEvents })
  .transform((list) => [...new Set(list)])
const description = webhookDescription.nullish()

/** Each takes the id of a webhook, and means its endpoint with all event types. */
const ofEndpoint = {
  object_type: 'webhook',
  permission,
  input: z.object({ id: integer() }),
} as const

/** Create an endpoint for one or more event types. */
export const createWebhooksAction = action({
  name: 'create webhook',
  object_type: 'webhook',
  permission,
  input: z.object({ events, target: webhookTarget, description }),
  async check(service, { events, target }) {
    requireOffered(service, events)
    await service.checkTarget(target)
  },
  async run(tx, context, { events, target, description = null }) {
    const author = { organization: organizationOf(context), user: await makerOf(tx, context) }
    const id = await createEndpoint(tx, context.now, { ...author, events, target, description }, keysOf(context))
    return withEndpoint(tx, context, await readEndpointWebhooks(tx, id))
  },
  audit: ({ rows }) => endpointEntry(rows),
  wakes: true,
  creates: { type: 'webhook', id: ({ rows }) => rows[0]!.id },
  console: {
    method: 'POST',
    path: '/webhooks/endpoints',
    status: 201,
    answer: Endpoint,
    view: ({ endpoint }) => endpoint,
  },
})

/** Change an endpoint. Missing members stay. */
export const editWebhookAction = action({
  name: 'edit webhook',
  object_type: 'webhook',
  permission,
  input: z.object({ id: integer(), events: events.optional(), target: webhookTarget.optional(), description }),
  async check(service, { target, events = [] }) {
    requireOffered(service, events)
    if (target !== undefined) await service.checkTarget(target)
  },
  async run(tx, context, { id, ...edit }) {
    await requireOwnEndpoint(tx, context, id)
    return withEndpoint(tx, context, await editEndpoint(tx, context.now, id, edit, context.actor.user))
  },
  audit: ({ rows }) => endpointEntry(rows),
  wakes: true,
  console: { method: 'POST', path: '/webhooks/:id/edit', answer: Endpoint, view: ({ endpoint }) => endpoint },
  cli: {
    path: 'webhooks edit',
    description: 'change the target, the event types or the description of a webhook',
    typed: {
      id: WEBHOOK_ARGUMENT,
      target: ['--target <url>', 'an https URL; what waits is sent there, too'],
      events: ['--event <types...>', 'all types that it is to receive; what waits of others is cancelled'],
      description: ['--description <text>', 'what people read about it; empty for none'],
    },
    text: ({ rows }) => rows.map((row) => `Webhook ${row.id}: ${row.event} to ${row.target}.`).join('\n'),
    view: ({ rows }) => rows,
  },
})

/** Record a test notification, which `testWebhook` (src/actions) has sent. */
export const testWebhookAction = action({
  ...ofEndpoint,
  name: 'test webhook',
  input: z.object({ id: integer(), result: z.string() }),
  run: (tx, context, { id }) => ownWebhook(tx, context, id),
  audit: ({ endpoint: object, organization, event }, { result }) => ({
    object,
    organization,
    details: { event, result },
  }),
})

/** Send the notifications of events to a webhook again, all or none. */
export const resendNotificationAction = action({
  name: 'resend notification',
  object_type: 'webhook',
  permission,
  input: z.object({ id: integer(), events: z.array(integer()) }),
  async run(tx, context, { id, events }) {
    const endpoint = await requireOwnEndpoint(tx, context, id)
    await replayByEvents(tx, context.now, id, events)
    return endpoint
  },
  audit: ({ id: object, organization }, { events }) =>
    events.map((event) => ({ object, organization, details: { event } })),
  wakes: true,
})

/** Send notifications of a period or those that failed again. Large numbers are sent in parts. */
export const resendNotificationsAction = action({
  name: 'resend notifications',
  permission,
  input: z.object({
    webhook: id.nullish(),
    since: timestampFilter('Events of this time or later.'),
    until: timestampFilter('Events before this time.'),
    failed: booleanField.default(false),
    /** The last notification of the part before, from its answer. */
    after: ReplayCursor.nullish(),
  }),
  async run(tx, context, { webhook, after, since, until, failed }) {
    if (webhook) await requireOwnEndpoint(tx, context, webhook)
    const filters = { organization: organizationOf(context), ...(webhook && { webhook }), since, until, failed }
    return replayDeliveries(tx, context.now, filters, MAX_REPLAYS, after ?? undefined)
  },
  audit: (_, { webhook, since, until, failed, after }) =>
    after
      ? undefined
      : {
          details: {
            ...(webhook && { webhook }),
            ...(since && { since: since.toISOString() }),
            ...(until && { until: until.toISOString() }),
            ...(failed && { only: 'failed' }),
          },
        },
  wakes: true,
})

const Secret = z.object({ secret: z.string() })

/** Send nothing to an endpoint. Its notifications are kept. */
export const pauseWebhookAction = action({
  ...ofEndpoint,
  name: 'pause webhook',
  run: (tx, context, { id }) => setPausedFor(tx, context, id, true),
  audit: ({ rows }) => endpointEntry(rows),
  wakes: true,
  console: { method: 'POST', path: '/webhooks/:id/pause', answer: Endpoint, view: ({ endpoint }) => endpoint },
  cli: {
    path: 'webhooks pause',
    description: 'send nothing to a webhook; its notifications are kept for EVENT_RETENTION_DAYS',
    typed: { id: WEBHOOK_ARGUMENT },
    text: ({ rows }) => rows.map(({ id, event }) => `Webhook ${id} (${event}) is paused.`).join('\n'),
    view: ({ rows }) => rows,
  },
})

/** Send to an endpoint again, also what was kept while it was paused. */
export const resumeWebhookAction = action({
  ...ofEndpoint,
  name: 'resume webhook',
  run: (tx, context, { id }) => setPausedFor(tx, context, id, false),
  audit: ({ rows }) => endpointEntry(rows),
  wakes: true,
  console: { method: 'POST', path: '/webhooks/:id/resume', answer: Endpoint, view: ({ endpoint }) => endpoint },
  cli: {
    path: 'webhooks resume',
    description: 'send to a webhook again, also what was kept while it was paused',
    typed: { id: WEBHOOK_ARGUMENT },
    text: ({ rows }) => rows.map(({ id, event }) => `Webhook ${id} (${event}) is not paused any more.`).join('\n'),
    view: ({ rows }) => rows,
  },
})

export const deleteWebhookAction = action({
  ...ofEndpoint,
  name: 'delete webhook',
  async run(tx, context, { id }) {
    await requireOwnEndpoint(tx, context, id)
    return deleteEndpoint(tx, context.now, id)
  },
  audit: endpointEntry,
  console: { method: 'POST', path: '/webhooks/:id/delete' },
})

/** Show the secret of an endpoint. Each look is recorded. */
export const showSecretAction = action({
  ...ofEndpoint,
  name: 'show webhook secret',
  async run(tx, context, { id }) {
    await requireOwnEndpoint(tx, context, id)
    return { rows: await readEndpointWebhooks(tx, id), secret: await readSecret(tx, context, id) }
  },
  audit: ({ rows }) => endpointEntry(rows),
  console: { method: 'POST', path: '/webhooks/:id/secret', answer: Secret, view: ({ secret }) => ({ secret }) },
})

export const rotateSecretAction = action({
  ...ofEndpoint,
  name: 'rotate webhook secret',
  async run(tx, context, { id }) {
    await requireOwnEndpoint(tx, context, id)
    const rows = await rotateSecret(tx, context.now, id, keysOf(context))
    return { rows, secret: await readSecret(tx, context, id) }
  },
  audit: ({ rows }) => endpointEntry(rows),
  console: { method: 'POST', path: '/webhooks/:id/secret/rotate', answer: Secret, view: ({ secret }) => ({ secret }) },
})

async function setPausedFor(tx: Tx, context: ActionContext, id: number, paused: boolean) {
  await requireOwnEndpoint(tx, context, id)
  return withEndpoint(tx, context, await setPaused(tx, context.now, id, paused))
}

async function withEndpoint(tx: Tx, { now }: ActionContext, rows: readonly WebhookRow[]) {
  const [endpoint] = await readEndpoints(tx, now, [rows[0]!.endpoint])
  return { rows, endpoint: endpoint! }
}

/** Return an endpoint of the actor's organization; an operator without one has all. @throws NotFound, Forbidden */
async function requireOwnEndpoint(tx: Tx, context: ActionContext, id: number) {
  return requireOwn(context, await findEndpoint(tx, id), getMessage('webhooks.none', { webhook: id }))
}

/** @throws Invalid for an event type that this installation does not offer */
function requireOffered(service: ActionService, events: readonly string[]): void {
  const offered = service.eventTypes()
  const unknown = events.find((event) => !offered.includes(event))
  if (unknown === undefined) return
  throw new Invalid({ events: [unknown === '' ? fieldMessages.not_blank : fieldMessages.choice(unknown, offered)] })
}

function keysOf({ service }: ActionContext): SealingKeys {
  return service.sealingKeys(WEBHOOK_KEY_PURPOSE)
}

/** @throws NotFound, Forbidden */
async function ownWebhook(tx: Tx, context: ActionContext, id: number): Promise<WebhookRow> {
  return requireOwn(context, await findWebhook(tx, id), getMessage('webhooks.none', { webhook: id }))
}

async function readSecret(tx: Tx, context: ActionContext, id: number): Promise<string> {
  return decrypt(keysOf(context), await readSealedSecret(tx, id))
}

/** Return the audit entry of an endpoint. The whole target may have a secret in it, so the entry has its host. */
function endpointEntry(webhooks: readonly WebhookRow[]): ActionEntry {
  const { endpoint, organization, target } = webhooks[0]!
  const events = webhooks.map(({ event }) => event)
  return { object: endpoint, organization, details: { events, host: new URL(target).host } }
}
