import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApiClient } from '../../test-app.ts'
import { type BrowserTest, checkPage, goTo, openBrowserTest, signIn } from '../browser.ts'

let browserTest: BrowserTest
let page: Page

beforeAll(async () => {
  browserTest = await openBrowserTest()
  const api = createApiClient(browserTest.url, browserTest.testApp.api_key)
  for (const [phonenumber, amount] of [
    ['+80000000077', '75'],
    ['+80000000078', '1250000'],
  ])
    await api.post('/api/collectionrequests', { phonenumber, amount, currency: 'BXC', send_instructions: false })
  page = await browserTest.openPage({ narrow: true })
  await signIn(page, browserTest.url)
}, 300_000)
afterAll(() => browserTest?.close())
beforeEach(() => page.setViewportSize(NARROW))

const NARROW = { width: 390, height: 844 }
const WIDE = { width: 844, height: 390 }
/** The address from which the console reads the rows. */
const READ = /\/console\/api\/requests\?/

const firstCard = () => page.getByRole('list', { name: 'Collection requests' }).getByRole('listitem').first()

/** Return true if two parts of the window overlap. */
async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()])
  return a!.x < b!.x + b!.width && b!.x < a!.x + a!.width && a!.y < b!.y + b!.height && b!.y < a!.y + a!.height
}

describe('a list on a phone', { timeout: 300_000 }, () => {
  it('folds its filters behind a button that counts those that are set', async () => {
    await goTo(page, `${browserTest.url}/console/collectionrequests`)
    await firstCard().waitFor()
    const status = page.getByRole('combobox', { name: 'Status' })
    expect(await status.count()).toBe(0)
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByPlaceholder('Name, phone, reason').fill('+80000000077')
    await page.keyboard.press('Enter')
    const button = page.getByRole('button', { name: 'Filters (1)' })
    await button.waitFor()
    await firstCard().getByText('+80000000077').waitFor()
    expect(await page.getByPlaceholder('Name, phone, reason').and(page.locator(':focus')).count()).toBe(1)
    await checkPage(page, 'list-filters-narrow')
    await button.click()
    await status.waitFor({ state: 'detached' })
  })

  it('shows cards of two lines, and sorts them by a column', async () => {
    await goTo(page, `${browserTest.url}/console/collectionrequests`)
    await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Amount' })
    await firstCard().getByText('BXC 1,250,000').waitFor()
    await page.getByRole('button', { name: 'Amount, descending. Reverse' }).click()
    await firstCard().getByText('BXC 75').waitFor()
    expect(new URL(page.url()).search).toBe('?ordering=amount')
    // The reason has no place in two lines, until somebody chooses its column.
    const reason = firstCard().getByRole('term').getByText('Reason')
    expect(await reason.count()).toBe(0)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Reason' }).check()
    await reason.waitFor()
    await page.getByRole('button', { name: 'Show the usual columns' }).click()
    await reason.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await checkPage(page, 'list-narrow')
  })

  it.each(['before', 'after'] as const)(
    'keeps a form, opened %s its rows are read, when the phone is turned',
    async (moment) => {
      const rows = Promise.withResolvers<void>()
      await page.route(READ, async (route) => {
        if (moment === 'before') await rows.promise
        await route.continue()
      })
      await goTo(page, `${browserTest.url}/console/collectionrequests`)
      if (moment === 'after') await firstCard().waitFor()
      await page.getByRole('button', { name: 'Request payment' }).click()
      const amount = page.getByLabel(/^Amount/)
      await amount.fill('450')
      expect(await page.locator('.row-cards').count()).toBe(moment === 'after' ? 1 : 0)
      rows.resolve()
      await page.locator('.row-cards').waitFor()
      await page.unroute(READ)
      for (const size of [WIDE, NARROW, WIDE]) {
        await page.setViewportSize(size)
        await expect.poll(() => page.evaluate('innerWidth')).toBe(size.width)
        expect(await amount.inputValue()).toBe('450')
      }
      // The rows change their form when the dialog is closed.
      await page.locator('.row-cards').waitFor()
      await page.keyboard.press('Escape')
      await amount.waitFor({ state: 'detached' })
      await page.locator('table').waitFor()
      await page.setViewportSize(NARROW)
      await page.locator('.row-cards').waitFor()
    },
  )

  it('makes a request, and leads to it from a toast that covers neither search nor menu', async () => {
    await goTo(page, `${browserTest.url}/console/collectionrequests`)
    await page.getByRole('button', { name: 'Request payment' }).click()
    await page.getByLabel(/^Amount/).fill('300')
    await page.getByRole('button', { name: 'Request', exact: true }).click()
    const toast = page.getByRole('alert').filter({ hasText: 'BXC 300 requested from +80000000003.' })
    await toast.waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const name of ['Search', 'Your account and sign out', 'Navigation'])
      expect(await overlap(toast, page.getByRole('button', { name, exact: true })), name).toBe(false)
    await checkPage(page, 'toast-narrow')
    await toast.getByRole('link', { name: 'Open it' }).click()
    await page.getByRole('heading', { level: 1, name: /BXC 300/ }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/collectionrequests\/\d+$/)
    await toast.waitFor({ state: 'detached' })
  })
})
