const MIN_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000

/**
 * Keeps reads from a replica that is not fit for use: after a failure nothing goes there for a pause, 100 ms at first and 5 s at
 * most. Then one read tries, and the others follow when it has succeeded.
 */
export class Gate {
  readonly #now_ms: () => number
  #pause_ms = 0
  #closed_until_ms = 0
  #trying = false

  constructor(now_ms: () => number = () => performance.now()) {
    this.#now_ms = now_ms
  }

  /** Returns true if a read may go to the replica. The caller must then report its outcome. */
  enter(): boolean {
    if (this.#pause_ms === 0) return true
    if (this.#trying || this.#now_ms() < this.#closed_until_ms) return false
    this.#trying = true
    return true
  }

  succeeded(): void {
    this.#pause_ms = 0
    this.#trying = false
  }

  /** Several reads that fail together count as one. */
  failed(): void {
    this.#trying = false
    if (this.#now_ms() < this.#closed_until_ms) return
    this.#pause_ms = Math.min(Math.max(MIN_PAUSE_MS, 2 * this.#pause_ms), MAX_PAUSE_MS)
    this.#closed_until_ms = this.#now_ms() + this.#pause_ms
  }
}
