import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addCustomers } from '../../core/invoices/customers.ts'
import { type BrowserTest, checkPage, goTo, openBrowserTest, signIn } from '../browser.ts'

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

const open = (path: string) => goTo(page, `${browserTest.url}/console${path}`)
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

describe('a class', { timeout: 300_000 }, () => {
  it('is billed in one go, after a look at the sum', async () => {
    await open('/invoices')
    await page.getByRole('link', { name: 'For a tag' }).click()
    await page.getByLabel(/^Tag/).fill('P5')
    await page.getByLabel(/^Text/).fill('Term 1')
    await page.getByLabel(/^Amount/).fill('850000')
    await page.getByLabel(/^Minimum payment/).fill('50,000')
    await page.getByLabel(/^SMS reminders/).fill('0')
    await page.getByLabel('Send a payment prompt with each reminder').click({ force: true })
    // The amount in words stands below its input, beside another field, too.
    const amount = (await page.getByLabel(/^Amount/).boundingBox())!
    const words = (await page.getByText('BXC 850,000: eight hundred and fifty thousand').boundingBox())!
    expect(words.y).toBeGreaterThan(amount.y + amount.height)
    await press('Preview')
    await page.getByText('3 invoices, BXC 2,550,000').waitFor()
    await page.getByText('Without a phone').waitFor()
    await page.getByLabel('Issue the invoices at once').click({ force: true })
    await checkPage(page, 'invoices for a tag')
    await press('Create invoices')
    await page.getByRole('status').filter({ hasText: '3 created, 0 duplicates skipped, 0 rows refused.' }).waitFor()
    await page.getByRole('link', { name: 'Show the invoices' }).first().click()
    await page.getByRole('link', { name: 'INV-000003' }).click()
    await page.getByText('on the due date, with a payment prompt').waitFor()
  })

  it('gets more invoices from a file, with the faults of its rows', async () => {
    await open('/invoices/file')
    const content = 'Admission no,Particulars,Fees\nP5-001,Lunch,"50,000"\nP5 2,Lunch,"50,000"\nP5-009,Lunch,1\n'
    const file = { name: 'lunch.csv', mimeType: 'text/csv', buffer: Buffer.from(content) }
    await page.locator('input[type=file]').setInputFiles(file)
    await press('Check file')
    await page.getByText('No customer has the number P5-009.').waitFor()
    await page.getByText('2 invoices, BXC 100,000').waitFor()
    await checkPage(page, 'invoices from a file')
    await press('Create invoices')
    await page.getByRole('status').filter({ hasText: '2 created, 0 duplicates skipped, 1 rows refused.' }).waitFor()
  })

  it('is reminded of and voided by the shown list', async () => {
    await open('/invoices?tag=P5')
    await page.getByRole('row', { name: /Amina/ }).first().waitFor()
    await press('Apply to all')
    await page.getByRole('menuitem', { name: 'Remind all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remind all' }).click()
    await page.getByText('The customer has no phone number, and no payer.').waitFor()
    await page.keyboard.press('Escape')
    await open('/invoices?customer_number=P5-003')
    await page.getByRole('row', { name: /Carol/ }).first().waitFor()
    await press('Apply to all')
    await page.getByRole('menuitem', { name: 'Void all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Void all' }).click()
    await page.getByText('1 invoice done.').waitFor()
  })

  it('has a list of who has paid, on the page and as a file', async () => {
    await open('/invoices/by-tag')
    await page.getByRole('link', { name: 'P5', exact: true }).click()
    await page.getByRole('row', { name: /P5-003.*Carol/ }).waitFor()
    await checkPage(page, 'invoices by tag')
    await press('Download')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ])
    expect(await readFile(await file.path(), 'utf8')).toMatch(/P5-001,Amina Doe 0.*unpaid/)
  })
})
