import { describe, expect, it } from 'vitest'
import { type DueDelivery, MAX_CLAIMED } from '../../src/core/events/attempts.ts'
import { WebhookDispatcher } from '../../src/jobs/webhook-dispatcher.ts'

const NOW = new Date('2026-02-01T08:00:00Z')
const LEASE_END = new Date('2026-02-01T08:00:09Z')

/** Deliveries of one webhook, with events from `first` on. */
function deliveries(webhook: number, first: number, count: number): DueDelivery[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ webhook, event: first + index, body: '{}', attempt: 1, attempts_before_replay: 0, replay: false },
    ...{
      target: 'https://shop.example',
      token: '',
      secret: '',
      previous_secret: null,
      credentials: null,
      failing: false,
    },
  }))
}

describe('the dispatcher of notifications', () => {
  it('asks for more of a webhook when half of its deliveries are finished', async () => {
    const dispatcher = new WebhookDispatcher()
    const claimed = deliveries(7, 1, MAX_CLAIMED)
    dispatcher.addClaimed([...claimed, ...deliveries(8, 1, 3)], LEASE_END)
    expect(dispatcher.supplied()).toEqual([7])
    expect(dispatcher.leases(NOW)).toEqual([{ webhook: 8, leased_until: LEASE_END, claimed: [1, 2, 3], slow: false }])

    const [first, ...others] = claimed
    for (const delivery of claimed) void dispatcher.enqueue(delivery, async () => {})
    await Promise.resolve()
    dispatcher.release([first!])
    expect(dispatcher.needsMore([first!])).toBe(false)
    dispatcher.release(others.slice(0, MAX_CLAIMED / 2 - 1))
    expect(dispatcher.needsMore([first!])).toBe(true)
    expect(dispatcher.supplied()).toEqual([])
    expect(dispatcher.leases(NOW).map(({ webhook }) => webhook)).toEqual([7, 8])
  })

  it('always has too few deliveries of a webhook that is slow, because it gets few at a time', () => {
    const dispatcher = new WebhookDispatcher()
    const [first, ...others] = deliveries(7, 1, MAX_CLAIMED)
    dispatcher.addClaimed([first!, ...others], LEASE_END)
    const answered = { at: NOW, duration_ms: 5_000, remote_address: null, status: 200, failure: null }
    const nothing = { request_headers: {}, response_headers: null, response_body: null, retry_after_s: null }
    dispatcher.updateHealth({ ...first!, ...answered, ...nothing })
    expect(dispatcher.supplied()).toEqual([])
    expect(dispatcher.needsMore([first!])).toBe(true)
  })
})
