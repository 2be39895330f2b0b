/** Polls something repeatedly. */
export interface Poller {
  /** Polls now and from now on, until `stop`. */
  start(): void
  stop(): void
  /** Something may have changed: poll soon instead of at the next tick. */
  wake(): void
}

/**
 * Creates a poller. It calls `poll` at the start, `tick_ms` after each poll, and soon after each wake. Two polls never
 * overlap, and at least `pause_ms` pass between them. A failed poll does not stop the poller.
 */
export function createPoller(poll: () => Promise<void>, options: { tick_ms: number; pause_ms: number }): Poller {
  let state: 'stopped' | 'polling' | 'waiting' | 'idle' = 'stopped'
  let started = false
  let woken = false
  let timer: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    clearTimeout(timer)
    state = 'polling'
    woken = false
    await poll().catch(() => {})
    state = started ? 'waiting' : 'stopped'
    if (started) timer = setTimeout(endPause, options.pause_ms)
  }

  function endPause(): void {
    if (woken) return void run()
    state = 'idle'
    timer = setTimeout(run, options.tick_ms - options.pause_ms)
  }

  function wake(): void {
    woken = true
    if (started && (state === 'idle' || state === 'stopped')) void run()
  }

  return {
    wake,
    start() {
      started = true
      wake()
    },
    stop() {
      started = false
      clearTimeout(timer)
      if (state !== 'polling') state = 'stopped'
    },
  }
}
