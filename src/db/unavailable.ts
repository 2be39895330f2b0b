import { CommitUnknown, isConnectionError } from './failures.ts'

/**
 * Whether an error means that the database could not be reached, or that the connection was lost during a commit. Several
 * errors in one count when all of them mean it.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof CommitUnknown || isConnectionError(error)) return true
  return error instanceof AggregateError && error.errors.length > 0 && error.errors.every(isDatabaseUnavailable)
}
