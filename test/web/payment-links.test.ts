import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClientPage } from '../docs/client-page.ts'
import { installTypeScriptClient } from '../docs/installed-clients.ts'
import { advanceUntilShown, type BrowserTest, checkPage, goTo, OWNER, openBrowserTest, signIn } from './browser.ts'

/** The cells of tables, except the first of each line, whose text is broken. */
const BROKEN_CELLS = `[...document.querySelectorAll('td:not(:first-child)')].filter((cell) => {
  const range = document.createRange()
  range.selectNodeContents(cell)
  return range.getClientRects().length > 1
}).map((cell) => cell.textContent)`

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

describe('payment links', { timeout: 300_000 }, () => {
  it('are created in the console, and paid on a phone', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/payment-links')
    await page.getByText('No payment links yet.').waitFor()
    await page.getByRole('button', { name: 'Create payment link' }).click()
    await page.getByLabel(/^Title/).fill('School fees, term 2')
    await page.getByLabel(/^Description/).fill('For one child at the school by the lake.')
    await page.getByRole('textbox', { name: /^Amount/ }).fill('1500')
    await page.getByRole('button', { name: 'Add question' }).click()
    await page.getByLabel('Question 1').fill('Name of the pupil')
    await checkPage(page, 'payment-link-new')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByAltText('QR code of the link').waitFor()
    const whatsapp = page.getByRole('link', { name: 'WhatsApp' })
    expect(await whatsapp.getAttribute('href')).toMatch(/^https:\/\/wa\.me\/\?text=School%20fees%2C%20term%202%0Ahttp/)
    await checkPage(page, 'payment-link')
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()

    await paySchoolFees(link)
    await page.getByText('1 paid, BXC 1,500 in total').waitFor()
    await page.getByRole('button', { name: 'Close link' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close link' }).click()
    await page.getByText('Closed').waitFor()
    await findLastCurrency(page)
    const dark = await browserTest.openPage({ narrow: true, dark: true })
    await dark.goto(`${link}?lang=sw`)
    await dark.getByRole('heading', { name: 'Ukurasa huu umefungwa' }).waitFor()
    await checkPage(dark, 'pay-closed-dark')
  })
  it('have receipts, which are made, sent and found in the console', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/receipts')
    await page.getByText('No receipts yet.').waitFor()
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByLabel('Send it by SMS to the phone that paid').waitFor()
    await checkPage(page, 'receipt-settings')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await goTo(page, `${browserTest.url}/console/collections/1`)
    await page.getByRole('button', { name: 'Create receipt' }).click()
    await page.getByText('R-000001').waitFor()
    await page.getByRole('button', { name: 'Send by SMS' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send by SMS' }).click()
    await page.getByRole('cell', { name: /\(SMS\)/ }).waitFor()
    await checkPage(page, 'receipt-panel')
    const url = await page.getByRole('link', { name: 'View' }).getAttribute('href')
    await goTo(page, `${browserTest.url}/console/receipts`)
    await page.getByRole('link', { name: 'R-000001' }).waitFor()
    await checkPage(page, 'receipts')

    const phone = await browserTest.openPage({ narrow: true })
    await phone.setViewportSize({ width: 320, height: 700 })
    await phone.goto(url!)
    await phone.getByRole('heading', { name: 'Receipt R-000001' }).waitFor()
    await checkPage(phone, 'receipt-page')
  })
  it('notify the shop of the guide for TypeScript that its customer has paid on a phone', async () => {
    const { url, testApp } = browserTest
    const guide = new ClientPage({ page: 'guides/typescript.md', language: 'ts', command: [process.execPath] })
    // The clock moves while the customer waits for the receipt, and only then.
    await guide.open({ url, key: testApp.api_key, advance: () => {} })
    try {
      installTypeScriptClient(guide.folder)
      const shop = await guide.startReceiver('shop.ts')
      const link = await createLinkInConsole('Order 7')

      const phone = await browserTest.openPage({ narrow: true })
      await phone.goto(link)
      await phone.getByLabel('Mobile-money phone number').fill('+80000003007')
      await phone.getByRole('button', { name: 'Pay BXC 1,500' }).click()
      await advanceUntilShown(browserTest, phone, 'Your payment has arrived.')
      const [receipt] = await Promise.all([
        phone.context().waitForEvent('page'),
        phone.getByRole('link', { name: 'Receipt' }).click(),
      ])
      await receipt.getByRole('heading', { name: /^Receipt R-\d+/ }).waitFor()
      await receipt.getByText('Order 7').first().waitFor()
      await checkPage(receipt, 'guide-receipt')
      await guide.waitForPromised('shop.ts', shop)
    } finally {
      await guide.close()
    }
  })
})

/** Fill the form of a new invoice. */
async function fillInvoice(page: Page) {
  await page.getByLabel('Customer phone number').fill('+80000003001')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Line 1', { exact: true }).fill('School uniform')
  await page.getByLabel('Quantity, line 1').fill('2')
  await page.getByLabel('Unit price, line 1').fill('750')
  await page.getByLabel('Tax %, line 1').fill('18')
  await page.getByLabel('SMS reminders').fill('-3, 0, 7')
}

describe('invoices', { timeout: 300_000 }, () => {
  it('are written and issued in the console, and paid on a phone', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/invoices')
    await page.getByText('No invoices yet.').waitFor()
    await page.getByRole('link', { name: 'Create invoice' }).click()
    await fillInvoice(page)
    await page.getByText('BXC 1,770').waitFor()
    await checkPage(page, 'invoice-editor')
    // Enter saves a draft, and never issues.
    await page.getByLabel('Unit price, line 1').press('Enter')
    await page.getByRole('heading', { name: 'Draft invoice' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No invoices yet.').waitFor()
    await page.getByRole('link', { name: 'Create invoice' }).click()
    await fillInvoice(page)
    await page.setViewportSize({ width: 390, height: 2400 })
    await checkPage(page, 'invoice-editor-narrow')
    await page.setViewportSize({ width: 1440, height: 1400 })
    await checkPage(page, 'invoice-editor-whole')
    await page.getByRole('button', { name: 'Issue and share' }).click()
    await page.getByRole('heading', { name: 'Invoice INV-000001' }).waitFor()
    const url = await page.getByRole('textbox', { name: 'Link' }).inputValue()
    await page.getByAltText('QR code of the link').waitFor()
    expect(await page.getByRole('link', { name: 'SMS', exact: true }).last().getAttribute('href')).toMatch(
      /^sms:\+80000003001\?body=Invoice%20INV-000001/,
    )
    await checkPage(page, 'invoice-issued')
    await page.setViewportSize({ width: 390, height: 844 })
    await checkPage(page, 'invoice-issued-narrow')
    await page.setViewportSize({ width: 1280, height: 800 })

    await payInvoice(url)
    await page.getByText('Paid in full').waitFor()
    await checkPage(page, 'invoice')
    await goTo(page, `${browserTest.url}/console/invoices`)
    await page.getByRole('link', { name: 'INV-000001' }).waitFor()
    await checkPage(page, 'invoices')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('link', { name: 'INV-000001' }).click()
    await page.getByText('Paid in full').waitFor()
    await checkPage(page, 'invoice-narrow')
  })
  it('with large amounts fit on a phone', async () => {
    const headers = { Authorization: `Token ${browserTest.testApp.api_key}`, 'Content-Type': 'application/json' }
    const post = async (path: string, body: object): Promise<{ id: number; url: string }> => {
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return (await fetch(`${browserTest.url}/api${path}`, init)).json() as Promise<{ id: number; url: string }>
    }
    const lines = [
      { text: 'Uniforms for secondary-school students', quantity: '1200', unit_price: '75250.5', tax_rate: '18' },
    ]
    const draft = await post('/invoices', { phonenumber: '+80000003001', currency: 'BXC', lines })
    const { id, url } = await post(`/invoices/${draft.id}/issue`, {})
    const page = await browserTest.openPage({ narrow: true })
    await page.goto(url)
    await page.getByText('90,300,600').first().waitFor()
    await checkPage(page, 'invoice-page-large')
    expect(await page.evaluate(BROKEN_CELLS)).toEqual([])
    await signIn(page, browserTest.url, OWNER, `/invoices/${id}`)
    await page.getByRole('cell', { name: '90,300,600' }).scrollIntoViewIfNeeded()
    await checkPage(page, 'invoice-large-narrow')
    expect(await page.evaluate(BROKEN_CELLS)).toEqual([])
  })
})

/** Pay on a small phone, after a form with faults. The page stays and shows the result. */
async function paySchoolFees(link: string): Promise<void> {
  const phone = await browserTest.openPage({ narrow: true })
  await phone.setViewportSize({ width: 320, height: 700 })
  await phone.goto(link)
  await phone.getByRole('heading', { name: 'School fees, term 2' }).waitFor()
  await checkPage(phone, 'pay-form')
  await phone.getByRole('button', { name: 'Pay BXC 1,500' }).click()
  await phone.getByText('Check your details').waitFor()
  await checkPage(phone, 'pay-form-faults')
  await phone.getByLabel('Name of the pupil').fill('Ada')
  await phone.getByLabel('Mobile-money phone number').fill('0000 3001')
  await phone.getByText('Sandbox Network').waitFor()
  await phone.getByRole('button', { name: 'Pay BXC 1,500' }).click()
  await phone.getByRole('heading', { name: 'Check your phone' }).waitFor()
  await checkPage(phone, 'pay-waiting')
  const navigations: string[] = []
  phone.on('framenavigated', (frame) => navigations.push(frame.url()))
  await advanceUntilShown(browserTest, phone, 'Your payment has arrived.')
  await checkPage(phone, 'pay-receipt')
  // The script has replaced the content, and told screen readers by the focus.
  expect(navigations).toEqual([])
  expect(await phone.evaluate('document.activeElement.tagName')).toBe('H1')
}

/** Pay on a phone from the page of the invoice, and return to it. */
async function payInvoice(url: string): Promise<void> {
  const phone = await browserTest.openPage({ narrow: true })
  await phone.goto(url)
  await phone.getByRole('heading', { name: 'Invoice INV-000001' }).waitFor()
  await checkPage(phone, 'invoice-page')
  await phone.getByRole('link', { name: 'Pay BXC 1,770' }).click()
  await phone.getByLabel('Mobile-money phone number').fill('0000 3001')
  await phone.getByRole('button', { name: 'Pay BXC 1,770' }).click()
  await advanceUntilShown(browserTest, phone, 'Your payment has arrived.')
  await phone.getByRole('link', { name: 'View invoice' }).click()
  await phone.getByText('This invoice is paid. Thank you.').waitFor()
  await checkPage(phone, 'invoice-page-paid')
}

/** Make a link in another currency, and find that currency in the next form. */
async function findLastCurrency(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const currency = dialog.getByRole('combobox', { name: 'Currency' })
  await goTo(page, `${browserTest.url}/console/payment-links`)
  await page.getByRole('button', { name: 'Create payment link' }).click()
  expect(await currency.inputValue()).toBe('BXC')
  await currency.click()
  await page.getByRole('option', { name: 'UGX' }).click()
  await dialog.getByLabel(/^Title/).fill('In shillings')
  await dialog.getByRole('textbox', { name: /^Amount/ }).fill('5000')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { name: 'In shillings' }).waitFor()
  await goTo(page, `${browserTest.url}/console/collectionrequests`)
  await page.getByRole('button', { name: 'Request payment' }).click()
  expect(await currency.inputValue()).toBe('UGX')
}

/** @returns the address of the new link */
async function createLinkInConsole(title: string): Promise<string> {
  const page = await browserTest.openPage()
  await signIn(page, browserTest.url, OWNER, '/payment-links')
  await page.getByRole('button', { name: 'Create payment link' }).click()
  await page.getByLabel(/^Title/).fill(title)
  await page.getByRole('textbox', { name: /^Amount/ }).fill('1500')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  return page.getByRole('textbox', { name: 'Link' }).inputValue()
}
