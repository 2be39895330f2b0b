import { createHash } from 'node:crypto'
import type { Tx } from '../../db/client.ts'
import { insert } from '../../db/table.ts'
import type { ActionContext, ActionEntry, FailedAttempt } from './action.ts'
import { findHomeOrganization } from './sessions.ts'
import { FIRST_WAIT_S, failureTable } from './sign-in-attempts.ts'

/** An attempt to sign in that has failed. */
export interface FailedSignIn extends FailedAttempt {
  /** The user whose e-mail was given; undefined if there is none. */
  user: number | undefined
  step: 'password' | 'code' | 'passkey'
}

/** Return the entry about a signed-in user who failed to confirm something, and the wait that follows. */
export function failedConfirmation(
  { actor: { organization } }: ActionContext,
  step: FailedSignIn['step'],
  { locked }: FailedAttempt,
): ActionEntry {
  return { action: 'failed confirmation', organization, details: locked ? { step, locked: true } : { step } }
}

/** All failures for unknown e-mail addresses share one entry a minute, so that strangers cannot fill the audit log. */
const UNKNOWN_INTERVAL_MS = 60_000
const UNKNOWN_KEY = createHash('sha256').update('entries for unknown e-mails').digest()

/**
 * Returns the entries of the audit log about a failed sign-in, and about the wait that it causes. For a user they go to
 * the organization where the user works. The typed text is not recorded: it may be a mistyped password or another
 * person's address. The waits limit the number of entries for a user.
 */
export async function entriesOfFailure(tx: Tx, real: Date, failure: FailedSignIn): Promise<ActionEntry[]> {
  const { user: object, step, known_browser, locked } = failure
  if (object === undefined) return entriesOfUnknown(tx, real)
  const of_user = { organization: await findHomeOrganization(tx, object), object_type: 'user', object } as const
  const failed = { ...of_user, details: { step, browser: known_browser ? 'known' : 'new' } }
  if (!locked) return [failed]
  return [failed, { ...of_user, action: 'locked sign-in', details: { step, scope: locked, wait_s: FIRST_WAIT_S } }]
}

async function entriesOfUnknown(tx: Tx, real: Date): Promise<ActionEntry[]> {
  const since = new Date(real.getTime() - UNKNOWN_INTERVAL_MS)
  const first = { key_hash: UNKNOWN_KEY, failures: 0, last_failure: real }
  const [row] = await tx<{ attempts: number; due: boolean }[]>`
    ${insert(failureTable.as('f'), [first], { subject_hash: null })}
    on conflict (key_hash) do update
      set failures = case when f.last_failure <= ${since} then 0 else f.failures + 1 end,
        last_failure = case when f.last_failure <= ${since} then excluded.last_failure else f.last_failure end
    returning coalesce(old.failures, 0) + 1 as attempts, f.last_failure = ${real} and f.failures = 0 as due`
  return row?.due ? [{ organization: null, details: { email: 'unknown', attempts: row.attempts } }] : []
}
