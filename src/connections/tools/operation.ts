import { AsyncLocalStorage } from 'node:async_hooks'

/** What one operation of a driver, such as a charge, has done so far. */
interface Operation {
  /** The reference of the order; null where the operation concerns none. */
  reference: string | null
  /** The collection request that it is about; null for none. */
  collection_request: number | null
  /** Ends the report of calls that were answered with 5xx, once it is known whether the driver understood the answer. */
  judgements: ((understood: boolean) => void)[]
  /** Whether the operation fetches a token. */
  is_token: boolean
}

const current = new AsyncLocalStorage<Operation>()

/** The operation that the running code belongs to. */
export function currentOperation(): Operation | undefined {
  return current.getStore()
}

/**
 * Runs one operation of a driver, so that its calls are logged with the reference of their order. Some networks answer 500 to
 * a question that they understand, such as Daraja while a prompt is on the phone: such a call counts as answered if the
 * operation comes to an outcome other than `unknown`.
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
    const outcome = outcomeOf(answer)
    understood = outcome !== undefined && outcome !== 'unknown'
    return answer
  } finally {
    for (const judge of operation.judgements) judge(understood)
  }
}

/** Runs the fetching of a token. Its answer does not say whether the network carries orders. */
export function runTokenFetch<Answer>(fetch: () => Promise<Answer>): Promise<Answer> {
  return current.run({ reference: null, collection_request: null, judgements: [], is_token: true }, async () => fetch())
}

function outcomeOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'outcome' in answer ? answer.outcome : undefined
}
