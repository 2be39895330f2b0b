import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Attempt,
  clearAttempt,
  clearAttemptsOf,
  countAttempt,
  passwordSubject,
} from '../../../src/core/access/sign-in-attempts.ts'
import { Throttled } from '../../../src/core/refusals.ts'
import { begin } from '../../../src/db/client.ts'
import { buildTestApp, type TestApp } from '../../test-app.ts'

const now = new Date('2030-01-15T12:00:00Z')
const DAY_S = 86_400

let house: TestApp
let subject: string
let people = 0

beforeAll(async () => {
  house = await buildTestApp()
})
afterAll(() => house.close())
beforeEach(() => {
  people += 1
  subject = passwordSubject(`Person${people}@shop.example `)
})

describe('attempts from one address', () => {
  it('are free five times, then the wait doubles up to five minutes', async () => {
    for (let count = 1; count <= 5; count += 1) expect(await from('192.0.2.1')).toBe(0)
    let at_s = 0
    for (const wait_s of [15, 30, 60, 120, 240, 300, 300]) {
      expect(await from('192.0.2.1', at_s)).toBe(wait_s)
      expect(await from('192.0.2.1', at_s + wait_s - 1)).toBe(1)
      at_s += wait_s
      expect(await from('192.0.2.1', at_s)).toBe(0)
    }
  })

  it('are five of a hundred at the same time', async () => {
    const tries = await Promise.all(Array.from({ length: 100 }, () => from('192.0.2.1')))
    expect(tries.filter((wait_s) => wait_s === 0)).toHaveLength(5)
  })

  it('are free also if they are counted in another order than they came', async () => {
    for (const at_s of [4, 3, 2, 1, 0]) expect(await from('192.0.2.1', at_s)).toBe(0)
    expect(await from('192.0.2.1', 4)).toBe(15)
  })

  it('start again after a day without any', async () => {
    for (let count = 1; count <= 5; count += 1) await from('192.0.2.1')
    for (let count = 1; count <= 5; count += 1) expect(await from('192.0.2.1', DAY_S + 2)).toBe(0)
    expect(await from('192.0.2.1', DAY_S + 2)).toBe(15)
  })

  it('make no other address wait, however many they are', async () => {
    for (let count = 0; count < 300; count += 1) await from('192.0.2.1', count * 300)
    expect(await from('192.0.2.2', 300 * 300)).toBe(0)
  })

  it('do not concern other people', async () => {
    for (let count = 1; count <= 6; count += 1) await from('192.0.2.1')
    subject = passwordSubject('other@shop.example')
    expect(await from('192.0.2.1')).toBe(0)
  })
})

describe('attempts from many addresses', () => {
  it('are free fifty times, then all unknown browsers wait together', async () => {
    for (let count = 0; count < 50; count += 1) expect(await from(`198.51.100.${count}`)).toBe(0)
    expect(await from('203.0.113.1')).toBe(15)
    expect(await from('203.0.113.1', 14)).toBe(1)
    expect(await from('203.0.113.1', 15)).toBe(0)
    // Also an address that has used up its free attempts, and waits for both counts.
    expect(await from('203.0.113.2', 15)).toBe(30)
  })

  it('do not make a known browser wait, and its attempts have a limit of their own', async () => {
    for (let count = 0; count < 60; count += 1) await from(`198.51.100.${count}`)
    for (let count = 1; count <= 10; count += 1) expect(await attempt({ browser: 7 })).toBe(0)
    expect(await attempt({ browser: 7 })).toBe(15)
    expect(await attempt({ browser: 8 })).toBe(0)
  })

  it('do not raise the count of an address that was refused for the others', async () => {
    for (let count = 0; count < 50; count += 1) await from(`198.51.100.${count}`)
    for (let count = 0; count < 20; count += 1) expect(await from('203.0.113.1')).toBe(15)
    expect(await from('203.0.113.1', 15)).toBe(0)
  })
})

describe('the limit that an attempt reaches', () => {
  it('is named once, with the attempt before the first wait', async () => {
    const reached: (string | undefined)[] = []
    for (let count = 1; count <= 5; count += 1) reached.push(await countFrom({ address: '192.0.2.1' }))
    expect(reached).toEqual([undefined, undefined, undefined, undefined, 'address'])
    for (let count = 6; count <= 49; count += 1) await from(`198.51.100.${count}`)
    expect(await countFrom({ address: '192.0.2.2' })).toBe('everywhere')
  })
})

describe('a success', () => {
  it('takes back the attempts of its address, and what they added for all addresses', async () => {
    for (let round = 0; round < 30; round += 1) {
      for (let count = 1; count <= 4; count += 1) expect(await from('192.0.2.1')).toBe(0)
      await begin(house.db, (tx) => clearAttempt(tx, { subject, from: { address: '192.0.2.1' } }))
    }
    expect(await from('192.0.2.9')).toBe(0)
  })

  it('leaves the attempts of others counted', async () => {
    for (let count = 1; count <= 5; count += 1) await from('192.0.2.66')
    await from('192.0.2.1')
    await begin(house.db, (tx) => clearAttempt(tx, { subject, from: { address: '192.0.2.1' } }))
    expect(await from('192.0.2.66')).toBe(15)
  })
})

it('all counts of a person can be cleared', async () => {
  for (let count = 0; count < 50; count += 1) await from(`198.51.100.${count}`)
  for (let count = 1; count <= 11; count += 1) await attempt({ browser: 9 })
  const email = `person${people}@shop.example`
  await begin(house.db, (tx) => clearAttemptsOf(tx, { id: 1, email }))
  expect(await from('203.0.113.1')).toBe(0)
  expect(await attempt({ browser: 9 })).toBe(0)
})

function from(address: string, after_s = 0): Promise<number> {
  return attempt({ address }, after_s)
}

/** @returns the seconds to wait; 0 if the attempt is permitted. */
function attempt(source: Attempt['from'], after_s = 0): Promise<number> {
  return countFrom(source, after_s).then(
    () => 0,
    (error: unknown) => {
      if (error instanceof Throttled) return error.retry_after_s
      throw error
    },
  )
}

function countFrom(source: Attempt['from'], after_s = 0) {
  const at = new Date(now.getTime() + after_s * 1_000)
  return begin(house.db, (tx) => countAttempt(tx, at, { subject, from: source }))
}
