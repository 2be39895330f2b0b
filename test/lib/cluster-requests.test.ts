import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { answerWorkers, type ClusterChannel, createPrimaryRequests } from '../../src/lib/cluster-requests.ts'

type Workers = Parameters<typeof answerWorkers>[2]

/** A primary with one worker. Messages arrive later and as JSON, as between processes. */
function setUp() {
  const primary = new EventEmitter()
  const worker = new EventEmitter()
  const inPrimary = { send: (message: object) => deliver(message, (copy) => worker.emit('message', copy)) }
  const channel: ClusterChannel = {
    send: (message) => deliver(message, (copy) => primary.emit('message', inPrimary, copy)),
    on: (event, listener) => worker.on(event, listener),
  }
  return { workers: primary as unknown as Workers, primary, worker, channel }
}

function deliver(message: object, receive: (copy: unknown) => void) {
  setImmediate(() => receive(JSON.parse(JSON.stringify(message))))
}

describe('requests to the primary', () => {
  it('get their own answers in any order', async () => {
    const { workers, channel } = setUp()
    const gates = new Map<number, () => void>()
    answerWorkers<number, string>(
      'doubling',
      (request) =>
        new Promise((resolve) => {
          gates.set(request, () => resolve(String(request * 2)))
          if (gates.size === 2) for (const open of [...gates.values()].reverse()) open()
        }),
      workers,
    )
    const ask = createPrimaryRequests<number, string>('doubling', channel)
    expect(await Promise.all([ask(1), ask(2)])).toEqual(['2', '4'])
  })

  it('of several topics share a channel with each other and with unrelated messages', async () => {
    const { workers, channel, primary, worker } = setUp()
    answerWorkers<number, number>('add', (request) => request + 1, workers)
    answerWorkers<number, number>('take', (request) => request - 1, workers)
    const [add, take] = [
      createPrimaryRequests<number, number>('add', channel),
      createPrimaryRequests<number, number>('take', channel),
    ]
    for (const unrelated of [
      'hello',
      null,
      7,
      { type: 'other' },
      { topic: 'add' },
      { topic: 'add', kind: 'reply', number: 99 },
    ]) {
      primary.emit('message', { send: () => expect.unreachable() }, unrelated)
      worker.emit('message', unrelated)
    }
    expect(await Promise.all([add(1), take(1), add(5)])).toEqual([2, 0, 6])
  })

  it('are rejected with the error of the primary', async () => {
    const { workers, channel } = setUp()
    answerWorkers('failing', () => Promise.reject(new Error('No answer today.')), workers)
    await expect(createPrimaryRequests('failing', channel)(null)).rejects.toThrow('No answer today.')
  })

  it('of a worker that has ended do not end the primary', async () => {
    const { workers, primary } = setUp()
    answerWorkers('late', () => 1, workers)
    const result = await new Promise((resolve) => {
      const dead = {
        send: (_message: object, callback: (error: Error) => void) => resolve(callback(new Error('gone'))),
      }
      primary.emit('message', dead, { topic: 'late', kind: 'request', number: 1, request: null })
    })
    expect(result).toBeUndefined()
  })
})
