import { z } from 'zod'
import { sendPasswordReset } from '../actions/link-delivery.ts'
import { admitAction, runAction } from '../actions/run.ts'
import type { App } from '../app.ts'
import { forgetPasswordAction, useLinkAction } from '../core/access/account/session-actions.ts'
import { email, findLink } from '../core/access/invitations.ts'
import { findUser } from '../core/access/organizations.ts'
import { newPassword } from '../core/access/passwords.ts'
import { requiredText } from '../core/fields.ts'
import { requireOwnCell } from '../core/refusals.ts'
import type { Server } from '../http/server.ts'
import { logEvent } from '../lib/log-events.ts'
import { hashPassword } from '../lib/secrets.ts'
import type { CellGuide } from './access/cells.ts'
import { browserOf, MAX_SECRET_BYTES, secret, setCookies } from './access/sign-in.ts'
import { setBrowserCookie, visitor } from './guard.ts'

const LinkView = z.object({
  purpose: z.enum(['invitation', 'password_reset']),
  email: z.string(),
  organization_name: z.string().nullable(),
  /** True if the user exists already, so that the invitation asks for no name and password. */
  known: z.boolean(),
})

/** `signed_in`: true if the link made the user, whose session begins with it. */
const UsedLink = z.object({ email: z.string(), signed_in: z.boolean() })

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
  const config = { ...open, counts: useLinkAction }

  server.post('/console/api/links/look', {
    config,
    bodyLimit: MAX_SECRET_BYTES,
    schema: { body: z.object({ token: secret }), response: { 200: LinkView } },
    handler: ({ body: { token } }) => findHere(app, token),
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
      const prepare = async () => {
        await findHere(app, token)
        return password === undefined ? undefined : hashPassword(password)
      }
      const approver_wait_ms = app.config.APPROVER_WAIT_HOURS * HOUR_MS
      const input = { token, name, prepare, approver_wait_ms, browser: browserOf(request) }
      const { email, browser_cookie, opened } = await runAction(app, visitor(app, request), useLinkAction, input)
      if (browser_cookie !== undefined) setBrowserCookie(app, request, reply, browser_cookie)
      if (opened) setCookies(app, request, reply, opened)
      return { email, signed_in: opened !== undefined }
    },
  })

  server.post('/console/api/password-resets', {
    config: { ...open, counts: forgetPasswordAction },
    bodyLimit: MAX_EMAIL_BYTES,
    schema: { body: z.object({ email }) },
    handler: async (request, reply) => {
      const input = forgetPasswordAction.input.parse(request.body)
      const perform = await admitAction(app, visitor(app, request), forgetPasswordAction, input)
      if (!(await findUser(app.db, input.email))) await guide.requireHere(input.email, reply)
      // Not awaited, so that neither the answer nor its duration shows whether the account exists.
      mailPasswordReset(app, perform).catch((error: unknown) =>
        logEvent(app.log, 'password_reset_mail_failed', { error }),
      )
      return reply.code(204).send()
    },
  })
}

/** Find a link. One of another cell is refused by name. @throws WrongCell, and as `findLink` */
function findHere(app: App, token: string) {
  return findLink(app.db, app.clock.real(), token).catch((error: unknown) => {
    requireOwnCell('link', token, app.config.CELL)
    throw error
  })
}

type Perform = () => ReturnType<typeof forgetPasswordAction.run>

async function mailPasswordReset(app: App, perform: Perform): Promise<void> {
  const made = app.mailer ? await perform() : undefined
  if (made) await sendPasswordReset(app, made.user, made.token)
}
