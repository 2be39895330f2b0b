import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createWorkerThrottle, serveClusterThrottle } from '../../src/http/throttle-cluster.ts'
import type { ClusterChannel } from '../../src/lib/cluster-requests.ts'

/** A primary and its workers. Their channels deliver asynchronously and as JSON, as channels between processes do. */
function setUp() {
  const primary = new EventEmitter()
  const sent: string[] = []
  serveClusterThrottle(primary as unknown as Parameters<typeof serveClusterThrottle>[0])

  function addWorker(channel_state: { broken?: boolean } = {}) {
    const worker = new EventEmitter()
    const deliver = (message: object, receive: (message: unknown) => void) =>
      setImmediate(() => receive(JSON.parse(JSON.stringify(message))))
    const toWorker = {
      send(message: object, callback: (error?: Error) => void) {
        if (channel_state.broken) callback(new Error('The channel is closed.'))
        else deliver(message, (copy) => worker.emit('message', copy))
      },
    }
    const channel: ClusterChannel = {
      send(message) {
        sent.push(JSON.stringify(message))
        deliver(message, (copy) => primary.emit('message', toWorker, copy))
      },
      on: (event, listener) => worker.on(event, listener),
    }
    return { throttle: createWorkerThrottle(channel), channel, worker }
  }
  return { addWorker, sent }
}

describe('the throttle of a cluster', () => {
  it('counts keys together in a window that they share', async () => {
    const { throttle } = setUp().addWorker()
    const verdicts = await Promise.all(['a', 'b', 'c'].map((key) => throttle.take(key, 5, { key: 'all', limit: 2 })))
    expect(verdicts.map(({ allowed, limit }) => [allowed, limit])).toEqual([
      [true, 5],
      [true, 5],
      [false, 2],
    ])
  })

  it('counts the requests of all workers together', async () => {
    const { addWorker } = setUp()
    const [first, second] = [addWorker(), addWorker()]
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? first : second).throttle.take('a', 30)),
    )
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(30)
    expect(await first.throttle.take('a', 30)).toMatchObject({ allowed: false, remaining: 0, retry_after_s: 60 })
    expect(await second.throttle.take('b', 30)).toMatchObject({ allowed: true, remaining: 29 })
  })

  it('sends all requests of one turn in one message and returns the verdict of each', async () => {
    const { addWorker, sent } = setUp()
    const { throttle } = addWorker()
    const limits = [5, 1, 7, 2]
    const verdicts = await Promise.all(limits.map((limit, index) => throttle.take(`key ${index}`, limit)))
    expect(verdicts.map((verdict) => verdict.limit)).toEqual(limits)
    expect(sent).toHaveLength(1)
  })

  it('continues when a worker dies before its verdict', async () => {
    const { addWorker } = setUp()
    const dying = addWorker({ broken: true })
    const living = addWorker()
    void dying.throttle.take('a', 2)
    await nextTurn()
    await nextTurn()
    await nextTurn()
    expect(await living.throttle.take('a', 2)).toMatchObject({ allowed: true, remaining: 0 })
  })
})
