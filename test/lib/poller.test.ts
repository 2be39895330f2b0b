import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPoller, type Poller } from '../../src/lib/poller.ts'

let looks: number
let end: () => void
let watch: Poller

beforeEach(() => {
  vi.useFakeTimers()
  looks = 0
  end = () => {}
  watch = createPoller(
    async () => {
      looks += 1
      if (looks === 3) await new Promise<void>((resolve) => (end = resolve))
      if (looks === 2) throw new Error('nothing to be seen')
    },
    { tick_ms: 1_000, pause_ms: 50 },
  )
})
afterEach(() => {
  watch.stop()
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('a watch', () => {
  it('looks when it starts and then at every tick, also after a look that failed', async () => {
    watch.start()
    expect(looks).toBe(1)
    await pass(999)
    expect(looks).toBe(1)
    await pass(1)
    expect(looks).toBe(2)
    await pass(1_000)
    expect(looks).toBe(3)
  })

  it('looks soon when it is woken, but not sooner than it should', async () => {
    watch.start()
    await pass(10)
    watch.wake()
    watch.wake()
    expect(looks).toBe(1)
    await pass(40)
    expect(looks).toBe(2)
    await pass(500)
    watch.wake()
    expect(looks).toBe(3)
  })

  it('looks again when it was woken in the middle of a look', async () => {
    watch.start()
    await pass(2_000)
    expect(looks).toBe(3)
    watch.wake()
    await pass(5_000)
    expect(looks).toBe(3)
    end()
    await pass(50)
    expect(looks).toBe(4)
  })

  it('looks no more once it is stopped, until it is started again', async () => {
    watch.start()
    await pass(100)
    watch.stop()
    watch.wake()
    await pass(5_000)
    expect(looks).toBe(1)
    watch.start()
    expect(looks).toBe(2)
  })

  it('stops in the middle of a look, too', async () => {
    watch.start()
    await pass(2_000)
    watch.stop()
    end()
    await pass(5_000)
    expect(looks).toBe(3)
  })
})
