/**
 * Measure the longest turn of the event loop of this thread, as processor time: how busy the machine is does not
 * matter.
 */
export interface TurnProbe {
  /** Return the longest turn since the last call, in milliseconds. */
  take(): number
  stop(): void
}

/** Begin to measure. The loop turns without a pause until the probe is stopped. */
export function watchTurns(): TurnProbe {
  const now_ms = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let running = true
  let before_ms = now_ms()
  let longest_ms = 0
  const turn = () => {
    const at_ms = now_ms()
    longest_ms = Math.max(longest_ms, at_ms - before_ms)
    before_ms = at_ms
    if (running) setImmediate(turn)
  }
  setImmediate(turn)
  return {
    take() {
      const taken = longest_ms
      longest_ms = 0
      return taken
    },
    stop() {
      running = false
    },
  }
}

/**
 * Return the maximum of a turn here: four times the time of reading the JSON of 60,000 fields, and at least 200 ms.
 * This is four times the goal of 50 ms, because the same work costs more processor time on a busy machine. Quadratic
 * reading takes seconds.
 */
export function allowedTurn(): number {
  const text = `{${Array.from({ length: 60_000 }, (_, index) => `"field ${index}":[${index}]`).join(',')}}`
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    JSON.parse(text)
    return process.threadCpuUsage(before).user / 1_000
  })
  return 4 * Math.max(50, Math.min(...times))
}
