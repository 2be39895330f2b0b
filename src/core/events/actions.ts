import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { decrypt } from '../../lib/secrets.ts'
import { type ActionContext, type ActionEntry, action, organizationOf } from '../access/action.ts'
import { requireOwned } from '../access/organizations.ts'
import { integer, requiredText, text } from '../fields.ts'
import { NotFound } from '../refusals.ts'
import {
  deleteEndpoint,
  Endpoint,
  findEndpoint,
  readEndpoints,
  readEndpointWebhooks,
  readSealedSecret,
  rotateSecret,
  setPaused,
} from './endpoints.ts'
import { CredentialsView, clearCredentials, setCredentials, WEBHOOK_KEY_PURPOSE, type WebhookRow } from './webhooks.ts'

const permission = 'manage_integrations'

export const setCredentialsAction = action({
  name: 'set webhook credentials',
  permission,
  input: z.object({ user: requiredText(200), password: text(1_000) }),
  async run(tx, context, credentials) {
    const { now, service } = context
    await setCredentials(tx, now, organizationOf(context), credentials, service.sealingKeys(WEBHOOK_KEY_PURPOSE))
    return { user: credentials.user, modified: now }
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

/** Each takes the id of a webhook, and means its endpoint with all event types. */
const ofEndpoint = {
  object_type: 'webhook',
  permission: 'manage_integrations',
  input: z.object({ id: integer() }),
} as const
const Secret = z.object({ secret: z.string() })

/** Send nothing to an endpoint. Its notifications are kept. */
export const pauseWebhookAction = action({
  ...ofEndpoint,
  name: 'pause webhook',
  run: (tx, context, { id }) => setPausedFor(tx, context, id, true),
  audit: ({ rows }) => endpointEntry(rows),
  wakes: true,
  console: { method: 'POST', path: '/webhooks/:id/pause', answer: Endpoint, view: ({ endpoint }) => endpoint },
})

/** Send to an endpoint again, also what was kept while it was paused. */
export const resumeWebhookAction = action({
  ...ofEndpoint,
  name: 'resume webhook',
  run: (tx, context, { id }) => setPausedFor(tx, context, id, false),
  audit: ({ rows }) => endpointEntry(rows),
  wakes: true,
  console: { method: 'POST', path: '/webhooks/:id/resume', answer: Endpoint, view: ({ endpoint }) => endpoint },
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
    const rows = await rotateSecret(tx, context.now, id, context.service.sealingKeys(WEBHOOK_KEY_PURPOSE))
    return { rows, secret: await readSecret(tx, context, id) }
  },
  audit: ({ rows }) => endpointEntry(rows),
  console: { method: 'POST', path: '/webhooks/:id/secret/rotate', answer: Secret, view: ({ secret }) => ({ secret }) },
})

async function setPausedFor(tx: Tx, context: ActionContext, id: number, paused: boolean) {
  await requireOwnEndpoint(tx, context, id)
  const rows = await setPaused(tx, context.now, id, paused)
  const [endpoint] = await readEndpoints(tx, context.now, [rows[0]!.endpoint])
  return { rows, endpoint: endpoint! }
}

/** Require an endpoint of the actor's organization; an operator without one has all. @throws NotFound, Forbidden */
async function requireOwnEndpoint(tx: Tx, { actor }: ActionContext, id: number): Promise<void> {
  const found = await findEndpoint(tx, id)
  if (actor.organization !== null) requireOwned(actor.organization, found)
  else if (!found) throw new NotFound(getMessage('webhooks.none', { webhook: id }))
}

async function readSecret(tx: Tx, { service }: ActionContext, id: number): Promise<string> {
  return decrypt(service.sealingKeys(WEBHOOK_KEY_PURPOSE), await readSealedSecret(tx, id))
}

/** Return the audit entry of an endpoint. The whole target may have a secret in it, so the entry has its host. */
export function endpointEntry(webhooks: readonly WebhookRow[]): ActionEntry {
  const { endpoint, organization, target } = webhooks[0]!
  const events = webhooks.map(({ event }) => event)
  return { object: endpoint, organization, details: { events, host: new URL(target).host } }
}
