/** Subject of one operation of a driver, for the log of its calls. */
export interface OperationSubject {
  /** The reference of the order; null if the operation concerns none. */
  reference: string | null
  /** The collection request that it is about; null for none. */
  collection_request: number | null
}

/** Progress of one operation of a driver, such as a charge. */
export interface Operation extends OperationSubject {
  /** Complete the report of calls answered with 5xx or 401, once it is known whether the driver succeeded. */
  judgements: ((understood: boolean) => void)[]
}

/**
 * Run one operation of a driver, and judge its calls by its answer. Some networks answer 500 to a query that they
 * understand, such as Daraja while a prompt is on the phone. Such a call counts as answered if the operation has an
 * outcome other than `unknown`. So does a call with an ended token, unless nothing was sent.
 */
export async function runOperation<Answer>(
  subject: OperationSubject,
  work: (operation: Operation) => Promise<Answer>,
): Promise<Answer> {
  const operation: Operation = { ...subject, judgements: [] }
  let understood = false
  try {
    const answer = await work(operation)
    understood = isUnderstood(answer)
    return answer
  } finally {
    for (const judge of operation.judgements) judge(understood)
  }
}

/** Return true if an answer tells the provider's action. A failed connection or refused credentials do not. */
function isUnderstood(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || !('outcome' in answer)) return false
  const reason = 'reason' in answer ? answer.reason : undefined
  return answer.outcome !== 'unknown' && !UNPROCESSED.has(reason)
}

/** Failure reasons of an order, purchase or SMS that no provider has processed. */
const UNPROCESSED: ReadonlySet<unknown> = new Set(['unreachable', 'no_answer', 'credentials'])
