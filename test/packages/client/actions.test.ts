import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Kusanya, KusanyaError } from '../../../packages/client/src/index.ts'
import { openTestService, REQUIRED_FIELDS, type TestService } from '../../interface/test-service.ts'
import { type FaultyProxy, openProxy } from './proxy.ts'

let service: TestService
let proxy: FaultyProxy
let kusanya: Kusanya

beforeAll(async () => {
  service = await openTestService()
  proxy = await openProxy(service.url)
  kusanya = new Kusanya({ url: proxy.url, key: service.key, retries: 2, timeout_ms: 20_000 })
})
beforeEach(() => {
  proxy.mishaps = []
  proxy.seen = []
})
afterAll(async () => {
  await proxy.close()
  await service.close()
})

const make = async (phonenumber: string, status: string) => {
  const { id } = await kusanya.collectionRequests.create({ ...REQUIRED_FIELDS, phonenumber, send_instructions: true })
  if (status === 'instructions_sent') await service.waitForStatus(id, status)
  else await service.advanceUntilStatus(id, status)
  return id
}
const postsOf = () => proxy.seen.filter(({ method }) => method === 'POST')

describe('the actions of a request', () => {
  it('remind once, although the first answer is lost', async () => {
    const id = await make('+80000000009', 'instructions_sent')
    proxy.seen = []
    proxy.mishaps = ['answer-lost']
    const action = await kusanya.collectionRequests.remind(id, { comment: 'Friday' })
    expect(action).toMatchObject({ kind: 'reminder', collection_request: id, comment: 'Friday' })
    expect(postsOf()).toHaveLength(2)
    expect(await kusanya.collectionRequests.actions(id).toArray()).toEqual([action])
    const refused = await kusanya.collectionRequests.remind(id).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(KusanyaError)
    expect(refused).toMatchObject({ status: 400, fields: { collection_request: [expect.any(String)] } })
  })

  it('try again once, although the first answer is lost', async () => {
    const id = await make('+80000000001', 'failed')
    proxy.mishaps = ['answer-lost']
    const again = await kusanya.collectionRequests.retry(id)
    expect(again).toMatchObject({ amount: '1500.0000', phonenumber: '+80000000001' })
    expect((await kusanya.collectionRequests.actions(again.id).first())?.collection_request).toBe(id)
  })

  it('send one payment link, although the first answer is lost', async () => {
    const id = await make('+80000000001', 'failed')
    proxy.mishaps = ['answer-lost']
    const link = await kusanya.collectionRequests.sendPaymentLink(id, { expiry_date: '2 days' })
    expect(link).toMatchObject({ amount: '1500.0000', single_use: true, state: 'active' })
    expect(await kusanya.paymentLinks.get(link.id)).toEqual(link)
  })

  it('refund once, although the first answer is lost', async () => {
    const id = await make('+80000000003', 'successful')
    proxy.mishaps = ['answer-lost']
    const payment = await kusanya.collectionRequests.refund(id, { amount: '500.25', reason: 'duplicate' })
    expect(payment.amount).toBe('500.2500')
    const actions = await kusanya.collectionRequests.actions(id).toArray()
    expect(actions).toMatchObject([{ kind: 'refund', payment: payment.id, reason: 'duplicate' }])
  })
})

describe('payment links', () => {
  it('are created once, read, listed, changed and closed', async () => {
    proxy.mishaps = ['answer-lost']
    const link = await kusanya.paymentLinks.create({
      ...{ title: 'School fees', currency: 'BXC', min_amount: '1000', max_amount: '5000.50' },
      fields: [{ name: 'pupil', label: 'Name of the pupil', required: true }],
    })
    expect(link).toMatchObject({ min_amount: '1000.0000', max_amount: '5000.5000', state: 'active' })
    expect(link.url).toContain('/pay/')
    expect(await kusanya.paymentLinks.list({ title: 'School fees' }).toArray()).toEqual([link])
    const changed = await kusanya.paymentLinks.update(link.id, { title: 'Fees', expiry_date: null })
    expect(changed).toMatchObject({ id: link.id, title: 'Fees', amounts: null })
    expect((await kusanya.paymentLinks.close(link.id)).state).toBe('closed')
    expect((await kusanya.paymentLinks.list({ state: 'closed' }).first())?.id).toBe(link.id)
  })
})
