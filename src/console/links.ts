import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendPasswordReset } from '../actions/link-delivery.ts'
import type { App } from '../app.ts'
import { recordAudit } from '../core/access/audit.ts'
import { createPasswordReset, email, findLink, redeemLink } from '../core/access/invitations.ts'
import { forgetBrowsers, rememberBrowser } from '../core/access/known-browsers.ts'
import { findUser } from '../core/access/organizations.ts'
import { newPassword } from '../core/access/passwords.ts'
import { endSessions } from '../core/access/sessions.ts'
import { requiredText } from '../core/fields.ts'
import { requireOwnCell } from '../core/refusals.ts'
import { begin, type Tx } from '../db/client.ts'
import type { Server } from '../http/server.ts'
import { logEvent } from '../lib/log-events.ts'
import { hashPassword } from '../lib/secrets.ts'
import { countAttemptOf, normalizeEmail } from './access/attempts.ts'
import type { CellGuide } from './access/cells.ts'
import { MAX_SECRET_BYTES, openSession, secret, setCookies } from './access/sign-in.ts'
import { browserCookie, setBrowserCookie } from './guard.ts'

const LinkView = z.object({
  purpose: z.enum(['invitation', 'password_reset']),
  email: z.string(),
  organization_name: z.string().nullable(),
  /** True if the user exists already, so that the invitation asks for no name and password. */
  known: z.boolean(),
})

/** `signed_in`: true if the link made the user, whose session begins with it. */
const UsedLink = z.object({ email: z.string(), signed_in: z.boolean() })

const LINKS_PER_MINUTE = 20
/** A token, a name and a password. */
const MAX_LINK_USE_BYTES = 8_192
/** An e-mail address has at most 254 characters, each of up to six bytes in JSON. */
const MAX_EMAIL_BYTES = 2_048
const HOUR_MS = 3_600_000

/**
 * Add the routes for one-time links. The token follows the `#` of the page's address, which browsers do not send to
 * servers. It arrives here in a body, so it is in no log.
 */
export function addLinks(server: Server, app: App, guide: CellGuide): void {
  const open = { open: true, open_in_maintenance: true }
  const config = { ...open, counted: { name: 'link', per_minute: LINKS_PER_MINUTE } }

  server.post('/console/api/links/look', {
    config,
    bodyLimit: MAX_SECRET_BYTES,
    schema: { body: z.object({ token: secret }), response: { 200: LinkView } },
    handler: (request) => {
      requireOwnCell('link', request.body.token, app.config.CELL)
      return findLink(app.db, app.clock.real(), request.body.token)
    },
  })

  server.post('/console/api/links/use', {
    config,
    bodyLimit: MAX_LINK_USE_BYTES,
    schema: {
      body: z.object({ token: secret, name: requiredText(200).optional(), password: newPassword.optional() }),
      response: { 200: UsedLink },
    },
    handler: async (request, reply) => {
      const { token, name, password } = request.body
      requireOwnCell('link', token, app.config.CELL)
      // Hashed before the transaction, because it takes a tenth of a second.
      const password_hash = password === undefined ? undefined : await hashPassword(password)
      const times = { now: app.clock.now(), real: app.clock.real() }
      const approver_wait_ms = app.config.APPROVER_WAIT_HOURS * HOUR_MS
      const { email, cookie, opened } = await begin(app.db, async (tx) => {
        const { link, user } = await redeemLink(tx, times, { token, name, password_hash, approver_wait_ms })
        if (link.purpose === 'password_reset') {
          await endSessions(tx, user.id)
          await forgetBrowsers(tx, user.id)
        }
        const { organization } = link
        const action = link.purpose === 'invitation' ? 'accept invitation' : 'reset password'
        await recordAudit(tx, times.now, { organization, user: user.id, action, address: request.ip })
        const { email } = user
        if (link.purpose === 'password_reset')
          // The person can sign in here next, also while strangers try passwords from many addresses.
          return { email, cookie: await remember(tx, app, request, user.id) }
        // The link proves no more than the mailbox: a user who exists signs in with password and second factor.
        if (link.known) return { email }
        return { email, opened: await openSession(app, tx, request, { user: user.id, complete: true }) }
      })
      if (cookie !== undefined) setBrowserCookie(app, request, reply, cookie)
      if (opened) setCookies(app, request, reply, opened)
      return { email, signed_in: opened !== undefined }
    },
  })

  server.post('/console/api/password-resets', {
    config: { ...open, counted: { name: 'password reset', per_minute: LINKS_PER_MINUTE } },
    bodyLimit: MAX_EMAIL_BYTES,
    schema: { body: z.object({ email }) },
    handler: async (request, reply) => {
      const address = normalizeEmail(request.body.email)
      await countAttemptOf(app, request, `password reset ${address}`, address)
      if (!(await findUser(app.db, address))) await guide.requireHere(address, reply)
      // Not awaited, so that neither the answer nor its duration shows whether the account exists.
      mailPasswordReset(app, request.body.email).catch((error: unknown) =>
        logEvent(app.log, 'password_reset_mail_failed', { error }),
      )
      return reply.code(204).send()
    },
  })
}

function remember(tx: Tx, app: App, request: FastifyRequest, user: number): Promise<string> {
  const user_agent = request.headers['user-agent'] ?? ''
  const browser = { user, cookie: browserCookie(request), address: request.ip, user_agent }
  return rememberBrowser(tx, app.clock.real(), browser)
}

async function mailPasswordReset(app: App, address: string): Promise<void> {
  const user = app.mailer ? await findUser(app.db, address) : undefined
  if (!user) return
  const token = await begin(app.db, (tx) => createPasswordReset(tx, app.clock.real(), { user, author: null }))
  await sendPasswordReset(app, user, token)
}
