import { Counter, Histogram, type Metric } from 'prom-client'

/** Metrics of the jobs of this process. */
export interface JobMetrics {
  /** All metrics, for the registry that serves them. */
  all: Metric[]
  /** Names the jobs, so that their counts begin with zero. */
  begin(jobs: readonly string[]): void
  ran(job: string, run: { rows: number; duration_ms: number }): void
  /** @param cause `database` when it was not available, otherwise `error` */
  failed(job: string, cause: FailureCause): void
}

type FailureCause = 'database' | 'error'

/** Creates the metrics of the jobs. They belong to no registry yet. The label is not `job`, which Prometheus uses for itself. */
export function createJobMetrics(): JobMetrics {
  const registers: [] = []
  const durations = new Histogram({
    name: 'kusanya_job_run_duration_seconds',
    help: 'Duration of the runs of a job, by job_name. A run works on a batch of rows; a poll that finds nothing is none.',
    labelNames: ['job_name'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300],
    registers,
  })
  const rows = new Counter({
    name: 'kusanya_job_rows_total',
    help: 'Rows that the runs of a job have worked on, by job_name.',
    labelNames: ['job_name'],
    registers,
  })
  const failures = new Counter({
    name: 'kusanya_job_failures_total',
    help: 'Runs and polls of a job that failed, by job_name and cause: database (not available) or error (a bug).',
    labelNames: ['job_name', 'cause'],
    registers,
  })
  return {
    all: [durations, rows, failures],
    begin(jobs) {
      for (const job_name of jobs) {
        rows.inc({ job_name }, 0)
        for (const cause of ['database', 'error']) failures.inc({ job_name, cause }, 0)
      }
    },
    ran(job_name, run) {
      durations.observe({ job_name }, run.duration_ms / 1_000)
      rows.inc({ job_name }, run.rows)
    },
    failed: (job_name, cause) => failures.inc({ job_name, cause }),
  }
}
