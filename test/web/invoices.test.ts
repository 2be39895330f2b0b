import { afterAll, beforeAll, describe, it } from 'vitest'
import { advanceUntilShown, type BrowserTest, checkPage, openBrowserTest, signIn } from './browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

describe('invoices', { timeout: 300_000 }, () => {
  it('are written and issued in the console, and paid on a phone', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await page.goto(`${browserTest.url}/console/invoices`)
    await page.getByText('There is no invoice yet.').waitFor()
    await page.getByRole('link', { name: 'New invoice' }).click()
    await page.getByLabel('Phone number of the customer').fill('+80000003001')
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Line 1', { exact: true }).fill('School uniform')
    await page.getByLabel('Quantity of line 1').fill('2')
    await page.getByLabel('Unit price of line 1').fill('750')
    await page.getByLabel('Tax % of line 1').fill('18')
    await page.getByLabel('Reminders by SMS').fill('-3, 0, 7')
    await page.getByText('BXC 1,770').waitFor()
    await checkPage(page, 'invoice-editor')
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await page.getByRole('heading', { name: 'Draft of an invoice' }).waitFor()
    await page.getByRole('button', { name: 'Issue' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click()
    await page.getByRole('heading', { name: 'Invoice INV-000001' }).waitFor()
    const url = await page.getByRole('textbox', { name: 'Address' }).inputValue()

    const phone = await browserTest.openPage({ narrow: true })
    await phone.goto(url)
    await phone.getByRole('heading', { name: 'Invoice INV-000001' }).waitFor()
    await checkPage(phone, 'invoice-page')
    await phone.getByRole('link', { name: 'Pay BXC 1,770' }).click()
    await phone.getByLabel('Mobile-money phone number').fill('0000 3001')
    await phone.getByRole('button', { name: 'Pay BXC 1,770' }).click()
    await advanceUntilShown(browserTest, phone, 'Your payment has arrived.')
    await phone.getByRole('link', { name: 'Open the invoice' }).click()
    await phone.getByText('This invoice is paid. Thank you.').waitFor()
    await checkPage(phone, 'invoice-page-paid')

    await page.getByText('The sum was reached').waitFor()
    await checkPage(page, 'invoice')
    await page.goto(`${browserTest.url}/console/invoices`)
    await page.getByRole('link', { name: 'INV-000001' }).waitFor()
    await checkPage(page, 'invoices')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('link', { name: 'INV-000001' }).click()
    await page.getByText('The sum was reached').waitFor()
    await checkPage(page, 'invoice-narrow')
  })
})
