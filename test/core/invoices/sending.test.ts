import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { networksForInvoices } from '../../../src/connections/invoice-networks.ts'
import { eraseContact } from '../../../src/core/contacts/erasure.ts'
import { remindOfInvoice } from '../../../src/core/invoices/reminders.ts'
import { begin } from '../../../src/db/client.ts'
import { openInvoiceShop } from './invoice-shop.ts'

let shop: Awaited<ReturnType<typeof openInvoiceShop>>
beforeAll(async () => {
  shop = await openInvoiceShop()
})
afterAll(() => shop.close())

const [MOTHER, FATHER] = ['+80002099001', '+80002099002']

async function pupil(number: string, payers: string): Promise<number> {
  const { body } = await shop.api.post('/api/contacts', { first_name: 'Betty', last_name: 'Nakato', number, payers })
  return body.id
}

describe('the invoice of a customer without a phone', () => {
  it('is sent to the first payer, who is asked and reminded', async () => {
    const contact = await pupil('P5-1', `Grace ${MOTHER}; Father ${FATHER}`)
    const invoice = await shop.issue({ phonenumber: undefined, contact, reminder_days: [0], reminder_prompts: true })
    expect(invoice).toMatchObject({ contact, customer_name: 'Betty Nakato', phonenumber: MOTHER })
    expect((await shop.api.post(`/api/invoices/${invoice.id}/send`, {})).body.sends).toMatchObject([
      { recipient: MOTHER },
    ])
    expect((await shop.collect(invoice.id, { amount: '10' })).status).toBe(200)
    expect((await shop.read(invoice.id)).requests).toMatchObject([{ phonenumber: MOTHER, amount: '10.0000' }])
    const { app, db } = shop.shop.testApp
    await db`update invoices set due_at = ${shop.shop.now()} where id = ${invoice.id}`
    const options = { now: shop.shop.now(), base_url: shop.url }
    await begin(db, (tx) => remindOfInvoice(tx, invoice.id, options, networksForInvoices(app.connections)))
    const [{ sms_message, problem }] = (await shop.read(invoice.id)).reminders
    expect(await db`select phonenumber from sms_messages where id = ${sms_message}`).toEqual([{ phonenumber: MOTHER }])
    expect(problem).toContain('can still be paid')
    const page = await fetch(`${shop.url}/pay/invoices/${new URL(invoice.url).pathname.split('/').at(-1)}`)
    expect(await page.text()).toContain('Betty Nakato')
    const list = async (phone: string) =>
      (await shop.api.get(`/api/invoices?phonenumber=${encodeURIComponent(phone)}`)).body.results
    expect(await list(MOTHER)).toMatchObject([{ id: invoice.id }])
    expect(await list(FATHER)).toEqual([])
  })

  it('goes to nobody while it has no payer, and says so', async () => {
    const contact = await pupil('P5-2', '')
    const invoice = await shop.issue({ phonenumber: undefined, contact })
    expect(invoice.phonenumber).toBe('')
    const sent = await shop.api.post(`/api/invoices/${invoice.id}/send`, {})
    expect([sent.status, sent.body]).toEqual([400, { channel: ['The customer has no phone number, and no payer.'] }])
    expect((await shop.collect(invoice.id)).body).toEqual({
      phonenumber: ['The customer has no phone number, and no payer. Give one.'],
    })
    expect((await shop.collect(invoice.id, { phonenumber: FATHER })).status).toBe(200)
  })

  it('stays when a payer is erased, and is then sent to the next one', async () => {
    const contact = await pupil('P5-3', `Grace +80002099003; Father ${FATHER}`)
    const { id } = await shop.issue({ phonenumber: undefined, contact })
    const { body: mother } = await shop.api.post('/api/contacts', {
      first_name: 'Grace',
      last_name: 'Nakato',
      phone_number: '+80002099003',
    })
    const { app, db } = shop.shop.testApp

    await begin(db, (tx) => eraseContact(tx, app.clock.now(), mother.id, { author: 1, lease_end: null }))
    expect(await shop.read(id)).toMatchObject({ phonenumber: FATHER, customer_name: 'Betty Nakato' })
  })
})
