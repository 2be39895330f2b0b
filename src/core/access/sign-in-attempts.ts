import { createHash } from 'node:crypto'
import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, table } from '../../db/table.ts'
import { Throttled } from '../refusals.ts'

/**
 * Attempt to sign in, with its origin. Attempts of a known browser have a count of their own. All others count twice:
 * by their address, and over all addresses (docs/decisions/0021).
 */
export interface Attempt {
  /** Method and account of the attempt, such as `password ann@shop.example`. Only its hash is stored. */
  subject: string
  /** The group of the address (`lib/http/address-groups.ts`), the id of a known browser, or a signed-in user. */
  from: { address: string } | { browser: number } | { user: number }
}

/** The subject of attempts with the password of this e-mail, in upper or lower case. */
export function passwordSubject(email: string): string {
  return `password ${email.trim().toLowerCase()}`
}

/** The subject of attempts with a second factor of this user: a code or a passkey. */
export function secondFactorSubject(user: number): string {
  return `code ${user}`
}

/**
 * Scope that must wait if the attempt fails: the address, all unknown browsers, the known browser, or the signed-in
 * user.
 */
export type LockScope = 'address' | 'everywhere' | 'browser' | 'user'

/** The attempts that never wait. After each further failure the wait doubles, from 15 s to at most 300 s. */
const FREE_ATTEMPTS: Record<LockScope, number> = { address: 5, everywhere: 50, browser: 10, user: 5 }
export const FIRST_WAIT_S = 15
const MAX_WAIT_S = 300

/**
 * Counts an attempt before it is checked, so that a thousand attempts at the same time do not pass the limit.
 * `clearAttempt` takes it back after a success. A day without attempts clears a count.
 *
 * The first attempts of an address also count for all addresses together; its later ones only wait for that count.
 * So one address cannot make others wait, however often it tries.
 * @returns the first of its limits that the attempt has reached: if it fails, a wait begins
 * @throws Throttled if it has to wait. Then nothing may be stored: the transaction must be rolled back.
 */
export async function countAttempt(tx: Tx, now: Date, attempt: Attempt): Promise<LockScope | undefined> {
  const scope = scopeOf(attempt)
  const own = await count(tx, now, { key: keyOf(attempt), subject: attempt.subject, scope, weight: 1 })
  if (scope !== 'address') return isLast(own, scope) ? scope : undefined
  const weight = own <= FREE_ATTEMPTS.address ? 1 : 0
  const all = await count(tx, now, { key: attempt.subject, subject: attempt.subject, scope: 'everywhere', weight })
  if (weight === 1 && isLast(all, 'everywhere')) return 'everywhere'
  return isLast(own, scope) ? scope : undefined
}

/** Takes back an attempt and the failures before it after a success; other addresses and browsers keep theirs. */
export async function clearAttempt(tx: Tx, attempt: Attempt): Promise<void> {
  const [cleared] = await tx<{ failures: number }[]>`
    delete from sign_in_failures where key_hash = ${hash(keyOf(attempt))} returning failures`
  if (!cleared || scopeOf(attempt) !== 'address') return
  const counted = Math.min(cleared.failures, FREE_ATTEMPTS.address)
  await tx`
    update sign_in_failures set failures = greatest(failures - ${counted}, 0)
    where key_hash = ${hash(attempt.subject)}`
}

/** Clears all counts of a user, so that the next sign-in needs no wait, wherever it comes from. */
export async function clearAttemptsOf(tx: Tx, user: { id: number; email: string }): Promise<void> {
  for (const subject of [passwordSubject(user.email), secondFactorSubject(user.id)])
    await tx`delete from sign_in_failures where subject_hash = ${hash(subject)} or key_hash = ${hash(subject)}`
}

export const failureTable = table('sign_in_failures', {
  key_hash: column.bytea().key(),
  subject_hash: column.bytea().nullable(),
  failures: column.integer(),
  last_failure: column.timestamptz(),
})

interface Count {
  key: string
  subject: string
  scope: LockScope
  /** 0 if the attempt only waits for this count and does not raise it. */
  weight: 0 | 1
}

/** @returns the failures with this attempt @throws Throttled */
async function count(tx: Tx, now: Date, { key, subject, scope, weight }: Count): Promise<number> {
  const free = FREE_ATTEMPTS[scope]
  const wait = sql`make_interval(secs =>
    least(${MAX_WAIT_S}::integer, ${FIRST_WAIT_S}::integer * 2 ^ least(f.failures - ${free}::integer, 10)))`
  const first = { key_hash: hash(key), subject_hash: hash(subject), failures: weight, last_failure: now }
  const [counted] = await tx<{ failures: number }[]>`
    ${insert(failureTable.as('f'), [first], {})}
    on conflict (key_hash) do update
      set subject_hash = excluded.subject_hash,
        failures = excluded.failures
          + case when f.last_failure < excluded.last_failure - interval '1 day' then 0 else f.failures end,
        last_failure = case when excluded.failures > 0 or f.failures >= ${free}::integer
          then greatest(f.last_failure, excluded.last_failure) else f.last_failure end
      -- Attempts at the same time arrive here in any order, so a free one looks at no time.
      where f.failures < ${free}::integer or f.last_failure + ${wait} <= excluded.last_failure
    returning failures`
  if (counted) return counted.failures
  const [row] = await tx<{ until: Date }[]>`
    select f.last_failure + ${wait} as until from sign_in_failures f where f.key_hash = ${hash(key)}`
  throw new Throttled(Math.max(1, Math.ceil(((row?.until.getTime() ?? 0) - now.getTime()) / 1000)))
}

function isLast(failures: number, scope: LockScope): boolean {
  return failures === FREE_ATTEMPTS[scope]
}

function scopeOf({ from }: Attempt): LockScope {
  if ('address' in from) return 'address'
  return 'browser' in from ? 'browser' : 'user'
}

/** The subject by itself is the key of the count over all addresses. */
function keyOf({ subject, from }: Attempt): string {
  if ('address' in from) return `${subject} from ${from.address}`
  return 'browser' in from ? `${subject} in browser ${from.browser}` : `${subject} as user ${from.user}`
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
