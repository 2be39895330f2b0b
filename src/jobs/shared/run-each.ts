import { isUnavailable } from '../../db/failures.ts'

/** A row whose work failed, and the error. */
export interface FailedRow<Row> {
  row: Row
  error: unknown
}

/** Works on all rows at the same time and waits for every one. Returns the rows that failed. */
export async function runEach<Row>(rows: readonly Row[], work: (row: Row) => Promise<void>): Promise<FailedRow<Row>[]> {
  const results = await Promise.allSettled(rows.map(work))
  return results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ row: rows[index]!, error: result.reason as unknown }] : [],
  )
}

/**
 * Passes the failed rows to `log`, except those that failed because the database was unavailable.
 * @throws the error of the unavailable database, so that it is logged once for the job and not for each row.
 */
export function reportFailures<Row>(
  failed: readonly FailedRow<Row>[],
  log: (failures: readonly FailedRow<Row>[]) => void,
): void {
  log(failed.filter(({ error }) => !isUnavailable(error)))
  const outage = failed.find(({ error }) => isUnavailable(error))
  if (outage) throw outage.error
}
