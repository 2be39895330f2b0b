import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../../core/shop.ts'
import { openShell } from '../../shell.ts'

let shop: Shop
let kusanya: ReturnType<typeof openShell>
const hook = (...args: string[]) => kusanya(['organizations', 'hook', ...args])

beforeAll(async () => {
  shop = await openShop()
  const { DATABASE_URL, DATA_DIR } = shop.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR })
})
afterAll(() => shop.close())

describe('organizations hook', () => {
  it('is set, shown, set anew and removed', async () => {
    expect((await hook('show')).out).toBe('There is none: all money is accepted.')
    const set = await hook('set', 'https://shop.example/hook')
    const text = `Organization ${shop.organization} is asked at https://shop.example/hook within`
    expect(set).toEqual({ code: 0, out: `${text} 60 s; unanswered means accept.`, err: '' })
    await hook('set', 'https://shop.example/hook', '--unreachable', 'reject', '--timeout', '20')
    expect((await hook('show')).out).toBe(`${text} 20 s; unanswered means reject.`)
    expect(JSON.parse((await hook('show', '--json')).out)).toMatchObject({ when_unreachable: 'reject', timeout_s: 20 })
    expect((await hook('remove')).out).toBe('The hook is removed; all money is accepted.')
    expect(await hook('remove')).toMatchObject({ code: 1, err: expect.stringContaining('has no hook') })
  })

  it('refuses an address that is none, and too long a time', async () => {
    expect((await hook('set', 'http://shop.example')).err).toContain('https://')
    expect((await hook('set', 'https://shop.example', '--timeout', '61')).err).toContain('from 1 to 60 seconds')
    expect((await hook('set', 'https://shop.example', '--unreachable', 'maybe')).code).toBe(1)
  })

  it('lists what was asked', async () => {
    expect((await hook('questions')).out).toBe('Nothing was asked yet.')
    await hook('set', 'https://shop.example/hook')
    await shop.ingest(shop.paymentReport())
    const { out } = await hook('questions')
    expect(out.split('\n')[1]!.replace(/ {2,}/g, ' | ')).toBe(
      ' 1 | 2030-01-15 12:00 | +80000000003 | BXC | 1,500 | 1 | 0',
    )
    expect((await kusanya(['collections', 'show', '1'])).out).toContain('the organization is asked about it until')
  })
})
