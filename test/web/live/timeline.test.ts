import { describe, expect, it } from 'vitest'
import { keepPlaces, summarizeTries, toItems } from '../../../web/parts/timeline/entries.ts'
import type { TimelineEntry } from '../../../web/wire.ts'

const AT = '2030-01-15T12:00:00Z'
const moveTo = (to_status: string, at = AT): TimelineEntry => ({
  kind: 'move',
  at,
  from_status: 'pending',
  to_status,
  note: null,
})
const answer = (outcome: string, at = AT): TimelineEntry => ({
  kind: 'answer',
  at,
  network: 'sandbox',
  outcome,
  message: null,
  reason: null,
  code: null,
  source: 'status',
  reference: 'A1',
  remote_id: null,
})
const event = (id: number, status: string | null, type = 'collectionrequest.status.changed'): TimelineEntry => ({
  kind: 'event',
  at: AT,
  id,
  type,
  status,
})
const delivery = (state: string, statuses: (number | null)[]): Extract<TimelineEntry, { kind: 'delivery' }> => ({
  kind: 'delivery',
  at: AT,
  event: 41,
  webhook: 3,
  target: 'https://shop.example',
  state,
  attempts: statuses.map((status, index) => ({
    attempt: index + 1,
    at: `2030-01-15T12:0${index}:00Z`,
    duration_ms: 5,
    status,
    failure: status === null ? 'timeout' : null,
  })),
})

describe('the entries of a timeline that is read again', () => {
  it('keep their places and moments, and later knowledge follows, even of earlier events', () => {
    const shown = [moveTo('processing_started'), answer('accepted', '2030-01-15T12:00:05Z')]
    const read = [
      moveTo('processing_started', '2030-01-15T12:00:01Z'),
      moveTo('instructions_sent', '2030-01-15T12:00:02Z'),
      answer('accepted', '2030-01-15T12:00:05Z'),
      answer('failed', '2030-01-15T12:00:09Z'),
    ]
    expect(keepPlaces(shown, read)).toEqual([...shown, read[1], read[3]])
    expect(keepPlaces([], read)).toEqual(read)
  })

  it('show the state of a delivery in its place', () => {
    const shown = [delivery('waiting', [500]), moveTo('successful')]
    const read = [moveTo('successful'), delivery('delivered', [500, 200])]
    expect(keepPlaces(shown, read)).toEqual([read[1], read[0]])
  })

  it('leave when their history has gone to the archive', () => {
    const archived: TimelineEntry = { kind: 'archived', at: AT, segment: 1 }
    expect(keepPlaces([moveTo('expired')], [archived])).toEqual([archived])
  })
})

describe('the lines of a timeline', () => {
  it('have the events that report them, and other events are lines of their own', () => {
    const reversed = event(43, null, 'collection.reversed')
    const items = toItems([moveTo('successful'), event(41, 'successful'), delivery('delivered', [200]), reversed])
    expect(items.map(({ entry, events }) => [entry.kind, events.map(({ id }) => id)])).toEqual([
      ['move', [41]],
      ['delivery', []],
      ['event', []],
    ])
  })

  it('do not repeat the message of a network', () => {
    const [failed, ended] = [answer('failed'), moveTo('failed')]
    const said = [
      { ...failed, message: 'Cancelled By User' },
      { ...ended, note: 'Cancelled By User' },
    ] as TimelineEntry[]
    expect(toItems(said)[1]!.entry).toMatchObject({ kind: 'move', note: null })
    const by_user = [failed, { ...ended, note: 'Cancelled by Demo Owner' }] as TimelineEntry[]
    expect(toItems(by_user)[1]!.entry).toMatchObject({ note: 'Cancelled by Demo Owner' })
  })

  it('say in one line how many tries of a delivery failed, and when one succeeded', () => {
    expect(summarizeTries(delivery('delivered', [500, null, 500, 200]))).toEqual({
      failed: 3,
      delivered: '2030-01-15T12:03:00Z',
    })
    expect(summarizeTries(delivery('waiting', [500, null]))).toEqual({ failed: 2, delivered: null })
    expect(summarizeTries(delivery('delivered', [200]))).toMatchObject({ failed: 0 })
  })
})
