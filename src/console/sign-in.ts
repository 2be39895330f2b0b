import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../app.ts'
import { recordAudit } from '../core/access/audit.ts'
import { countAttempt, findUserByPassword, resetAttempts } from '../core/access/passwords.ts'
import { SECOND_FACTOR_PURPOSE, useCode } from '../core/access/second-factors.ts'
import {
  endSession,
  findSession,
  isSecondFactorMissing,
  listMemberships,
  permittedNow,
  SessionView,
  startSession,
  switchOrganization,
} from '../core/access/sessions.ts'
import { errorMessage, fieldMessages } from '../core/fields.ts'
import { Invalid, Throttled, Unauthenticated } from '../core/refusals.ts'
import { begin, type Tx } from '../db/client.ts'
import { refuseOtherMethods } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import type { Throttle } from '../http/throttle.ts'
import { clearSessionCookie, requireSession, setSessionCookie, throttleAddress } from './guard.ts'

const SIGN_INS_PER_MINUTE = 60

export const secret = z.string({ error: errorMessage(fieldMessages.string) }).max(1_000, fieldMessages.too_long(1_000))
const Credentials = z.object({ email: secret, password: secret })
export const Code = z.object({ code: secret })

/** The routes of the session: show it, start it with e-mail and password, complete it with a code, end it. */
export function addSignIn(server: Server, app: App, throttle: Throttle): void {
  const config = { open: true, open_in_maintenance: true }
  const url = '/console/api/session'

  server.get(url, {
    config,
    schema: { response: { 200: SessionView } },
    handler: (request) => viewSession(app, request),
  })

  server.post(url, {
    config,
    schema: { body: Credentials, response: { 200: SessionView } },
    handler: async (request, reply) => {
      await throttleAddress(throttle, request, 'sign in', SIGN_INS_PER_MINUTE)
      setSessionCookie(app, request, reply, await signIn(app, request, request.body))
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
  refuseOtherMethods(server, url, ['GET', 'POST', 'DELETE'])

  server.post(`${url}/second-factor`, {
    config,
    schema: { body: Code, response: { 200: SessionView } },
    handler: async (request, reply) => {
      setSessionCookie(app, request, reply, await completeSignIn(app, request, request.body.code))
      return viewSession(app, request)
    },
  })
  refuseOtherMethods(server, `${url}/second-factor`, ['POST'])

  server.post(`${url}/organization`, {
    config,
    schema: { body: z.object({ organization: z.int() }), response: { 200: SessionView } },
    handler: async (request) => {
      const session = requireSession(request)
      await begin(app.db, (tx) => switchOrganization(tx, session, request.body.organization))
      request.session = { ...session, organization: request.body.organization }
      return viewSession(app, request)
    },
  })
  refuseOtherMethods(server, `${url}/organization`, ['POST'])
}

/** Checks e-mail and password and starts a session. @returns its token @throws Throttled, Invalid */
async function signIn(app: App, request: FastifyRequest, credentials: z.output<typeof Credentials>): Promise<string> {
  const account = `password ${credentials.email.trim().toLowerCase()}`
  await countSignInAttempt(app, account)
  const user = await findUserByPassword(app.db, credentials.email, credentials.password)
  if (!user) throw new Invalid({ non_field_errors: ['The e-mail or the password is wrong.'] })
  return begin(app.db, async (tx) => {
    await resetAttempts(tx, account)
    return openSession(app, tx, request, { user: user.id, complete: !user.second_factor })
  })
}

/** Checks the second factor. The session gets a new token, so the token from before the second factor is worthless. */
async function completeSignIn(app: App, request: FastifyRequest, code: string): Promise<string> {
  const { session } = request
  if (!session || session.complete) throw new Unauthenticated('Sign in with your password first.')
  const account = `code ${session.user}`
  await countSignInAttempt(app, account)
  return begin(app.db, async (tx) => {
    const sealing_key = app.deriveSecret(SECOND_FACTOR_PURPOSE)
    const with_code = await useCode(tx, app.clock.real(), { user: session.user, code, sealing_key })
    await resetAttempts(tx, account)
    await endSession(tx, session.id)
    return openSession(app, tx, request, { user: session.user, complete: true, with_code })
  })
}

/** Counts an attempt to sign in before it is checked. @throws Throttled */
export async function countSignInAttempt(app: App, account: string): Promise<void> {
  const wait_s = await begin(app.db, (tx) => countAttempt(tx, app.clock.real(), account))
  if (wait_s > 0) throw new Throttled(wait_s)
}

async function openSession(
  app: App,
  tx: Tx,
  request: FastifyRequest,
  input: { user: number; complete: boolean; with_code?: string },
): Promise<string> {
  const { user, complete, with_code } = input
  const agent = request.headers['user-agent'] ?? ''
  const token = await startSession(tx, app.clock.real(), { user, complete, address: request.ip, user_agent: agent })
  request.session = (await findSession(tx, app.clock.real(), token)) ?? null
  if (complete)
    await recordAudit(tx, app.clock.now(), {
      organization: request.session?.organization ?? null,
      user,
      action: 'sign in',
      details: with_code ? { second_factor: with_code } : {},
      address: request.ip,
    })
  return token
}

async function viewSession(app: App, request: FastifyRequest): Promise<z.output<typeof SessionView>> {
  const { session } = request
  const { SERVICE_NAME: service_name, MODE: mode } = app.config
  const base = { service_name, mode, mail: app.mailer !== null, now: app.clock.now() }
  if (!session?.complete) {
    const stage = session ? ('second_factor' as const) : ('signed_out' as const)
    return {
      ...base,
      stage,
      user: null,
      organization: null,
      organizations: [],
      second_factor_missing: false,
      permissions: [],
    }
  }
  const organizations = await listMemberships(app.db, session.user)
  const organization = organizations.find((one) => one.id === session.organization)
  const { user: id, name, email, second_factor } = session
  const membership = organization && { ...organization, second_factor }
  return {
    ...base,
    stage: 'signed_in',
    user: { id, name, email, second_factor },
    organization: organization ? { id: organization.id, name: organization.name } : null,
    organizations: organizations.map((one) => ({ id: one.id, name: one.name })),
    second_factor_missing: membership !== undefined && isSecondFactorMissing(membership),
    permissions: membership ? permittedNow(membership) : [],
  }
}
