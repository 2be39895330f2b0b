import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseContact } from '../../../src/core/contacts/erasure.ts'
import { setReceiptSettings } from '../../../src/core/receipts/settings.ts'
import { begin } from '../../../src/db/client.ts'
import { issueReceiptsOfPayments } from '../../../src/jobs/issue-receipts.ts'
import { amount, openShop, type Shop } from '../../core/shop.ts'
import { createApiClient } from '../../test-app.ts'

const PATH = '/api/receipts'
const PHONES = { link: '+80000000101', job: '+80000000102', erased: '+80000000103', reversed: '+80000000104' }

let shop: Shop
let api: ReturnType<typeof createApiClient>
let url: string

beforeAll(async () => {
  shop = await openShop({ overrides: { mailer: { send: async () => {} } } })
  const service = await shop.testApp.startService({ jobs: false })
  url = service.url
  api = createApiClient(url, shop.testApp.api_key)
})
afterAll(() => shop.close())

/** Take a payment, and give its collection. */
async function pay(changes: Parameters<Shop['paymentReport']>[0] = {}) {
  const report = shop.paymentReport(changes)
  await shop.ingest(report)
  const [row] = await shop.db<{ id: number; contact: number }[]>`
    select id, contact from collections where remote_transaction_id = ${report.remote_id}`
  return { ...row!, report }
}

const issue = async (collection: number) => (await api.post(PATH, { collection })).body

/** Run the job once. */
const runJob = () => issueReceiptsOfPayments(shop.testApp.app).claim(200)

describe('receipts', () => {
  it('are made for money that has arrived, once and without gaps, and are found again', async () => {
    const request = await shop.createRequest({ reason: 'School fees' })
    const early = await api.post(PATH, { collection_request: request.id })
    expect([early.status, early.body]).toEqual([
      400,
      { collection_request: ['This request is pending. A receipt is made for money that has arrived.'] },
    ])
    const { id, report } = await pay()
    const made = await api.post(PATH, { collection_request: request.id })
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        organization: shop.organization,
        number: 'R-000001',
        state: 'paid',
        issuer: 'Demo Shop',
        url: expect.stringMatching(new RegExp(`^${url}/pay/receipts/[\\w-]{24}$`)),
        pdf_url: `${made.body.url}.pdf`,
        collection: id,
        collection_request: request.id,
        amount: '1500.0000',
        currency: 'BXC',
        reversed_amount: '0.0000',
        refunded_amount: '0.0000',
        phonenumber: report.phonenumber,
        reason: 'School fees',
        invoice: null,
        remote_transaction_id: report.remote_id,
        payment_date: '2030-01-15T12:00:00Z',
        sends: [],
        created: '2030-01-15T12:00:00Z',
        modified: '2030-01-15T12:00:00Z',
      },
    ])
    const others = await Promise.all([pay(), pay(), pay()])
    const again = await Promise.all([id, ...others.map((one) => one.id), others[0]!.id].map(issue))
    expect(again[0]).toEqual(made.body)
    expect(new Set(again.map(({ number }) => number))).toEqual(
      new Set(['R-000001', 'R-000002', 'R-000003', 'R-000004']),
    )
    const found = async (query: string) =>
      (await api.get(`${PATH}?${query}`)).body.results.map((one: { number: string }) => one.number)
    for (const query of ['number=r-1', `collection=${id}`, `collection_request=${request.id}`])
      expect(await found(query)).toEqual(['R-000001'])
    expect(await found(`remote_transaction_id=${report.remote_id}`)).toEqual(['R-000001'])
    expect(await found('phonenumber=80000000003&limit=2')).toEqual(['R-000004', 'R-000003'])
    expect(await found('number=X')).toEqual([])
    expect((await api.get(`${PATH}/${made.body.id}`)).body).toEqual(made.body)
  })

  it('are refused for ids that are no payment of the caller', async () => {
    for (const body of [{}, { collection: 1, collection_request: 1 }])
      expect((await api.post(PATH, body)).body).toEqual({ collection: ['Give collection or collection_request.'] })
    expect((await api.post(PATH, { collection: 999_999 })).status).toBe(404)
    const { id, report } = await pay()
    await shop.ingest({ ...report, status: 'reversed' })
    const { body } = await api.post(PATH, { collection: id })
    expect(body).toEqual({ collection: ['This collection is reversed. A receipt is made for money that has arrived.'] })
  })

  it('show partial and complete reversals, and keep their number', async () => {
    const { id, report } = await pay()
    const { number, id: receipt } = await issue(id)
    await shop.ingest({ ...report, reversals: [{ remote_id: 'part-1', amount: amount('500') }] })
    const part = await api.get(`${PATH}/${receipt}`)
    expect(part.body).toMatchObject({ number, state: 'partly_returned', reversed_amount: '500.0000' })
    await shop.ingest({ ...report, status: 'reversed' })
    const all = await issue(id)
    expect(all).toMatchObject({
      id: receipt,
      number,
      state: 'returned',
      amount: '1500.0000',
      reversed_amount: '1500.0000',
    })
  })

  it('are sent by SMS and e-mail, once for a Duplicate-Check-Key', async () => {
    const { id } = await issue((await pay({ phonenumber: PHONES.link })).id)
    const path = `${PATH}/${id}/send`
    const headers = { 'duplicate-check-key': 'send-1' }
    const sent = await api.post(path, { channel: 'sms' }, headers)
    expect([sent.status, sent.body.sends]).toEqual([
      200,
      [{ channel: 'sms', recipient: PHONES.link, state: 'waiting', created: '2030-01-15T12:00:00Z' }],
    ])
    expect((await api.post(path, { channel: 'sms' }, headers)).status).toBe(409)
    const [sms] = await shop.db<{ body: string }[]>`select body from sms_messages where phonenumber = ${PHONES.link}`
    expect(sms!.body).toMatch(new RegExp(`^Demo Shop: receipt R-\\d{6} for BXC 1,500\\. ${url}/r/[\\w-]{24}$`))
    expect((await api.post(path, { channel: 'email' })).body).toEqual({
      email: ['The contact has no e-mail address. Give one.'],
    })
    expect((await api.post(path, { channel: 'fax' })).status).toBe(400)
    const mailed = await api.post(path, { channel: 'email', email: 'ada@example.com' })
    expect(mailed.body.sends[0]).toMatchObject({ channel: 'email', recipient: 'ada@example.com', state: 'waiting' })
    const [mail] = await shop.db<{ subject: string; body: string }[]>`
      select subject, body from mails where recipient = 'ada@example.com'`
    expect(mail!.subject).toMatch(/^Receipt R-\d{6} from Demo Shop$/)
    expect(mail!.body).toContain(`As PDF: ${url}/pay/receipts/`)
  })
})

