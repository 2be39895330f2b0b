/** Let SMS out one after the other: not more at a time than the window, not faster than the provider takes them. */
export interface Pace {
  /**
   * Wait for a turn. The caller ends it with the returned function, when the answer is there. Undefined: none came
   * before the deadline (by `performance.now()`), or the session closes.
   */
  enter(deadline: number): Promise<(() => void) | undefined>
  /** The provider says that it was too much: nothing is sent for a while, and then less. Returns the pause, in milliseconds. */
  slowDown(): number
  /** The provider has taken one. */
  speedUp(): void
  /** End all turns. */
  stop(): void
}

interface Waiter {
  start(turn: (() => void) | undefined): void
}

interface PaceOptions {
  window: number
  per_second: number
  /** First and maximum pause, in milliseconds. */
  throttle: readonly [number, number]
}

export function createPace({ window, per_second, throttle: [first_pause, longest_pause] }: PaceOptions): Pace {
  const smallest_gap = 1_000 / per_second
  const waiters = new Set<Waiter>()
  let gap = smallest_gap
  let pause = first_pause
  let paused_until = 0
  let next_at = 0
  let running = 0
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  const endTurn = () => {
    running -= 1
    letIn()
  }
  const letIn = () => {
    clearTimeout(timer)
    for (const waiter of waiters) {
      if (running >= window) return
      const now = performance.now()
      if (now < next_at) {
        timer = setTimeout(letIn, next_at - now)
        return
      }
      waiters.delete(waiter)
      running += 1
      next_at = now + gap
      waiter.start(once(endTurn))
    }
  }
  return {
    async enter(deadline) {
      if (stopped) return undefined
      const turn = waitFor(waiters, deadline)
      letIn()
      return turn
    },
    slowDown() {
      const now = performance.now()
      // All messages under way at the time of throttling are refused together, and count once.
      if (now >= paused_until) {
        paused_until = now + pause
        pause = Math.min(pause * 2, longest_pause)
        gap = Math.min(gap * 2, longest_pause)
      }
      next_at = Math.max(next_at, paused_until)
      return Math.max(paused_until - now, 0)
    },
    speedUp() {
      pause = first_pause
      gap = Math.max(smallest_gap, gap * 0.95)
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      for (const waiter of waiters) waiter.start(undefined)
      waiters.clear()
    },
  }
}

/** Join those who wait. Resolves with the turn, or without one at the deadline. */
function waitFor(waiters: Set<Waiter>, deadline: number): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const giveUp = () => {
      waiters.delete(waiter)
      resolve(undefined)
    }
    const timer = setTimeout(giveUp, Math.max(deadline - performance.now(), 0))
    const waiter: Waiter = {
      start(turn) {
        clearTimeout(timer)
        resolve(turn)
      },
    }
    waiters.add(waiter)
  })
}

function once(action: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    action()
  }
}
