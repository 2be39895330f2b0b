import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Shop } from '../shop.ts'

let shop: Shop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.testApp.close())

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

it('links are created in the console, with a QR code and totals for their organization only', async () => {
  const body = { title: 'Fees', amount: '1500', currency: 'BXC' }
  expect((await shop.viewer.post('/paymentlinks', body)).status).toBe(403)
  const { status, body: link } = await shop.owner.post('/paymentlinks', body)
  expect([status, link.url]).toEqual([201, expect.stringContaining('/pay/')])
  const code = await shop.viewer.open(`/payment-links/${link.id}/qr.svg`)
  expect([code.status, code.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(await code.text()).toMatch(/^<svg /)
  expect((await shop.viewer.get(`/payment-links/${link.id}/totals`)).body).toEqual({
    count: 0,
    amount: '0.0000',
    locked_phones: 0,
  })
  for (const path of ['qr.svg', 'totals'])
    expect((await shop.otherOwner.open(`/payment-links/${link.id}/${path}`)).status).toBe(403)
})

it('the look is set by managers, and shown on the page', async () => {
  const { body: link } = await shop.owner.post('/paymentlinks', { title: 'Fees', amount: '1500', currency: 'BXC' })
  expect((await shop.owner.get('/payment-links/look')).body).toMatchObject({ color: '#0b6e4f', logo: false })
  expect((await shop.viewer.send('PUT', '/payment-links/look', { color: '#102030' })).status).toBe(403)
  const wrong = await shop.owner.send('PUT', '/payment-links/look', { color: '#ffcc00' })
  expect([wrong.status, wrong.body.color]).toEqual([400, [expect.stringContaining('White text is not readable')]])
  const svg = await shop.owner.send('PUT', '/payment-links/look', {
    color: '#102030',
    logo: 'data:image/png;base64,PHN2Zz4=',
  })
  expect([svg.status, svg.body]).toEqual([400, { logo: ['Upload a PNG, JPEG or WebP image.'] }])
  const logo = `data:image/png;base64,${PNG}`
  const set = await shop.owner.send('PUT', '/payment-links/look', { color: '#102030', logo })
  expect(set.body).toEqual({ color: '#102030', logo: true })

  const page = await (await fetch(link.url)).text()
  expect(page).toContain('--brand: #102030')
  const image = await fetch(`${link.url}/logo`)
  expect(Buffer.from(await image.arrayBuffer()).toString('base64')).toBe(PNG)
  expect([image.headers.get('content-type'), image.headers.get('x-content-type-options')]).toEqual([
    'image/png',
    'nosniff',
  ])
  expect(image.headers.get('content-security-policy')).toContain('sandbox')
  await shop.owner.send('PUT', '/payment-links/look', { color: '#102030', logo: null })
  expect((await fetch(`${link.url}/logo`)).status).toBe(404)
})

it('the secret of results is shown and replaced by managers, and both are recorded', async () => {
  expect((await shop.viewer.post('/payment-links/secret')).status).toBe(403)
  const { body: first } = await shop.owner.post('/payment-links/secret')
  expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/=]{44}$/)
  expect((await shop.owner.post('/payment-links/secret')).body).toEqual(first)
  const { body: second } = await shop.owner.post('/payment-links/secret/rotate')
  expect(second.secret).not.toBe(first.secret)
  expect((await shop.audit()).slice(-3)).toEqual([
    'show secret of payment links',
    'show secret of payment links',
    'rotate secret of payment links',
  ])
})
