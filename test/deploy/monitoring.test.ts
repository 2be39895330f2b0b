import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeAlerts, readAlertRules } from '../../site/alerts.ts'
import { slugOf } from '../../site/slugs.ts'
import { describeMetrics } from '../../src/cli/described/metrics.ts'
import type { DescribedTable } from '../../src/cli/described/table.ts'
import { logEvents } from '../../src/lib/log-events.ts'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { because, DEPLOY, findProgram, ROOT, runProgram } from './programs.ts'

const rules = readAlertRules()
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

  it('are all described, with the labels that they have', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    const present = [...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]!)
    const [table] = await describeMetrics()
    const described = new Map(table!.rows.map(([name, ...cells]) => [name!.replaceAll('`', ''), cells]))
    expect([...described.keys()].sort()).toEqual(present.filter((name) => /^(kusanya|http)_/.test(name)).sort())
    for (const [name, [, labels]] of described)
      for (const [, shown] of text.matchAll(new RegExp(`^${name}(?:_count)?{(.*)} `, 'gm')))
        expect(labels, name).toBe([...shown!.matchAll(/(\w+)="/g)].map(([, label]) => `\`${label}\``).join(', '))
  })

  it('have a row for each alert, which names the section that says what to do', () => {
    const anchors = readFileSync(join(ROOT, 'docs/operating/incidents.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('#'))
      .map((line) => slugOf(line.replace(/^#+ /, '')))
    for (const { alert, annotations } of rules) {
      const [file, anchor] = annotations.runbook_url.split('#')
      expect([alert, file]).toEqual([alert, 'docs/operating/incidents.md'])
      expect(anchors, alert).toContain(anchor)
    }
    const [{ rows }] = describeAlerts() as [DescribedTable]
    expect(rows.map(([alert]) => alert)).toEqual(rules.map(({ alert }) => `\`${alert}\``))
    for (const row of rows) expect(row.join(), row[0]).not.toMatch(/[{}]/)
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
    const events = rules.flatMap(({ annotations }) => annotations.what_to_do.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [])
    expect(events.length).toBeGreaterThan(3)
    expect(events.filter((event) => !(event in logEvents))).toEqual([])
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
