import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { DescribedTable } from '../src/cli/described/table.ts'
import { ROOT } from './layout.ts'

/** An alert rule of Prometheus. */
export interface AlertRule {
  alert: string
  expr: string
  labels: { severity: string }
  for?: string
  annotations: { summary: string; what_to_do: string; runbook_url: string }
}

/** Read the rules that come with the service. */
export function readAlertRules(): AlertRule[] {
  const file = readFileSync(join(ROOT, 'deploy/prometheus/alerts.yaml'), 'utf8')
  return (parse(file) as { groups: { rules: AlertRule[] }[] }).groups.flatMap(({ rules }) => rules)
}

/** Describe every alert, with the section of the page of incidents that says what to do. */
export function describeAlerts(): DescribedTable[] {
  const rows = readAlertRules().map(({ alert, labels, annotations, for: after = 'at once' }) => {
    const anchor = annotations.runbook_url.split('#')[1]!
    return [
      `\`${alert}\``,
      `${labels.severity}, ${after}`,
      `${annotations.summary.replace(/\{\{.*?\}\}/g, '…')} ([what to do](incidents.md#${anchor}))`,
    ]
  })
  return [{ columns: ['Alert', 'Severity, after', 'Meaning'], rows }]
}
