import { afterAll, beforeAll, expect, it } from 'vitest'
import { countLockedPhones } from '../../../src/core/checkout/prompt-limits.ts'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { createLink, hiddenFields, openCustomer, requestsOf, type TestLink, textOf } from '../../pay/customer.ts'
import { eventually } from '../../test-app.ts'
import { printFigure } from '../figures.ts'

/*
 * A stranger has the address of a payment link. He prompts others' phones, from one address and from many, and sends
 * one form many times. He guesses addresses of links and receipts, and puts scripts wherever a text is shown.
 */

let service: TestService

beforeAll(async () => {
  service = await openTestService({ settings: { TRUST_PROXY: 'on' } })
})
afterAll(() => service.close())

/** Each address has its own count of requests. */
const customerAt = (number: number) => openCustomer({ 'x-forwarded-for': `192.0.2.${number}` })

it('a phone that does not pay is prompted three times an hour, over all links and addresses at once', async () => {
  const links = [await createLink(service), await createLink(service, { title: 'Gift' })]
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => customerAt(index + 1).pay(links[index % 2]!, { phone: '00000009' })),
  )
  const prompted = answers.filter(({ status }) => status === 303).length
  expect(prompted).toBe(3)
  const refused = answers.filter(({ status }) => status === 400)
  expect(refused.every(({ text }) => textOf(text).includes('got several prompts without a payment'))).toBe(true)
  expect(refused.every(({ text }) => textOf(text).includes('ask the shop to send the prompt'))).toBe(true)
  expect((await customerAt(99).pay(links[0]!, { phone: '00002001' })).status).toBe(303)
  const lockedPhones = async () => {
    const rows = await service.testApp.db<{ id: number }[]>`select id from payment_links order by id`
    const now = service.testApp.clock.now()
    return Promise.all(rows.map(({ id }) => countLockedPhones(service.testApp.db, now, id)))
  }
  expect(Math.max(...(await lockedPhones()))).toBe(1)
  service.advance(3_601)
  expect(Math.max(...(await lockedPhones()))).toBe(0)
  expect((await customerAt(98).pay(links[0]!, { phone: '00000009' })).status).toBe(303)
  printFigure('payment-links', `${prompted} of 30 forms for one phone, from 30 addresses, became prompts`)
})

it('a customer who pays is never refused', async () => {
  const link = await createLink(service)
  for (let count = 1; count <= 5; count += 1) {
    const { receipt, status } = await customerAt(101).pay(link, { phone: '00002002' })
    expect(status).toBe(303)
    await eventually('the payment', async () => {
      service.advance(1)
      return (await customerAt(101).open(`${receipt}/state`)).text === '{"state":"paid"}' || undefined
    })
  }
})

it('one address can start sixty unpaid payments an hour without blocking others', async () => {
  const link = await createLink(service)
  const payMany = (first: number) =>
    Promise.all(Array.from({ length: 20 }, (_, index) => customerAt(102).pay(link, { phone: `0009${first + index}` })))
  const prompts = [...(await payMany(1000)), ...(await payMany(1100)), ...(await payMany(1200))]
  expect(prompts.map(({ status }) => status)).toEqual(Array(60).fill(303))
  const refused = await payMany(1300)
  expect(refused.map(({ status }) => status)).toEqual(Array(20).fill(400))
  expect(textOf(refused[0]!.text)).toContain('Too many payments were started from your connection.')
  expect((await customerAt(103).pay(link, { phone: '00002003' })).status).toBe(303)
  printFigure('payment-links', `${prompts.length} of 80 forms from one address became prompts; another address went on`)
})

it('ten customers press the button of a single-use link at once, and one gets a prompt', async () => {
  const link = await createLink(service, { single_use: true })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => customerAt(110 + index).pay(link, { phone: `0000210${index}` })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(400)])
  expect(await requestsOf(service, link)).toHaveLength(1)
})

