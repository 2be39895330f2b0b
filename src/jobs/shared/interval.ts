/** Time between two turns of work. */
interface Interval {
  /** Returns true if the interval is over, or none has started. */
  isOver(): boolean
  /** Starts the interval now. */
  start(): void
  /** Ends the interval at once. */
  end(): void
}

/**
 * Creates an interval of the real clock.
 * @param clock whose real time counts; a clock that was set back ends the interval, so that no work stands still until it has
 * caught up
 */
export function createInterval(ms: number, clock: { real(): Date }): Interval {
  let started_ms: number | undefined
  return {
    isOver() {
      if (started_ms === undefined) return true
      const passed_ms = clock.real().getTime() - started_ms
      return passed_ms < 0 || passed_ms >= ms
    },
    start() {
      started_ms = clock.real().getTime()
    },
    end() {
      started_ms = undefined
    },
  }
}
