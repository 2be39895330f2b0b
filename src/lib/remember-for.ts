/**
 * Creates a reader that keeps its result for a while, because it is asked many times. A failed read is repeated at the
 * next call.
 * @param max_age_ms maximum age of an answer
 * @param clock whose real time counts; a clock that was set back makes it read again
 */
export function rememberFor<Value>(
  max_age_ms: number,
  clock: { real(): Date },
  read: () => Promise<Value>,
): () => Promise<Value> {
  let kept: { value: Promise<Value>; at_ms: number } | undefined
  return () => {
    const now_ms = clock.real().getTime()
    if (kept && now_ms >= kept.at_ms && now_ms - kept.at_ms < max_age_ms) return kept.value
    const value = read().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    kept = { value, at_ms: now_ms }
    return value
  }
}
