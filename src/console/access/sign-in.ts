import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { recordAudit } from '../../core/access/audit.ts'
import { rememberBrowser } from '../../core/access/known-browsers.ts'
import { findUser, recordSignIn } from '../../core/access/organizations.ts'
import { PasskeyAssertion, relyingPartyOf } from '../../core/access/passkeys.ts'
import { findUserByPassword } from '../../core/access/passwords.ts'
import { acceptCode, countSecondFactors, SECOND_FACTOR_PURPOSE } from '../../core/access/second-factors.ts'
import {
  endSession,
  findSession,
  isSecondFactorMissing,
  listMemberships,
  permittedNow,
  type Session,
  SessionView,
  startSession,
  switchOrganization,
} from '../../core/access/sessions.ts'
import { passwordSubject, secondFactorSubject } from '../../core/access/sign-in-attempts.ts'
import { errorMessage, fieldMessages } from '../../core/fields.ts'
import { Invalid, Unauthenticated } from '../../core/refusals.ts'
import { begin, type Tx } from '../../db/client.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { browserCookie, clearSessionCookie, requireSession, setBrowserCookie, setSessionCookie } from '../guard.ts'
import { countAttemptOf, recordFailure, waitToRefuse } from './attempts.ts'
import type { CellGuide } from './cells.ts'
import { acceptPasskey, openPasskeyOptions, PasskeyOptions } from './passkey-answers.ts'

const SIGN_INS_PER_MINUTE = 60
/** Size limit for two texts of up to 1,000 characters each. */
const MAX_CREDENTIALS_BYTES = 8_192
/** A code or a token. */
export const MAX_SECRET_BYTES = 4_096

export const secret = z.string({ error: errorMessage(fieldMessages.string) }).max(1_000, fieldMessages.too_long(1_000))
const Credentials = z.object({ email: secret, password: secret })
export const Code = z.object({ code: secret })

/** The routes of the session: show it, start it with e-mail and password, complete it with a second factor, end it. */
export function addSignIn(server: Server, app: App, guide: CellGuide): void {
  const config = { open: true, open_in_maintenance: true }
  const url = '/console/api/session'

  server.get(url, {
    config,
    schema: { response: { 200: SessionView } },
    handler: (request) => viewSession(app, request),
  })

  server.post(url, {
    config: { ...config, counted: { name: 'sign in', per_minute: SIGN_INS_PER_MINUTE } },
    bodyLimit: MAX_CREDENTIALS_BYTES,
    schema: { body: Credentials, response: { 200: SessionView } },
    handler: async (request, reply) => {
      await signIn({ app, guide }, request, reply, request.body)
      return viewSession(app, request)
    },
  })

  server.delete(url, {
    config,
    handler: async (request, reply) => {
      const { session } = request
      if (session) await begin(app.db, (tx) => endSession(tx, session.id))
      clearSessionCookie(reply)
      return reply.code(204).send()
    },
  })
  addSecondStep(server, app)

  server.post(`${url}/organization`, {
    config,
    bodyLimit: MAX_SECRET_BYTES,
    schema: { body: z.object({ organization: z.int() }), response: { 200: SessionView } },
    handler: async (request) => {
      const session = requireSession(request)
      await begin(app.db, (tx) => switchOrganization(tx, session, request.body.organization))
      request.session = { ...session, organization: request.body.organization }
      return viewSession(app, request)
    },
  })
}

/** The routes that complete a session: with a code, or with a passkey, which needs options first. */
function addSecondStep(server: Server, app: App): void {
  const config = { open: true, open_in_maintenance: true }
  const url = '/console/api/session'

  server.post(`${url}/second-factor`, {
    config,
    bodyLimit: MAX_SECRET_BYTES,
    schema: { body: Code, response: { 200: SessionView } },
    handler: async (request, reply) => {
      const { code } = request.body
      const sealing_keys = app.sealingKeys(SECOND_FACTOR_PURPOSE)
      await completeSignIn(app, request, reply, 'code', async (session) => {
        const input = { user: session.user, code, sealing_keys }
        return (tx) => acceptCode(tx, app.clock.real(), input)
      })
      return viewSession(app, request)
    },
  })

  server.post(`${url}/passkey/options`, {
    config,
    schema: { response: { 200: PasskeyOptions } },
    handler: (request) => openPasskeyOptions(app, waitingSession(request), 'sign_in'),
  })

  server.post(`${url}/passkey`, {
    config,
    schema: { body: PasskeyAssertion, response: { 200: SessionView } },
    handler: async (request, reply) => {
      await completeSignIn(app, request, reply, 'passkey', async (session) => {
        const record = await acceptPasskey(app, session, 'sign_in', request.body)
        return async (tx) => {
          await record(tx)
          return 'passkey'
        }
      })
      return viewSession(app, request)
    },
  })
}

