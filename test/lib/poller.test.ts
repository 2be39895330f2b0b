import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPoller, type Poller } from '../../src/lib/poller.ts'

let polls: number
let finishPoll: () => void
let poller: Poller

beforeEach(() => {
  vi.useFakeTimers()
  polls = 0
  finishPoll = () => {}
  poller = createPoller(
    async () => {
      polls += 1
      if (polls === 3) await new Promise<void>((resolve) => (finishPoll = resolve))
      if (polls === 2) throw new Error('failed')
    },
    { tick_ms: 1_000, pause_ms: 50 },
  )
})
afterEach(() => {
  poller.stop()
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('a poller', () => {
  it('polls at the start and then at every tick, also after a failed poll', async () => {
    poller.start()
    expect(polls).toBe(1)
    await pass(999)
    expect(polls).toBe(1)
    await pass(1)
    expect(polls).toBe(2)
    await pass(1_000)
    expect(polls).toBe(3)
  })

  it('polls soon after a wake, but not before the pause has ended', async () => {
    poller.start()
    await pass(10)
    poller.wake()
    poller.wake()
    expect(polls).toBe(1)
    await pass(40)
    expect(polls).toBe(2)
    await pass(500)
    poller.wake()
    expect(polls).toBe(3)
  })

  it('polls again after a wake during a poll', async () => {
    poller.start()
    await pass(2_000)
    expect(polls).toBe(3)
    poller.wake()
    await pass(5_000)
    expect(polls).toBe(3)
    finishPoll()
    await pass(50)
    expect(polls).toBe(4)
  })

  it('does not poll between a stop and the next start', async () => {
    poller.start()
    await pass(100)
    poller.stop()
    poller.wake()
    await pass(5_000)
    expect(polls).toBe(1)
    poller.start()
    expect(polls).toBe(2)
  })

  it('stops during a poll, too', async () => {
    poller.start()
    await pass(2_000)
    poller.stop()
    finishPoll()
    await pass(5_000)
    expect(polls).toBe(3)
  })
})
