import { describe, expect, it } from 'vitest'
import { gates, judgeGates, summariseGates } from '../../bench/gates.ts'
import type { Figure } from '../../bench/measurements.ts'
import { describeRun, printReport, type Report } from '../../bench/report.ts'

describe('the gates of the bench', () => {
  it('say for each figure that has one whether it holds and whether the aim is reached', () => {
    const judged = judgeGates([
      {
        ...figure('create'),
        ratio: 0.4,
        gate: gates.create,
        with_wrk: { ...times, per_second: 9, errors: 0, ratio: 0.45 },
      },
      { ...figure('settle'), ratio: 0.2, gate: gates.settle },
      { ...figure('get'), ratio: 0.84, gate: gates.get },
      { ...figure('without a gate'), ratio: 0.1 },
      { ...figure('everything'), p99_ms: 999, gate: gates.everything_create },
    ])
    expect(judged).toEqual([
      {
        name: 'create',
        unit: 'ratio',
        measured: 0.4,
        gate: 0.35,
        aim: 0.5,
        with_wrk: 0.45,
        holds: true,
        reaches_aim: false,
      },
      {
        name: 'settle',
        unit: 'ratio',
        measured: 0.2,
        gate: 0.15,
        aim: 0.2,
        with_wrk: null,
        holds: true,
        reaches_aim: true,
      },
      {
        name: 'get',
        unit: 'ratio',
        measured: 0.84,
        gate: 0.85,
        aim: null,
        with_wrk: null,
        holds: false,
        reaches_aim: null,
      },
      {
        name: 'everything',
        unit: 'p99_ms',
        measured: 999,
        gate: 1_000,
        aim: null,
        with_wrk: null,
        holds: true,
        reaches_aim: null,
      },
    ])
    expect(summariseGates(judged)).toBe('3 of 4 gates hold, 1 of 2 aims are reached')
  })

  it('do not hold after errors, or without a measurement', () => {
    const judged = judgeGates([
      { ...figure('create'), ratio: 0.9, errors: 1, gate: gates.create },
      { ...figure('settle'), gate: gates.settle },
      { ...figure('everything'), p99_ms: null, gate: gates.everything_create },
    ])
    expect(judged.map(({ holds, reaches_aim }) => [holds, reaches_aim])).toEqual([
      [false, false],
      [false, false],
      [false, null],
    ])
  })

  it('are a table of the report, whose last line says how many hold', () => {
    const lines = printReport(reportOf([{ ...figure('create'), ratio: 0.4, gate: gates.create }])).split('\n')
    expect(lines.slice(-3).map((line) => line.split(/\s{2,}/))).toEqual([
      ['gates: ratio to the ceiling, or p99', 'measured', 'gate', 'holds', 'aim', 'reached', 'with wrk'],
      ['create', '0.40', '0.35', 'yes', '0.50', 'no'],
      ['1 of 1 gates hold, 0 of 1 aims are reached'],
    ])
    expect(printReport(reportOf([{ ...figure('create'), ratio: 0.4 }]))).not.toContain('gates')
  })

  it('say that wrk is not installed, and print its ratio if it is', () => {
    const with_wrk = { ...times, per_second: 4_005, errors: 2, ratio: 0.31 }
    const figures = [
      { ...figure('create'), ratio: 0.3, gate: gates.create, with_wrk },
      { ...figure('everything'), ratio: 0.018, gate: gates.everything },
    ]
    expect(printReport({ ...reportOf(figures), wrk: false })).toContain('wrk is not installed')
    const text = printReport(reportOf(figures))
    expect(text).toContain('0.30 of the ceiling; with wrk 0.31 (4,005 a second), 2 errors')
    expect(text).toMatch(/no +0\.50 +no +0\.31/)
    expect(text).toMatch(/everything +0\.018 +0\.060 +no +0\.10 +no/)
    expect(text).not.toContain('not installed')
  })
})

const times = { p50_ms: 1, p99_ms: 2 }

function figure(name: string): Figure {
  return { name, ...times, per_second: 100, errors: 0 }
}

function reportOf(figures: Figure[]): Report {
  const database = { version: '18.4', fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
  const options = {
    seconds: 1,
    connections: 1,
    rounds: 1,
    rows: 1,
    processes: 1,
    organizations: 1,
    minutes: null,
    due: 1,
    collections: 1,
    collections_per_second: 1,
  }
  return { ...describeRun(database, options, { figures, checks: [] }), wrk: true }
}