describe('receipts of every payment', () => {
  it('are made and sent by the job, once each, for payments since it was switched on', async () => {
    const before = await pay({ phonenumber: PHONES.job })
    const settings = { every_payment: true, sms: true, email: true, language: 'sw' as const }
    await begin(shop.db, (tx) => setReceiptSettings(tx, shop.now(), shop.organization, settings))
    const paid = [await pay({ phonenumber: PHONES.job }), await pay({ phonenumber: PHONES.job })]
    await shop.db`update contacts set email = 'asha@example.com' where phone_number = ${PHONES.job}`
    // The customer was faster than the job.
    const first = await issue(paid[1]!.id)
    await runJob()
    await runJob()
    const { body } = await api.get(`${PATH}?phonenumber=${PHONES.job.slice(1)}`)
    expect(body.results.map(({ collection }: { collection: number }) => collection)).toEqual([paid[0]!.id, paid[1]!.id])
    expect(body.results[1]!.number).toBe(first.number)
    for (const { sends } of body.results)
      expect(sends).toMatchObject([{ channel: 'email', recipient: 'asha@example.com' }, { channel: 'sms' }])
    const sms = await shop.db<{ body: string }[]>`select body from sms_messages where phonenumber = ${PHONES.job}`
    expect(sms).toHaveLength(2)
    expect(sms[0]!.body).toMatch(/^Demo Shop: risiti R-\d{6} ya BXC 1,500\. http/)
    expect((await api.get(`${PATH}?collection=${before.id}`)).body.count).toBe(0)
    const numbers = await shop.db<{ number: number }[]>`select number from receipts order by number`
    expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, index) => index + 1))
  })

  it('are neither made nor sent for money that its network has taken back before the job came', async () => {
    const settings = { every_payment: true, sms: true, email: false, language: 'en' as const }
    await begin(shop.db, (tx) => setReceiptSettings(tx, shop.now(), shop.organization, settings))
    const taken = await pay({ phonenumber: PHONES.reversed })
    const kept = await pay({ phonenumber: PHONES.reversed })
    await shop.ingest({ ...taken.report, status: 'reversed' })
    await runJob()
    const { body } = await api.get(`${PATH}?phonenumber=${PHONES.reversed.slice(1)}`)
    expect(body.results).toMatchObject([{ collection: kept.id, state: 'paid' }])
    const sms = await shop.db`select id from sms_messages where phonenumber = ${PHONES.reversed}`
    expect(sms).toHaveLength(1)
  })

  it('are not made after it was switched off', async () => {
    const off = { every_payment: false, sms: false, email: false, language: 'en' as const }
    await begin(shop.db, (tx) => setReceiptSettings(tx, shop.now(), shop.organization, off))
    const { id } = await pay()
    await runJob()
    expect((await api.get(`${PATH}?collection=${id}`)).body.count).toBe(0)
  })
})

describe('the receipt of a person who was erased', () => {
  it('keeps its number and amount, and loses the person', async () => {
    const { id, contact } = await pay({ phonenumber: PHONES.erased, reference: 'Ada' })
    const { id: receipt, number } = await issue(id)
    await api.post(`${PATH}/${receipt}/send`, { channel: 'email', email: 'ada@example.org' })
    await shop.db`update contacts set first_name = 'Ada' where id = ${contact}`
    await begin(shop.db, (tx) => eraseContact(tx, shop.now(), contact, { author: 1, lease_end: null }))
    const { body } = await api.get(`${PATH}/${receipt}`)
    expect(body).toMatchObject({ number, amount: '1500.0000', phonenumber: `erased-${contact}` })
    expect(body.sends).toMatchObject([{ recipient: `erased-${contact}` }])
    expect(await shop.db`select 1 from mails where recipient = 'ada@example.org'`).toEqual([])
    expect((await api.post(`${PATH}/${receipt}/send`, { channel: 'sms' })).body).toEqual({
      channel: ['The phone number was erased.'],
    })
    const page = await (await fetch(body.url)).text()
    expect(page).toContain(number)
    expect(page).not.toMatch(/Ada|0000103|erased-/)
  })
})
