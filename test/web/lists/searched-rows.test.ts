import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin } from '../../../src/db/client.ts'
import { sql } from '../../../src/db/sql.ts'
import { createApiClient } from '../../test-app.ts'
import { type BrowserTest, checkPage, goTo, OWNER, openBrowserTest, signIn } from '../browser.ts'

let browserTest: BrowserTest

/* A list of more payments than those in which parts of texts are looked for. */

beforeAll(async () => {
  browserTest = await openBrowserTest()
  const { db, organization, clock, api_key } = browserTest.testApp
  const api = createApiClient(browserTest.url, api_key)
  const wages = { currency: 'BXC', description: 'Wages of the cleaners' }
  const recipient_data = [{ phonenumber: '+80000000077', amount: '15' }]
  const { status, body } = await api.post('/api/payments', { ...wages, recipient_data })
  expect([status, body.id]).toEqual([201, expect.any(Number)])
  const later = sql`${clock.now()}::timestamptz + interval '1 day'`
  await begin(db, async (tx) => {
    // It skips the foreign keys, and takes as long as a busy machine needs.
    await tx`set local session_replication_role = replica`
    await tx`set local statement_timeout = 0`
    await tx`
      insert into payments (organization, purpose, payment_type, amount, currency, account, source, description, metadata,
        send_sms_message, state, cancelled_by, created, author, modified, approvals_required)
      select organization, purpose, payment_type, 1, currency, account, source, 'Bus', '{}', false, 'cancelled', author, ${later},
        author, ${later}, 0
      from payments, generate_series(1, 100000) where organization = ${organization} and id = ${body.id}`
  })
}, 300_000)
afterAll(() => browserTest?.close())

describe('a search in a long list', { timeout: 300_000 }, () => {
  it('says that parts were looked for in the newest rows, and how to find older ones', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/payments?search=cleaners')
    await page.getByText('No results for these filters.').waitFor()
    const notice = page.getByRole('note')
    expect(await notice.textContent()).toMatch(/only in the newest 100,000 rows\. To find older rows, type/)
    await checkPage(page, 'list-searched-rows')
    await page.getByPlaceholder('Name, phone, description').fill('+80000000077')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'BXC 15', exact: true }).waitFor()
    expect(await notice.count()).toBe(1)
    await goTo(page, `${browserTest.url}/console/payments`)
    await page.getByRole('cell', { name: 'BXC 1', exact: true }).first().waitFor()
    expect(await notice.count()).toBe(0)
  })

  it('says it in French on a phone', async () => {
    const page = await browserTest.openPage({ narrow: true })
    await signIn(page, browserTest.url)
    await browserTest.testApp.db`update users set language = 'fr'`
    await page.goto(`${browserTest.url}/console/payments?search=Bus`)
    const notice = page.getByRole('note')
    await notice.filter({ hasText: 'lignes plus anciennes' }).waitFor()
    await notice.scrollIntoViewIfNeeded()
    await checkPage(page, 'list-searched-rows-narrow')
  })
})
