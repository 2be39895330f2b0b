import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomers } from '../../core/invoices/customers.ts'
import { type BrowserTest, checkPage, goTo, openBrowserTest, signIn } from '../browser.ts'
import { WINDOWS } from '../pictures/variants.ts'
import { findFaults } from '../pictures/walk.ts'

let browserTest: BrowserTest
let page: Page

beforeAll(async () => {
  browserTest = await openBrowserTest()
  const { testApp, url } = browserTest
  await addCustomers(testApp.db, testApp.organization, [
    { number: 'P5-001', tags: ['P5'], first_name: 'Amina', phone: '+80000000041' },
    { number: 'P5-002', tags: ['P5'], first_name: 'Brian', payers: ['+80000000042'] },
    { number: 'P5-003', tags: ['P5'], first_name: 'Carol' },
  ])
  page = await browserTest.openPage()
  await signIn(page, url)
}, 300_000)
afterAll(() => browserTest?.close())

/** Check the page in the window of a small laptop, and of a desk. */
async function checkWindows(name: string): Promise<void> {
  for (const window of [{ width: 1280, height: 860 }, WINDOWS.desk]) {
    await page.setViewportSize(window)
    await checkPage(page, name)
    expect(await findFaults(page)).toEqual([])
  }
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

describe('many customers', { timeout: 300_000 }, () => {
  it('get requests from a file, with the faults of its rows', async () => {
    await goTo(page, `${browserTest.url}/console/collectionrequests`)
    await page.getByRole('link', { name: 'Request in bulk' }).click()
    const content =
      'Admission no,Motif,Fees\nP5-001,Lunch,"5,000"\nP5 2,Lunch,"5,000"\nP5-001,Lunch,5000\nP5-003,Lunch,1\n'
    const file = { name: 'lunch.csv', mimeType: 'text/csv', buffer: Buffer.from(content) }
    await page.locator('input[type=file]').setInputFiles(file)
    await press('Check file')
    await page.getByText('This customer has no phone number.').waitFor()
    await page.getByText('Same phone, amount and reason as row 2').waitFor()
    await page.getByText(/^2 requests through .*, BXC 10,000$/).waitFor()
    await checkWindows('requests from a file')
    await press('Send requests')
    await page.getByRole('status').filter({ hasText: '2 created, 1 duplicates skipped, 1 refused.' }).waitFor()
    await checkPage(page, 'requests from a file were made')
  })

  it('are asked by their tag, and those who were asked already are named', async () => {
    await goTo(page, `${browserTest.url}/console/collectionrequests/many`)
    await page.getByText('For a tag', { exact: true }).click()
    await page.getByLabel(/^Tag/).fill('P5')
    await page.getByLabel(/^Amount/).fill('5000')
    await page.getByLabel(/^Reason/).fill('Lunch')
    await press('Preview')
    await page.getByText('Already requested:').first().waitFor()
    await page.getByLabel('Request again').click()
    await page.getByText(/^2 requests through /).waitFor()
    await checkWindows('requests for a tag')
    await press('Send requests')
    await page.getByRole('status').filter({ hasText: '2 created, 0 duplicates skipped, 1 refused.' }).waitFor()
  })
})
