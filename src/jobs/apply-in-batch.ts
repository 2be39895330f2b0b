import { WriteConflict } from '../core/write-conflict.ts'

/**
 * Applies many answers in one transaction. When that fails it applies each by itself, so that one bad answer, or one that
 * another process has applied meanwhile, does not delay the others.
 * @throws AggregateError with the errors of the answers that could not be applied.
 */
export async function applyInBatch<T>(
  answers: readonly T[],
  apply: (batch: readonly T[]) => Promise<void>,
): Promise<void> {
  if (answers.length === 0) return
  try {
    await apply(answers)
  } catch {
    const errors: unknown[] = []
    for (const answer of answers)
      await retryWriteConflicts(() => apply([answer])).catch((error: unknown) => errors.push(error))
    if (errors.length > 0)
      throw new AggregateError(errors, `${errors.length} of ${answers.length} answers could not be applied.`)
  }
}

/** More write conflicts in a row than this are not a coincidence. */
const MAX_TRIES = 4

async function retryWriteConflicts(apply: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await apply()
    } catch (error) {
      if (!(error instanceof WriteConflict) || tries === MAX_TRIES) throw error
    }
  }
}
