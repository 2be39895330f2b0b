import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../../core/shop.ts'
import { openShell } from '../../shell.ts'

let shop: Shop
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  shop = await openShop()
  const { DATABASE_URL, DATA_DIR } = shop.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
  await shop.createRequest({ reason: 'Order 7' })
  await shop.createRequest({ phonenumber: '+80000000004' })
})
afterAll(() => shop.close())

describe('requests', () => {
  it('lists the newest first, and filters', async () => {
    const { code, out } = await kusanya(['requests', 'list'])
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'id | created (UTC) | phone | currency | amount | status | reason | error',
      ' 2 | 2030-01-15 12:00 | +80000000004 | BXC | 1,500 | pending',
      ' 1 | 2030-01-15 12:00 | +80000000003 | BXC | 1,500 | pending | Order 7',
    ])
    const found = JSON.parse((await kusanya(['requests', 'list', '--reason', 'Order 7', '--json'])).out)
    expect(found).toMatchObject([{ id: 1, status: 'pending' }])
    expect((await kusanya(['requests', 'list', '--status', 'failed'])).out).toBe('There are no requests.')
    expect((await kusanya(['requests', 'list', '--status', 'lost'])).code).toBe(1)
  })

  it('cancels a request in the name of a user, and shows its history', async () => {
    expect(await kusanya(['requests', 'cancel', '1', '--by', 'owner@demo.example'])).toEqual({
      code: 0,
      out: 'Request 1 is cancelled.',
      err: '',
    })
    const { out } = await kusanya(['requests', 'show', '1'])
    expect(out.split('\n')).toEqual([
      'Request 1: BXC 1,500 from +80000000003 (Anonymous Contact), failed',
      expect.stringMatching(/^ {2}account \d+ of organization \d+, for Order 7$/),
      '  expires 2030-01-16T12:00:00Z',
      '  2030-01-15T12:00:00Z  created',
      expect.stringMatching(/^ {2}.*Z {2}failed: Cancelled by Demo Owner$/),
    ])
    const shown = JSON.parse((await kusanya(['requests', 'show', '1', '--json'])).out)
    expect(shown).toMatchObject({ id: 1, moves: [{ to_status: 'failed' }], orders: [] })
  })

  it('reminds, tries again once, and sends a link, in the name of a user, and shows why', async () => {
    const by = ['--by', 'owner@demo.example']
    expect(await kusanya(['requests', 'remind', '2'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Request 2 has not started yet.'),
    })
    const retry = ['requests', 'retry', '1', '--comment', 'She has money now', ...by]
    expect(await kusanya(retry)).toEqual({ code: 0, out: 'Request 3 asks for the money again.', err: '' })
    expect(await kusanya(retry)).toMatchObject({
      code: 1,
      err: expect.stringContaining('already retried: request 3'),
    })
    const why = expect.stringMatching(/retry by .*, request 3 for request 1, She has money now$/)
    expect((await kusanya(['requests', 'show', '1'])).out.split('\n')).toContainEqual(why)
    await kusanya(['requests', 'cancel', '3'])
    const { out } = await kusanya(['requests', 'link', '3', ...by])
    expect(out).toMatch(/^Payment link 1 is sent: http.*\/pay\/[\w-]{24}$/)
    const audited = await shop.db<{ action: string; details: object }[]>`
      select action, details from audit_log where action in ('retry request', 'send payment link') order by id`
    expect(audited.map(({ action, details }) => [action, details])).toEqual([
      ['retry request', { by: 'Demo Owner', collectionrequest: 3 }],
      ['send payment link', { by: 'Demo Owner', paymentlink: 1 }],
    ])
  })

  it('refuses a request that has ended, and an unknown one', async () => {
    expect(await kusanya(['requests', 'cancel', '1'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Request 1 is failed already.'),
    })
    expect(await kusanya(['requests', 'show', '77'])).toMatchObject({ code: 1, err: 'There is no request 77.' })
  })
})
