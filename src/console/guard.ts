import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { App } from '../app.ts'
import { requirePermission } from '../core/access/api-keys.ts'
import { findSession, isLastSeenOutdated, recordSessionUse, type Session, toCaller } from '../core/access/sessions.ts'
import { Forbidden, Throttled, Unauthenticated } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { MethodNotAllowed } from '../http/errors.ts'
import { isReadMethod } from '../http/methods.ts'
import type { StreamAccess } from '../http/stream-access.ts'
import type { Throttle } from '../http/throttle.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sits at the browser that this request came from, signed in or half way there; null elsewhere. */
    session: Session | null
  }
  interface FastifyContextConfig {
    /** True for the addresses of the console that need no signed-in person. */
    open?: boolean
  }
}

const COOKIE = 'kusanya_session'

/** A page asks for several things at once, so people get more than keys do. */
const READS_PER_MINUTE = 1_200
const WRITES_PER_MINUTE = 300

/**
 * Lets the requests of the console in, by the cookie of their session: the caller is the same as behind an API key, with the
 * permissions of the person in the organization that the session is in.
 *
 * Nobody else's page can send one: the cookie is same-site, and a write must carry a header that other sites may not set
 * (no CORS answer ever allows it), so a forged form gets 403.
 */
export function createConsoleGuard(app: App, throttle: Throttle) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { permission, open, method_not_allowed: not_allowed, allow } = request.routeOptions.config
    // What a person sees belongs to nobody who uses the browser after them.
    reply.header('cache-control', 'no-store')
    if (!isReadMethod(request.method)) rejectCrossSiteRequest(request)
    const token = request.cookies[COOKIE]
    request.session = token ? ((await findSession(app.db, app.clock.real(), token)) ?? null) : null
    await throttleRequest(throttle, request)
    if (!open) {
      request.caller = toCaller(requireSession(request))
      if (permission) requirePermission(request.caller, permission)
    }
    if (not_allowed) throw new MethodNotAllowed(request.method, allow!)
    const { session } = request
    const now = app.clock.real()
    if (session && isLastSeenOutdated(session, now)) await begin(app.db, (tx) => recordSessionUse(tx, now, session.id))
  }
}

/**
 * Sessions as readers of a stream: it ends when the person signed out, lost the right to look, or went to another
 * organization in another window. To have one open is not to be there, so it keeps no session alive.
 */
export function createSessionReaders(app: App): StreamAccess {
  return {
    kind: 'session',
    readerId: (request) => requireSession(request).id,
    async checkAccess(request) {
      const session = await findSession(app.db, app.clock.real(), request.cookies[COOKIE] ?? '')
      if (!session?.complete || session.organization !== request.caller.organization)
        throw new Unauthenticated('Sign in first.')
      requirePermission(toCaller(session), 'view')
    },
  }
}

/** A route must say who may come; one that forgot would let everybody in who is signed in. @throws Error at the start */
export function requireRouteGuard({ config, method, url }: RouteOptions): void {
  if (config?.permission || config?.open || config?.method_not_allowed || method === 'OPTIONS') return
  throw new Error(`${method} ${url} must have a permission in its config, or open: true.`)
}

/** The person behind a request. @throws Unauthenticated */
export function requireSession(request: FastifyRequest): Session {
  if (!request.session?.complete) throw new Unauthenticated('Sign in first.')
  return request.session
}

/** Hands the secret of a session to the browser. Scripts cannot read it, and other sites cannot make use of it. */
export function setSessionCookie(app: App, request: FastifyRequest, reply: FastifyReply, token: string): void {
  const secure = request.protocol === 'https' || app.address.url.startsWith('https:')
  reply.setCookie(COOKIE, token, { path: '/console', httpOnly: true, sameSite: 'strict', secure })
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.clearCookie(COOKIE, { path: '/console' })
}

/** Refuses an address that comes too often. @throws Throttled */
export async function throttleAddress(throttle: Throttle, request: FastifyRequest, what: string, limit: number) {
  const verdict = await throttle.take(`${what} address ${request.ip}`, limit)
  if (!verdict.allowed) throw new Throttled(verdict.retry_after_s)
}

async function throttleRequest(throttle: Throttle, request: FastifyRequest): Promise<void> {
  const who = request.session ? `user ${request.session.user}` : `address ${request.ip}`
  const read = isReadMethod(request.method)
  const limit = read ? READS_PER_MINUTE : WRITES_PER_MINUTE
  const verdict = await throttle.take(`console ${read ? 'read' : 'write'} ${who}`, limit)
  if (!verdict.allowed) throw new Throttled(verdict.retry_after_s)
}

function rejectCrossSiteRequest(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site']
  if (request.headers['x-requested-with'] !== 'console' || (site !== undefined && site !== 'same-origin'))
    throw new Forbidden('This request did not come from a page of the console.')
}
