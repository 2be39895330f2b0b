import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../src/core/refusals.ts'
import { type Page, type RenderedPage, readPage, renderPage } from '../../src/http/pages.ts'

const orderings = ['id', 'created', 'modified', 'amount']

describe('readPage', () => {
  it('selects the ten newest by default', () => {
    expect(readPage({}, orderings)).toEqual({ limit: 10, offset: 0, ordering: { field: 'id', descending: true } })
  })

  it('reads limit, offset and ordering', () => {
    expect(readPage({ ordering: '-created', limit: '20', offset: '40' }, orderings)).toEqual({
      limit: 20,
      offset: 40,
      ordering: { field: 'created', descending: true },
    })
    expect(readPage({ ordering: 'amount' }, orderings).ordering).toEqual({ field: 'amount', descending: false })
  })

  it.each(['0', '000', '-5', 'many', '1.5', '1e3', ' 20', ''])('replaces the limit "%s" by the default', (limit) => {
    expect(readPage({ limit }, orderings).limit).toBe(10)
  })

  it.each(['1000', '1001', '9'.repeat(400)])('limits %s to 1000', (limit) => {
    expect(readPage({ limit }, orderings).limit).toBe(1000)
  })

  it.each(['-1', 'last', '1.5', ''])('replaces the offset "%s" by 0', (offset) => {
    expect(readPage({ offset }, orderings).offset).toBe(0)
  })

  it('limits an offset to the largest integer of the database', () => {
    expect(readPage({ offset: '9'.repeat(400) }, orderings).offset).toBe(2 ** 31 - 1)
  })

  it.each(['name', '--id', '-', 'id,created', 'ID', '__proto__'])('refuses to order by "%s"', (ordering) => {
    expect(() => readPage({ ordering }, orderings)).toThrow(
      expect.objectContaining({
        fields: { ordering: [expect.stringContaining(`"${ordering}" is not a valid choice.`)] },
      }),
    )
    expect(() => readPage({ ordering }, orderings)).toThrow(Invalid)
  })

  it('can order every list by id', () => {
    expect(readPage({ ordering: 'id' }, ['name']).ordering).toEqual({ field: 'id', descending: false })
  })
})

describe('renderPage', () => {
  const page = (limit: number, offset: number): Page => ({ limit, offset, ordering: { field: 'id', descending: true } })
  const url = 'https://pay.example/api/collectionrequests?status=pending&phonenumber=%2B256772000001'

  it('always has all four members', () => {
    expect(renderPage({ results: [], count: 0, page: page(10, 0), url })).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    })
  })

  it('links to the pages around it and keeps every filter', () => {
    expect(renderPage({ results: ['a'], count: 35, page: page(10, 10), url })).toEqual({
      count: 35,
      next: `${url}&limit=10&offset=20`,
      previous: `${url}&limit=10&offset=0`,
      results: ['a'],
    })
  })

  it('replaces all limits and offsets of the request', () => {
    const requested = 'http://localhost:3000/api/events?offset=0&limit=2000&limit=5&ordering=-created'
    expect(renderPage({ results: [], count: 3000, page: page(1000, 0), url: requested }).next).toBe(
      'http://localhost:3000/api/events?offset=1000&limit=1000&ordering=-created',
    )
  })

  it.each(['http://localhost:3000/api/events', 'http://localhost:3000/api/events?'])('makes links from %s', (plain) => {
    expect(renderPage({ results: [], count: 11, page: page(10, 0), url: plain }).next).toBe(
      'http://localhost:3000/api/events?limit=10&offset=10',
    )
  })

  it('has no next page after the last item', () => {
    expect(renderPage({ results: [], count: 20, page: page(10, 10), url }).next).toBeNull()
    expect(renderPage({ results: [], count: 21, page: page(10, 10), url }).next).not.toBeNull()
  })

  it('links back to offset 0 from an offset smaller than a page', () => {
    expect(renderPage({ results: [], count: 5, page: page(10, 3), url }).previous).toBe(`${url}&limit=10&offset=0`)
  })

  it('accepts an invalid host', () => {
    const invalid = 'http://not a host:x/api/events?a=%ZZ'
    expect(renderPage({ results: [], count: 11, page: page(10, 0), url: invalid }).next).toBe(
      'http://not a host:x/api/events?a=%25ZZ&limit=10&offset=10',
    )
  })

  it('links through the whole list once and back to its beginning', () => {
    const follow = (link: string) => {
      const query = Object.fromEntries(new URL(link).searchParams)
      return readPage(query, orderings)
    }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 40 }), (count, limit) => {
        const items = Array.from({ length: count }, (_, index) => index)
        const seen: number[] = []
        let link: string | null = `${url}&limit=${limit}`
        let previous: string | null = null
        while (link) {
          const requested = follow(link)
          const results = items.slice(requested.offset, requested.offset + requested.limit)
          const list: RenderedPage<number> = renderPage({ results, count, page: requested, url: link })
          seen.push(...list.results)
          link = list.next
          previous = list.previous
        }
        expect(seen).toEqual(items)
        while (previous) previous = renderPage({ results: [], count, page: follow(previous), url: previous }).previous
        expect(previous).toBeNull()
      }),
    )
  })
})
