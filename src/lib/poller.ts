/** Looks at something again and again. */
export interface Poller {
  /** Looks now, and from now on until it is stopped. */
  start(): void
  stop(): void
  /** Something may have changed: look soon instead of at the next tick. */
  wake(): void
}

/**
 * Calls `look` when it starts, `tick_ms` after every look, and soon after every wake; but never before `pause_ms` have
 * passed since the last look, and never while that is under way. A look that fails is followed by the next.
 */
export function createPoller(look: () => Promise<void>, options: { tick_ms: number; pause_ms: number }): Poller {
  let state: 'stopped' | 'looking' | 'pausing' | 'resting' = 'stopped'
  let wanted = false
  let woken = false
  let timer: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    clearTimeout(timer)
    state = 'looking'
    woken = false
    await look().catch(() => {})
    state = wanted ? 'pausing' : 'stopped'
    if (wanted) timer = setTimeout(rest, options.pause_ms)
  }

  function rest(): void {
    if (woken) return void run()
    state = 'resting'
    timer = setTimeout(run, options.tick_ms - options.pause_ms)
  }

  function wake(): void {
    woken = true
    if (wanted && (state === 'resting' || state === 'stopped')) void run()
  }

  return {
    wake,
    start() {
      wanted = true
      wake()
    },
    stop() {
      wanted = false
      clearTimeout(timer)
      if (state !== 'looking') state = 'stopped'
    },
  }
}
