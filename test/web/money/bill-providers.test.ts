import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBillConnection } from '../../../src/connections/bill-sellers.ts'
import { addOffer, findOffered, listOffers } from '../../../src/core/bills/offers.ts'
import { createPurchases } from '../../../src/core/bills/purchases.ts'
import { findBillWallet } from '../../../src/core/bills/wallets.ts'
import { begin } from '../../../src/db/client.ts'
import { syncConnection } from '../../../src/jobs/bills/sync-catalogues.ts'
import { formatAmount, parseAmount } from '../../../src/lib/money.ts'
import { createBuyer, electricityOrder, freshReference } from '../../api/bills/buyer.ts'
import { addPerson } from '../../console/shop.ts'
import { type BrowserTest, checkPage, goTo, openBrowserTest, signIn } from '../browser.ts'

/* The pages of bill providers, with the simulated VTpass and Reloadly of the sandbox, on a desk and on a phone. */

let browserTest: BrowserTest
let desk: Page
let phone: Page

beforeAll(async () => {
  browserTest = await openBrowserTest()
  await addPerson(browserTest.testApp, {
    organization: browserTest.testApp.organization,
    email: 'second@shop.example',
    permissions: ['view', 'approve_payments', 'pay_bills', 'manage_organization'],
  })
  desk = await browserTest.openPage()
  await desk.setViewportSize({ width: 1440, height: 900 })
  phone = await browserTest.openPage({ dark: true, narrow: true })
  await signIn(desk, browserTest.url)
  await signIn(phone, browserTest.url, 'second@shop.example')
}, 300_000)
afterAll(() => browserTest?.close())

/** Look at a page in both windows. */
async function check(path: string, name: string, text: string): Promise<void> {
  for (const [page, window] of [
    [desk, 'desk'],
    [phone, 'phone-dark'],
  ] as const) {
    await goTo(page, `${browserTest.url}/console${path}`)
    await page.getByText(text).locator('visible=true').first().waitFor()
    await checkPage(page, `${name}-${window}`)
  }
}

it('approves a price that has risen, beside floats and offers', { timeout: 300_000 }, async () => {
  const { app, db, clock } = browserTest.testApp
  await begin(app.db, async (tx) => {
    const bouquet = await findOffered(tx, { category: 'cabletv', service_type: 'dstv', code: 'COMPE36' })
    await addOffer(tx, clock.now(), {
      service: bouquet.service,
      product: bouquet.product,
      connection: 'sandbox-vtpass',
      min: null,
      max: null,
      remote_service: 'dstv',
      remote_product: 'dstv79',
      price: parseAmount('18500')!,
      commission_percent: null,
    })
  })
  await syncConnection(app, findBillConnection(app, 'sandbox-vtpass')!)
  await check('/bills/providers?state=waiting&kind=price', 'bill-providers', 'Price: DStv Compact N19,000')
  for (const shown of [
    'Balance at sandbox-reloadly',
    'Balance at sandbox-vtpass',
    'Safaricom Kenya',
    'ibadan-electric, prepaid',
  ])
    await desk.getByText(shown).locator('visible=true').first().waitFor()
  const row = desk.getByRole('row', { name: /DStv Compact N19,000/ })
  expect(await row.textContent()).toMatch(/NGN.18,500.*NGN.19,000/)
  await row.getByRole('button', { name: 'Approve' }).click()
  await desk.getByText('No results for these filters.').waitFor()
  const offer = (await listOffers(db)).find(({ remote_product }) => remote_product === 'dstv79')
  expect(formatAmount(offer!.price!)).toBe('19000.0000')
})

it('shows a purchase that a second provider has sold, with its token in groups of four', {
  timeout: 300_000,
}, async () => {
  const { testApp, url } = browserTest
  // VTpass says of this phone that our account there is empty.
  const order = electricityOrder({ service_type: 'ibadan_electric_prepaid', phone: '08000000018', amount: '2000' })
  const { status, body } = await createBuyer(testApp, url).post('/services/electricity/request', order)
  expect([status, body.status]).toEqual([200, 'success'])
  const token: string = body.data.tokenCode
  const [row] = await testApp.db<{ id: number }[]>`
    select id from bill_purchases where agent_reference = ${order.agentReference}`
  await check(`/bills/${row!.id}`, 'bill-purchase', token.match(/.{4}/g)!.join(' '))
  const attempts = desk.getByRole('group', { name: 'Attempts' }).getByRole('row')
  expect((await attempts.allInnerTexts()).slice(1).map((text) => text.split('\t')[0]!.trim())).toEqual([
    '1. sandbox-vtpass',
    '2. sandbox',
  ])
  await phone.getByRole('list', { name: 'Attempts' }).getByText('1. sandbox-vtpass').waitFor()
  await check('/bills', 'bill-purchases', 'NGN 2,000')
})

