import { WriteConflict } from '../core/write-conflict.ts'

/**
 * Settles many answers in one transaction, or each by itself when together they fail: one that cannot be settled, or
 * that another process was quicker with, must not hold up the others.
 */
export async function applyInBatch<T>(
  answers: readonly T[],
  settle: (some: readonly T[]) => Promise<void>,
): Promise<void> {
  if (answers.length === 0) return
  try {
    await settle(answers)
  } catch {
    const faults: unknown[] = []
    for (const answer of answers)
      await retryWriteConflicts(() => settle([answer])).catch((error: unknown) => faults.push(error))
    if (faults.length > 0)
      throw new AggregateError(faults, `${faults.length} of ${answers.length} answers could not be settled.`)
  }
}

/** Who is overtaken this often in a row has met something other than bad luck. */
const MAX_TRIES = 4

async function retryWriteConflicts(settle: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await settle()
    } catch (error) {
      if (!(error instanceof WriteConflict) || tries === MAX_TRIES) throw error
    }
  }
}
