import { expect, it } from 'vitest'
import { rememberLimits } from '../../src/connections/stated-limits.ts'
import type { Limits } from '../../src/networks/contract.ts'

const place = { kind: 'charge' as const, country: 'UG', currency: 'UGX', phonenumber: '+256772000001' }
const limits = (max: bigint): Limits => ({ decimals: 0, min: 1n, max })
const settled = () => new Promise((resolve) => setImmediate(resolve))
const MINUTE_MS = 60_000

/** A network that states limits, a clock to move, and how often it was asked. */
function open() {
  let now_ms = 0
  let answer: Limits | undefined = limits(10n)
  let asked = 0
  const stated = rememberLimits(
    async () => {
      asked += 1
      return answer
    },
    () => now_ms,
  )!
  return {
    read: () => stated(place)?.max,
    asked: () => asked,
    says(next: typeof answer) {
      answer = next
    },
    advance(minutes: number) {
      now_ms += minutes * MINUTE_MS
    },
  }
}

it('stated limits are read in the background, and again after five minutes, so nobody waits', async () => {
  const network = open()
  expect(network.read()).toBe(undefined)
  await settled()
  expect([network.read(), network.read(), network.asked()]).toEqual([10n, 10n, 1])
  network.says(limits(20n))
  network.advance(6)
  expect(network.read()).toBe(10n)
  await settled()
  expect([network.read(), network.asked()]).toEqual([20n, 2])
})

it('without an answer, earlier limits count for an hour', async () => {
  const network = open()
  network.read()
  await settled()
  network.says(undefined)
  network.advance(50)
  network.read()
  await settled()
  expect(network.read()).toBe(10n)
  network.advance(11)
  expect(network.read()).toBe(undefined)
})

it('is asked for each kind of orders by itself', async () => {
  const asked: string[] = []
  const stated = rememberLimits(async ({ kind }) => {
    asked.push(kind)
    return { ...limits(10n), ...(kind === 'payout' && { is_down: true }) }
  })
  for (const kind of ['charge', 'payout', 'charge'] as const) stated({ ...place, kind })
  await settled()
  expect(asked).toEqual(['charge', 'payout'])
  expect([stated(place)?.is_down, stated({ ...place, kind: 'payout' })?.is_down]).toEqual([undefined, true])
})
