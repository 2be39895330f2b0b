import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { runAction, stranger } from '../../actions/run.ts'
import type { App } from '../../app.ts'
import {
  type Browser,
  completeSignInAction,
  type OpenedSession,
  signInAction,
  signOutAction,
  switchOrganizationAction,
} from '../../core/access/account/session-actions.ts'
import { findUser } from '../../core/access/organizations.ts'
import { PasskeyAssertion, type PasskeyUse, relyingPartyOf } from '../../core/access/passkeys.ts'
import { findUserByPassword } from '../../core/access/passwords.ts'
import { countSecondFactors } from '../../core/access/second-factors.ts'
import {
  isSecondFactorMissing,
  listMemberships,
  permittedNow,
  type Session,
  SessionView,
} from '../../core/access/sessions.ts'
import { errorMessage, fieldMessages } from '../../core/fields.ts'
import { Invalid, Unauthenticated } from '../../core/refusals.ts'
import type { Server } from '../../http/server.ts'
import { getMessage } from '../../lib/messages/message.ts'
import {
  browserCookie,
  clearSessionCookie,
  requireSession,
  setBrowserCookie,
  setSessionCookie,
  visitor,
} from '../guard.ts'
import type { CellGuide } from './cells.ts'
import { acceptPasskey, openPasskeyOptions, PasskeyOptions } from './passkey-answers.ts'

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
    config: { ...config, counts: signInAction },
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
      if (session) await runAction(app, stranger(request.ip), signOutAction, { session: session.id })
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
      const { organization } = request.body
      await runAction(app, stranger(request.ip), switchOrganizationAction, { session, organization })
      request.session = { ...session, organization }
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
      await completeSignIn(app, request, reply, 'code', async () => request.body)
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
      await completeSignIn(app, request, reply, 'passkey', async (session) => ({
        passkey: await acceptPasskey(app, session, 'sign_in', request.body),
      }))
      return viewSession(app, request)
    },
  })
}

/**
 * Minimum time from the request to the refusal of a sign-in. It exceeds the work, so that the duration does not show
 * whether a user has this e-mail.
 */
const MIN_REFUSAL_MS = 300

/** Check e-mail and password, and start a session. @throws Throttled, Invalid, WrongCell */
async function signIn(
  { app, guide }: { app: App; guide: CellGuide },
  request: FastifyRequest,
  reply: FastifyReply,
  { email, password }: z.output<typeof Credentials>,
): Promise<void> {
  const refusable_at_ms = performance.now() + MIN_REFUSAL_MS
  const prove = async () => {
    const user = await findUserByPassword(app.db, email, password)
    if (user) return user
    if (!(await findUser(app.db, email))) await guide.requireHere(email, reply)
    throw new Invalid({ non_field_errors: [getMessage('access.wrong_credentials')] })
  }
  const input = { email, prove, browser: browserOf(request) }
  const opened = await runAction(app, visitor(app, request), signInAction, input).catch(async (error: unknown) => {
    if (error instanceof Invalid) await sleep(Math.max(0, refusable_at_ms - performance.now()))
    throw error
  })
  setCookies(app, request, reply, opened)
}

/** Return the browser that sends a request. */
export function browserOf(request: FastifyRequest): Browser {
  const user_agent = request.headers['user-agent'] ?? ''
  return { user_agent, cookie: browserCookie(request), former: request.session?.id }
}

/**
 * Check the second factor and complete the session. It gets a new token, so the token from before the second factor is
 * worthless. @throws Unauthenticated, Throttled, Invalid
 */
async function completeSignIn(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  step: 'code' | 'passkey',
  check: (session: Session) => Promise<{ code: string } | { passkey: PasskeyUse }>,
): Promise<void> {
  const session = waitingSession(request)
  const input = { session, step, prove: () => check(session), browser: browserOf(request) }
  setCookies(app, request, reply, await runAction(app, visitor(app, request), completeSignInAction, input))
}

/** The session of a user who has entered the password and not the second factor. @throws Unauthenticated */
function waitingSession({ session }: FastifyRequest): Session {
  if (!session || session.complete) throw new Unauthenticated(getMessage('access.password_first'))
  return session
}

/** Give a request the session that was started, and its browser the cookies. */
export function setCookies(app: App, request: FastifyRequest, reply: FastifyReply, opened: OpenedSession): void {
  request.session = opened.session
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
