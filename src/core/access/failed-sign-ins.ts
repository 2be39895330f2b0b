import { createHash } from 'node:crypto'
import type { Tx } from '../../db/client.ts'
import { recordAudit } from './audit.ts'
import { findHomeOrganization } from './sessions.ts'
import { FIRST_WAIT_S, type LockScope } from './sign-in-attempts.ts'

/** An attempt to sign in that has failed. */
export interface FailedSignIn {
  /** The user whose e-mail was given; undefined if there is none. */
  user: number | undefined
  step: 'password' | 'code' | 'passkey'
  known_browser: boolean
  address: string
  /** The limit that this failure has reached. */
  locked: LockScope | undefined
}

/** All failures for unknown e-mail addresses share one entry a minute, so that strangers cannot fill the audit log. */
const UNKNOWN_INTERVAL_MS = 60_000
const UNKNOWN_KEY = createHash('sha256').update('entries for unknown e-mails').digest()

/**
 * Records a failed sign-in in the audit log, and the wait that it causes. For a user the entries go to the organization
 * where the user works. The typed text is not recorded: it may be a mistyped password or another person's address. The
 * waits limit the number of entries for a user.
 */
export async function recordFailedSignIn(
  tx: Tx,
  times: { now: Date; real: Date },
  failure: FailedSignIn,
): Promise<void> {
  const { user, step, known_browser, address, locked } = failure
  if (user === undefined) return recordUnknownEmail(tx, times, address)
  const entry = {
    organization: await findHomeOrganization(tx, user),
    user: null,
    object_type: 'user',
    object: user,
  } as const
  const browser = known_browser ? 'known' : 'new'
  await recordAudit(tx, times.now, { ...entry, action: 'failed sign-in', details: { step, browser }, address })
  if (!locked) return
  const details = { step, scope: locked, wait_s: FIRST_WAIT_S }
  await recordAudit(tx, times.now, { ...entry, action: 'locked sign-in', details, address })
}

async function recordUnknownEmail(tx: Tx, times: { now: Date; real: Date }, address: string): Promise<void> {
  const since = new Date(times.real.getTime() - UNKNOWN_INTERVAL_MS)
  const [row] = await tx<{ attempts: number; due: boolean }[]>`
    insert into sign_in_failures as f (key_hash, failures, last_failure) values (${UNKNOWN_KEY}, 0, ${times.real})
    on conflict (key_hash) do update
      set failures = case when f.last_failure <= ${since} then 0 else f.failures + 1 end,
        last_failure = case when f.last_failure <= ${since} then excluded.last_failure else f.last_failure end
    returning coalesce(old.failures, 0) + 1 as attempts, f.last_failure = ${times.real} and f.failures = 0 as due`
  if (!row?.due) return
  const details = { email: 'unknown', attempts: row.attempts }
  await recordAudit(tx, times.now, { organization: null, user: null, action: 'failed sign-in', details, address })
}
