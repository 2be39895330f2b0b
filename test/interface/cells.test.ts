import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInvitation } from '../../src/core/access/invitations.ts'
import { createSigningUser } from '../../src/core/access/signing-users.ts'
import { begin } from '../../src/db/client.ts'
import { createApiClient } from '../test-app.ts'
import { openCell } from './test-cell.ts'
import { openTestService, type TestService } from './test-service.ts'

/* Two cells, and what happens when the load balancer leads a call to the wrong one. */

const CELL = 899
let zero: TestService
let last: TestService
let key: string
beforeAll(async () => {
  zero = await openTestService()
  last = await openCell(CELL)
  key = await last.newKey()
})
afterAll(async () => {
  await zero?.close()
  await last?.close()
})

const LINK = { title: 'School fees', currency: 'BXC', amount: '1500' }
const post = (url: string, path: string, body: unknown, headers = {}) =>
  fetch(url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

describe('a cell', () => {
  it('collects money with ids, keys and callbacks of its own', async () => {
    const shop = createApiClient(last.url, key)
    expect(key).toMatch(/^ksy_899\.[\w-]{32}$/)
    const made = await shop.post('/api/collectionrequests', {
      phonenumber: '+80000000003',
      amount: '1500',
      currency: 'BXC',
      send_instructions: true,
    })
    expect(made.status).toBe(201)
    expect(made.body.id).toBeGreaterThan(CELL * 10 ** 13)
    const paid = await last.advanceUntilStatus(made.body.id, 'successful')
    expect(paid.collection).toBeGreaterThan(CELL * 10 ** 13)
    const found = await shop.get(`/api/collectionrequests?collection=${paid.collection}`)
    expect(found.body.results).toMatchObject([{ id: made.body.id }])
    expect(await shop.get(`/api/collections/${paid.collection}`)).toMatchObject({ status: 200 })
    const receipt = await shop.post('/api/receipts', { collection: paid.collection })
    expect(receipt.body).toMatchObject({ url: expect.stringContaining('899.') })
    const page = new URL(receipt.body.url).pathname
    expect(page).toMatch(/^\/pay\/receipts\/899\./)
    const short = await fetch(`${last.url}/r/${page.slice('/pay/receipts/'.length)}`, { redirect: 'manual' })
    expect([short.status, short.headers.get('location')]).toEqual([302, page])
    expect((await fetch(last.url + page)).status).toBe(200)
    const pdf = await fetch(`${last.url}${new URL(receipt.body.pdf_url).pathname}`)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
  })

  it('refuses the key of another by name', async () => {
    for (const [url, sent, cell] of [
      [zero.url, key, CELL],
      [zero.url, 'ksy_3.unknown', 3],
      [last.url, await zero.newKey(), 0],
    ] as const) {
      const answer = await createApiClient(url, sent).get('/api/accounts')
      expect(answer).toMatchObject({ status: 421, body: { detail: `This key belongs to cell ${cell}.`, cell } })
      const bills = await fetch(`${url}/api/gateway/services/airtime/providers`, { headers: { 'x-api-key': sent } })
      expect(bills.status).toBe(421)
      expect(await bills.json()).toMatchObject({ message: `This key belongs to cell ${cell}.` })
    }
    expect(await createApiClient(last.url, 'no-key-of-ours').get('/api/accounts')).toMatchObject({ status: 401 })
  })

  it('refuses the signing user of another by name', async () => {
    const { app, db } = last.testApp
    const [api_key] = await db<{ id: number }[]>`select max(id) as id from api_keys`
    const create = (username: string) =>
      begin(db, (tx) =>
        createSigningUser(tx, app.clock.now(), { username, api_key: api_key!.id }, app.sealingKeys('signing secrets')),
      )
    await expect(create('shop')).rejects.toThrow('This is cell 899.')
    await create('899.shop')
    const sign = (url: string) =>
      post(
        url,
        '/api/gateway/services/electricity/request',
        {},
        {
          authorization: 'Baxi 899.shop:x',
          'service-date': new Date().toUTCString(),
        },
      )
    expect(await (await sign(zero.url)).json()).toMatchObject({ message: 'This key belongs to cell 899.' })
    expect((await sign(last.url)).status).toBe(401)
  })

  it('refuses the pages of another by name, whatever they show', async () => {
    const made = await createApiClient(last.url, key).post('/api/paymentlinks', LINK)
    const own = new URL(made.body.url).pathname
    expect(own).toMatch(/^\/pay\/899\.[\w-]{24}$/)
    expect((await fetch(last.url + own)).status).toBe(200)
    const code = own.slice('/pay/'.length)
    for (const path of [
      own,
      `/r/${code}`,
      `/i/${code}`,
      `/pay/receipts/${code}.pdf`,
      `/pay/invoices/${code}`,
      `${own}/899.x`,
      `${own}/logo`,
    ])
      expect((await fetch(zero.url + path)).status, path).toBe(421)
    expect(await (await fetch(zero.url + own)).text()).toContain('899')
    const other = await zero.shop.post('/api/paymentlinks', LINK)
    expect((await fetch(last.url + new URL(other.body.url).pathname)).status).toBe(421)
  })

  it('refuses the callbacks of another, which the network sends again', async () => {
    const count = async ({ testApp }: TestService) =>
      (await testApp.db<{ count: number }[]>`select count(*) from callbacks`)[0]!.count
    const before = [await count(zero), await count(last)]
    for (const [url, slug, cell] of [
      [zero.url, '899.sandbox', 899],
      [last.url, 'sandbox', 0],
      [last.url, '3.sandbox/secret/reference', 3],
    ] as const) {
      const answer = await post(url, `/api/callbacks/${slug}`, {})
      expect(answer.status).toBe(421)
      expect(await answer.json()).toEqual({ detail: `This address belongs to cell ${cell}.`, cell })
    }
    expect([await count(zero), await count(last)]).toEqual(before)
  })

  it('refuses an invitation of another by name', async () => {
    const { token } = await begin(last.testApp.db, (tx) =>
      createInvitation(tx, new Date(), {
        organization: last.organization,
        author: null,
        email: 'new@shop.example',
        permissions: ['view'],
      }),
    )
    expect(token).toMatch(/^899\./)
    const look = (url: string) => post(url, '/console/api/links/look', { token }, { 'x-requested-with': 'console' })
    expect((await look(last.url)).status).toBe(200)
    expect(await (await look(zero.url)).json()).toEqual({ detail: 'This link belongs to cell 899.', cell: 899 })
  })
})
