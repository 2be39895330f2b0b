import { describe, expect, it } from 'vitest'
import { createBreaker, type EndedCall, type Trial } from '../../../src/connections/tools/breaker.ts'
import { stillClock } from './setup.ts'

function setUp() {
  const clock = stillClock()
  const changes: string[] = []
  const breaker = createBreaker({
    now_ms: clock.now_ms,
    real: clock.real,
    call_ms: 30_000,
    onChange: (state, { calls, unanswered }) => changes.push(`${state} ${unanswered}/${calls}`),
  })
  const call = (answered: boolean, changes: Partial<EndedCall> = {}) =>
    breaker.record({ answered, duration_ms: 0, is_token: false, ...changes })
  const open = () => {
    for (let count = 0; count < 10; count += 1) call(false)
    expect(breaker.state()).toBe('degraded')
  }
  return { clock, breaker, changes, call, open }
}

describe('the breaker', () => {
  it('opens when more than half of at least ten calls of a minute had no answer', () => {
    const { breaker, changes, call } = setUp()
    for (let count = 0; count < 9; count += 1) call(false)
    for (let count = 0; count < 9; count += 1) call(true)
    expect([breaker.state(), breaker.enter()]).toEqual(['healthy', 'pass'])
    call(false)
    expect([breaker.state(), breaker.enter()]).toEqual(['degraded', undefined])
    expect(changes).toEqual(['degraded 10/19'])
  })

  it('does not open for nine calls without an answer, or for failures minutes apart', () => {
    const { clock, breaker, call } = setUp()
    for (let count = 0; count < 9; count += 1) call(false)
    expect(breaker.state()).toBe('healthy')
    clock.advance(60)
    for (let count = 0; count < 30; count += 1) {
      call(false)
      clock.advance(10)
    }
    expect(breaker.state()).toBe('healthy')
  })

  it('lets one call through every five seconds, one at a time', () => {
    const { clock, breaker, open } = setUp()
    open()
    expect([breaker.enter(), breaker.nextEntry()]).toEqual([undefined, 5_000])
    clock.advance(5)
    expect(breaker.nextEntry()).toBe(0)
    const trial = breaker.enter() as Trial
    expect([typeof trial.end, breaker.enter()]).toEqual(['function', undefined])
    clock.advance(20)
    expect([breaker.enter(), breaker.nextEntry()]).toEqual([undefined, 15_000])
    trial.end(true)
    expect(breaker.enter()).toBeTypeOf('object')
  })

  it('lets another call through when the trial was not sent after all, or never ended', () => {
    const { clock, breaker, open } = setUp()
    open()
    clock.advance(5)
    ;(breaker.enter() as Trial).end(false)
    const trial = breaker.enter() as Trial
    expect(trial.end).toBeTypeOf('function')
    clock.advance(35)
    expect(breaker.enter()).toBeTypeOf('object')
    // The end of a trial that was given up does not end its successor.
    trial.end(true)
    expect(breaker.enter()).toBeUndefined()
  })

  it('closes after an answered trial, and forgets earlier calls', () => {
    const { clock, breaker, changes, call, open } = setUp()
    open()
    clock.advance(5)
    breaker.enter()
    call(true)
    expect([breaker.state(), breaker.enter(), breaker.openSince()]).toEqual(['healthy', 'pass', null])
    for (let count = 0; count < 9; count += 1) call(false)
    expect(breaker.state()).toBe('healthy')
    expect(changes).toEqual(['degraded 10/10', 'healthy 0/0'])
  })

  it('does not close for a token, or for an answer to a call that was sent before', () => {
    const { clock, breaker, call, open } = setUp()
    open()
    clock.advance(5)
    breaker.enter()
    call(true, { is_token: true })
    call(true, { duration_ms: 5_001 })
    expect(breaker.state()).toBe('degraded')
    call(true, { duration_ms: 4_999 })
    expect(breaker.state()).toBe('healthy')
  })

  it('opens when no token is to be had', () => {
    const { breaker, call } = setUp()
    for (let count = 0; count < 10; count += 1) call(false, { is_token: true })
    expect(breaker.state()).toBe('degraded')
  })

  it('is not shown as degraded after a minute without calls, and still tries with one call', () => {
    const { clock, breaker, open } = setUp()
    open()
    clock.advance(60)
    expect([breaker.state(), breaker.openSince()]).toEqual(['healthy', null])
    expect(breaker.enter()).toBeTypeOf('object')
    expect(breaker.enter()).toBeUndefined()
  })
})

describe('the breakers of several processes', () => {
  it('follow one that has found the network silent, and close when it has closed', () => {
    const { breaker, changes, clock } = setUp()
    const since = clock.real()
    breaker.follow(since, null)
    expect(breaker.state()).toBe('degraded')
    // It is not this process that has found it, so the others need not follow it.
    expect(breaker.openSince()).toBeNull()
    const trial = breaker.enter() as Trial
    trial.end(true)
    expect(breaker.enter()).toBeUndefined()
    breaker.follow(null, null)
    expect([breaker.state(), breaker.enter()]).toEqual(['healthy', 'pass'])
    expect(changes).toEqual([])
  })

  it('do not follow when calls of their own were answered since', () => {
    const { breaker, call, clock } = setUp()
    const since = clock.real()
    breaker.follow(since, new Date(since.getTime() - 1))
    expect(breaker.state()).toBe('degraded')
    clock.advance(1)
    call(true)
    expect(breaker.state()).toBe('healthy')
    breaker.follow(since, clock.real())
    expect(breaker.state()).toBe('healthy')
  })

  it('keep their own findings', () => {
    const { breaker, open } = setUp()
    open()
    breaker.follow(null, null)
    expect(breaker.state()).toBe('degraded')
  })
})
