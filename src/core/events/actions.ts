import { z } from 'zod'
import { action, organizationOf } from '../access/action.ts'
import { requiredText, text, timestamp } from '../fields.ts'
import { clearCredentials, setCredentials, WEBHOOK_KEY_PURPOSE } from './webhooks.ts'

const permission = 'manage_organization'

/** User name of the Basic credentials of notifications. The password can be set and never read. */
export const CredentialsView = z.object({ user: z.string().nullable(), modified: timestamp.nullable() })

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
