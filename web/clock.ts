import { api } from './api.ts'
import type { ClockAdvance } from './wire.ts'

/** How long work that is due is waited for before the clock goes on without it. */
const STUCK_AFTER_MS = 20_000

/** Moves the sandbox's clock, call by call, and tells how far it has come. @throws ApiError */
export async function advanceClock(to: string, tell: (walk: ClockAdvance) => void = () => {}): Promise<ClockAdvance> {
  let walk = await api.post<ClockAdvance>('/clock', { to })
  let since = performance.now()
  const without: string[] = []
  while (!walk.done) {
    tell(walk)
    const { begun, target } = walk
    const next = await api.post<ClockAdvance>('/clock', { to: target, begun, without })
    if (next.now !== walk.now || next.waiting_for.join() !== walk.waiting_for.join()) since = performance.now()
    else if (performance.now() - since > STUCK_AFTER_MS) without.push(...next.waiting_for)
    walk = next
  }
  return walk
}
