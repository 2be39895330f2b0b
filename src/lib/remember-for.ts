/**
 * A reader that keeps what it has read for a while, because it is asked many times. What could not be read is read again at
 * the next call.
 * @param max_age_ms how old an answer may be
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
