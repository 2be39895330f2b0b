import { createServer, connect as openSocket, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin, CommitUnknown, connect, type Database, isConnectionError } from '../../src/db/client.ts'
import { cloneDatabase } from '../test-app.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let wire: Awaited<ReturnType<typeof openWire>>
let db: Database

beforeAll(async () => {
  database = await cloneDatabase()
  wire = await openWire(database.url)
  db = connect(wire.url, { connections: 2, application: 'tests' })
})
afterAll(async () => {
  await db.end({ timeout: 1 })
  await wire.close()
  await database.drop()
})

describe('a transaction whose connection is lost', () => {
  it('fails as one whose database is away, whichever side hangs up, and the next one finds a new connection', async () => {
    for (const hangUp of [wire.end, wire.reset, wire.reset, wire.reset, wire.end, wire.end]) {
      const lost = begin(db, async (tx) => {
        await tx`select 1`
        const asleep = tx`select pg_sleep(10)`
        setTimeout(hangUp, 20)
        await asleep
      })
      const error = await lost.catch((reason: unknown) => reason)
      expect(isConnectionError(error)).toBe(true)
      expect(error).not.toBeInstanceOf(CommitUnknown)
      expect(await begin(db, (tx) => tx`select 7 as seven`)).toEqual([{ seven: 7 }])
    }
  })

  it('fails also when it was between two statements', async () => {
    const lost = begin(db, async (tx) => {
      await tx`select 1`
      wire.end()
      await new Promise((resolve) => setTimeout(resolve, 30))
      await tx`select 2`
    })
    expect(isConnectionError(await lost.catch((reason: unknown) => reason))).toBe(true)
    expect(await begin(db, (tx) => tx`select 7 as seven`)).toEqual([{ seven: 7 }])
  })
})

describe('a subscription whose connection is lost', () => {
  it('can be ended all the same, whichever side hangs up', async () => {
    for (const hangUp of [wire.end, wire.reset]) {
      const subscription = await db.listen('news', () => {})
      hangUp()
      await expect(subscription.unlisten()).resolves.toBeUndefined()
    }
  })
})

/** A way to the database that can be cut. */
async function openWire(url: string) {
  const to = new URL(url)
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer((near) => {
    const far = openSocket(Number(to.port), to.hostname)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    near.pipe(far)
    far.pipe(near)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.once('close', () => {
        pairs.delete(pair)
        for (const end of pair) end.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const near = new URL(url)
  near.hostname = '127.0.0.1'
  near.port = String(port)
  return {
    url: near.href,
    /** Hangs up in good order, as a proxy does that is restarted. */
    end() {
      for (const [socket] of pairs) socket.end()
    },
    /** Hangs up as a machine does that has lost its power and is back. */
    reset() {
      for (const [socket] of pairs) socket.resetAndDestroy()
    },
    async close() {
      for (const [socket] of pairs) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
