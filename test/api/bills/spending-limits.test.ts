import { afterAll, beforeAll, expect, it } from 'vitest'
import { setPaymentLimits } from '../../../src/core/spending/limits.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { callRaw, openTestService, type TestService } from '../../interface/test-service.ts'
import { airtimeOrder } from './buyer.ts'

let service: TestService

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const buy = (changes: object) =>
  callRaw(service.url, 'POST', '/api/gateway/services/airtime/request', {
    headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
    body: JSON.stringify(airtimeOrder(changes)),
  })

it('a purchase above the limit of 24 hours is refused, and a refused one holds no money and no reference', async () => {
  const [shop] = await service.testApp.db<{ organization: number }[]>`
    select organization from accounts where currency = 'NGN' and kind = 'local' order by id limit 1`
  await begin(service.testApp.db, (tx) =>
    setPaymentLimits(tx, {
      organization: shop!.organization,
      currency: 'NGN',
      per_day: parseAmount('1500')!,
      per_recipient: parseAmount('1000')!,
      per_user: null,
    }),
  )
  expect((await buy({ amount: '1000', phone: '08031234567' })).status).toBe(200)
  const same_phone = await buy({ amount: '100', phone: '08031234567', agentReference: 'again' })
  expect([same_phone.status, same_phone.body.code]).toEqual([400, 'EXC00127'])
  expect(same_phone.body.message).toContain('payments to +2348031234567 is NGN 1,000 in 24 hours; NGN 0 are left now.')
  const other = await buy({ amount: '600', phone: '08031234568' })
  expect(other.body.message).toContain('NGN 500 are left now')
  expect((await buy({ amount: '500', phone: '08031234568', agentReference: 'again' })).status).toBe(200)
})
