import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addPerson } from '../../console/shop.ts'
import { createApiClient } from '../../test-app.ts'
import { type BrowserTest, checkPage, confirmIdentity, goTo, openBrowserTest, signIn } from '../browser.ts'
import { sendToTill } from './till.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

async function open(path: string, email?: string): Promise<Page> {
  const page = await browserTest.openPage()
  await signIn(page, browserTest.url, email)
  await goTo(page, `${browserTest.url}/console${path}`)
  return page
}

it('a large sum that one person matches waits until another manager confirms it', { timeout: 300_000 }, async () => {
  const { testApp, url } = browserTest
  const { organization } = testApp
  await addPerson(testApp, { organization, email: 'head@school.example', permissions: ['view', 'manage_organization'] })
  const api = createApiClient(url, testApp.api_key)
  const lines = [{ text: 'School fees', unit_price: '900000' }]
  const draft = await api.post('/api/invoices', { phonenumber: '+80002000011', currency: 'BXC', lines })
  const { id, number } = (await api.post(`/api/invoices/${draft.body.id}/issue`, {})).body

  const page = await open('/settings')
  const dialog = page.getByRole('dialog')
  const rules = page.getByRole('region', { name: 'Payment matching' })
  await rules.getByRole('button', { name: 'Set approval threshold' }).click()
  await dialog.getByLabel(/^Second manager above/).fill('500000')
  await checkPage(page, 'second-person-threshold')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await confirmIdentity(page)
  await rules.getByText('Manual matches above BXC 500,000').waitFor()
  await checkPage(page, 'second-person-settings')

  const collection = await sendToTill(browserTest, '+80002000012', '900000')
  await goTo(page, `${url}/console/collections/${collection}`)
  const suggested = page.getByRole('region', { name: 'Suggested matches' })
  await suggested.getByRole('button', { name: 'Accept' }).first().click()
  await page.getByText('Waiting for a second manager').waitFor()
  await checkPage(page, 'second-person-waits')
  expect((await api.get(`/api/invoices/${id}`)).body.state).toBe('issued')

  const head = await open('/changes', 'head@school.example')
  await head.getByText(`BXC 900,000 for invoice ${number}`).waitFor()
  await checkPage(head, 'second-person-changes')
  await head.getByRole('button', { name: 'Confirm' }).click()
  await head.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await confirmIdentity(head)
  await head.getByText('Confirmed').first().waitFor()
  expect((await api.get(`/api/invoices/${id}`)).body.state).toBe('paid')
  await head.getByRole('link', { name: 'View collection' }).click()
  await head.getByRole('region', { name: 'Matched with' }).getByRole('link', { name: number }).waitFor()
})
