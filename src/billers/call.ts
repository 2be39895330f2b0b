/** What came back over HTTP, or the failure that prevented it. `body` is undefined when it is no JSON. */
export type Reply = { status: number; body: unknown } | { failure: string }

/** One JSON call to a biller. It resolves in every case: a time-out, a refusal and nonsense are replies. */
export async function callJson(
  method: 'GET' | 'POST',
  url: string,
  options: { headers: Record<string, string>; body?: object; timeout_ms: number },
): Promise<Reply> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...options.headers, ...(options.body ? { 'content-type': 'application/json' } : {}) },
      body: options.body ? JSON.stringify(options.body) : null,
      redirect: 'manual',
      signal: AbortSignal.timeout(options.timeout_ms),
    })
    return { status: response.status, body: parseJson(await response.text()) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { failure: `The biller did not answer: ${cause instanceof Error ? cause.message : String(cause)}` }
  }
}

/** The answer to what nobody can understand. */
export function unreadableAnswer(reply: { status: number }): { outcome: 'unknown'; message: string } {
  return { outcome: 'unknown', message: `The biller's answer cannot be understood (HTTP ${reply.status}).` }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
