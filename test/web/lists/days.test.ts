import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiClient } from '../../test-app.ts'
import { type BrowserTest, OWNER, openBrowserTest, signIn } from '../browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

async function open(path: string): Promise<Page> {
  const page = await browserTest.openPage()
  await signIn(page, browserTest.url, OWNER, path)
  return page
}

const day = (page: Page, name: 'From' | 'To') => page.getByLabel(name, { exact: true })

describe('the days of a page', { timeout: 300_000 }, () => {
  it('are typed by keyboard, in any order', async () => {
    const api = createApiClient(browserTest.url, browserTest.testApp.api_key)
    const customer = { phone_number: '+80002000001', first_name: 'Betty', last_name: 'Nakato' }
    const { id } = (await api.post('/api/contacts', customer)).body
    for (const path of ['/reports', `/contacts/${id}/statement`]) {
      const page = await open(`${path}?from=2030-01-01&to=2030-01-10`)
      await day(page, 'From').waitFor()
      await day(page, 'From').focus()
      // Chromium has a part for each of month, day and year.
      await page.keyboard.type('02012029')
      await page.keyboard.press('Enter')
      await expect.poll(() => new URL(page.url()).searchParams.get('from'), { message: path }).toBe('2029-02-01')
      expect(await day(page, 'From').inputValue(), path).toBe('2029-02-01')
      await day(page, 'From').fill('2030-03-05')
      await day(page, 'From').press('Enter')
      await expect.poll(() => new URL(page.url()).search, { message: path }).toBe('?from=2030-03-05&to=2030-03-05')
      await day(page, 'To').fill('2030-03-20')
      await day(page, 'To').press('Enter')
      await expect.poll(() => new URL(page.url()).search, { message: path }).toBe('?from=2030-03-05&to=2030-03-20')
    }
  })

  it('that are too many can be changed', async () => {
    const page = await open('/reports?from=1990-01-01&to=2030-01-10')
    await page.getByRole('alert').waitFor()
    await day(page, 'From').fill('2030-01-01')
    await day(page, 'From').press('Enter')
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })

  it('follow the filter, also after a step back', async () => {
    const page = await open('/collectionrequests?days=2030-01-01..2030-01-31')
    await day(page, 'From').waitFor()
    await day(page, 'From').fill('2030-01-20')
    await day(page, 'From').press('Enter')
    await page.waitForURL('**days=2030-01-20..2030-01-31')
    await page.goBack()
    await page.waitForURL('**days=2030-01-01..2030-01-31')
    await expect.poll(() => day(page, 'From').inputValue()).toBe('2030-01-01')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await expect.poll(() => day(page, 'From').inputValue()).toBe('')
  })
})
