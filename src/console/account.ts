import { z } from 'zod'
import type { App } from '../app.ts'
import { recordAudit } from '../core/access/audit.ts'
import { setPassword } from '../core/access/organizations.ts'
import { requirePassword as checkPassword, newPassword, resetAttempts } from '../core/access/passwords.ts'
import {
  confirmSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  SECOND_FACTOR_PURPOSE,
  startSecondFactorSetup,
} from '../core/access/second-factors.ts'
import { endSessions, listSessions, type Session } from '../core/access/sessions.ts'
import { id, timestamp } from '../core/fields.ts'
import { begin, type Tx } from '../db/client.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { hashPassword } from '../lib/secrets.ts'
import { clearSessionCookie, requireSession } from './guard.ts'
import { Code, countSignInAttempt, secret } from './sign-in.ts'

const Password = z.object({ password: secret })
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/** The routes for a user's own account: password, second factor, sessions. */
export function addAccount(server: Server, app: App): void {
  addPassword(server, app)
  addSecondFactor(server, app)
  addSessions(server, app)
}

const config = { open: true, open_in_maintenance: true }

function addPassword(server: Server, app: App): void {
  const url = '/console/api/account/password'
  server.post(url, {
    config,
    schema: { body: z.object({ current_password: secret, password: newPassword }) },
    handler: async (request, reply) => {
      const session = requireSession(request)
      await requirePassword(app, session, request.body.current_password, 'current_password')
      const password_hash = await hashPassword(request.body.password)
      await begin(app.db, async (tx) => {
        await setPassword(tx, session.user, password_hash)
        // Another person may know the old password, so all other sessions end.
        await endSessions(tx, session.user, session.id)
        await recordAccountAction(app, tx, session, 'change password')
      })
      return reply.code(204).send()
    },
  })
  refuseOtherMethods(server, url, ['POST'])
}

/** POST starts the setup, PUT confirms it with the first code, DELETE removes the factor with the password. */
function addSecondFactor(server: Server, app: App): void {
  const url = '/console/api/account/second-factor'
  const sealing_key = app.deriveSecret(SECOND_FACTOR_PURPOSE)

  server.post(url, {
    config,
    schema: { body: Password, response: { 200: z.object({ secret: z.string(), uri: z.string() }) } },
    handler: async (request) => {
      const session = requireSession(request)
      await requirePassword(app, session, request.body.password)
      const issuer = app.config.SERVICE_NAME
      return begin(app.db, (tx) =>
        startSecondFactorSetup(tx, { id: session.user, email: session.email }, { issuer, sealing_key }),
      )
    },
  })

  server.put(url, {
    config,
    schema: { body: Code, response: { 200: RecoveryCodes } },
    handler: async (request) => {
      const session = requireSession(request)
      const account = `code ${session.user}`
      await countSignInAttempt(app, account)
      return begin(app.db, async (tx) => {
        const input = { user: session.user, code: request.body.code, sealing_key }
        const recovery_codes = await confirmSecondFactor(tx, app.clock.real(), input)
        await resetAttempts(tx, account)
        await endSessions(tx, session.user, session.id)
        await recordAccountAction(app, tx, session, 'turn second factor on')
        return { recovery_codes }
      })
    },
  })

  server.delete(url, {
    config,
    schema: { body: Password },
    handler: async (request, reply) => {
      const session = requireSession(request)
      await requirePassword(app, session, request.body.password)
      await begin(app.db, async (tx) => {
        await removeSecondFactor(tx, session.user)
        await recordAccountAction(app, tx, session, 'turn second factor off')
      })
      return reply.code(204).send()
    },
  })
  refuseOtherMethods(server, url, ['POST', 'PUT', 'DELETE'])

  server.post('/console/api/account/recovery-codes', {
    config,
    schema: { body: Password, response: { 200: RecoveryCodes } },
    handler: async (request) => {
      const session = requireSession(request)
      await requirePassword(app, session, request.body.password)
      return begin(app.db, async (tx) => {
        await recordAccountAction(app, tx, session, 'draw recovery codes')
        return { recovery_codes: await replaceRecoveryCodes(tx, session.user) }
      })
    },
  })
  refuseOtherMethods(server, '/console/api/account/recovery-codes', ['POST'])
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
    handler: async (request, reply) => {
      const session = requireSession(request)
      await begin(app.db, async (tx) => {
        const count = await endSessions(tx, session.user)
        await recordAccountAction(app, tx, session, 'sign out everywhere', { sessions: count })
      })
      clearSessionCookie(reply)
      return reply.code(204).send()
    },
  })
  refuseOtherMethods(server, url, ['GET', 'DELETE'])
}

/** Checks the password again, with the same limit on attempts as for signing in. @throws Throttled, Invalid */
async function requirePassword(app: App, session: Session, password: string, name?: string): Promise<void> {
  const account = `password ${session.email}`
  await countSignInAttempt(app, account)
  await checkPassword(app.db, session.user, password, name)
  await begin(app.db, (tx) => resetAttempts(tx, account))
}

async function recordAccountAction(app: App, tx: Tx, session: Session, action: string, details = {}): Promise<void> {
  const { user, organization } = session
  await recordAudit(tx, app.clock.now(), { organization, user, action, details })
}
