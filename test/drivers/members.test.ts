import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readableItems, spare, spareText } from '../../src/drivers/members.ts'

describe('a member that decides nothing', () => {
  const Answer = z.object({ state: z.string(), note: spareText, parts: spare(z.int()) })

  it('is the sent value if it has the right form', () => {
    expect(Answer.parse({ state: 'paid', note: 'x', parts: 2 })).toEqual({ state: 'paid', note: 'x', parts: 2 })
  })

  it.each([{}, { note: null, parts: null }, { note: 7, parts: '2' }, { note: {}, parts: [] }])(
    'is undefined in %j, which hides nothing',
    (members) => {
      expect(Answer.parse({ state: 'paid', ...members })).toEqual({ state: 'paid' })
    },
  )
})

describe('a list', () => {
  const items = readableItems(z.object({ id: z.string() }))

  it('has the items that can be read', () => {
    expect(items.parse([{ id: 'a' }, null, { id: 7 }, 'x', { id: 'b', more: 1 }])).toEqual([{ id: 'a' }, { id: 'b' }])
  })

  it('is refused if it has another form', () => {
    for (const other of [null, {}, 'x', undefined]) expect(items.safeParse(other).success).toBe(false)
  })
})
