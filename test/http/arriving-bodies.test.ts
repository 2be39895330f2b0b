import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { announcesBody, createArrivingBodies } from '../../src/http/arriving-bodies.ts'

const LIMITS = { max_per_address: 3, max_connections: 5, max_bytes: 1_000 }

/** Bodies that name themselves when they are given up. */
function setUp(limits = LIMITS) {
  const bodies = createArrivingBodies(limits)
  const ended: string[] = []
  const start = (name: string, { address = 'a', bytes = 10, timeout_ms = 60_000 } = {}) => {
    const raw = new EventEmitter() as unknown as IncomingMessage
    bodies.watch(raw, { address, bytes, timeout_ms, end: (reason) => ended.push(`${name} ${reason}`) })
    return { arrive: () => raw.emit('close') }
  }
  return { bodies, ended, start }
}

describe('the bodies that arrive at the same time', () => {
  it('are counted until they have arrived', () => {
    const { bodies, ended, start } = setUp()
    const first = start('first')
    start('second')
    expect(bodies.count()).toBe(2)
    first.arrive()
    first.arrive()
    expect(bodies.count()).toBe(1)
    expect(ended).toEqual([])
  })

  it('are limited for each address: the oldest of the address is given up', () => {
    const { ended, start } = setUp()
    start('other', { address: 'b' })
    for (const name of ['1', '2', '3', '4', '5']) start(name)
    expect(ended).toEqual(['1 crowded', '2 crowded'])
  })

  it('are limited together: the oldest of the address with most is given up', () => {
    const { bodies, ended, start } = setUp()
    start('alone', { address: 'c' })
    for (const name of ['1', '2', '3']) start(name, { address: 'b' })
    start('last')
    start('new', { address: 'd' })
    expect(ended).toEqual(['1 crowded'])
    expect(bodies.count()).toBe(5)
  })

  it('are limited by their announced bytes', () => {
    const { ended, start } = setUp()
    start('small')
    start('large', { address: 'b', bytes: 900 })
    start('next', { bytes: 100 })
    expect(ended).toEqual(['large crowded'])
  })

  it('are given up when they take too long, but not after they have arrived', async () => {
    const { ended, start } = setUp()
    start('slow', { timeout_ms: 10 })
    start('quick', { timeout_ms: 10 }).arrive()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(ended).toEqual(['slow slow'])
  })
})

it('a request announces a body by its length or by chunks', () => {
  const announces = (headers: Record<string, string>) => announcesBody({ headers } as unknown as IncomingMessage)
  expect(announces({})).toBe(false)
  expect(announces({ 'content-length': '0' })).toBe(false)
  expect(announces({ 'content-length': '1' })).toBe(true)
  expect(announces({ 'transfer-encoding': 'chunked' })).toBe(true)
})
