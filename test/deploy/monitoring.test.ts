import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metric } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { slugOf } from '../../site/slugs.ts'
import { databaseSeries } from '../../src/cli/service/metrics/database-series.ts'
import { createProcessMetrics } from '../../src/cli/service/metrics/process-metrics.ts'
import { createConnectionMetrics } from '../../src/connections/tools/metrics.ts'
import { createJobMetrics } from '../../src/jobs/shared/job-metrics.ts'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { because, DEPLOY, findProgram, ROOT, runProgram } from './programs.ts'

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  for?: string
  annotations: { summary: string; what_to_do: string; runbook_url: string }
}

const rules = (
  parse(readFileSync(join(DEPLOY, 'prometheus/alerts.yaml'), 'utf8')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules)
const dashboard = readFileSync(join(DEPLOY, 'grafana/kusanya.json'), 'utf8')
const queries = (JSON.parse(dashboard) as { panels: { targets?: { expr: string }[] }[] }).panels.flatMap(
  ({ targets = [] }) => targets.map(({ expr }) => expr),
)

/** The names of metrics in queries, without the endings that Prometheus adds to histograms. */
function metricsIn(texts: readonly string[]): string[] {
  const names = texts.flatMap((text) =>
    [...text.matchAll(/\b(?:kusanya|http|process|nodejs)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(count|bucket|sum)$/, ''),
    ),
  )
  return [...new Set(names)].sort()
}

const page = readFileSync(join(ROOT, 'docs/operating/monitoring.md'), 'utf8')

/** The cells of all rows of the tables of a page. */
function tableRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('| '))
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

describe('the alert rules and the dashboard', () => {
  it('use only metrics that the service has', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    const present = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]))
    const used = metricsIn([...rules.map(({ expr }) => expr), ...queries])
    expect(used.length).toBeGreaterThan(15)
    expect(used.filter((name) => !present.has(name))).toEqual([])
    const own = [...present].filter((name) => name?.startsWith('kusanya_'))
    expect(own.filter((name) => !dashboard.includes(name!))).toEqual([])
  })

  it('are in the tables of the page about monitoring, with their types, labels and how to put processes together', async () => {
    const { app } = service.testApp
    const kept = [
      ...app.reads.metrics,
      ...createJobMetrics().all,
      ...createProcessMetrics(app),
      ...createConnectionMetrics().all,
    ]
    const described = [
      ...kept.map((metric) => {
        const { name, labelNames, aggregator } = metric as Metric & {
          name: string
          labelNames: string[]
          aggregator?: string
        }
        return [name, metric.constructor.name.toLowerCase(), labelNames, aggregator ?? 'sum'] as const
      }),
      ...databaseSeries(app).map(
        ({ name, labels, aggregator = 'max' }) => [name, 'gauge', labels, aggregator] as const,
      ),
    ]
    const rows = tableRows(page).filter(([name]) => /^`(kusanya|http)_/.test(name!))
    const metrics = rows.filter(([, type]) => ['gauge', 'counter', 'histogram'].includes(type!))
    const documented = new Map(metrics.map(([name, ...cells]) => [name!.replaceAll('`', ''), cells]))
    for (const [name, type, labels, together] of described)
      expect([name, ...(documented.get(name) ?? []).slice(0, 3)]).toEqual([
        ...[name, type],
        ...[labels.map((label) => `\`${label}\``).join(', '), together],
      ])
    const text = await (await fetch(`${service.url}/metrics`)).text()
    const present = [...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]!)
    const own = present.filter((name) => /^(kusanya|http)_/.test(name))
    expect([...documented.keys()].sort()).toEqual(own.sort())
  })

  it('have a row for each alert, which names the section that says what to do', () => {
    const anchors = readFileSync(join(ROOT, 'docs/operating/incidents.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .map((line) => slugOf(line.replace(/^#+ /, '')))
    const documented = tableRows(page).filter(([name]) => name!.startsWith('`Kusanya'))
    const expected = rules.map((rule) => {
      const [file, anchor] = rule.annotations.runbook_url.split('#')
      expect([rule.alert, file]).toEqual([rule.alert, 'docs/operating/incidents.md'])
      expect(anchors).toContain(anchor)
      return [`\`${rule.alert}\``, rule.labels.severity, rule.for ?? 'at once', `incidents.md#${anchor}`]
    })
    expect(
      documented.map(([alert, severity, after, , link]) => [alert, severity, after, /\((.*)\)/.exec(link!)?.[1]]),
    ).toEqual(expected)
  })

  it('say for each alert how urgent it is and what to do', () => {
    for (const { alert, labels, annotations } of rules) {
      expect(['page', 'ticket'], alert).toContain(labels.severity)
      expect(annotations.what_to_do, alert).toMatch(/^[A-Z].{20,}\.$/)
      expect(annotations.summary, alert).not.toMatch(/\.$/)
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  it('name only events that the log has', () => {
    const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
    const events = rules.flatMap(({ annotations }) => annotations.what_to_do.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [])
    expect(events.length).toBeGreaterThan(3)
    expect(events.filter((event) => !page.includes(`| \`${event}\` |`))).toEqual([])
  })

  const promtool = findProgram('promtool')
  const reason = promtool === null && 'promtool of the Debian package prometheus is not installed'
  it.skipIf(reason)(`fire when they must, and not before, says promtool${because(reason)}`, () => {
    const checked = runProgram(promtool!, ['check', 'rules', join(DEPLOY, 'prometheus/alerts.yaml')])
    expect(checked).toMatchObject({ status: 0 })
    const tested = runProgram(promtool!, ['test', 'rules', join(DEPLOY, 'prometheus/alerts.test.yaml')])
    expect(tested.output).toContain('SUCCESS')
    expect(tested.status).toBe(0)
  })
})
