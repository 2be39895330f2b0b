import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { advanceUntilShown, type BrowserTest, checkPage, openBrowserTest, signIn } from './browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

describe('payment links', { timeout: 300_000 }, () => {
  it('are created in the console, and paid on a phone', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await page.goto(`${browserTest.url}/console/payment-links`)
    await page.getByText('There is no payment link yet.').waitFor()
    await page.getByRole('button', { name: 'Create a link' }).click()
    await page.getByLabel(/^Title/).fill('School fees, term 2')
    await page.getByLabel(/^Description/).fill('For one child at the school by the lake.')
    await page.getByRole('textbox', { name: /^Amount/ }).fill('1500')
    await page.getByRole('button', { name: 'Ask something else' }).click()
    await page.getByLabel('Question 1').fill('Name of the pupil')
    await checkPage(page, 'payment-link-new')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('link', { name: 'School fees, term 2' }).click()
    await page.getByAltText('QR code of the link').waitFor()
    await checkPage(page, 'payment-link')
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()

    const phone = await browserTest.openPage({ narrow: true })
    await phone.setViewportSize({ width: 320, height: 700 })
    await phone.goto(link)
    await phone.getByRole('heading', { name: 'School fees, term 2' }).waitFor()
    await checkPage(phone, 'pay-form')
    await phone.getByRole('button', { name: 'Pay BXC 1,500' }).click()
    await phone.getByText('Check what you typed').waitFor()
    await checkPage(phone, 'pay-form-faults')
    await phone.getByLabel('Name of the pupil').fill('Ada')
    await phone.getByLabel('Mobile-money phone number').fill('0000 3001')
    await phone.getByText('Sandbox Network').waitFor()
    await phone.getByRole('button', { name: 'Pay BXC 1,500' }).click()
    await phone.getByRole('heading', { name: 'Look at your phone' }).waitFor()
    await checkPage(phone, 'pay-waiting')
    const navigations: string[] = []
    phone.on('framenavigated', (frame) => navigations.push(frame.url()))
    await advanceUntilShown(browserTest, phone, 'Your payment has arrived.')
    await checkPage(phone, 'pay-receipt')
    // The script has replaced the content, and told screen readers by the focus.
    expect(navigations).toEqual([])
    expect(await phone.evaluate('document.activeElement.tagName')).toBe('H1')

    await page.getByText('1 paid, BXC 1,500 together').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByText('Closed').waitFor()
    const dark = await browserTest.openPage({ narrow: true, dark: true })
    await dark.goto(`${link}?lang=sw`)
    await dark.getByRole('heading', { name: 'Ukurasa huu umefungwa' }).waitFor()
    await checkPage(dark, 'pay-closed-dark')
  })
})
