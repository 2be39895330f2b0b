import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { stranger } from '../actions/run.ts'
import { countCall, nameOf } from '../actions/throttle.ts'
import type { App } from '../app.ts'
import type { Action, Actor } from '../core/access/action.ts'
import { includesPermission, moneyPermissions, type Permission, requirePermission } from '../core/access/api-keys.ts'
import { findKnownBrowsers, KNOWN_BROWSER_MS, type KnownBrowser } from '../core/access/known-browsers.ts'
import {
  findSession,
  isLastSeenOutdated,
  isSecondFactorMissing,
  recordSessionUse,
  type Session,
  toCaller,
} from '../core/access/sessions.ts'
import { Forbidden, Unauthenticated } from '../core/refusals.ts'
import { begin } from '../db/client.ts'
import { isReadMethod, refuseMethod } from '../http/methods.ts'
import type { StreamAccess } from '../http/stream-access.ts'
import { requireAllowed } from '../http/throttle.ts'
import { addressGroup } from '../lib/http/address-groups.ts'
import { getMessage } from '../lib/messages/message.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the browser, complete or waiting for a second factor; null outside the console. */
    session: Session | null
    /** Owners of the browser, once `readKnownBrowsers` has read them. */
    known_browsers?: KnownBrowser[]
  }
  interface FastifyContextConfig {
    /** True for console routes that need no complete session. */
    open?: boolean
    /** Action of a route of strangers, whose throttle counts the request before its body is read. */
    counts?: Pick<Action, 'throttle'>
  }
}

const COOKIE = 'kusanya_session'
const BROWSER_COOKIE = 'kusanya_browser'

/** A page sends several requests at once, so a session has higher limits than an API key. */
const READS_PER_MINUTE = 1_200
const WRITES_PER_MINUTE = 300

/**
 * Authenticate console requests by the cookie of their session. The caller is the same as with an API key, with the
 * permissions of the user in the session's organization.
 *
 * Pages of other sites cannot send such requests. The cookie is same-site, and a write needs a header that other sites
 * cannot set (no CORS answer allows it). So a forged form gets 403.
 */
export function createConsoleGuard(app: App) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { permission, open } = request.routeOptions.config
    // The next user of the browser must not see cached data.
    reply.header('cache-control', 'no-store')
    if (!isReadMethod(request.method)) rejectCrossSiteRequest(request)
    const token = request.cookies[COOKIE]
    request.session = token ? ((await findSession(app.db, app.clock.real(), token)) ?? null) : null
    await throttleRequest(app, request)
    if (!open) {
      const complete = requireSession(request)
      requireShownFor(request, complete)
      request.caller = toCaller(complete)
      if (permission) requireSecondFactor(complete, permission)
      if (permission) requirePermission(request.caller, permission)
    }
    refuseMethod(request)
    const { session } = request
    const now = app.clock.real()
    if (session && isLastSeenOutdated(session, now)) await begin(app.db, (tx) => recordSessionUse(tx, now, session.id))
  }
}

/**
 * Access to event streams by session. A stream ends when the user signs out, loses the permission to view, or switches
 * to another organization in another window. An open stream does not keep the session alive.
 */
export function createSessionReaders(app: App): StreamAccess {
  return {
    kind: 'session',
    readerId: (request) => requireSession(request).id,
    async checkAccess(request) {
      const session = await findSession(app.db, app.clock.real(), request.cookies[COOKIE] ?? '')
      if (!session?.complete || session.organization !== request.caller.organization)
        throw new Unauthenticated(getMessage('access.sign_in_first'))
      requirePermission(toCaller(session), 'view')
    },
  }
}

/** Require every route to declare its access, because the default would allow every user. @throws Error at startup */
export function requireRouteGuard({ config, method, url }: RouteOptions): void {
  if (config?.permission || config?.open || config?.other_methods) return
  throw new Error(`${method} ${url} must have a permission in its config, or open: true.`)
}

