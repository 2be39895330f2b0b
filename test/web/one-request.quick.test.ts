import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { PASSWORD } from '../password.ts'
import { advanceUntilShown, type BrowserTest, checkPage, OWNER, openBrowserTest } from './browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

async function signInByForm(page: Page): Promise<void> {
  await page.getByLabel(/^E-mail/).fill(OWNER)
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Demo Shop' }).waitFor()
}

describe('a collection request', { timeout: 300_000 }, () => {
  it('is created by a signed-in user, and shown until it is paid', async () => {
    const page = await browserTest.openPage()
    await page.goto(`${browserTest.url}/console`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await checkPage(page, 'sign-in')
    await signInByForm(page)
    await page.goto(`${browserTest.url}/console/collectionrequests`)
    await page.getByText('No collection requests yet.').waitFor()
    await checkPage(page, 'collection-requests-empty')

    await page.getByRole('button', { name: 'Request payment' }).click()
    await page.getByLabel(/^Amount/).fill('lots')
    await page.getByRole('button', { name: 'Request', exact: true }).click()
    await page.getByText('A valid number is required.').waitFor()
    await checkPage(page, 'collection-request-refused')
    await page.getByLabel(/^Amount/).fill('1500.50')
    await page.getByRole('button', { name: 'Request', exact: true }).click()
    const row = page.getByRole('row', { name: /\+80000000003/ })
    await row.getByText('BXC 1,500.50').waitFor()

    await row.getByRole('link').press('Enter')
    await page.getByRole('heading', { name: 'BXC 1,500.50 from +80000000003' }).waitFor()
    // The customer pays a second after the prompt, which comes after the order to the network.
    await advanceUntilShown(browserTest, page, 'Successful')
    await checkPage(page, 'collection-request')
  })
})
