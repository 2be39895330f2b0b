import type { Metric } from 'prom-client'
import { createServiceMetrics } from '../service/serve.ts'
import { withUnconnectedApp } from '../service/unconnected-app.ts'
import type { DescribedTable } from './table.ts'

/** Parts of a metric that its type does not show. */
type Described = Metric & { name: string; help: string; labelNames: string[]; aggregator?: string }

/** Describe every metric of ours, in the order of the names. It needs no database. */
export async function describeMetrics(): Promise<DescribedTable[]> {
  return withUnconnectedApp(async (app) => {
    const metrics = createServiceMetrics(app).list() as Described[]
    return [tableOf(metrics.filter(({ name }) => /^(kusanya|http)_/.test(name)))]
  })
}

function tableOf(metrics: readonly Described[]): DescribedTable {
  const rows = metrics.map((metric) => [
    `\`${metric.name}\``,
    `${metric.constructor.name.toLowerCase()}, ${metric.aggregator ?? 'sum'}`,
    metric.labelNames.map((label) => `\`${label}\``).join(', '),
    metric.help.replace(/\.$/, ''),
  ])
  return {
    columns: ['Metric', 'Type', 'Labels', 'Meaning'],
    rows: rows.toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
  }
}
