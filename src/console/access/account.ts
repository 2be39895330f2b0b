import { z } from 'zod'
import { runAction } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import {
  changePasswordAction,
  signOutEverywhereAction,
  turnSecondFactorOnAction,
} from '../../core/access/account/actions.ts'
import { newPassword } from '../../core/access/passwords.ts'
import { countSecondFactors, SecondFactors } from '../../core/access/second-factors.ts'
import { listSessions } from '../../core/access/sessions.ts'
import { id, timestamp } from '../../core/fields.ts'
import type { Server } from '../../http/server.ts'
import { hashPassword } from '../../lib/secrets.ts'
import { sessionActor } from '../actor.ts'
import { clearSessionCookie, readKnownBrowsers, requireSession } from '../guard.ts'
import { addBrowsers } from './browsers.ts'
import { confirmIdentity } from './confirmation.ts'
import { addPasskeys } from './passkeys.ts'
import { Code, secret } from './sign-in.ts'

const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/** Add the routes of a user's own account that have code of their own. */
export function addAccount(server: Server, app: App): void {
  addPassword(server, app)
  addSecondFactor(server, app)
  addPasskeys(server, app)
  addSessions(server, app)
  addBrowsers(server, app)
}

const config = { open: true, open_in_maintenance: true }

function addPassword(server: Server, app: App): void {
  const url = '/console/api/account/password'
  server.post(url, {
    config,
    schema: { body: z.object({ current_password: secret, password: newPassword }) },
    handler: async (request, reply) => {
      const session = requireSession(request)
      const { current_password: password } = request.body
      const confirm = () => confirmIdentity(app, request, { password }, 'current_password')
      const browser = (await readKnownBrowsers(app, request)).find((one) => one.user === session.user)?.id
      const input = { password_hash: await hashPassword(request.body.password), browser }
      await runAction(app, { ...sessionActor(app, request), confirm }, changePasswordAction, input)
      return reply.code(204).send()
    },
  })
}

/** Add the count of the second factors, and the first code of an authenticator app, which ends its setup. */
function addSecondFactor(server: Server, app: App): void {
  const url = '/console/api/account/second-factor'
  server.get(url, {
    config,
    schema: { response: { 200: SecondFactors } },
    handler: (request) => countSecondFactors(app.db, requireSession(request).user),
  })

  server.put(url, {
    config,
    schema: { body: Code, response: { 200: RecoveryCodes } },
    handler: (request) => runAction(app, sessionActor(app, request), turnSecondFactorOnAction, request.body),
  })
}

const OpenSession = z.object({
  id,
  address: z.string(),
  user_agent: z.string(),
  created: timestamp,
  last_seen: timestamp,
  current: z.boolean(),
})

function addSessions(server: Server, app: App): void {
  const url = '/console/api/account/sessions'
  server.get(url, {
    config,
    schema: { response: { 200: z.object({ results: z.array(OpenSession) }) } },
    handler: async (request) => {
      const session = requireSession(request)
      const rows = await listSessions(app.db, app.clock.real(), session.user)
      return { results: rows.map((row) => ({ ...row, current: row.id === session.id })) }
    },
  })
  server.delete(url, {
    config,
    schema: { body: signOutEverywhereAction.input.nullish() },
    handler: async (request, reply) => {
      const { end_keys = false } = request.body ?? {}
      await runAction(app, sessionActor(app, request), signOutEverywhereAction, { end_keys })
      clearSessionCookie(reply)
      return reply.code(204).send()
    },
  })
}
