import { describe, expect, it } from 'vitest'
import { leastWaitSeconds, noteAnsweredQuery, noteCallback } from '../../src/connections/late-callbacks.ts'
import type { EventLog } from '../../src/lib/log-events.ts'
import { fakeConnection } from './fake-connection.ts'

const START_MS = 1_000_000

/** A connection, with what the log says about it. Times are in ms after the start. */
function open() {
  const connection = fakeConnection({ code: 'mtn', name: 'MTN', limits: { decimals: 0, min: 1n, max: 10n } })
  const lines: object[] = []
  const log = { info: (fields: object) => lines.push(fields) } as unknown as EventLog
  let now_ms = START_MS
  const service = { clock: { real: () => new Date(now_ms) }, log }
  const at = <T>(at_ms: number, act: () => T): T => {
    now_ms = START_MS + at_ms
    return act()
  }
  let orders = 0
  return {
    lines,
    /** Callbacks of orders that questions have ended before, all at this time. */
    late(count: number, at_ms = 0) {
      for (let index = 0; index < count; index += 1) {
        orders += 1
        at(at_ms, () => {
          noteAnsweredQuery(service, connection, `KR${orders}`)
          noteCallback(service, connection, `KR${orders}`)
        })
      }
    },
    answered: (reference: string, at_ms = 0) => at(at_ms, () => noteAnsweredQuery(service, connection, reference)),
    called: (reference: string, at_ms = 0) => at(at_ms, () => noteCallback(service, connection, reference)),
    waitAt: (at_ms: number) => at(at_ms, () => leastWaitSeconds(service, connection)),
  }
}

describe('the least wait before a question', () => {
  it('is none while callbacks come before the questions about their orders', () => {
    const { called, waitAt, lines } = open()
    for (let order = 0; order < 100; order += 1) called(`KR${order}`)
    expect(waitAt(0)).toBe(0)
    expect(lines).toEqual([])
  })

  it('is a quarter of a minute for a minute after ten callbacks came after the answers about their orders', () => {
    const { late, waitAt, lines } = open()
    late(9)
    expect(waitAt(0)).toBe(0)
    late(1)
    expect([0, 59_999, 60_000].map(waitAt)).toEqual([15, 15, 0])
    expect(lines).toMatchObject([{ event: 'questions_postponed', connection: 'mtn', seconds: 15 }])
  })

  it('lasts as long as callbacks come late, and is logged once', () => {
    const { late, waitAt, lines } = open()
    late(10)
    late(10, 50_000)
    expect([109_999, 110_000].map(waitAt)).toEqual([15, 0])
    expect(lines).toHaveLength(1)
    late(10, 200_000)
    expect(lines).toHaveLength(2)
  })

  it('is none when few callbacks come late at a time', () => {
    const { late, waitAt } = open()
    for (let time_ms = 0; time_ms < 200_000; time_ms += 11_000) {
      late(9, time_ms)
      expect(waitAt(time_ms)).toBe(0)
    }
  })

  it('counts neither a repeated callback, nor one that comes minutes after its answer', () => {
    const { answered, called, waitAt } = open()
    answered('KR1')
    for (let time = 0; time < 20; time += 1) called('KR1')
    for (let order = 2; order < 30; order += 1) answered(`KR${order}`)
    answered('KR30', 61_000)
    answered('KR31', 125_000)
    for (let order = 2; order < 30; order += 1) called(`KR${order}`, 125_000)
    expect(waitAt(125_000)).toBe(0)
  })

  it('is separate for each connection', () => {
    const [one, other] = [open(), open()]
    one.late(10)
    expect([one.waitAt(0), other.waitAt(0)]).toEqual([15, 0])
  })
})
