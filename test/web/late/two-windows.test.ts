import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../../src/core/access/api-keys.ts'
import { createOrganization, findUser, setMembership } from '../../../src/core/access/organizations.ts'
import { createAccount, fundAccount } from '../../../src/core/ledger/accounts.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { type BrowserTest, OWNER, openBrowserTest, signIn } from '../browser.ts'

/* Two windows of one browser share a session: one of them may show what was true before. */

let browserTest: BrowserTest
let books: number

beforeAll(async () => {
  browserTest = await openBrowserTest()
  const { db, clock } = browserTest.testApp
  books = await begin(db, async (tx) => {
    const { id: organization } = await createOrganization(tx, clock.now(), 'Kampala Books')
    const { id: user } = (await findUser(tx, OWNER))!
    await setMembership(tx, clock.now(), { organization, user, permissions: allPermissions })
    const wallet = { organization, currency: 'BXC', kind: 'local' as const, name: 'Till', author: user }
    const { id: account } = await createAccount(tx, clock.now(), wallet)
    const funds = { account, amount: parseAmount('500')!, description: 'Opening balance', author: user }
    await fundAccount(tx, clock.now(), funds)
    return organization
  })
}, 300_000)
afterAll(() => browserTest?.close())

/** Choose an organization as another window of the same browser does. */
async function switchElsewhere(page: Page, organization: number): Promise<void> {
  const headers = { 'x-requested-with': 'console' }
  const address = `${browserTest.url}/console/api/session/organization`
  const answer = await page.context().request.post(address, { headers, data: { organization } })
  expect(answer.status()).toBe(200)
}

describe('a window that shows the organization before', { timeout: 300_000 }, () => {
  it('asks for no money in the name of the one that another window has chosen, and then shows it', async () => {
    const page = await browserTest.openPage({ own: true })
    await signIn(page, browserTest.url, OWNER, '/collectionrequests')
    await page.getByRole('button', { name: 'Request payment' }).click()
    await page.getByRole('textbox', { name: /^Amount/ }).fill('40')
    await page.getByRole('textbox', { name: /^Reason/ }).fill('Demo order')

    await switchElsewhere(page, books)
    await page.getByRole('dialog').getByRole('button', { name: 'Request', exact: true }).click()
    await Promise.race([
      page.getByText('Another window has changed the person or the organization.').waitFor(),
      page.getByText(/BXC 40 requested from/).waitFor(),
    ])
    const { db } = browserTest.testApp
    expect(await db`select organization, reason from collection_requests`).toEqual([])

    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Contacts' }).click()
    await page.getByRole('button', { name: 'Kampala Books' }).waitFor()
  })
})
