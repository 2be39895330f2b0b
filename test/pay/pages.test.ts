import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAGE_KEY_PURPOSE, readResultSecret } from '../../src/core/checkout/payment-pages.ts'
import { sql } from '../../src/db/sql.ts'
import { endRequests } from '../core/end-requests.ts'
import { openTestService, type TestService } from '../interface/test-service.ts'
import { eventually } from '../test-app.ts'
import { createLink, hiddenFields, openCustomer, requestsOf, textOf } from './customer.ts'

let service: TestService
const customer = openCustomer()

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

/** Advance the clock until a page says something. */
function advanceUntil(url: string, words: string) {
  return eventually(`the page to say ${words}`, async () => {
    const page = await customer.open(url)
    if (textOf(page.text).includes(words)) return page
    service.advance(1)
  })
}

describe('the page of a payment link, without scripts', () => {
  it('leads from the link to the receipt, and back to the shop with a signed result', async () => {
    const fields = [{ name: 'pupil', label: 'Name of the pupil', required: true }]
    const link = await createLink(service, {
      fields,
      description: 'Term <2>',
      return_url: 'https://shop.example/thanks?order=7',
      success_message: 'Thank you, {amount} came.',
    })
    const page = await customer.open(`${link.url}?pupil=Ada`)
    expect(textOf(page.text)).toContain('School fees Term <2> BXC 1,500')
    expect(page.text).toContain('value="Ada"')
    expect(Buffer.byteLength(page.text)).toBeLessThan(20_000)

    const { status, receipt } = await customer.pay(link, { phone: '0000 1003', field_pupil: 'Ada' })
    expect([status, receipt]).toEqual([303, expect.stringMatching(/\/pay\/[\w-]{24}\/[\w-]{32}$/)])
    const waiting = await customer.open(receipt!)
    expect(textOf(waiting.text)).toContain('Check your phone Sandbox Network is asking 00001003 to approve BXC 1,500.')
    expect(waiting.text).toContain('<noscript><meta http-equiv="refresh" content="5"></noscript>')
    const paid = await advanceUntil(receipt!, 'Paid')
    const [request] = await requestsOf(service, link)
    expect(request).toMatchObject({
      status: 'successful',
      amount: '1500.0000',
      reason: 'School fees',
      phonenumber: '+80000001003',
      metadata: { payment_link: link.id, pupil: 'Ada' },
    })
    expect(textOf(paid.text)).toContain('Thank you, BXC 1,500 came.')
    expect(textOf(paid.text)).toContain('Name of the pupil Ada From 0000••03')
    expect(textOf(paid.text)).toContain(`Payment number ${request!.id} / `)
    expect(paid.text).not.toContain('refresh')

    const href = /href="(https:[^"]+)"/.exec(paid.text)![1]!.replaceAll('&#38;', '&')
    const { app } = service.testApp
    const secret = (await readResultSecret(app.db, service.organization, app.sealingKeys(PAGE_KEY_PURPOSE)))!
    const { searchParams: result } = new URL(href)
    expect([result.get('order'), result.get('status'), result.get('request')]).toEqual(['7', 'paid', `${request!.id}`])
    const names = ['payment_link', 'request', 'status', 'amount', 'currency', 'time']
    const signed = names.map((name) => result.get(name)).join('|')
    expect(result.get('signature')).toBe(createHmac('sha256', secret).update(signed).digest('hex'))
  })

  it('names all faults at once, and keeps the input', async () => {
    const fields = [
      { name: 'meter', label: 'Meter', type: 'number', required: true },
      { name: 'town', label: 'Town', type: 'choice', choices: ['Kampala', 'Jinja'], required: true },
    ]
    const link = await createLink(service, { min_amount: '500', max_amount: '2000', fields })
    const wrong = { amount: '10', phone: '12', field_meter: 'seven', field_town: 'Paris' }
    const { status, text } = await customer.pay(link, wrong)
    expect(status).toBe(400)
    const words = textOf(text)
    expect(words).toContain('Check your details Amount Meter Town Mobile-money phone number')
    expect(words).toContain('Enter an amount from BXC 500 to BXC 2,000.')
    expect(words).toContain('This is not a valid phone number.')
    expect(words).toContain('Enter a number in digits.')
    expect(text).toContain('value="seven"')
    expect(text.match(/aria-invalid="true"/g)).toHaveLength(4)
    expect(await requestsOf(service, link)).toEqual([])

    const listed = await createLink(service, { amounts: ['1000', '2000'] })
    const other = await customer.pay(listed, { amount: '1500', phone: '00001004' })
    expect([other.status, textOf(other.text)]).toEqual([400, expect.stringContaining('Choose one of the amounts.')])
    const right = await customer.pay(listed, { amount: '2000.0000', phone: '+80000001004' })
    expect(right.status).toBe(303)
    expect(await requestsOf(service, listed)).toMatchObject([{ amount: '2000.0000' }])
  })

  it('sends one prompt, however many times the form is sent', async () => {
    const link = await createLink(service)
    const { sent, receipt } = await customer.pay(link, { phone: '00001005' })
    const again = await Promise.all(Array.from({ length: 8 }, () => customer.send(link.url, sent)))
    expect(again.map(({ headers }) => new URL(headers.get('location')!, link.url).href)).toEqual(Array(8).fill(receipt))
    expect(await requestsOf(service, link)).toHaveLength(1)
    await service.shop.send('PATCH', `/api/paymentlinks/${link.id}`, { state: 'closed' })
    expect((await customer.send(link.url, { ...sent, phone: 'nonsense' })).headers.get('location')).toBe(
      new URL(receipt!).pathname,
    )
  })

  it('says that nothing was paid after a refusal, and lets the customer try again with another number', async () => {
    const link = await createLink(service, { min_amount: '1', max_amount: '5000' })
    const { receipt } = await customer.pay(link, { amount: '1200', phone: '00000001' })
    const waiting = await customer.open(`${link.url}?again=${receipt!.split('/').at(-1)}`)
    expect([waiting.status, new URL(waiting.headers.get('location')!, link.url).href]).toEqual([303, receipt])
    const ended = await advanceUntil(receipt!, 'Payment not completed')
    expect(textOf(ended.text)).toContain('The network says: Cancelled By User')
    const again = /<a class="button" href="([^"]+)"/.exec(ended.text)![1]!.replaceAll('&#38;', '&')
    const form = await customer.open(new URL(again, link.url).href)
    expect(form.text).toContain('value="1200"')
    expect(hiddenFields(form.text).previous).toBe(receipt!.split('/').at(-1))
    const second = await customer.send(link.url, { ...hiddenFields(form.text), amount: '1200', phone: '00001006' })
    expect(second.status).toBe(303)
  })

  it('takes one payment for a single-use link, and none while one may still come', async () => {
    const link = await createLink(service, { single_use: true })
    const { receipt } = await customer.pay(link, { phone: '00001007' })
    const other = await customer.pay(link, { phone: '00001008' })
    expect([other.status, textOf(other.text)]).toEqual([400, expect.stringContaining('An earlier prompt can still')])
    await advanceUntil(receipt!, 'Paid')
    const closed = await customer.open(link.url)
    expect([closed.status, textOf(closed.text)]).toEqual([410, expect.stringContaining('This has already been paid')])
    expect((await service.shop.get(`/api/paymentlinks/${link.id}`)).body.state).toBe('paid')
    const reopened = await service.shop.send('PATCH', `/api/paymentlinks/${link.id}`, { state: 'active' })
    expect(reopened.body).toEqual({ state: ['The link was for one use, and has been paid.'] })
    expect((await customer.open(receipt!)).status).toBe(200)
  })

  it('does not claim that nothing was paid before the network has reported the end', async () => {
    const link = await createLink(service, { single_use: true, return_url: 'https://shop.example' })
    const { receipt } = await customer.pay(link, { phone: '00000009' })
    const [request] = await requestsOf(service, link)
    await eventually('the order', async () => {
      const orders = await service.testApp.db`
        select 1 from network_orders where collection_request = ${request!.id} and state = 'accepted'`
      return orders.length > 0 || undefined
    })
    await endRequests(service.testApp.db, 'expired', sql`id = ${request!.id}`)
    const page = await customer.open(receipt!)
    expect(textOf(page.text)).toContain('Not confirmed yet The network has not confirmed your payment.')
    expect(page.text).toContain('status=unclear')
    expect(page.text).not.toContain('again=')
    const other = await customer.pay(link, { phone: '00001012' })
    expect([other.status, textOf(other.text)]).toEqual([400, expect.stringContaining('An earlier prompt can still')])
    // The network says that it was not paid.
    await service.testApp.db`
      update network_orders set state = 'failed', closed = now(), due_at = null where collection_request = ${request!.id}`
    expect(textOf((await customer.open(receipt!)).text)).toContain('Payment not completed')
    expect((await customer.pay(link, { phone: '00001012' })).status).toBe(303)
  })

  it('takes no payment when it is closed or expired, even from an open form', async () => {
    const link = await createLink(service)
    const form = hiddenFields((await customer.open(link.url)).text)
    await service.shop.send('PATCH', `/api/paymentlinks/${link.id}`, { state: 'closed' })
    const late = await customer.send(link.url, { ...form, phone: '00001009' })
    expect([late.status, textOf(late.text)]).toEqual([410, expect.stringContaining('This page is closed')])
    expect(await requestsOf(service, link)).toEqual([])
    const short = await createLink(service, { expiry_date: '2 minutes' })
    service.advance(121)
    const expired = await customer.open(short.url)
    expect([expired.status, textOf(expired.text)]).toEqual([
      410,
      expect.stringContaining('This payment page has expired'),
    ])
  })

  it('speaks the language of the browser, or the one that was chosen', async () => {
    const link = await createLink(service)
    const swahili = await openCustomer({ 'accept-language': 'sw-KE,sw;q=0.9,en;q=0.8' }).open(link.url)
    expect(swahili.text).toContain('<html lang="sw">')
    expect(textOf(swahili.text)).toContain('Lipa BXC 1,500')
    const french = await customer.open(`${link.url}?lang=fr`)
    expect(french.text).toContain('<html lang="fr">')
    expect(textOf(french.text)).toContain('Payer 1 500 BXC')
    expect(french.text).toContain(`action="${new URL(link.url).pathname}?lang=fr"`)
    const other = await openCustomer({ 'accept-language': 'de, *;q=0.5' }).open(`${link.url}?lang=xx`)
    expect(other.text).toContain('<html lang="en">')
  })

  it('shows the network of a number, and the state of a payment', async () => {
    const link = await createLink(service)
    const look = async (phone: string) => JSON.parse((await customer.send(`${link.url}/network`, { phone })).text)
    expect(await look('00001010')).toEqual({ network: 'Sandbox Network' })
    expect(await look('12')).toEqual({ network: null })
    const { receipt } = await customer.pay(link, { phone: '00000009' })
    expect(JSON.parse((await customer.open(`${receipt}/state`)).text)).toEqual({ state: 'waiting' })
  })

  it('says that the shop cannot take payments when its wallet refuses', async () => {
    const link = (await service.otherShop.post('/api/paymentlinks', { title: 'x', amount: '10', currency: 'BXC' })).body
    await service.testApp.db`update accounts set status = 'inactive' where id = ${service.otherShop.account}`
    const { status, text } = await customer.pay(link, { phone: '00001011' })
    expect([status, textOf(text)]).toEqual([400, expect.stringContaining('This shop cannot accept payments')])
    await service.testApp.db`update accounts set status = 'active' where id = ${service.otherShop.account}`
  })
})
