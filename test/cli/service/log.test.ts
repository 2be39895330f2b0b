import type { Logger } from 'pino'
import { describe, expect, it } from 'vitest'
import { createLogger, describeLine } from '../../../src/cli/service/log.ts'
import { logEvent } from '../../../src/lib/log-events.ts'

const REQUEST = { request_id: 'a1b2c3d4-1k', method: 'GET', path: '/api/events' }

/** A logger, and the lines that it writes. */
function capture() {
  const lines: string[] = []
  return { lines, log: createLogger('info', { write: (line) => lines.push(line) }) }
}

describe('the log', () => {
  it('masks every phone number, wherever it is in a line', () => {
    const { lines, log } = capture()
    const error = Object.assign(new Error('No account at +256772000001'), {
      detail: 'Key (phone_number)=(+254700000001) exists.',
    })
    log.info({ phonenumber: '+80000000003', nested: { list: ['80000000004'] } }, 'asked 256772000002')
    logEvent(log, 'job_failed', { job: 'collect', error })
    logEvent(log, 'request_failed', { ...REQUEST, path: '/api/contacts/%2B256772000003', error })
    expect(lines).toHaveLength(3)
    const text = lines.join('')
    expect(text).not.toMatch(/772000001|700000001|00000003|00000004|772000002|772000003/)
    expect(text).toContain('+80000****03')
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  })

  it('does not mask times, ids and durations', () => {
    const { lines, log } = capture()
    logEvent(log, 'vend_succeeded_late', { purchase: 1234567 })
    logEvent(log, 'request_answered', { ...REQUEST, status: 200, duration_ms: 12.3456789 })
    expect(JSON.parse(lines[0]!)).toMatchObject({ event: 'vend_succeeded_late', purchase: 1234567 })
    const line = JSON.parse(lines[1]!)
    expect(line).toMatchObject({ level: 'info', request_id: 'a1b2c3d4-1k', duration_ms: 12.3456789 })
    expect(Date.parse(line.time)).toBeGreaterThan(0)
  })
})

describe('a log line in a terminal', () => {
  const time = new Date(2030, 0, 15, 9, 5, 7).toISOString()

  /** The line in a terminal for an event that `write` logs. */
  function lineOf(write: (log: Logger) => void): string {
    const { lines, log } = capture()
    write(log)
    return describeLine({ ...JSON.parse(lines[0]!), time })
  }

  it('shows an answered request as method, path, status and duration', () => {
    const line = lineOf((log) => logEvent(log, 'request_answered', { ...REQUEST, status: 200, duration_ms: 4.2 }))
    expect(line).toBe('09:05:07 GET /api/events 200 in 4.2 ms')
  })

  it('shows the message and the other fields', () => {
    const line = lineOf((log) => logEvent(log, 'exchange_rates_updated', { currencies: ['KES', 'UGX'] }))
    expect(line).toBe('09:05:07 exchange rates updated currencies=["KES","UGX"]')
  })

  it('shows the level of warnings and errors, and the message of the error without its stack', () => {
    const error = new Error('relation "x"\n  does not exist')
    const line = lineOf((log) => logEvent(log, 'job_failed', { job: 'collect', error }))
    expect(line).toBe('09:05:07 ERROR job failed: relation "x" does not exist job="collect"')
  })

  it('shows the code of an error without a message', () => {
    const error = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
    const line = lineOf((log) => logEvent(log, 'redis_unavailable', { error }))
    expect(line).toBe('09:05:07 WARN Redis unavailable; each process counts requests by itself: ECONNREFUSED')
  })
})
