import { api } from './api.ts'
import type { ClockAdvance } from './wire.ts'

/** Time without progress of due work after which the clock goes on. */
const STUCK_AFTER_MS = 20_000

/** Move the sandbox's clock with several calls, and report the progress of each. @throws ApiError */
export async function advanceClock(
  to: string,
  onProgress: (advance: ClockAdvance) => void = () => {},
): Promise<ClockAdvance> {
  let advance = await api.post<ClockAdvance>('/clock', { to })
  let since = performance.now()
  const without: string[] = []
  while (!advance.done) {
    onProgress(advance)
    const { begun, target } = advance
    const next = await api.post<ClockAdvance>('/clock', { to: target, begun, without })
    if (next.now !== advance.now || next.waiting_for.join() !== advance.waiting_for.join()) since = performance.now()
    else if (performance.now() - since > STUCK_AFTER_MS) without.push(...next.waiting_for)
    advance = next
  }
  return advance
}
