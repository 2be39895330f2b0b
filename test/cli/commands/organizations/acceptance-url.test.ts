import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../../core/shop.ts'
import { openShell } from '../../shell.ts'

let shop: Shop
let kusanya: ReturnType<typeof openShell>
const acceptanceUrl = (...args: string[]) => kusanya(['organizations', 'acceptance-url', ...args])

beforeAll(async () => {
  shop = await openShop()
  const { DATABASE_URL, DATA_DIR } = shop.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
afterAll(() => shop.close())

describe('organizations acceptance-url', () => {
  it('is set, shown, replaced and removed', async () => {
    expect((await acceptanceUrl('show')).out).toBe('There is no acceptance URL: all money is accepted.')
    const set = await acceptanceUrl('set', 'https://shop.example/hook')
    const text = `Organization ${shop.organization} is asked at https://shop.example/hook. Without an answer within`
    expect(set).toEqual({ code: 0, out: `${text} 60 s: accept.`, err: '' })
    await acceptanceUrl('set', 'https://shop.example/hook', '--unreachable', 'reject', '--timeout', '20')
    expect((await acceptanceUrl('show')).out).toBe(`${text} 20 s: reject.`)
    expect(JSON.parse((await acceptanceUrl('show', '--json')).out)).toMatchObject({
      when_unreachable: 'reject',
      timeout_s: 20,
    })
    expect((await acceptanceUrl('remove')).out).toBe('The acceptance URL is removed; all money is accepted.')
    expect(await acceptanceUrl('remove')).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no acceptance URL'),
    })
  })

  it('refuses a wrong address, a timeout that is too long, and an unknown verdict', async () => {
    expect((await acceptanceUrl('set', 'http://shop.example')).err).toContain('https://')
    expect((await acceptanceUrl('set', 'https://shop.example', '--timeout', '61')).err).toContain(
      'from 1 to 60 seconds',
    )
    expect((await acceptanceUrl('set', 'https://shop.example', '--unreachable', 'maybe')).code).toBe(1)
  })

  it('lists the acceptance checks', async () => {
    expect((await acceptanceUrl('checks')).out).toBe('There are no acceptance checks yet.')
    await acceptanceUrl('set', 'https://shop.example/hook')
    await shop.ingest(shop.paymentReport())
    const { out } = await acceptanceUrl('checks')
    expect(out.split('\n')[1]!.replace(/ {2,}/g, ' | ')).toBe(
      ' 1 | 2030-01-15 12:00 | +80000000003 | BXC | 1,500 | 1 | 0',
    )
    expect((await kusanya(['collections', 'show', '1'])).out).toContain('the organization may answer until')
  })
})
