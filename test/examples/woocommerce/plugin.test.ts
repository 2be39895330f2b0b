import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAGE_KEY_PURPOSE, readResultSecret, resultUrl } from '../../../src/core/checkout/payment-pages.ts'
import { signatureHeaders, signingKey } from '../../../src/lib/http/standard-webhooks.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { freePort, ROOT } from '../../docs/client-page.ts'
import { openTestService, type TestService } from '../../interface/test-service.ts'
import { php, titleOf } from '../../packages/clients/languages.ts'
import { createLink, openCustomer } from '../../pay/customer.ts'
import { eventually } from '../../test-app.ts'

/*
 * The plugin of examples/woocommerce in PHP, over shop.php, which has the few functions of WordPress and WooCommerce that it uses. It
 * calls a real service. It was not run inside a real shop.
 */

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const ORDER = { total: '1500.00', currency: 'BXC' }

let service: TestService
let links_secret: string
let shop: string
let server: ChildProcess
const folder = mkdtempSync(join(tmpdir(), 'kusanya-woocommerce-'))

beforeAll(async () => {
  if (php.skipped) return
  service = await openTestService()
  await createLink(service) // the first one makes the secret of the links
  const { app } = service.testApp
  links_secret = (await readResultSecret(app.db, service.organization, app.sealingKeys(PAGE_KEY_PURPOSE)))!
  shop = `http://127.0.0.1:${await freePort()}`
  const settings = {
    SHOP_PLUGIN: join(ROOT, 'examples/woocommerce/kusanya-payments/kusanya-payments.php'),
    SHOP_URL: service.url,
    SHOP_API_KEY: service.key,
    SHOP_LINKS_SECRET: links_secret,
    SHOP_WEBHOOK_SECRET: WEBHOOK_SECRET,
  }
  const args = ['-S', new URL(shop).host, join(import.meta.dirname, 'shop.php')]
  server = spawn(php.path!, args, { cwd: folder, env: { ...process.env, ...settings }, stdio: 'ignore' })
  const open = () =>
    fetch(shop).then(
      () => true,
      () => undefined,
    )
  await eventually('the shop to be open', open)
})
afterAll(async () => {
  server?.kill()
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

const call = async (path: string, init?: RequestInit) => {
  const answer = await fetch(`${shop}${path}`, { redirect: 'manual', ...init })
  return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') }
}
const put = (order: number, { total, currency } = ORDER) => call(`/orders/${order}/put/${total}/${currency}`)
const checkout = async (order: number) => JSON.parse((await call(`/orders/${order}/checkout`)).text)
const read = async (order: number) => JSON.parse((await call(`/orders/${order}`)).text)
const linkOf = async (order: number) => Number((await read(order)).meta._kusanya_link.at(-1))

/** Send a notification about a request as Kusanya does. */
function notify(data: object, { secret = WEBHOOK_SECRET, at = new Date() } = {}) {
  const body = JSON.stringify({ hook: { id: 1, event: 'collectionrequest.status.changed' }, data })
  const headers = signatureHeaders([signingKey(secret)], 'msg_1', at, body)
  return call('/wc-api/kusanya_webhook', { method: 'POST', headers, body })
}

/** Pay on the page of a link. @returns the request of the payment, and the address to which the page leads back */
async function pay(url: string, link: number) {
  const customer = openCustomer()
  const { receipt } = await customer.pay({ url }, { phone: '+80000000003' })
  const { body } = await service.shop.get(`/api/collectionrequests?payment_link=${link}`)
  const request = await service.advanceUntilStatus((body.results as { id: number }[])[0]!.id, 'successful')
  const { text } = await customer.open(receipt!)
  const href = /href="https:\/\/shop\.example([^"]+)"/.exec(text)![1]!
  return { request, back: href.replaceAll(/&(amp|#38);/g, '&') }
}

describe.skipIf(php.skipped)(titleOf('the plugin for WooCommerce', php), () => {
  it('leads to the page of a link, verifies the way back, and marks the order as paid once', async () => {
    await put(1)
    const first = await checkout(1)
    expect(first).toEqual({ result: 'success', redirect: expect.stringContaining('/pay/') })
    // A customer who goes back and pays again gets the same page: two open links could both be paid.
    expect(await checkout(1)).toEqual(first)

    const { request, back } = await pay(first.redirect, await linkOf(1))
    expect(back).toMatch(/^\/wc-api\/kusanya_return\?order=1&/)
    expect(await call(back)).toMatchObject({ status: 302, location: 'https://shop.example/order-received/1' })
    // The way back alone pays nothing, and a link that is paid is not replaced.
    expect((await read(1)).status).toBe('pending')
    expect((await checkout(1)).redirect).toBe('https://shop.example/order-received/1')

    expect((await notify(request)).status).toBe(200)
    expect((await notify(request)).status).toBe(200)
    expect(await read(1)).toMatchObject({
      status: 'processing',
      transaction: String(request.id),
      payments: 1,
      notes: [],
    })
    expect((await notify({ ...request, id: 96 })).status).toBe(200)
    expect(await read(1)).toMatchObject({ payments: 1, notes: [expect.stringContaining('request 96')] })
    expect((await notify({ ...request, status: 'reversed' })).status).toBe(200)
    expect((await read(1)).status).toBe('on-hold')
  })

  it('refuses notifications and results that are forged or old', async () => {
    await put(2)
    await checkout(2)
    const payment_link = await linkOf(2)
    const data = { id: 99, status: 'successful', amount: '1500.0000', currency: 'BXC', metadata: { payment_link } }
    const other = `whsec_${Buffer.alloc(32, 6).toString('base64')}`
    expect((await notify(data, { secret: other })).status).toBe(401)
    expect((await notify(data, { at: new Date(Date.now() - 600_000) })).status).toBe(401)
    expect((await call('/wc-api/kusanya_webhook', { method: 'POST', body: JSON.stringify({ data }) })).status).toBe(401)
    expect((await read(2)).status).toBe('pending')

    const result = {
      payment_link,
      request: 99,
      status: 'unpaid',
      amount: parseAmount('1500')!,
      currency: 'BXC',
    } as const
    const backOf = (changes: object, secret = links_secret, order = 2) => {
      const url = `https://shop.example/wc-api/kusanya_return?order=${order}`
      const { pathname, search } = new URL(resultUrl(url, secret, { ...result, at: new Date(), ...changes }))
      return call(pathname + search)
    }
    expect(await backOf({})).toMatchObject({ status: 302, location: 'https://shop.example/pay/2' })
    expect((await backOf({}, 'whsec_another')).status).toBe(400)
    expect((await backOf({ at: new Date(Date.now() - 4_000_000) })).status).toBe(400)
    expect((await backOf({ payment_link: 1 })).status).toBe(400)
    expect((await backOf({}, links_secret, 1)).status).toBe(400)
  })

  it('holds an order that was paid with another amount, and closes a link with another amount', async () => {
    await put(3)
    await checkout(3)
    const old = await linkOf(3)
    await put(3, { total: '2000', currency: 'BXC' })
    await checkout(3)
    expect(await linkOf(3)).not.toBe(old)
    expect((await service.shop.get(`/api/paymentlinks/${old}`)).body.state).toBe('closed')
    // A prompt of the old link was approved after all.
    const data = { id: 98, status: 'successful', amount: '1500.0000', currency: 'BXC', metadata: { payment_link: old } }
    expect((await notify(data)).status).toBe(200)
    expect(await read(3)).toMatchObject({ status: 'on-hold', notes: [expect.stringContaining('1500.0000')] })
  })

  it('says that nothing was paid when Kusanya refuses', async () => {
    await put(4, { total: '1500', currency: 'USD' })
    expect(await checkout(4)).toEqual({ result: 'failure' })
    // Money of other programs, and unknown links, change nothing.
    expect((await notify({ id: 97, status: 'successful', metadata: {} })).status).toBe(200)
  })
})
