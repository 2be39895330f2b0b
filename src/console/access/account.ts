import { z } from 'zod'
import type { App } from '../../app.ts'
import { revokeKeysOfUser } from '../../core/access/api-keys.ts'
import { recordAudit } from '../../core/access/audit.ts'
import { forgetBrowsers } from '../../core/access/known-browsers.ts'
import { setPassword } from '../../core/access/organizations.ts'
import { newPassword } from '../../core/access/passwords.ts'
import {
  confirmSecondFactor,
  countSecondFactors,
  hasSecondFactor,
  removeApp,
  replaceRecoveryCodes,
  SECOND_FACTOR_PURPOSE,
  SecondFactors,
  startSecondFactorSetup,
} from '../../core/access/second-factors.ts'
import { endSessions, listSessions } from '../../core/access/sessions.ts'
import { setLanguage, UserLanguage } from '../../core/access/user-language.ts'
import { errorMessage, fieldMessages, id, timestamp } from '../../core/fields.ts'
import { Invalid } from '../../core/refusals.ts'
import { begin, type Tx } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { hashPassword } from '../../lib/secrets.ts'
import { clearSessionCookie, readKnownBrowsers, requireSession } from '../guard.ts'
import { countOwnAttempt, recordOwnFailure } from './attempts.ts'
import { addBrowsers } from './browsers.ts'
import { Confirmation, confirmIdentity, recordAccountAction } from './confirmation.ts'
import { addPasskeys } from './passkeys.ts'
import { Code, secret } from './sign-in.ts'

const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/** The routes for a user's own account: language, password, second factors, sessions, known browsers. */
export function addAccount(server: Server, app: App): void {
  addLanguage(server, app)
  addPassword(server, app)
  addSecondFactor(server, app)
  addRecoveryCodes(server, app)
  addPasskeys(server, app)
  addSessions(server, app)
  addBrowsers(server, app)
}

const config = { open: true, open_in_maintenance: true }

/** The language of the console, in every browser of the user. It changes nothing that others see, so it is not audited. */
function addLanguage(server: Server, app: App): void {
  const url = '/console/api/account/language'
  server.put(url, {
    config,
    schema: { body: z.object({ language: UserLanguage }) },
    handler: async (request, reply) => {
      const { user } = requireSession(request)
      await begin(app.db, (tx) => setLanguage(tx, user, request.body.language))
      return reply.code(204).send()
    },
  })
}

function addPassword(server: Server, app: App): void {
  const url = '/console/api/account/password'
  server.post(url, {
    config,
    schema: { body: z.object({ current_password: secret, password: newPassword }) },
    handler: async (request, reply) => {
      const session = requireSession(request)
      await confirmIdentity(app, request, { password: request.body.current_password }, 'current_password')
      const browser = (await readKnownBrowsers(app, request)).find((one) => one.user === session.user)
      const password_hash = await hashPassword(request.body.password)
      await begin(app.db, async (tx) => {
        await setPassword(tx, session.user, password_hash)
        // Another person may know the old password, so all other sessions end and no other browser is known.
        await endSessions(tx, session.user, session.id)
        await forgetBrowsers(tx, session.user, browser?.id)
        await recordAccountAction(app, tx, request, session, 'change password')
      })
      return reply.code(204).send()
    },
  })
}

/** The second factors: GET counts them. The authenticator app: POST starts the setup, PUT confirms it with the first code, DELETE removes it. */
function addSecondFactor(server: Server, app: App): void {
  const url = '/console/api/account/second-factor'
  const sealing_keys = app.sealingKeys(SECOND_FACTOR_PURPOSE)

  server.get(url, {
    config,
    schema: { response: { 200: SecondFactors } },
    handler: (request) => countSecondFactors(app.db, requireSession(request).user),
  })

  server.post(url, {
    config,
    schema: { body: Confirmation, response: { 200: z.object({ secret: z.string(), uri: z.string() }) } },
    handler: async (request) => {
      const session = requireSession(request)
      await confirmIdentity(app, request, request.body)
      const issuer = app.config.SERVICE_NAME
      return begin(app.db, (tx) =>
        startSecondFactorSetup(tx, { id: session.user, email: session.email }, { issuer, sealing_keys }),
      )
    },
  })

  server.put(url, {
    config,
    schema: { body: Code, response: { 200: RecoveryCodes } },
    handler: async (request) => {
      const session = requireSession(request)
      const attempt = await countOwnAttempt(app, request, `app setup ${session.user}`)
      return begin(app.db, async (tx) => {
        const input = { user: session.user, code: request.body.code, sealing_keys }
        const recovery_codes = await confirmSecondFactor(tx, app.clock.real(), input)
        await attempt.clear(tx)
        await endSessions(tx, session.user, session.id)
        await recordAccountAction(app, tx, request, session, 'turn second factor on')
        return { recovery_codes }
      }).catch(async (error: unknown) => {
        if (error instanceof Invalid) await recordOwnFailure(app, request, attempt, 'code')
        throw error
      })
    },
  })

  server.delete(url, {
    config,
    schema: { body: Confirmation },
    handler: async (request, reply) => {
      const session = requireSession(request)
      await confirmIdentity(app, request, request.body)
      await begin(app.db, async (tx) => {
        await removeApp(tx, session.user)
        await recordAccountAction(app, tx, request, session, 'turn second factor off')
      })
      return reply.code(204).send()
    },
  })
}

function addRecoveryCodes(server: Server, app: App): void {
  const url = '/console/api/account/recovery-codes'
  server.post(url, {
    config,
    schema: { body: Confirmation, response: { 200: RecoveryCodes } },
    handler: async (request) => {
      const session = requireSession(request)
      await confirmIdentity(app, request, request.body)
      if (!(await hasSecondFactor(app.db, session.user)))
        throw new Invalid({ non_field_errors: [getMessage('access.no_second_factor')] })
      return begin(app.db, async (tx) => {
        await recordAccountAction(app, tx, request, session, 'draw recovery codes')
        return { recovery_codes: await replaceRecoveryCodes(tx, session.user) }
      })
    },
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

const SignOut = z.object({
  /** True to end the user's API keys as well, in all organizations. */
  end_keys: z.boolean({ error: errorMessage(fieldMessages.boolean) }).default(false),
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
    schema: { body: SignOut.nullish() },
    handler: async (request, reply) => {
      const session = requireSession(request)
      await begin(app.db, async (tx) => {
        const sessions = await endSessions(tx, session.user)
        const keys = request.body?.end_keys ? await endKeys(app, tx, session.user, request.ip) : 0
        await recordAccountAction(app, tx, request, session, 'sign out everywhere', { sessions, keys })
      })
      clearSessionCookie(reply)
      return reply.code(204).send()
    },
  })
}

/** Revoke the keys of a user and record each in the audit log of its organization. Returns how many there were. */
async function endKeys(app: App, tx: Tx, user: number, address: string): Promise<number> {
  const now = app.clock.now()
  const keys = await revokeKeysOfUser(tx, now, user)
  for (const { id, organization, name } of keys) {
    const entry = { action: 'revoke key', object_type: 'key', object: id, details: { name } } as const
    await recordAudit(tx, now, { organization, user, address, ...entry })
  }
  return keys.length
}
