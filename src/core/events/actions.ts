import { z } from 'zod'
import type { Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { decrypt } from '../../lib/secrets.ts'
import { type ActionContext, type ActionEntry, action, organizationOf } from '../access/action.ts'
import { requireOwned } from '../access/organizations.ts'
import { integer, requiredText, text } from '../fields.ts'
import { NotFound } from '../refusals.ts'
import {
  CredentialsView,
  clearCredentials,
  deleteWebhooks,
  findWebhook,
  readSealedSecret,
  readWebhookHealth,
  rotateSecret,
  setCredentials,
  setPaused,
  WEBHOOK_KEY_PURPOSE,
  WebhookHealth,
  type WebhookRow,
} from './webhooks.ts'

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

const ofWebhook = {
  object_type: 'webhook',
  permission: 'manage_integrations',
  input: z.object({ id: integer() }),
} as const
const Secret = z.object({ secret: z.string() })

/** Send nothing to a webhook. Its notifications are kept. */
export const pauseWebhookAction = action({
  ...ofWebhook,
  name: 'pause webhook',
  run: (tx, context, { id }) => setPausedFor(tx, context, id, true),
  audit: ({ row }) => webhookEntry(row),
  wakes: true,
  console: { method: 'POST', path: '/webhooks/:id/pause', answer: WebhookHealth, view: ({ health }) => health },
})

/** Send to a webhook again, also what was kept while it was paused. */
export const resumeWebhookAction = action({
  ...ofWebhook,
  name: 'resume webhook',
  run: (tx, context, { id }) => setPausedFor(tx, context, id, false),
  audit: ({ row }) => webhookEntry(row),
  wakes: true,
  console: { method: 'POST', path: '/webhooks/:id/resume', answer: WebhookHealth, view: ({ health }) => health },
})

export const deleteWebhookAction = action({
  ...ofWebhook,
  name: 'delete webhook',
  async run(tx, context, { id }) {
    const row = await ownWebhook(tx, context, id)
    await deleteWebhooks(tx, context.now, [id])
    return row
  },
  audit: webhookEntry,
  console: { method: 'POST', path: '/webhooks/:id/delete' },
})

/** Show the secret of a webhook. Each look is recorded. */
export const showSecretAction = action({
  ...ofWebhook,
  name: 'show webhook secret',
  async run(tx, context, { id }) {
    const row = await ownWebhook(tx, context, id)
    return { row, secret: await readSecret(tx, context, id) }
  },
  audit: ({ row }) => webhookEntry(row),
  console: { method: 'POST', path: '/webhooks/:id/secret', answer: Secret, view: ({ secret }) => ({ secret }) },
})

export const rotateSecretAction = action({
  ...ofWebhook,
  name: 'rotate webhook secret',
  async run(tx, context, { id }) {
    await ownWebhook(tx, context, id)
    const row = await rotateSecret(tx, context.now, id, context.service.sealingKeys(WEBHOOK_KEY_PURPOSE))
    return { row, secret: await readSecret(tx, context, id) }
  },
  audit: ({ row }) => webhookEntry(row),
  console: { method: 'POST', path: '/webhooks/:id/secret/rotate', answer: Secret, view: ({ secret }) => ({ secret }) },
})

async function setPausedFor(tx: Tx, context: ActionContext, id: number, paused: boolean) {
  await ownWebhook(tx, context, id)
  const row = await setPaused(tx, context.now, id, paused)
  const [health] = await readWebhookHealth(tx, context.now, [row])
  return { row, health }
}

/** Return a webhook of the actor's organization, or any webhook to an operator without one. @throws NotFound, Forbidden */
async function ownWebhook(tx: Tx, { actor }: ActionContext, id: number): Promise<WebhookRow> {
  const row = await findWebhook(tx, id)
  if (actor.organization !== null) return requireOwned(actor.organization, row)
  if (!row) throw new NotFound(getMessage('webhooks.none', { webhook: id }))
  return row
}

async function readSecret(tx: Tx, { service }: ActionContext, id: number): Promise<string> {
  return decrypt(service.sealingKeys(WEBHOOK_KEY_PURPOSE), await readSealedSecret(tx, id))
}

/** The whole target may have a secret in it, so the audit log has its host. */
function webhookEntry({ id, organization, event, target }: WebhookRow): ActionEntry {
  return { object: id, organization, details: { event, host: new URL(target).host } }
}
