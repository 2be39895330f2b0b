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

  it('never give what another call with the key has made', async () => {
    const options = { duplicate_check_key: 'order-7' }
    const order = { ...REQUIRED_FIELDS, phonenumber: '+80000000001', send_instructions: true }
    const { id } = await kusanya.collectionRequests.create(order, options)
    await service.advanceUntilStatus(id, 'failed')
    proxy.mishaps = [{ status: 502, body: 'Bad gateway' }]
    const refused = await kusanya.collectionRequests.retry(id, {}, options).catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 409, duplicate: { type: 'collectionrequest', id } })
    expect(await kusanya.collectionRequests.actions(id).toArray()).toEqual([])
  })
})

describe('receipts', () => {
  const pay = () => make('+80000000003', 'successful')

  it('are issued once for a payment, read and listed', async () => {
    const collection_request = await pay()
    proxy.mishaps = ['answer-lost']
    const receipt = await kusanya.receipts.issue({ collection_request })
    expect(receipt).toMatchObject({ collection_request, amount: '1500.0000', state: 'paid', sends: [] })
    expect(receipt.number).toMatch(/^R-\d{6}$/)
    expect(await kusanya.receipts.issue({ collection: receipt.collection })).toEqual(receipt)
    expect(await kusanya.receipts.get(receipt.id)).toEqual(receipt)
    expect(await kusanya.receipts.list({ number: receipt.number }).toArray()).toEqual([receipt])
    const { pathname } = new URL(receipt.pdf_url)
    expect((await fetch(service.url + pathname)).headers.get('content-type')).toBe('application/pdf')
  })

  it('are sent once, although the first answer is lost', async () => {
    const { id } = await kusanya.receipts.issue({ collection_request: await pay() })
    proxy.mishaps = ['answer-lost']
    const { sends } = await kusanya.receipts.send(id, { channel: 'sms' })
    expect(sends).toMatchObject([{ channel: 'sms', recipient: '+80000000003' }])
  })

  it('are not counted as sent when another one was sent with the key', async () => {
    const first = await kusanya.receipts.issue({ collection_request: await pay() })
    const second = await kusanya.receipts.issue({ collection_request: await pay() })
    const options = { duplicate_check_key: 'receipt-of-order-7' }
    await kusanya.receipts.send(first.id, {}, options)
    proxy.mishaps = [{ status: 502, body: 'Bad gateway' }]
    const refused = await kusanya.receipts.send(second.id, {}, options).catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 409, duplicate: { type: 'receipt', id: first.id } })
    expect((await kusanya.receipts.get(second.id)).sends).toEqual([])
  })

  it('are refused for money that has not arrived', async () => {
    const collection_request = await make('+80000000001', 'failed')
    const refused = await kusanya.receipts.issue({ collection_request }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 400, fields: { collection_request: [expect.any(String)] } })
  })
})

describe('payment links', () => {
  it('are created once, read, listed, changed and closed', async () => {
    proxy.mishaps = ['answer-lost']
    const link = await kusanya.paymentLinks.create({
      title: 'School fees',
      currency: 'BXC',
      min_amount: '1000',
      max_amount: '5000.50',
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