it('forms that were not read from the page, or belong to another link, cause no prompt', async () => {
  const [link, other] = [await createLink(service), await createLink(service)]
  const customer = customerAt(104)
  const form = hiddenFields((await customer.open(link.url)).text)
  const tries: Record<string, string>[] = [
    { phone: '00002004' },
    { ...form, form: 'x'.repeat(64), phone: '00002004' },
    { ...form, form: form.form!.replace(/^./, '0'), phone: '00002004' },
    { ...form, phone: '00002004', website: 'https://spam.example' },
  ]
  for (const fields of tries) expect((await customer.send(link.url, fields)).status).toBe(400)
  expect((await customer.send(other.url, { ...form, phone: '00002004' })).status).toBe(400)
  expect([...(await requestsOf(service, link)), ...(await requestsOf(service, other))]).toEqual([])
})

it('all guessed addresses get the same answer, and a receipt is private', async () => {
  const [link, other] = [await createLink(service), await createLink(service)]
  const customer = customerAt(105)
  const { receipt } = await customer.pay(link, { phone: '00002005' })
  const base = new URL(link.url).origin
  const token = link.url.split('/').at(-1)!
  const secret = receipt!.split('/').at(-1)!
  const almost = secret.slice(0, -1) + (secret.endsWith('x') ? 'y' : 'x')
  const guesses = [
    '/pay/1',
    `/pay/${'A'.repeat(24)}`,
    `/pay/${token.slice(0, -1)}`,
    `/pay/${token.toLowerCase()}`,
    "/pay/'or'1'='1",
    `/pay/${token}/${almost}`,
    `/pay/${token}/1`,
    `${new URL(other.url).pathname}/${secret}`,
    `/pay/${'A'.repeat(24)}/${secret}`,
    `/pay/${token}/logo`,
  ]
  const answers = await Promise.all(guesses.map((path) => customer.open(base + path)))
  expect(answers.map(({ status }) => status)).toEqual(guesses.map(() => 404))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(answers[0]!.text).not.toContain('Demo')
  const state = await customer.open(`${other.url}/${secret}/state`)
  expect(state.status).toBe(404)
  // Nothing of a payment is on the page of the link, or in the look-up of a number.
  const page = await customer.open(link.url)
  expect(page.text).not.toContain(secret)
  expect(page.text).not.toContain('00002005')
  printFigure('payment-links', `${guesses.length} guessed addresses got one and the same answer`)
})

it('scripts in every text of a link stay texts, and no page may load or be framed by anything else', async () => {
  const script = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  const link = (await createLink(service, {
    title: script,
    description: script,
    success_message: script,
    fields: [{ name: 'note', label: script, type: 'choice', choices: [script, 'b'] }],
  })) as TestLink
  const customer = customerAt(106)
  const pages = [
    await customer.open(`${link.url}?note=${encodeURIComponent(script)}&lang=${encodeURIComponent(script)}`),
    await customer.pay(link, { phone: script, field_note: script }),
  ]
  const { receipt } = await customer.pay(link, { phone: '00002006', field_note: script })
  pages.push(await customer.open(receipt!))
  for (const { text, headers } of pages) {
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('<img src=x')
    const policy = headers.get('content-security-policy')!
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src 'self';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

it('answers bodies that are no form, and methods that there are not, without an error of the service', async () => {
  const link = await createLink(service)
  const send = (method: string, body: string | undefined, type: string) =>
    fetch(link.url, { method, body, headers: { 'content-type': type, 'x-forwarded-for': '192.0.2.107' } })
  const form = 'application/x-www-form-urlencoded'
  const answers = await Promise.all([
    send('POST', '{"phone":', 'application/json'),
    send('POST', '{"phone":{"toString":1},"form":[1],"amount":{}}', 'application/json'),
    send('POST', 'phone[a][b]=1&form=%00&phone=2', form),
    send('POST', `phone=${'1'.repeat(20_000)}`, form),
    send('POST', '<x/>', 'text/xml'),
    send('PUT', 'a=1', form),
  ])
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 413, 415, 405])
  for (const answer of answers) expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
})
