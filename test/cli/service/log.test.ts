import { describe, expect, it } from 'vitest'
import { createLogger, describeLine } from '../../../src/cli/service/log.ts'

/** A logger that collects its lines. */
function capture() {
  const lines: string[] = []
  return { lines, log: createLogger('info', { write: (line) => lines.push(line) }) }
}

describe('the log', () => {
  it('masks phone numbers anywhere in a line', () => {
    const { lines, log } = capture()
    const error = Object.assign(new Error('No answer from +256772000001'), {
      detail: 'Key (phone_number)=(+254700000001) exists.',
    })
    log.info({ phonenumber: '+80000000003', deep: { list: ['80000000004'] } }, 'asked 256772000002')
    log.error({ err: error }, 'network call failed')
    log.info({ path: '/api/contacts/%2B256772000003' }, 'request')
    expect(lines).toHaveLength(3)
    const text = lines.join('')
    expect(text).not.toMatch(/772000001|700000001|00000003|00000004|772000002|772000003/)
    expect(text).toContain('+80000****03')
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  })

  it('does not change times, ids and durations', () => {
    const { lines, log } = capture()
    log.info({ request_id: 'a1b2c3d4-1k', id: 1234567, duration_ms: 12.3456789 }, 'request')
    const line = JSON.parse(lines[0]!)
    expect(line).toMatchObject({ level: 'info', request_id: 'a1b2c3d4-1k', id: 1234567, duration_ms: 12.3456789 })
    expect(Date.parse(line.time)).toBeGreaterThan(0)
  })
})

describe('a line in a terminal', () => {
  it('shows the method, path, status and duration of a request', () => {
    const time = new Date(2030, 0, 15, 9, 5, 7).toISOString()
    const request = { request_id: 'x', method: 'GET', path: '/api/events', status: 200, duration_ms: 4.2 }
    expect(describeLine({ time, level: 'info', msg: 'request', ...request })).toBe(
      '09:05:07 GET /api/events 200 in 4.2 ms',
    )
  })

  it('shows levels above info, and all other fields', () => {
    const time = new Date(2030, 0, 15, 9, 5, 7).toISOString()
    expect(describeLine({ time, level: 'warn', msg: 'slow', job: 'collect' })).toBe('09:05:07 WARN slow job="collect"')
  })
})
