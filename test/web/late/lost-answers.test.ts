import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../../src/core/access/api-keys.ts'
import { addPerson } from '../../console/shop.ts'
import { createApiClient } from '../../test-app.ts'
import { type BrowserTest, OWNER, openBrowserTest, signIn } from '../browser.ts'
import { sendToTill } from '../money/till.ts'

/* Answers that never come: the service has done what was asked, and the page does not know it. */

let browserTest: BrowserTest
let api: ReturnType<typeof createApiClient>
let invoice: number

beforeAll(async () => {
  browserTest = await openBrowserTest()
  api = createApiClient(browserTest.url, browserTest.testApp.api_key)
}, 300_000)
afterAll(() => browserTest?.close())

async function open(path: string): Promise<Page> {
  const page = await browserTest.openPage({ own: true })
  await signIn(page, browserTest.url, OWNER, path)
  return page
}

/** Lose the next answer from an address. */
async function loseAnswer(page: Page, address: RegExp): Promise<void> {
  const lose: Parameters<Page['route']>[1] = async (route) => {
    await route.fetch()
    await route.abort()
  }
  await page.route(address, lose, { times: 1 })
}

describe('after a lost answer', { timeout: 300_000 }, () => {
  it('a part of a payment is matched once, however often it is sent', async () => {
    const customer = { phonenumber: '+80002000001', first_name: 'Betty', currency: 'BXC' }
    const lines = [{ text: 'School fees', unit_price: '500' }]
    const draft = await api.post('/api/invoices', { ...customer, lines })
    invoice = (await api.post(`/api/invoices/${draft.body.id}/issue`, {})).body.id
    const collection = await sendToTill(browserTest, '+80002000003', '300', 'INV 7')
    const page = await open(`/collections/${collection}`)
    await page.getByRole('button', { name: 'Match', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Search invoices, customers and payment links').fill('Betty')
    await dialog.getByRole('button', { name: /^Choose INV/ }).click()
    await dialog.getByRole('textbox', { name: /Betty/ }).fill('100')
    await loseAnswer(page, /\/console\/api\/collections\/\d+\/allocations$/)
    const match = dialog.getByRole('button', { name: 'Match', exact: true })
    await match.click()
    await dialog.getByText('The service cannot be reached.').waitFor()
    await match.click()
    await page.getByText('Payment matched.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect((await api.get(`/api/invoices/${invoice}`)).body).toMatchObject({ amount_paid: '100.0000' })
  })

  it('a form that was changed meanwhile is not taken for the one that was sent', async () => {
    const page = await open(`/invoices/${invoice}`)
    await page.getByRole('button', { name: 'Request payment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Amount/).fill('40')
    await loseAnswer(page, /\/collect$/)
    await dialog.getByRole('button', { name: 'Request', exact: true }).click()
    await dialog.getByText('The service cannot be reached.').waitFor()
    await dialog.getByLabel(/phone number/i).fill('+80000000005')
    await dialog.getByRole('button', { name: 'Request', exact: true }).click()
    const changed = dialog.getByText('What you sent before has arrived. Check it first.')
    await changed.or(page.getByText('Payment requested.')).waitFor()
    expect(await changed.count()).toBe(1)
    const { db } = browserTest.testApp
    expect(await db`select phonenumber from collection_requests`).toEqual([{ phonenumber: '+80002000001' }])
  })

  it('a new payment link is made once', async () => {
    const page = await open('/payment-links')
    await page.getByRole('button', { name: 'Create payment link' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/^Title/).fill('Uniform')
    await dialog
      .getByLabel(/^Amount/)
      .last()
      .fill('85')
    await loseAnswer(page, /\/console\/api\/paymentlinks$/)
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByText('The service cannot be reached.').waitFor()
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('Payment link created.').waitFor()
    await page.getByRole('link', { name: 'Uniform' }).waitFor()
    expect(await browserTest.testApp.db`select title from payment_links`).toEqual([{ title: 'Uniform' }])
  })

  it('an invoice goes to the phone of its customer once', async () => {
    const page = await open(`/invoices/${invoice}`)
    await page.getByRole('button', { name: 'Send by SMS' }).click()
    const dialog = page.getByRole('dialog')
    await loseAnswer(page, /\/send$/)
    const send = dialog.getByRole('button', { name: 'Send by SMS' })
    await send.click()
    await dialog.getByText('The service cannot be reached.').waitFor()
    await send.click()
    await dialog.waitFor({ state: 'detached' })
    const sent = await browserTest.testApp
      .db`select from sms_messages where phonenumber = '+80002000001' and purpose = 'payment_link'`
    expect(sent).toHaveLength(1)
  })

  it('an approval is neither said to be refused nor followed by the next one', async () => {
    const { testApp } = browserTest
    const { db, organization } = testApp
    await addPerson(testApp, { organization, email: 'manager@shop.example', permissions: allPermissions })
    await db`insert into approval_rules (organization, currency, threshold) values (${organization}, 'BXC', 1000)`
    const ids = []
    for (const phonenumber of ['+80000000003', '+80000000004']) {
      const recipient_data = [{ phonenumber, amount: '1200' }]
      const wages = { currency: 'BXC', payment_type: 'money', description: 'Wages', recipient_data }
      ids.push((await api.post('/api/payments', wages)).body.id)
    }
    const page = await browserTest.openPage({ own: true })
    await signIn(page, browserTest.url, 'manager@shop.example', '/approvals')
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Approve (2)' }).click()
    await loseAnswer(page, /\/approve$/)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
    await dialog.getByText(/^No response for #\d+. It may or may not be done./).waitFor()
    await dialog.getByText('1 row not started.').waitFor()
    const approved = db`select id from payments where id = any(${ids}::bigint[]) and state <> 'approval_requested'`
    expect(await approved).toHaveLength(1)
  })
})