/** Check e-mail and password, and start a session. @throws Throttled, Invalid, WrongCell */
async function signIn(
  { app, guide }: { app: App; guide: CellGuide },
  request: FastifyRequest,
  reply: FastifyReply,
  credentials: z.output<typeof Credentials>,
): Promise<void> {
  const started_ms = performance.now()
  const { email, password } = credentials
  const attempt = await countAttemptOf(app, request, passwordSubject(email), email)
  const user = await findUserByPassword(app.db, email, password)
  if (!user) {
    const known = await findUser(app.db, email)
    if (!known) await guide.requireHere(email, reply)
    await recordFailure(app, request, attempt, { user: known?.id, step: 'password' })
    await waitToRefuse(started_ms)
    throw new Invalid({ non_field_errors: [getMessage('access.wrong_credentials')] })
  }
  const opened = await begin(app.db, async (tx) => {
    await attempt.clear(tx)
    return openSession(app, tx, request, { user: user.id, complete: !user.second_factor })
  })
  setCookies(app, request, reply, opened)
}

/** Record the use of a second factor, in the transaction that starts the session. @returns the factor that was used */
type UseFactor = (tx: Tx) => Promise<'app' | 'recovery' | 'passkey'>

/**
 * Check the second factor and complete the session. It gets a new token, so the token from before the second factor is
 * worthless. @throws Unauthenticated, Throttled, Invalid
 */
async function completeSignIn(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  step: 'code' | 'passkey',
  check: (session: Session) => Promise<UseFactor>,
): Promise<void> {
  const session = waitingSession(request)
  const { user, email } = session
  const attempt = await countAttemptOf(app, request, secondFactorSubject(user), email)
  try {
    const use = await check(session)
    const opened = await begin(app.db, async (tx) => {
      const with_factor = await use(tx)
      await attempt.clear(tx)
      return openSession(app, tx, request, { user, complete: true, with_factor })
    })
    setCookies(app, request, reply, opened)
  } catch (error) {
    if (error instanceof Invalid) await recordFailure(app, request, attempt, { user, step })
    throw error
  }
}

/** The session of a user who has entered the password and not the second factor. @throws Unauthenticated */
function waitingSession({ session }: FastifyRequest): Session {
  if (!session || session.complete) throw new Unauthenticated(getMessage('access.password_first'))
  return session
}

/** The cookies for a new session. Only a complete one makes its browser known. */
export interface OpenedSession {
  token: string
  browser_cookie?: string
}

/** Start a session in the place of the one that the browser has had. `setCookies` sends it once the transaction is stored. */
export async function openSession(
  app: App,
  tx: Tx,
  request: FastifyRequest,
  input: { user: number; complete: boolean; with_factor?: string },
): Promise<OpenedSession> {
  const { user, complete, with_factor } = input
  const now = app.clock.real()
  const user_agent = request.headers['user-agent'] ?? ''
  const { ip: address } = request
  const former = request.session
  const token = await startSession(tx, now, { user, complete, address, user_agent })
  if (former) await endSession(tx, former.id)
  request.session = (await findSession(tx, now, token)) ?? null
  if (!complete) return { token }
  const browser_cookie = await rememberBrowser(tx, now, { user, cookie: browserCookie(request), address, user_agent })
  await recordSignIn(tx, app.clock.now(), user)
  await recordAudit(tx, app.clock.now(), {
    organization: request.session?.organization ?? null,
    user,
    action: 'sign in',
    details: with_factor ? { second_factor: with_factor } : {},
    address,
  })
  return { token, browser_cookie }
}

export function setCookies(app: App, request: FastifyRequest, reply: FastifyReply, opened: OpenedSession): void {
  setSessionCookie(app, request, reply, opened.token)
  if (opened.browser_cookie !== undefined) setBrowserCookie(app, request, reply, opened.browser_cookie)
}

async function viewSession(app: App, request: FastifyRequest): Promise<z.output<typeof SessionView>> {
  const { session } = request
  const { SERVICE_NAME: service_name, MODE: mode } = app.config
  const base = { service_name, mode, mail: app.mailer !== null, now: app.clock.now() }
  if (!session?.complete) {
    const waiting = session && { stage: 'second_factor' as const, second_step: await viewSecondStep(app, session) }
    const nobody = {
      user: null,
      organization: null,
      organizations: [],
      second_factor_missing: false,
      permissions: [],
    }
    return { ...base, ...(waiting ?? { stage: 'signed_out' as const }), ...nobody }
  }
  const organizations = await listMemberships(app.db, session.user)
  const organization = organizations.find((one) => one.id === session.organization)
  const { user: id, name, email, second_factor, language, time_zone, country } = session
  const membership = organization && { ...organization, second_factor }
  return {
    ...base,
    stage: 'signed_in',
    user: { id, name, email, second_factor, language },
    organization: organization ? { id: organization.id, name: organization.name, time_zone, country } : null,
    organizations: organizations.map((one) => ({ id: one.id, name: one.name })),
    second_factor_missing: membership !== undefined && isSecondFactorMissing(membership),
    permissions: membership ? permittedNow(membership) : [],
  }
}

async function viewSecondStep(app: App, session: Session) {
  const { app: has_app, passkeys } = await countSecondFactors(app.db, session.user)
  const passkey_origin = relyingPartyOf(app.address.url)?.origin ?? null
  return { app: has_app, passkey: passkeys > 0, passkey_origin }
}
