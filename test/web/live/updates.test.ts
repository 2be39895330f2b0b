import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Connect, createLiveHub, type LiveHub } from '../../../web/live/hub.ts'
import { mergeRows } from '../../../web/live/merge.ts'
import { createUpdates, type ShownQuery } from '../../../web/live/updates.ts'

const HOUR_MS = 3_600_000

/** A window with a stream that the test plays, and these queries on its page. */
function openWindow(keys: readonly (readonly unknown[])[], data: unknown = { results: [] }) {
  const reads: string[] = []
  const queries = keys.map((key): ShownQuery => {
    const hash = JSON.stringify(key)
    return { hash, key, data, refresh: () => reads.push(hash) }
  })
  const streams: Parameters<Connect>[0][] = []
  let hidden = false
  let watch = () => {}
  const hub: LiveHub = createLiveHub(
    (listener) => {
      streams.push(listener)
      return { close: () => streams.splice(streams.indexOf(listener), 1) }
    },
    {
      isHidden: () => hidden,
      watch(changed) {
        watch = changed
        return () => {}
      },
    },
  )
  const updates = createUpdates(
    () => queries,
    () => hidden,
  )
  hub.follow(updates.listener)
  return {
    hub,
    streams,
    /** Return the reads since the last call. */
    takeReads: () => reads.splice(0).map((hash) => JSON.parse(hash) as unknown[]),
    open() {
      streams[0]!.onState(true)
      streams[0]!.onOpen()
      vi.advanceTimersByTime(HOUR_MS / 60)
      reads.length = 0
    },
    send: (type: string, object: object) =>
      streams[0]!.onMessage(JSON.stringify({ hook: { event: type }, data: object })),
    setHidden(now_hidden: boolean) {
      hidden = now_hidden
      watch()
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const REQUESTS = ['/collectionrequests', { limit: 20 }]
const CHANGED = 'collectionrequest.status.changed'

describe('an open page', () => {
  it('makes no request in an hour without events', () => {
    const page = openWindow([REQUESTS, ['/payments', '7'], ['timeline', 3], ['/sending'], ['/maintenance'], ['clock']])
    page.open()
    vi.advanceTimersByTime(HOUR_MS)
    expect(page.takeReads()).toEqual([])
  })

  it('reads the queue of approvals slowly, but the number of them by events alone', () => {
    const queue = openWindow([['/approvals']], { payments: [], recent: [] })
    const count = openWindow([['/approvals', 'count']], { mine: 0, others: 0 })
    queue.open()
    count.open()
    queue.takeReads()
    vi.advanceTimersByTime(60_000)
    expect(queue.takeReads()).toHaveLength(6)
    expect(count.takeReads()).toEqual([])
    count.send('payment.status.changed', { id: 3 })
    vi.advanceTimersByTime(HOUR_MS)
    expect(count.takeReads()).toHaveLength(1)
  })

  it('reads the objects of an event, once for many events', () => {
    const page = openWindow([REQUESTS, ['/collectionrequests', '3'], ['/collectionrequests', '4'], ['/payments', {}]])
    page.open()
    for (let event = 0; event < 50; event += 1) page.send(CHANGED, { id: 3 })
    vi.advanceTimersByTime(HOUR_MS)
    expect(page.takeReads()).toEqual([REQUESTS, ['/collectionrequests', '3']])
  })

  it('reads at most once a second, and once after the last event', () => {
    const page = openWindow([REQUESTS])
    page.open()
    for (let tenth = 0; tenth < 100; tenth += 1) {
      page.send(CHANGED, { id: 3 })
      vi.advanceTimersByTime(100)
    }
    const during = page.takeReads().length
    expect(during).toBeGreaterThanOrEqual(9)
    expect(during).toBeLessThanOrEqual(11)
    vi.advanceTimersByTime(HOUR_MS)
    expect(page.takeReads().length).toBeLessThanOrEqual(1)
  })

  it('reads the results of jobs after an event, and then rests', () => {
    const page = openWindow([['/receipts', {}]])
    page.open()
    page.send('collection.received', { id: 3 })
    vi.advanceTimersByTime(HOUR_MS)
    expect(page.takeReads()).toHaveLength(3)
  })

  it('polls data that changes without an event, while it may change', () => {
    const waiting = openWindow([['/webhooks/deliveries', {}]], { results: [{ id: 1, state: 'waiting' }] })
    const ended = openWindow([['/webhooks/deliveries', {}]], { results: [{ id: 1, state: 'delivered' }] })
    waiting.open()
    ended.open()
    waiting.takeReads()
    vi.advanceTimersByTime(60_000)
    expect(waiting.takeReads()).toHaveLength(6)
    expect(ended.takeReads()).toEqual([])
  })

  it('reads the state of the service when the stream reports its change', () => {
    const page = openWindow([REQUESTS, ['/sending'], ['/maintenance']])
    page.open()
    page.streams[0]!.onService()
    vi.advanceTimersByTime(HOUR_MS)
    expect(page.takeReads()).toEqual([['/sending'], ['/maintenance']])
  })

  it('reads waiting approvals when the stream reports other rules', () => {
    const page = openWindow([REQUESTS, ['/approvals'], ['/approvals', 'count'], ['home'], ['/sending']])
    page.open()
    page.streams[0]!.onRules()
    vi.advanceTimersByTime(1_000)
    expect(page.takeReads().sort()).toEqual([['/approvals'], ['/approvals', 'count'], ['home']])
  })

  it('reads everything when the stream opens again, and slowly while it is closed', () => {
    const page = openWindow([REQUESTS, ['/sending'], ['/users']])
    page.open()
    page.streams[0]!.onState(false)
    vi.advanceTimersByTime(60_000)
    const polls = page.takeReads().filter(([name]) => name === '/collectionrequests').length
    expect(polls).toBeGreaterThanOrEqual(5)
    expect(polls).toBeLessThanOrEqual(8)
    page.streams[0]!.onState(true)
    page.streams[0]!.onOpen()
    vi.advanceTimersByTime(HOUR_MS)
    expect(page.takeReads()).toEqual([REQUESTS, ['/sending']])
  })

  it('has no stream and makes no request while its window is hidden, and then reads the missed changes', () => {
    const page = openWindow([REQUESTS, ['home'], ['/connections', {}]])
    page.open()
    page.setHidden(true)
    expect(page.streams).toEqual([])
    expect(page.hub.isOpen()).toBe(false)
    vi.advanceTimersByTime(HOUR_MS)
    expect(page.takeReads()).toEqual([])
    page.setHidden(false)
    page.streams[0]!.onState(true)
    page.streams[0]!.onOpen()
    vi.advanceTimersByTime(5_000)
    expect(page.takeReads()).toContainEqual(REQUESTS)
  })

  it('has one stream for all of its parts', () => {
    const page = openWindow([REQUESTS])
    const unfollow = page.hub.follow({})
    page.hub.follow({})
    expect(page.streams).toHaveLength(1)
    unfollow()
    expect(page.streams).toHaveLength(1)
  })
})

describe('the rows of a list', () => {
  const rowsOf = (...ids: number[]) => ids.map((id) => ({ id, status: 'pending' }))
  const listOf = (count: number, ...ids: number[]) => ({ count, results: rowsOf(...ids) })

  it('keep their places, change in place, and count new ones', () => {
    const found = { count: 5, results: [...rowsOf(5, 4), { id: 3, status: 'successful' }, ...rowsOf(2)] }
    expect(mergeRows(listOf(3, 3, 2, 1), found, true)).toEqual({
      rows: [{ id: 3, status: 'successful' }, ...rowsOf(2, 1)],
      added: 2,
    })
  })

  it('are counted on a later page by the number of all', () => {
    expect(mergeRows(listOf(40, 20, 19), listOf(43, 23, 22), false).added).toBe(3)
  })

  it('that moved up from the next page are not new', () => {
    expect(mergeRows(listOf(30, 3, 2), listOf(29, 2, 1), true).added).toBe(0)
  })

  it('are all new if none of the shown ones is left on the page', () => {
    expect(mergeRows(listOf(30, 3, 2), listOf(90, 63, 62), true).added).toBe(60)
  })
})
