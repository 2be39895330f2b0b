import type { Outcome } from '../load.ts'
import type { Table } from '../measurements.ts'
import type { DeadRows, Sample } from './samples.ts'

/** Make tables of each minute: the answers, and the state at its end. Sizes are in MB. */
export function minuteTables({ intervals }: Outcome, samples: readonly Sample[], start: Sample): Table[] {
  const names = samples.map((_, index) => `minute ${index + 1}`)
  return [
    {
      title: 'creates by minute',
      columns: ['answered', 'p50 ms', 'p99 ms', '% above 1 s', 'open after', 'notifs.', 'service', 'PostgreSQL'],
      rows: names.map((name, index) => {
        const { count = 0, p50_ms = null, p99_ms = null, slow = 0 } = intervals[index] ?? {}
        const { open, waiting, service_mb, postgres_mb } = samples[index]!
        const share = count > 0 ? (100 * slow) / count : null
        return { name, values: [count, p50_ms, p99_ms, share, open, waiting, service_mb, postgres_mb] }
      }),
    },
    {
      title: 'database by minute',
      columns: ['grown by', 'WAL kept', 'WAL written', 'dead rows', 'vacuums', 'analyzes', 'timed cp.', 'asked cp.'],
      rows: names.map((name, index) => {
        const sample = samples[index]!
        return {
          name,
          values: [
            sample.database_mb - start.database_mb,
            sample.wal_mb,
            (sample.wal_bytes - start.wal_bytes) / 1_048_576,
            sample.dead_rows,
            sample.vacuums - start.vacuums,
            sample.analyzes - start.analyzes,
            sample.timed_checkpoints - start.timed_checkpoints,
            sample.requested_checkpoints - start.requested_checkpoints,
          ],
        }
      }),
    },
  ]
}

/** Totals of a load, from before it to after its last work. */
export interface Totals {
  start: Sample
  end: Sample
  created: number
  outcome: Outcome
  dead: readonly DeadRows[]
}

/** Make a table of a load's sums and of the tables with many dead rows after it. */
export function totalsTable({ start, end, created, outcome, dead }: Totals): Table {
  const { count = 0, slow = 0 } = outcome.measured[201] ?? {}
  const rows: [string, number][] = [
    ['collections', created],
    ['% of the creates above a second', count > 0 ? (100 * slow) / count : 0],
    ['bytes of WAL for a collection', (end.wal_bytes - start.wal_bytes) / created],
    ['bytes of disk for a collection', ((end.database_mb - start.database_mb) * 1_048_576) / created],
    ['checkpoints by time', end.timed_checkpoints - start.timed_checkpoints],
    ['checkpoints because of WAL', end.requested_checkpoints - start.requested_checkpoints],
    ['vacuums', end.vacuums - start.vacuums],
    ['% of dead rows at the end', (100 * end.dead_rows) / Math.max(1, end.live_rows + end.dead_rows)],
    ...dead.map(({ name, dead: count, live }): [string, number] => [`dead rows of ${name} (${live} live)`, count]),
  ]
  return { title: 'in all', columns: [''], rows: rows.map(([name, value]) => ({ name, values: [value] })) }
}
