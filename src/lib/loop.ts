/** Work that lies in a table: claimed in batches, run outside of any transaction. */
export interface Job<Row> {
  name: string
  /** The most rows of one claim. */
  limit: number
  /** How many claims may be worked on at once. */
  concurrency: number
  /** Takes due rows under a lease. */
  claim(limit: number): Promise<Row[]>
  /** Works on what was claimed. It may call `wake` before it ends, when there is room for more. */
  run(rows: Row[], wake?: () => void): Promise<void>
  /** When the next row falls due, or null when none waits. */
  nextDue(): Promise<Date | null>
  /**
   * Whether `nextDue` knows of every row that `claim` would take. Then it is asked first: most wakes are meant for another
   * job, and a look costs a quarter of a claim that finds nothing.
   */
  next_due_is_complete?: boolean
}

export interface LoopOptions {
  now(): Date
  /** Told of every fault; the rows concerned come back when their lease ends. */
  onError(job: string, error: unknown): void
}

export interface Loop {
  /** Something may have become due: look now instead of at the next tick. */
  wake(): void
  /** Claims nothing more and waits for what is under way. */
  stop(): Promise<void>
}

/** Even without a wake a loop looks once a second, so a lost notification costs a second and never a row. */
const POLL_MS = 1_000

/** Runs one job until it is stopped. Any number of processes may run the same job: rows are claimed, never shared. */
export function startLoop<Row>(job: Job<Row>, options: LoopOptions): Loop {
  let stopped = false
  let woken = false
  let rouse = () => {}
  const lanes = new Set<Promise<void>>()

  function wake(): void {
    woken = true
    rouse()
  }

  async function round(): Promise<boolean> {
    const rows = await job.claim(job.limit)
    if (rows.length === 0) return false
    const lane = job
      .run(rows, wake)
      .catch((error: unknown) => options.onError(job.name, error))
      .finally(() => {
        lanes.delete(lane)
        // What was done may have made something else due.
        wake()
      })
    lanes.add(lane)
    if (lanes.size >= job.concurrency) await Promise.race(lanes)
    return true
  }

  async function rest(due: Date | null): Promise<void> {
    const wait_ms = due ? Math.min(Math.max(due.getTime() - options.now().getTime(), 5), POLL_MS) : POLL_MS
    if (woken || stopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait_ms)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const ended = (async () => {
    while (!stopped) {
      try {
        woken = false
        let due = job.next_due_is_complete ? await job.nextDue() : undefined
        if (due === undefined || (due && due <= options.now())) {
          if (await round()) continue
          due = await job.nextDue()
        }
        await rest(due)
      } catch (error) {
        options.onError(job.name, error)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    }
    await Promise.all(lanes)
  })()

  return {
    wake,
    async stop() {
      stopped = true
      rouse()
      await ended
    },
  }
}
