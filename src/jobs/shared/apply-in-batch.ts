import { isUnavailable } from '../../db/client.ts'
import { isMoving } from '../../db/failures.ts'
import { workInParts } from '../../lib/batches/in-parts.ts'
import { WriteConflict } from '../../lib/batches/write-conflict.ts'
import { type EventLog, logEvent } from '../../lib/log-events.ts'

/**
 * Applies many answers in one transaction. After a failure it logs the error and applies them in parts. So one bad
 * answer, or one that another process has applied meanwhile, does not delay the others. When the database is out of
 * reach or too slow, nothing more is tried: each answer would wait again, and all are processed after their leases have
 * ended.
 * @throws the error of an unavailable database; else AggregateError with the errors of the answers that could not be
 *   applied
 */
export async function applyInBatch<T>(
  answers: readonly T[],
  apply: (batch: readonly T[]) => Promise<void>,
  log: EventLog,
): Promise<void> {
  if (answers.length === 0) return
  const errors: unknown[] = []
  await workInParts(answers, apply, {
    mayRetry: (error) => !isUnavailable(error),
    onRepeat(error, size) {
      // Several processes may record the same money, and an organization may move. This needs no attention in the log.
      if (!(error instanceof WriteConflict || isMoving(error))) logEvent(log, 'batch_failed', { size, error })
    },
    onFailure: (_, error) => errors.push(error),
  })
  const outage = errors.find(isUnavailable)
  if (outage !== undefined) throw outage
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} of ${answers.length} answers could not be applied.`)
}