/** Refuse a user without the second factor that the organization demands, with advice. @throws Forbidden */
function requireSecondFactor(session: Session, permission: Permission): void {
  const has_permission = includesPermission(new Set(session.permissions), permission)
  if (has_permission && moneyPermissions.includes(permission) && isSecondFactorMissing(session))
    throw new Forbidden(SECOND_FACTOR_MISSING)
}

const SECOND_FACTOR_MISSING = getMessage('access.needs_second_factor')

/** Return the complete session of a request. @throws Unauthenticated */
export function requireSession(request: FastifyRequest): Session {
  if (!request.session?.complete) throw new Unauthenticated(getMessage('access.sign_in_first'))
  return request.session
}

/**
 * Refuse a page that shows another person or organization than the session has: another window of the browser has changed it. What was
 * typed for one organization would ask the customers of another one for money. @throws Unauthenticated
 */
function requireShownFor({ headers }: FastifyRequest, { user, organization }: Session): void {
  const shown = headers['kusanya-shown-for']
  if (shown !== undefined && shown !== `${user}/${organization}`)
    throw new Unauthenticated(getMessage('access.other_window'))
}

/** Set the session cookie. Scripts cannot read it, and other sites cannot use it. */
export function setSessionCookie(app: App, request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(COOKIE, token, { ...cookieOptions(app, request), path: '/console' })
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.clearCookie(COOKIE, { path: '/console' })
}

/** Set the cookie by which a browser is known, for a year. It gives no access. */
export function setBrowserCookie(app: App, request: FastifyRequest, reply: FastifyReply, value: string): void {
  const maxAge = KNOWN_BROWSER_MS / 1_000
  reply.setCookie(BROWSER_COOKIE, value, { ...cookieOptions(app, request), path: '/console/api', maxAge })
}

/** The cookie by which the browser of a request is known; empty if it has none. */
export function browserCookie(request: FastifyRequest): string {
  return request.cookies[BROWSER_COOKIE] ?? ''
}

/** Return the owners of a request's browser. They are read from the database once. */
export async function readKnownBrowsers(app: App, request: FastifyRequest): Promise<KnownBrowser[]> {
  request.known_browsers ??= await findKnownBrowsers(app.db, app.clock.real(), browserCookie(request))
  return request.known_browsers
}

function cookieOptions(app: App, request: FastifyRequest) {
  const secure = request.protocol === 'https' || app.address.url.startsWith('https:')
  return { httpOnly: true, sameSite: 'strict', secure } as const
}

/**
 * Limit the requests per minute of a user. Without a session, count by known browser or address: strangers behind the
 * same address take no requests from a known browser. @throws Throttled
 */
async function throttleRequest(app: App, request: FastifyRequest): Promise<void> {
  const { session } = request
  const source = nameOf(session ? { user: session.user } : await sourceOf(app, request))
  const read = isReadMethod(request.method)
  const limit = read ? READS_PER_MINUTE : WRITES_PER_MINUTE
  await requireAllowed(app.throttle, `console ${read ? 'read' : 'write'} ${source}`, limit)
  const { counts } = request.routeOptions.config
  if (counts) await countCall(app, personOf(app, request), counts)
}

/** Return the known browser that sends a request, for any user or the one with this e-mail, or else its address. */
async function sourceOf(app: App, request: FastifyRequest, email?: string) {
  const owner = email?.trim().toLowerCase()
  const browsers = await readKnownBrowsers(app, request)
  const browser = browsers.find((one) => owner === undefined || one.email === owner)
  return browser ? { browser: browser.id } : { address: addressGroup(request.ip) }
}

function personOf(app: App, request: FastifyRequest): Actor {
  return { ...stranger(request.ip), source: (email) => sourceOf(app, request, email) }
}

/** Return the actor of a person who has not signed in, whose request the guard has counted. */
export function visitor(app: App, request: FastifyRequest): Actor {
  const counted = request.routeOptions.config.counts?.throttle?.name
  return { ...personOf(app, request), ...(counted && { counted }) }
}

function rejectCrossSiteRequest(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site']
  if (request.headers['x-requested-with'] !== 'console' || (site !== undefined && site !== 'same-origin'))
    throw new Forbidden(getMessage('access.foreign_page'))
}
