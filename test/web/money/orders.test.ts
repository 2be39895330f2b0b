import { afterAll, beforeAll, expect, it } from 'vitest'
import { addPerson } from '../../console/shop.ts'
import { createApiClient } from '../../test-app.ts'
import { type BrowserTest, checkPage, goTo, OWNER, openBrowserTest, signIn } from '../browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

it('two people settle an order: one attests with a document, the other one approves', {
  timeout: 300_000,
}, async () => {
  const { testApp, url } = browserTest
  const { db, organization, clock } = testApp
  const email = 'second@shop.example'
  await addPerson(testApp, { organization, email, permissions: ['view', 'approve_payments'] })
  await db`
    insert into connections (slug, driver, environment, callback_secret, state, created, modified, organization)
    values ('sandbox', 'sandbox', 'sandbox', ${'0'.repeat(32)}, 'active', now(), now(), ${organization})
    on conflict (slug) do update set organization = excluded.organization`
  const page = await browserTest.openPage()
  await signIn(page, url, OWNER, '/orders')
  await page.getByText('No orders need attention').waitFor()
  await checkPage(page, 'orders-none')

  const input = { phonenumber: '+80000000077', amount: '1500', currency: 'BXC', send_instructions: false }
  expect((await createApiClient(url, testApp.api_key).post('/api/collectionrequests', input)).status).toBe(201)
  const sent = new Date(clock.now().getTime() - 48 * 3_600_000)
  await db`
    insert into network_orders (reference, kind, connection, organization, collection_request, attempt, receiver,
      phonenumber, amount, currency, reason, state, created, sent, due_at)
    select 'LOST1', 'charge', 'sandbox', ${organization}, r.id, 99, p.number, r.phonenumber, r.amount, r.currency, '',
      'accepted', ${sent}, ${sent}, '2100-01-01'
    from collection_requests r join connection_places p on p.account = r.account
    where r.organization = ${organization} order by r.id limit 1`
  const row = page.getByRole('row', { name: /LOST1/ })
  await row.getByRole('button', { name: 'Attest' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Transaction ID in the statement').fill('M77')
  await dialog.getByLabel('Statement', { exact: true }).fill('March, page 2')
  await dialog.getByLabel('Note').fill('Row 7')
  await checkPage(page, 'order-attest')
  const document = { name: 'march.csv', mimeType: 'text/csv', buffer: Buffer.from('id,amount\nM77,1500\n') }
  await page.locator('input[type=file]').setInputFiles(document)
  await dialog.getByRole('button', { name: 'Attest' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByText(/Attestation \d+ is waiting for a second user/)
    .locator('visible=true')
    .first()
    .waitFor()
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Withdraw' }).waitFor()
  await checkPage(page, 'orders-waiting')

  await approveAsSecondPerson(email)
  const [order] = await db`select state, attested from network_orders where reference = 'LOST1'`
  expect(order).toEqual({ state: 'successful', attested: 'successful' })
})

/** Read the document of the attestation, and approve it, on a narrow screen. */
async function approveAsSecondPerson(email: string): Promise<void> {
  const second = await browserTest.openPage({ narrow: true })
  await signIn(second, browserTest.url, email)
  await goTo(second, `${browserTest.url}/console/orders`)
  const download = second.waitForEvent('download')
  await second.getByRole('link', { name: 'march.csv' }).click()
  expect((await download).suggestedFilename()).toBe('march.csv')
  await second.getByRole('button', { name: 'Approve' }).click()
  await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await second.getByRole('dialog').waitFor({ state: 'detached' })
  await second.getByText('No orders need attention').waitFor()
  await checkPage(second, 'orders-approved')
}
