import type { App } from '../app.ts'
import type { Action, Actor, FailedAttempt } from '../core/access/action.ts'
import { type Attempt, countAttempt } from '../core/access/sign-in-attempts.ts'
import { begin } from '../db/client.ts'
import { requireAllowed } from '../http/throttle.ts'

/** A counted attempt, until a success or a failure. */
export interface OpenAttempt extends FailedAttempt {
  counted: Attempt
}

/** Count a call in the minute of its source, unless its door has. @throws Throttled */
export async function countCall(app: App, actor: Actor, { throttle }: Pick<Action, 'throttle'>): Promise<void> {
  if (!throttle?.per_minute || actor.counted === throttle.name) return
  await requireAllowed(app.throttle, `${throttle.name} ${nameOf(await sourceOf(actor))}`, throttle.per_minute)
}

/** Return the name of a source in the windows of the throttle, such as `browser 12`. */
export function nameOf(source: Attempt['from']): string {
  return Object.entries(source).flat().join(' ')
}

/**
 * Count an attempt before it is checked, in a transaction of its own.
 * @returns undefined for an action without guesses @throws Throttled
 */
export async function openAttempt(
  app: App,
  actor: Actor,
  { throttle }: Pick<Action, 'throttle'>,
  // biome-ignore lint/suspicious/noExplicitAny: the input of any action
  input: any,
): Promise<OpenAttempt | undefined> {
  const { attempts } = { ...throttle }
  if (!attempts) return undefined
  const from = attempts.email ? await sourceOf(actor, attempts.email(input)) : { user: actor.user! }
  const counted = { subject: attempts.subject(input, actor), from }
  const locked = await begin(app.db, (tx) => countAttempt(tx, app.clock.real(), counted))
  return { known_browser: 'browser' in from, locked, counted }
}

/** @throws Error for a door that does not say who sends a call */
function sourceOf({ source }: Actor, email?: string) {
  if (!source) throw new Error('The calls of this action are counted by their source.')
  return source(email)
}
