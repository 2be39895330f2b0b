import { describe, expect, it } from 'vitest'
import { type DueNotification, MAX_CLAIMED } from '../../src/core/events/claims.ts'
import { WebhookDispatcher } from '../../src/jobs/webhook-dispatcher.ts'
import { WebhookWatch } from '../../src/jobs/webhook-watch.ts'
import { openShop } from '../core/shop.ts'

const NOW = new Date('2026-02-01T08:00:00Z')
const LEASE_END = new Date('2026-02-01T08:00:09Z')

/** Return a claim of one webhook: events from `first` on. */
function claimOf(webhook: number, first: number, count: number) {
  const due = Array.from({ length: count }, (_, index): DueNotification => {
    const signing = { target: 'https://shop.example', token: '', secret: '', previous_secret: null, credentials: null }
    const attempts = { attempt: 1, attempts_before_replay: 0, replayed: null }
    return {
      ...signing,
      ...attempts,
      webhook,
      event: first + index,
      type: 'contact.created',
      event_created: NOW,
      body: '{}',
    }
  })
  const last = first + count - 1
  return { due, readings: [{ webhook, leased_until: LEASE_END, read_until: last, seen_until: last, failing: false }] }
}

describe('the dispatcher of notifications', () => {
  it('asks for more of a webhook when half of its deliveries are finished', async () => {
    const dispatcher = new WebhookDispatcher()
    const { due: claimed, readings } = claimOf(7, 1, MAX_CLAIMED)
    dispatcher.addClaimed({ due: claimed, readings })
    dispatcher.addClaimed(claimOf(8, 1, 3))
    expect(dispatcher.supplied()).toEqual([7])
    expect(dispatcher.leases(NOW)).toEqual([
      {
        webhook: 8,
        leased_until: LEASE_END,
        position: 0,
        read_until: 3,
        seen_until: 3,
        claimed: [1, 2, 3],
        slow: false,
      },
    ])

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
    const claim = claimOf(7, 1, MAX_CLAIMED)
    const [first] = claim.due
    dispatcher.addClaimed(claim)
    const answered = { at: NOW, duration_ms: 5_000, remote_address: null, status: 200, failure: null }
    const nothing = { request_headers: {}, response_headers: null, response_body: null, retry_after_s: null }
    dispatcher.updateHealth({ ...first!, ...answered, ...nothing })
    expect(dispatcher.supplied()).toEqual([])
    expect(dispatcher.needsMore([first!])).toBe(true)
  })

  it('moves the position over what is done, and ends the lease when nothing is left', () => {
    const dispatcher = new WebhookDispatcher()
    const { due, readings } = claimOf(7, 1, 4)
    dispatcher.addClaimed({ due, readings })
    const position = () => dispatcher.leases(NOW)[0]?.position
    const [one, two, three, four] = due as [DueNotification, DueNotification, DueNotification, DueNotification]
    dispatcher.release([two, three])
    expect(position()).toBe(0)
    dispatcher.release([one])
    expect(position()).toBe(3)
    expect(dispatcher.idle(LEASE_END)).toEqual([])
    dispatcher.release([four])
    expect(position()).toBe(4)
    expect(dispatcher.idle(NOW)).toEqual([])
    expect(dispatcher.idle(LEASE_END, new Set([7]))).toEqual([])
    const idle = dispatcher.idle(LEASE_END)
    expect(idle).toEqual([{ webhook: 7, position: 4, leased_until: LEASE_END }])
    dispatcher.forget(idle)
    expect(dispatcher.leases(NOW)).toEqual([])
  })

  it('sends under the lease that was renewed last', () => {
    const dispatcher = new WebhookDispatcher()
    const claim = claimOf(7, 1, 1)
    dispatcher.addClaimed(claim)
    const later = new Date(LEASE_END.getTime() + 1_000)
    dispatcher.addClaimed({ due: [], readings: [{ ...claim.readings[0]!, leased_until: later }] })
    expect(dispatcher.leaseEnd(claim.due[0]!)).toBe(later)
  })

  it('reads again what it gives back, and keeps its lease until then', () => {
    const dispatcher = new WebhookDispatcher()
    const { due, readings } = claimOf(7, 1, 3)
    dispatcher.addClaimed({ due, readings })
    dispatcher.giveBack([due[1]!])
    expect(dispatcher.leases(NOW)).toMatchObject([{ read_until: 1, seen_until: 3, claimed: [1, 3] }])
    dispatcher.release([due[0]!, due[2]!])
    expect(dispatcher.leases(NOW)).toMatchObject([{ position: 1, claimed: [] }])
    expect(dispatcher.idle(LEASE_END)).toEqual([])
  })
})

it('a webhook that rests is open again when the clock is set back', async () => {
  const shop = await openShop()
  const watch = new WebhookWatch()
  const real = new Date('2030-01-01T12:00:00Z')
  const look = (at: Date) => watch.look(shop.db, shop.now(), at)
  await look(real)
  watch.open([7])
  watch.rest([7], real)
  expect(await look(real)).toEqual([])
  expect(await look(new Date(real.getTime() - 3_600_000))).toEqual([7])
  await shop.close()
})
