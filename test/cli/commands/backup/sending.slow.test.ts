import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../../../interface/test-service.ts'
import { eventually } from '../../../test-app.ts'
import { openShell } from '../../shell.ts'

let service: TestService
let kusanya: ReturnType<typeof openShell>

beforeAll(async () => {
  service = await openTestService()
  const { DATABASE_URL, MIGRATION_DATABASE_URL, DATA_DIR } = service.testApp.app.config
  kusanya = openShell({ DATABASE_URL: DATABASE_URL!, MIGRATION_DATABASE_URL: MIGRATION_DATABASE_URL!, DATA_DIR })
})
afterAll(() => service.close())

const ordersOf = (request: number) =>
  service.testApp.db<{ state: string }[]>`select state from network_orders where collection_request = ${request}`

/**
 * Run until the jobs have seen the flag: an order that they may not send stays as it is, and one that is asked about is
 * asked.
 */
async function passASecond(): Promise<void> {
  const began = performance.now()
  await eventually('a second to pass', async () => {
    service.advance(1)
    return performance.now() - began > 2_500 || undefined
  })
}

describe('sending', () => {
  it('starts and sends nothing while it is held, and everything after the release', async () => {
    const hold = ['sending', 'hold', '--reason', 'A key has leaked', '--json']
    expect(JSON.parse((await kusanya(hold)).out)).toEqual({
      held: true,
      by: 'an operator',
      reason: 'A key has leaked',
      since: expect.stringMatching(/Z$/),
    })
    expect((await kusanya(['sending', 'status'])).out).toMatch(/held since .+ by an operator \(A key has leaked\):/)
    expect((await kusanya(['sending', 'release', '--reason', 'x'])).err).toContain('--reason belongs to hold.')
    // Within a second in all processes.
    await passASecond()
    const { id } = await service.createRequest({ phonenumber: '+80000000003' })
    const { body: payment } = await service.shop.post('/api/payments', {
      phonenumber: '+80000000003',
      amount: '10',
      currency: 'BXC',
      description: 'Held',
    })
    const [old] = await service.testApp.db<{ id: number }[]>`
      insert into network_orders (reference, kind, connection, organization, collection_request, attempt, receiver, phonenumber,
        amount, currency, reason, state, created, due_at)
      values ('held-order', 'charge', 'sandbox', ${service.organization}, ${id}, 9, '1', '+80000000003', 1500, 'BXC', 'Held', 'new',
        ${service.testApp.clock.now()}, ${service.testApp.clock.now()}) returning id`
    await passASecond()
    expect(await ordersOf(id)).toEqual([{ state: 'new' }])
    const [sent] = await service.testApp.db<{ count: number }[]>`
      select count(*) from network_orders where kind = 'payout'`
    expect(sent!.count).toBe(0)
    expect((await kusanya(['doctor'])).out).toContain('Nothing goes to networks and billers until')
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^kusanya_sending_held 1$/m)
    await service.testApp.db`delete from network_orders where id = ${old!.id}`

    const refused = await kusanya(['sending', 'release'])
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Confirm it with --yes') })
    expect((await kusanya(['sending', 'release'], { answers: ['no'] })).err).toContain('Nothing was changed')
    expect(JSON.parse((await kusanya(['sending', 'release', '--yes', '--json'])).out)).toEqual({ held: false })
    await service.advanceUntilStatus(id, 'successful')
    await eventually('the payment to be sent', async () => {
      service.advance(1)
      const { body } = await service.shop.get(`/api/payments/${payment.id}`)
      return body.state === 'processed' || undefined
    })
    const log = (await kusanya(['audit', 'list', '--installation', '--json'])).out
    expect(log).toContain('hold sending')
    expect(log).toContain('release sending')
  })

  it("is held after a restore of PostgreSQL itself, and its data is prepared like a backup's", async () => {
    const { db, clock } = service.testApp
    await kusanya(['sending', 'hold', '--reason', 'A hold that was in the data'])
    await passASecond()
    const { id } = await service.createRequest({ phonenumber: '+80000000003' })
    await db`
      insert into network_orders (reference, kind, connection, organization, collection_request, attempt, receiver, phonenumber,
        amount, currency, reason, state, created, due_at)
      values ('restored-order', 'charge', 'sandbox', ${service.organization}, ${id}, 9, '1', '+80000000003', 1500, 'BXC', 'Held', 'new',
        ${clock.now()}, ${clock.now()})`
    for (const time of ['', 'soon', '2999-01-01'])
      expect((await kusanya(['sending', 'hold', '--restored', time])).err).toContain('is not a time of the past')
    const { out, err } = await kusanya(['sending', 'hold', '--restored', '2020-01-31 12:00', '--json'])
    expect(err).toBe('')
    const reason = 'The data was restored from the backup of 2020-01-31T12:00:00Z.'
    expect(JSON.parse(out)).toMatchObject({ held: true, reason, asked_orders: 1, asked_purchases: 0 })
    const [order] = await db`select state, sent from network_orders where reference = 'restored-order'`
    // The network may have been asked about it already: it does not know this order.
    expect(order).toMatchObject({ state: expect.stringMatching(/^(sent|not_sent)$/), sent: expect.any(Date) })
    await db`delete from network_orders where reference = 'restored-order'`
    expect((await service.createRequest({ phonenumber: '+80000000003' })).id).toBeGreaterThan(10_000_000)
    expect((await kusanya(['audit', 'list', '--installation', '--json'])).out).toContain('restore backup')
  })
})
