import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeConnection } from '../../../connections/fake-connection.ts'
import { openTestService, type TestService } from '../../../interface/test-service.ts'
import { openShell } from '../../shell.ts'

let testService: TestService
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  testService = await openTestService()
  const { DATABASE_URL, DATA_DIR } = testService.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, DATA_DIR, LOG_LEVEL: 'silent' })
  await storeConnection(testService.testApp.db, 'north')
})
afterAll(() => testService.close())

const run = (...args: string[]) => kusanya(['connections', ...args])
const balances = async () => JSON.parse((await run('balances', 'north', '--json')).out)
const wallets = async () => (await testService.shop.get('/api/accounts')).body

describe('the float of a connection at the command line', () => {
  it('is empty before money has moved', async () => {
    expect((await run('balances', 'north')).out).toBe('No money has moved over a connection yet.')
    expect((await run('balances', 'nowhere')).err).toMatch(/^There is no connection nowhere\./)
  })

  it('gets entries by hand, which change no wallet', async () => {
    const before = await wallets()
    const opening = ['--currency', 'ugx', '--description', 'Opening balance']
    expect((await run('adjust', 'north', '2500000', ...opening)).out).toBe(
      'The float of north in the books is UGX 2,500,000 now.',
    )
    const bank = ['--currency', 'UGX', '--description', 'Paid out to the bank', '--json']
    expect(JSON.parse((await run('adjust', 'north', '-1000000', ...bank)).out)).toEqual({
      slug: 'north',
      currency: 'UGX',
      float: '1500000.0000',
    })
    expect(await balances()).toMatchObject([
      { currency: 'UGX', booked: '1500000.0000', balance: null, organization: null },
    ])
    expect(await wallets()).toEqual(before)
    expect((await run('show', 'north')).out).toContain('  UGX 1,500,000 in the books')
    expect((await run('adjust', 'north', '5', '--currency', 'ZZZ', '--description', 'x')).err).toContain(
      '"ZZZ" is not a valid choice',
    )
    expect((await run('adjust', 'north', '0', '--currency', 'UGX', '--description', 'x')).err).toContain(
      'The amount must not be zero.',
    )
  })

  it('has a threshold, and show and doctor say when it is low', async () => {
    expect((await run('threshold', 'north', '500000', '--currency', 'UGX')).out).toBe(
      'A balance of north below UGX 500,000 raises a notice.',
    )
    const { db } = testService.testApp
    await db`update connection_floats set balance = 400000, reported = now(), low_since = now(), drift = 0`
    const low = 'The float of north is low: UGX 400,000, below UGX 500,000.'
    expect((await run('show', 'north')).out).toContain(low)
    expect((await kusanya(['doctor'])).out).toContain(`! ${low}`)
    expect((await run('threshold', 'north', 'none', '--currency', 'UGX')).out).toBe(
      'Nothing warns of a low balance of north in UGX.',
    )
    expect((await kusanya(['doctor'])).out).not.toContain(low)
    expect((await run('threshold', 'north', '-1', '--currency', 'UGX')).err).toContain('equal to 0')
    expect((await run('threshold', 'north', '1', '--currency', 'ZZZ')).err).toContain('"ZZZ" is not a valid choice.')
  })

  it('leaves a trace of each change in the audit log', async () => {
    const entries = await testService.testApp.db<{ action: string }[]>`
      select action from audit_log where object_type = 'connection' order by id`
    expect(entries.map(({ action }) => action)).toEqual([
      'adjust float',
      'adjust float',
      'set float threshold',
      'set float threshold',
    ])
  })
})
