import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { amount, openShop, type Shop } from '../../../core/shop.ts'
import { openShell } from '../../shell.ts'

let shop: Shop
let kusanya: ReturnType<typeof openShell>
let request: number

beforeAll(async () => {
  shop = await openShop()
  const { DATABASE_URL, DATA_DIR } = shop.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
  request = (await shop.createRequest()).id
  await shop.ingest(shop.paymentReport())
  await shop.ingest(shop.paymentReport({ amount: amount('70'), phonenumber: '+80000000004', reference: 'rent' }))
})
afterAll(() => shop.close())

describe('collections', () => {
  it('lists the newest first, or only those without a request', async () => {
    const { code, out } = await kusanya(['collections', 'list'])
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      "id | paid (UTC) | phone | currency | amount | status | request | reference | network's id",
      ' 2 | 2030-01-15 12:00 | +80000000004 | BXC | 70 | successful | rent | R000002',
      ` 1 | 2030-01-15 12:00 | +80000000003 | BXC | 1,500 | successful | ${request} | R000001`,
    ])
    const unmatched = JSON.parse((await kusanya(['collections', 'list', '--unmatched', '--json'])).out)
    expect(unmatched).toMatchObject([{ id: 2, amount: '70.0000', collection_request: null }])
    expect((await kusanya(['collections', 'list', '--phone', '+80000000099'])).out).toBe('There are no collections.')
    expect((await kusanya(['collections', 'list', '--limit', '1'])).out).toContain('1 more; --limit shows them.')
  })

  it('shows a collection', async () => {
    expect((await kusanya(['collections', 'show', '2'])).out.split('\n')).toEqual([
      'Collection 2: BXC 70 from +80000000004 (Anonymous Contact), successful',
      '  paid 2030-01-15T12:00:00Z, recorded 2030-01-15T12:00:00Z as R000002',
      expect.stringMatching(/^ {2}to account \d+ of organization \d+, reference "rent"$/),
      '  no request',
    ])
    expect(await kusanya(['collections', 'show', '77'])).toMatchObject({ code: 1, err: 'There is no collection 77.' })
  })

  it('matches a collection with a request, and reports different amounts', async () => {
    const other = (await shop.createRequest({ amount: amount('71') })).id
    expect(await kusanya(['collections', 'match', '2', String(other), '--by', 'Grace'])).toEqual({
      code: 0,
      out: `BXC 70 from +80000000004 has fulfilled request ${other}. The request was for 71.`,
      err: '',
    })
    expect(await kusanya(['collections', 'match', '2', String(other)])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`Request ${other} is successful already.`),
    })
    expect(await kusanya(['collections', 'match', '2', '1', '--by', 'no@body.example'])).toMatchObject({
      code: 1,
      err: 'There is no user no@body.example.',
    })
  })
})
