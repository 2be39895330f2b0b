import { AsyncLocalStorage } from 'node:async_hooks'

/** Progress of one operation of a driver, such as a charge. */
interface Operation {
  /** The reference of the order; null if the operation concerns none. */
  reference: string | null
  /** The collection request that it is about; null for none. */
  collection_request: number | null
  /** Complete the report of calls answered with 5xx or 401, once it is known whether the driver succeeded. */
  judgements: ((understood: boolean) => void)[]
  /** True if the operation fetches a token. */
  is_token: boolean
}

const current = new AsyncLocalStorage<Operation>()

/** The operation that the running code belongs to. */
export function currentOperation(): Operation | undefined {
  return current.getStore()
}

/**
 * Run one operation of a driver, so that its calls are logged with the reference of their order. Some networks answer
 * 500 to a query that they understand, such as Daraja while a prompt is on the phone. Such a call counts as answered if
 * the operation has an outcome other than `unknown`. So does a call with an ended token, unless nothing was sent.
 */
export async function runOperation<Answer>(
  reference: string | null,
  work: () => Promise<Answer>,
  collection_request: number | null = null,
): Promise<Answer> {
  const operation: Operation = { reference, collection_request, judgements: [], is_token: false }
  let understood = false
  try {
    const answer = await current.run(operation, work)
    understood = isUnderstood(answer)
    return answer
  } finally {
    for (const judge of operation.judgements) judge(understood)
  }
}

/** Run the fetching of a token. Its answer does not say whether the network carries orders. */
export function runTokenFetch<Answer>(fetch: () => Promise<Answer>): Promise<Answer> {
  return current.run({ reference: null, collection_request: null, judgements: [], is_token: true }, async () => fetch())
}

/** Return true if an answer tells the provider's action. A failed connection or refused credentials do not. */
function isUnderstood(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || !('outcome' in answer)) return false
  const reason = 'reason' in answer ? answer.reason : undefined
  return answer.outcome !== 'unknown' && !UNPROCESSED.has(reason)
}

/** Failure reasons of an order, purchase or SMS that no provider has processed. */
const UNPROCESSED: ReadonlySet<unknown> = new Set(['unreachable', 'no_answer', 'credentials'])
