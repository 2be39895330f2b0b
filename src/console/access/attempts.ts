import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { recordAudit } from '../../core/access/audit.ts'
import { type FailedSignIn, recordFailedSignIn } from '../../core/access/failed-sign-ins.ts'
import { type Attempt, clearAttempt, countAttempt, type LockScope } from '../../core/access/sign-in-attempts.ts'
import { begin, type Tx } from '../../db/client.ts'
import { addressGroup } from '../../lib/http/address-groups.ts'
import { readKnownBrowsers, requireSession } from '../guard.ts'

/** A counted attempt of a request, until `attempt.clear` or a failure. */
export interface OpenAttempt {
  known_browser: boolean
  locked: LockScope | undefined
  counted: Attempt
  /** Take the attempt back after a success, in the transaction of the success. */
  clear(tx: Tx): Promise<void>
}

/** An e-mail as it is stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * Count an attempt of a request before it is checked: for the browser, if it is known for the user with this e-mail,
 * otherwise for its address and for all addresses. @throws Throttled
 */
export async function countAttemptOf(
  app: App,
  request: FastifyRequest,
  subject: string,
  email: string,
): Promise<OpenAttempt> {
  const browser = (await readKnownBrowsers(app, request)).find((one) => one.email === normalizeEmail(email))
  const from = browser ? { browser: browser.id } : { address: addressGroup(request.ip) }
  return count(app, { subject, from })
}

/**
 * Count an attempt of a signed-in user to confirm something, such as with the own password. Attempts to sign in do not
 * make it wait. @throws Throttled
 */
export async function countOwnAttempt(app: App, request: FastifyRequest, subject: string): Promise<OpenAttempt> {
  return count(app, { subject, from: { user: requireSession(request).user } })
}

async function count(app: App, attempt: Attempt): Promise<OpenAttempt> {
  const locked = await begin(app.db, (tx) => countAttempt(tx, app.clock.real(), attempt))
  return {
    known_browser: 'browser' in attempt.from,
    locked,
    counted: attempt,
    clear: (tx) => clearAttempt(tx, attempt),
  }
}

/** Record a failed sign-in in the audit log. */
export async function recordFailure(
  app: App,
  request: FastifyRequest,
  attempt: OpenAttempt,
  failure: Pick<FailedSignIn, 'user' | 'step'>,
): Promise<void> {
  const { known_browser, locked } = attempt
  const times = { now: app.clock.now(), real: app.clock.real() }
  await begin(app.db, (tx) => recordFailedSignIn(tx, times, { ...failure, known_browser, locked, address: request.ip }))
}

/** Record that a signed-in user failed to confirm something, and the wait that follows. */
export async function recordOwnFailure(
  app: App,
  request: FastifyRequest,
  attempt: OpenAttempt,
  step: FailedSignIn['step'],
): Promise<void> {
  const { user, organization } = requireSession(request)
  const entry = { organization, user, action: 'failed confirmation', address: request.ip }
  const details = { step, ...(attempt.locked && { locked: true }) }
  await begin(app.db, (tx) => recordAudit(tx, app.clock.now(), { ...entry, details }))
}

/**
 * Minimum time from the request to the refusal of a sign-in. It exceeds the work, so that the duration does not show
 * whether a user has this e-mail.
 */
const MIN_REFUSAL_MS = 300

/** Wait until this time after `started_ms` (of `performance.now`). */
export async function waitToRefuse(started_ms: number): Promise<void> {
  const rest_ms = started_ms + MIN_REFUSAL_MS - performance.now()
  if (rest_ms > 0) await sleep(rest_ms)
}
