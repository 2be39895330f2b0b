import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { logEvent, logEvents } from '../../src/lib/log-events.ts'

/** The lines that `write` logs, as objects. */
function linesOf(write: (log: pino.Logger) => void): Record<string, unknown>[] {
  const lines: string[] = []
  write(pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(line) }))
  return lines.map((line) => JSON.parse(line))
}

describe('the list of log events', () => {
  it('has one message for each event', () => {
    const messages = Object.values(logEvents).map(({ message }) => message)
    expect(new Set(messages).size).toBe(messages.length)
  })
})

describe('a logged event', () => {
  it('has the level and the message of the list, its name as `event`, and its fields', () => {
    const lines = linesOf((log) => {
      logEvent(log, 'console_built', { duration_ms: 1_200 })
      logEvent(log, 'process_restarted', { pid: 17, exit_code: null, signal: 'SIGKILL' })
    })
    expect(lines).toEqual([
      { level: 30, event: 'console_built', duration_ms: 1_200, msg: 'console built' },
      {
        level: 40,
        event: 'process_restarted',
        pid: 17,
        exit_code: null,
        signal: 'SIGKILL',
        msg: 'process ended unexpectedly and is restarted',
      },
    ])
  })

  it('shows an error with its type, message, code and stack', () => {
    const error = Object.assign(new RangeError('too far'), { code: 'E1' })
    const [line] = linesOf((log) => logEvent(log, 'job_failed', { job: 'collect', error }))
    expect(line).toMatchObject({
      event: 'job_failed',
      job: 'collect',
      error: {
        type: 'RangeError',
        message: 'too far',
        code: 'E1',
        stack: expect.stringContaining('log-events.test.ts'),
      },
    })
  })

  it('shows each error of an AggregateError', () => {
    const error = new AggregateError([new Error('one'), new Error('two')], 'both')
    const [line] = linesOf((log) => logEvent(log, 'job_failed', { job: 'collect', error }))
    expect(line!.error).toMatchObject({ message: 'both', aggregateErrors: [{ message: 'one' }, { message: 'two' }] })
  })

  it('shows a thrown value that is no error as it is', () => {
    const [line] = linesOf((log) => logEvent(log, 'job_failed', { job: 'collect', error: 'a text' }))
    expect(line).toMatchObject({ error: 'a text' })
  })
})
