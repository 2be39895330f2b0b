import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { remindOfInvoices } from '../../../src/jobs/invoices/remind-of-invoices.ts'
import { endRequests } from '../../core/end-requests.ts'
import { type InvoiceShop, openInvoiceShop } from '../../core/invoices/invoice-shop.ts'

const PATH = '/api/invoices'
const DAY_S = 86_400

let invoices: InvoiceShop
let shop: InvoiceShop['shop']
let api: InvoiceShop['api']

beforeAll(async () => {
  invoices = await openInvoiceShop()
  ;({ shop, api } = invoices)
})
afterAll(() => invoices.close())

/** End all requests of an invoice without money. */
function endRequestsOf(invoice: number) {
  return endRequests(shop.db, 'failed', sql`id in (select request from invoice_requests where invoice = ${invoice})`)
}

async function remind() {
  const job = remindOfInvoices(shop.testApp.app)
  for (;;) {
    const claimed = await job.claim(50)
    if (claimed.length === 0) return
    await job.run(claimed)
  }
}

describe('reminders', () => {
  /** Let days pass, and run the job several times at once. */
  async function nextDays(days: number) {
    shop.testApp.clock.advance(days * DAY_S)
    await Promise.all([remind(), remind()])
    await remind()
  }

  it('come once on each day, with one request at a time for what is open, and end with the payment', async () => {
    const invoice = await invoices.issue({ due_date: '7 days', reminder_days: [-3, 0, 1], reminder_prompts: true })
    const { id, phonenumber } = invoice
    expect(invoice.next_reminder).not.toBeNull()
    await nextDays(4.5)
    const first = await invoices.read(id)
    expect(first.reminders).toMatchObject([{ problem: null, sms_message: expect.any(Number) }])
    expect(first.requests).toMatchObject([{ source: 'reminder', amount: '1770.0000' }])
    await nextDays(2.75)
    const second = await invoices.read(id)
    expect(second.reminders[0].problem).toBe(`Collection request ${first.requests[0].id} can still be paid.`)
    expect(second.requests).toHaveLength(1)
    await endRequestsOf(id)
    await nextDays(1)
    const third = await invoices.read(id)
    expect([third.reminders.length, third.requests.length, third.overdue]).toEqual([3, 2, true])
    const sms = await shop.db<{ body: string }[]>`
      select body from sms_messages where phonenumber = ${phonenumber} and purpose = 'reminder' order by id`
    expect(sms.map(({ body }) => /is due on|is due today|was due on/.exec(body)?.[0])).toEqual([
      'is due on',
      'is due today',
      'was due on',
    ])
    expect(third.next_reminder).toBeNull()
  })

  it('do not come after the invoice was paid or voided, and count once what was missed', async () => {
    const settings = { due_date: '5 days', reminder_days: [-2, -1, 0, 1], reminder_prompts: true }
    const [paid, voided, late] = [
      await invoices.issue(settings),
      await invoices.issue(settings),
      await invoices.issue(settings),
    ]
    await invoices.collect(paid.id)
    await invoices.pay(paid.id)
    await api.post(`${PATH}/${voided.id}/void`, {})
    // The money is not counted yet: the reminder looks itself.
    await nextDays(8)
    expect(await invoices.read(paid.id)).toMatchObject({ state: 'paid', reminders: [] })
    expect(await invoices.read(voided.id)).toMatchObject({ state: 'void', reminders: [], requests: [] })
    expect((await invoices.read(late.id)).reminders).toHaveLength(1)
  })

  describe('whose SMS still waits, as in quiet hours', () => {
    async function remindedInvoice() {
      const { id, phonenumber } = await invoices.issue({ due_date: '5 days', reminder_days: [-2] })
      await nextDays(4)
      return { id, phonenumber }
    }
    const smsTo = async (phonenumber: string) => [
      ...(await shop.db<{ state: string; reason: string | null; body: string; due_at: Date | null }[]>`
          select state, reason, body, due_at from sms_messages where phonenumber = ${phonenumber} and purpose = 'reminder'`),
    ]
    const ended = { state: 'failed', reason: 'request_ended', due_at: null }

    it('are not sent after the invoice was paid or voided', async () => {
      const [paid, voided] = [await remindedInvoice(), await remindedInvoice()]
      expect(await smsTo(paid.phonenumber)).toMatchObject([{ state: 'waiting' }])
      await invoices.collect(paid.id)
      await invoices.pay(paid.id)
      await invoices.countMoney()
      expect(await smsTo(paid.phonenumber)).toMatchObject([ended])
      await api.post(`${PATH}/${voided.id}/void`, {})
      expect(await smsTo(voided.phonenumber)).toMatchObject([ended])
    })

    it('say what is open by then', async () => {
      const { id, phonenumber } = await remindedInvoice()
      const [before] = await smsTo(phonenumber)
      expect(before!.body).toContain('BXC 1,770 is due on')
      await invoices.collect(id, { amount: '500' })
      await invoices.pay(id)
      await invoices.countMoney()
      const body = before!.body.replace('1,770', '1,270')
      expect(await smsTo(phonenumber)).toMatchObject([{ state: 'waiting', body, due_at: before!.due_at }])
    })

    it('change and end as an invoice does that was sent by SMS', async () => {
      const { id, phonenumber } = await invoices.issue()
      await api.post(`${PATH}/${id}/send`, { channel: 'sms' })
      const sent = async () => [
        ...(await shop.db`select state, body from sms_messages where phonenumber = ${phonenumber} and purpose = 'payment_link'`),
      ]
      const [before] = await sent()
      await invoices.collect(id, { amount: '500' })
      await invoices.pay(id)
      await invoices.countMoney()
      const body = String(before!.body).replace('BXC 1,770', 'BXC 1,270')
      expect(await sent()).toEqual([{ state: 'waiting', body }])
      await invoices.collect(id)
      await invoices.pay(id)
      await invoices.countMoney()
      expect(await sent()).toEqual([{ state: 'failed', body }])
    })

    it('are left alone while a process sends them', async () => {
      const { id, phonenumber } = await remindedInvoice()
      await shop.db`
        update sms_messages set leased_until = ${new Date(shop.testApp.clock.real().getTime() + 60_000)}
        where phonenumber = ${phonenumber}`
      await api.post(`${PATH}/${id}/void`, {})
      expect(await smsTo(phonenumber)).toMatchObject([{ state: 'waiting' }])
    })
  })
})