it('buys electricity once, after a check, and prints the token', { timeout: 300_000 }, async () => {
  await goTo(desk, `${browserTest.url}/console/bills/buy?kind=electricity&service_type=ikeja_electric_prepaid`)
  await desk.getByLabel(/^Account number/).fill('1')
  await desk.getByLabel(/^Phone number/).fill('08031234567')
  await desk.getByLabel(/^Amount in NGN/).fill('1500')
  await desk.getByRole('button', { name: 'Check' }).click()
  await desk.locator('.mantine-InputWrapper-error').first().waitFor()
  await desk.getByLabel(/^Account number/).fill('04042404048')
  await desk.getByRole('button', { name: 'Check' }).click()
  await desk.getByText('TESTMETER1').waitFor()
  await desk.getByText('Ikeja Prepaid, Nigeria').waitFor()
  await desk.getByText(/^NGN one thousand five hundred/).waitFor()
  await desk.getByText('Balance after').waitFor()
  await checkPage(desk, 'bill-buy')
  await desk.setViewportSize({ width: 390, height: 2400 })
  await checkPage(desk, 'bill-buy-narrow')
  await desk.setViewportSize({ width: 1280, height: 860 })
  await desk.getByRole('button', { name: /^Pay / }).dblclick()
  await desk.getByRole('heading', { name: 'Electricity for 04042404048' }).waitFor()
  const token = desk.getByText(/^\d{4} \d{4} \d{4} \d{4} \d{4}$/)
  await token.waitFor()
  const bought = await browserTest.testApp.db<{ count: number }[]>`
    select count(*)::integer as count from bill_purchases where agent_reference like 'console-%'`
  expect(bought[0]!.count).toBe(1)
  await desk.emulateMedia({ media: 'print' })
  expect(await desk.evaluate(`getComputedStyle(document.querySelector('.print-alone')).visibility`)).toBe('visible')
  expect(await desk.evaluate(`getComputedStyle(document.querySelector('h1')).visibility`)).toBe('hidden')
  await desk.emulateMedia({ media: 'screen' })
  await desk.getByRole('link', { name: 'Buy again' }).click()
  expect(await desk.getByLabel(/^Account number/).inputValue()).toBe('04042404048')
})

it('lets two people settle a purchase whose end no provider reports', { timeout: 300_000 }, async () => {
  const { db, app, clock, organization } = browserTest.testApp
  // People of an organization settle what lies on its own account; on the operator's the operator does.
  await db`update connections set organization = ${organization} where slug = 'sandbox-vtpass'`
  const wallet = await findBillWallet(db, organization)
  const sent = new Date(clock.now().getTime() - 48 * 3_600_000)
  const [created] = await begin(app.db, (tx) =>
    createPurchases(tx, sent, [
      {
        organization,
        account: wallet!.id,
        agent_reference: freshReference(),
        agent_id: null,
        scenario: null,
        biller: 'sandbox-vtpass',
        kind: 'electricity',
        service_type: 'jos_electric_prepaid',
        metadata: {},
        account_number: '04042404048',
        phone: '08031234567',
        amount: parseAmount('2000')!,
        author: 1,
        pin: null,
        details: { prepaid: true },
      },
    ]),
  )
  if (!created?.ok) throw new Error('It was refused.')
  const [purchase] = await db<{ reference: string }[]>`
    update network_orders set state = 'sent', sent = ${sent}, sent_real = ${sent}, message = 'No answer.', due_at = '2100-01-01'
    where bill_purchase = ${created.value} returning reference`
  await db`update bill_purchases set outcome = 'unknown' where id = ${created.value}`
  await check('/orders', 'bill-orders', purchase!.reference)
  await desk
    .getByRole('row', { name: new RegExp(purchase!.reference) })
    .getByRole('button', { name: 'Attest' })
    .click()
  const dialog = desk.getByRole('dialog')
  await checkPage(desk, 'bill-attest')
  await dialog.getByRole('combobox', { name: 'Outcome' }).click()
  await desk.getByRole('option', { name: 'Failed: the provider has not sold it' }).click()
  await dialog.getByLabel('Statement', { exact: true }).fill('VTpass, transactions of the day')
  await dialog.getByLabel('Note').fill('It is not there')
  const document = { name: 'day.csv', mimeType: 'text/csv', buffer: Buffer.from('request_id,amount\n') }
  await desk.locator('input[type=file]').setInputFiles(document)
  await dialog.getByRole('button', { name: 'Attest' }).click()
  await dialog.waitFor({ state: 'detached' })
  await desk
    .getByText(/Attestation \d+ is waiting for a second user/)
    .locator('visible=true')
    .first()
    .waitFor()
  expect(await desk.getByRole('button', { name: 'Approve' }).count()).toBe(0)

  await goTo(phone, `${browserTest.url}/console/orders`)
  await phone.getByRole('button', { name: 'Approve' }).locator('visible=true').click()
  await phone.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await phone.getByRole('dialog').waitFor({ state: 'detached' })
  await phone.getByText('No orders need attention').waitFor()
  const [settled] = await db`
    select p.status, o.attested from bill_purchases p join network_orders o on o.bill_purchase = p.id
    where p.id = ${created.value}`
  expect(settled).toEqual({ status: 'failed', attested: 'failed' })
})
