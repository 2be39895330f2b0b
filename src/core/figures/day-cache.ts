import { zip } from '../../lib/batches/zip.ts'
import type { DayFigures, DaySpan } from './day-figures.ts'

/** Reads days that follow one another. */
type ReadDays = (organization: number, days: readonly DaySpan[]) => Promise<DayFigures[]>

interface Kept {
  figures: DayFigures
  /** Time until which they are shown without being read again. */
  until_ms: number
}

/**
 * Factor of the time that reading a day took, for which it is shown. A small shop always sees the present state, and a
 * large one loads the database by a twentieth at most.
 */
const TIMES_THE_READ = 20
/** Age after which days change rarely: by reversals of networks and by refunds. */
const SETTLED_AFTER_MS = 7 * 24 * 3_600_000
const SETTLED_KEPT_MS = 3_600_000
/** Maximum number of days per statement. */
const MAX_DAYS_READ = 16
/** Maximum number kept: some tens of megabytes. */
const MAX_KEPT = 20_000

/**
 * The figures of days, kept in memory so that a view does not read a million rows. One read for an organization runs at a time, because the
 * next one finds most of its days kept.
 */
export class DayCache {
  readonly #read: ReadDays
  /** The times by which it decides, in milliseconds: how long reads take, and how old they are. */
  readonly #elapsed_ms: () => number
  readonly #kept = new Map<string, Kept>()
  readonly #reading = new Map<number, Promise<unknown>>()

  constructor(read: ReadDays, elapsed_ms: () => number) {
    this.#read = read
    this.#elapsed_ms = elapsed_ms
  }

  /** The figures of these days, in their order. @param now by the clock of the service, which says how long ago a day ended */
  get(organization: number, days: readonly DaySpan[], now: Date): Promise<DayFigures[]> {
    const before = this.#reading.get(organization) ?? Promise.resolve()
    const reading = before.catch(() => {}).then(() => this.#getInTurn(organization, days, now))
    this.#reading.set(organization, reading)
    const forget = () => this.#reading.get(organization) === reading && this.#reading.delete(organization)
    reading.then(forget, forget)
    return reading
  }

  async #getInTurn(organization: number, days: readonly DaySpan[], now: Date): Promise<DayFigures[]> {
    const figures = new Map<string, DayFigures>()
    const missing: DaySpan[] = []
    for (const day of days) {
      const key = keyOf(organization, day)
      const kept = this.#kept.get(key)
      if (kept && kept.until_ms > this.#elapsed_ms()) figures.set(key, kept.figures)
      else missing.push(day)
    }
    for (const batch of inBatches(missing)) {
      const from_ms = this.#elapsed_ms()
      const read = await this.#read(organization, batch)
      const took_ms = this.#elapsed_ms() - from_ms
      for (const [day, found] of zip(batch, read)) {
        const key = keyOf(organization, day)
        figures.set(key, found)
        const settled_ms = now.getTime() - day.end.getTime() > SETTLED_AFTER_MS ? SETTLED_KEPT_MS : 0
        this.#keep(key, { figures: found, until_ms: from_ms + Math.max(settled_ms, TIMES_THE_READ * took_ms) })
      }
    }
    return days.map((day) => figures.get(keyOf(organization, day))!)
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(oldest!)
  }
}

function keyOf(organization: number, { start, end }: DaySpan): string {
  return `${organization} ${start.getTime()} ${end.getTime()}`
}

/** Days that follow one another without a gap, in batches. */
function inBatches(days: readonly DaySpan[]): DaySpan[][] {
  const batches: DaySpan[][] = []
  for (const day of days) {
    const batch = batches.at(-1)
    const follows = batch?.at(-1)?.end.getTime() === day.start.getTime()
    if (batch && follows && batch.length < MAX_DAYS_READ) batch.push(day)
    else batches.push([day])
  }
  return batches
}
