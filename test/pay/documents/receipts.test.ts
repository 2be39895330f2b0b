import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAGE_KEY_PURPOSE, setPageDesign } from '../../../src/core/checkout/payment-pages.ts'
import { begin } from '../../../src/db/client.ts'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { png } from '../../lib/pdf/png.ts'
import { eventually } from '../../test-app.ts'
import { createLink, openCustomer, textOf } from '../customer.ts'

let service: TestService
const customer = openCustomer()

beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

/** Pay on the page of a link, and open the receipt that its page leads to. */
async function payAndOpenReceipt(link: { id: number; url: string }, fields: Record<string, string>) {
  const { receipt: payment } = await customer.pay(link, fields)
  const page = await eventually('the page to lead to the receipt', async () => {
    const { text } = await customer.open(payment!)
    if (text.includes('/receipt"')) return text
    service.advance(1)
  })
  const to = new URL(/href="([^"]+\/receipt)"/.exec(page)![1]!, payment!).href
  const { status, headers } = await customer.open(to)
  expect(status).toBe(303)
  return { payment: payment!, to, url: new URL(headers.get('location')!, to).href }
}

describe('the page of a receipt, without scripts', () => {
  it('is made once when the customer asks for it, and says what was paid in three languages', async () => {
    const fields = [{ name: 'pupil', label: 'Name of the pupil', required: true }]
    const link = await createLink(service, { fields })
    const { url, to } = await payAndOpenReceipt(link, { phone: '0000 1103', field_pupil: 'Ẹniọlá <b>' })
    const again = await customer.open(to)
    expect(new URL(again.headers.get('location')!, to).href).toBe(url)
    const { text, status, headers } = await customer.open(url)
    expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex, nofollow'])
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const words = textOf(text)
    expect(words).toContain('Receipt R-000001 To Demo Shop From 0000••03 For School fees Name of the pupil Ẹniọlá <b>')
    expect(words).toContain('Paid BXC 1,500')
    expect(words).toContain('This receipt is genuine. It was issued by 127.0.0.1:')
    expect(words).not.toContain('00001103')
    expect(textOf((await customer.open(`${url}?lang=sw`)).text)).toContain('Risiti R-000001')
    expect(textOf((await openCustomer({ 'accept-language': 'fr-BI' }).open(url)).text)).toContain('Reçu R-000001')
  })

  it('says when the money was taken back, in parts and whole', async () => {
    const { db } = service.testApp
    const { url } = await payAndOpenReceipt(await createLink(service), { phone: '0000 1203' })
    const [{ number }] = await db<[{ number: number }]>`select number from receipts order by id desc limit 1`
    const set = (status: string, parts: string, refunded: string) => db`
      update collections set status = ${status}, reversed_in_parts = ${parts}::numeric, refunded = ${refunded}::numeric
      where id = (select collection from receipts where number = ${number})`
    await set('successful', '500', '250')
    const part = textOf((await customer.open(url)).text)
    expect(part).toContain('Part of this payment was returned.')
    expect(part).toContain('Paid BXC 1,500 Reversed by the network BXC 500 Refunded BXC 250 Net paid BXC 750')
    await set('reversed', '0', '0')
    const whole = textOf((await customer.open(url)).text)
    expect(whole).toContain(`Receipt R-00000${number} This payment was returned.`)
    expect(whole).toContain('Reversed by the network BXC 1,500 Net paid BXC 0')
  })

  it('is a PDF too, with the logo, and has a short address', async () => {
    const { app, organization, db } = service.testApp
    const look = { color: '#7a1fa2', logo: { bytes: png({ color: 6 }), type: 'image/png' } }
    const keys = app.sealingKeys(PAGE_KEY_PURPOSE)
    await begin(db, (tx) => setPageDesign(tx, app.clock.now(), organization, look, keys))
    const link = await createLink(service, { fields: [{ name: 'pupil', label: 'Pupil', required: true }] })
    const { url } = await payAndOpenReceipt(link, { phone: '0000 1303', field_pupil: 'ሰላማዊት محمد' })
    const page = await customer.open(url)
    expect(page.text).toContain('--brand: #7a1fa2')
    const logo = await customer.open(new URL(/<img src="([^"]+)"/.exec(page.text)![1]!, url).href)
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png'])
    const answer = await fetch(`${url}.pdf?lang=sw`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(answer.headers.get('content-disposition')).toMatch(/^inline; filename=R-\d{6}\.pdf$/)
    const pdf = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    expect(pdf.slice(0, 5)).toBe('%PDF-')
    expect(pdf).toContain('/Lang (sw)')
    expect(pdf).toContain('/Subtype /Image')
    for (const font of ['NotoSansEthiopic', 'NotoSansArabic']) expect(pdf).toContain(font)
    const short = await customer.open(url.replace('/pay/receipts/', '/r/'))
    expect([short.status, new URL(short.headers.get('location')!, url).href]).toEqual([302, url])
  })

  it('is for those who know its code: every other address gets the same answer', async () => {
    const { url, payment } = await payAndOpenReceipt(await createLink(service), { phone: '0000 1403' })
    const code = url.split('/').at(-1)!
    const wrong = [
      `${code.slice(0, -1)}!`,
      code.toLowerCase() === code ? 'x'.repeat(24) : code.toLowerCase(),
      '1',
      'R-000001',
      `${'A'.repeat(24)}.pdf`,
      `${'A'.repeat(24)}/logo`,
      `${code}%27`,
    ].map((one) => url.replace(code, one))
    const others = [url.replace('/pay/receipts/', '/r/').replace(code, 'R-000001'), `${payment.slice(0, -1)}/receipt`]
    for (const address of [...wrong, ...others]) {
      const { status, text } = await customer.open(address)
      expect([address, status, text.includes('R-0000')]).toEqual([address, 404, false])
    }
  })
})
