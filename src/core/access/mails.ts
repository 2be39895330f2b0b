import type { Reader, Tx } from '../../db/client.ts'
import { rows } from '../../db/rows.ts'
import { sql } from '../../db/sql.ts'
import { column, insert, type NewRow, table } from '../../db/table.ts'
import { type ClaimTimes, claimDue, findNextDue } from '../leases.ts'
import { nextAttemptAt, retrySchedules } from '../retry-schedules.ts'

const mailTable = table('mails', {
  id: column.id(),
  organization: column.bigint(),
  recipient: column.text(),
  subject: column.text(),
  body: column.text(),
  attempts: column.integer().default(0),
  last_error: column.text().later(),
  created: column.timestamptz(),
  due_at: column.timestamptz().nullable(),
  leased_until: column.timestamptz().later(),
})

/** A mail to a user or a customer, before it is in the outbox. */
export type NewMail = Omit<NewRow<typeof mailTable>, 'created' | 'due_at'>

/** A mail to send now. */
export interface ClaimedMail extends NewMail {
  id: number
  /** Number of attempts, including this one. */
  attempts: number
  created: Date
}

/** Puts mails into the outbox, in the transaction that causes them. They contain no secrets. @returns their ids, in order */
export async function queueMails(tx: Tx, now: Date, mails: readonly NewMail[]): Promise<number[]> {
  if (mails.length === 0) return []
  const queued = await tx<{ id: number }[]>`${insert(mailTable, mails, { created: now, due_at: now })} returning id`
  return queued.map(({ id }) => id)
}

/** Claims mails that are due, under a lease. */
export function claimMails(tx: Tx, times: ClaimTimes, limit: number): Promise<ClaimedMail[]> {
  return claimDue<ClaimedMail>(tx, {
    table: 'mails',
    times,
    limit,
    set: sql`attempts = attempts + 1`,
    returning: sql`id, organization, recipient, subject, body, attempts, created`,
  })
}

/** Finds the time when the next unclaimed mail is due, or null. */
export function nextDueMail(db: Reader, real: Date): Promise<Date | null> {
  return findNextDue(db, 'mails', real)
}

/** The result of one attempt; `error` is null if the mail server took the mail. */
export interface MailResult {
  mail: Pick<ClaimedMail, 'id' | 'attempts' | 'created'>
  error: string | null
  /** `busy`: the server takes no mails now. `no_address`: no attempt will succeed. */
  reason?: 'busy' | 'no_address' | 'unknown'
}

/** Milliseconds for which a busy mail server gets no mails. */
export const BUSY_MS = 60_000
/** Age up to which an attempt at a busy mail server does not count. */
const MAX_BUSY_MS = 24 * 60 * 60 * 1_000

/** Deletes the mails that were sent, and says when the others are tried again. */
export async function applyMailResults(tx: Tx, now: Date, results: readonly MailResult[]): Promise<void> {
  const sent = results.filter(({ error }) => error === null).map(({ mail }) => mail.id)
  const failed = rows(
    results.filter(({ error }) => error !== null),
    {
      id: ['bigint', ({ mail }) => mail.id],
      last_error: ['text', ({ error }) => error],
      attempts: ['integer', (result) => (isUncounted(result, now) ? result.mail.attempts - 1 : result.mail.attempts)],
      due_at: ['timestamptz', (result) => nextAttempt(result, now)],
    },
  )
  await tx`delete from mails where id = any(${sent}::bigint[])`
  await tx`
    update mails m set last_error = f.last_error, attempts = f.attempts, due_at = f.due_at, leased_until = null
    from ${failed.as('f')} where m.id = f.id`
}

function isUncounted({ mail, reason }: MailResult, now: Date): boolean {
  return reason === 'busy' && now.getTime() - mail.created.getTime() < MAX_BUSY_MS
}

function nextAttempt(result: MailResult, now: Date): Date | null {
  if (isUncounted(result, now)) return new Date(now.getTime() + BUSY_MS)
  return result.reason === 'no_address' ? null : nextAttemptAt(now, retrySchedules.mail, result.mail.attempts)
}
