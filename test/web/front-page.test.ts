import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BrowserTest, checkPage, openBrowserTest } from './browser.ts'

let browser: BrowserTest

beforeAll(async () => {
  browser = await openBrowserTest()
})
afterAll(() => browser.close())

it.each([
  ['front-page', {}],
  ['front-page-dark-narrow', { dark: true, narrow: true }],
])('the address of the service leads to the console and the reference: %s', async (name, options) => {
  const page = await browser.openPage(options)
  await page.goto(browser.url)
  await checkPage(page, name)
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.waitForURL(`${browser.url}/docs/reference`)
  await page.goBack()
  await page.getByRole('link', { name: 'Console' }).click()
  await page.getByLabel(/^E-mail/).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/console/)
})
