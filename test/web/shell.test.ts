import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../src/core/access/api-keys.ts'
import { createOrganization, findUser, setMembership } from '../../src/core/access/organizations.ts'
import { begin } from '../../src/db/client.ts'
import { type BrowserTest, checkPage, OWNER, openBrowserTest, PASSWORD, signIn } from './browser.ts'

const TIMEOUT = { timeout: 45_000 }

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
  const { db, clock } = browserTest.testApp
  await begin(db, async (tx) => {
    const { id: organization } = await createOrganization(tx, clock.now(), 'Kampala Books')
    const owner = await findUser(tx, OWNER)
    await setMembership(tx, clock.now(), { organization, user: owner!.id, permissions: allPermissions })
  })
}, 300_000)
afterAll(() => browserTest?.close())

describe('the console', { timeout: 300_000 }, () => {
  it('can be used with the keyboard alone', async () => {
    const page = await browserTest.openPage()
    await page.goto(`${browserTest.url}/console/account`)
    await page.getByLabel(/^E-mail/).focus()
    await page.keyboard.type(OWNER)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    // Signing in leads to the page that was opened before.
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('Tab')
    const focused = (property: string) =>
      expect.poll(() => page.evaluate(`document.activeElement.${property}`), TIMEOUT)
    await focused('textContent').toBe('Skip to content')
    await page.keyboard.press('Enter')
    await focused('id').toBe('content')
    await page.getByRole('button', { name: 'Your account and sign out' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    // A menu gets the focus shortly after it is visible.
    await focused('closest("[role=menu]") !== null').toBe(true)
    for (let press = 0; press < 5; press++) await page.keyboard.press('ArrowDown')
    await focused('textContent').toBe('Sign out')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('switches between organizations, and keeps the chosen color scheme', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await page.getByRole('button', { name: 'Demo Shop' }).click()
    await page.getByRole('menuitem', { name: 'Kampala Books' }).click()
    await page.getByRole('button', { name: 'Kampala Books' }).waitFor()
    await page.getByRole('button', { name: 'Use dark colors' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Use light colors' }).waitFor()
    await page.goto(`${browserTest.url}/console/audit`)
    await page.getByText('No entries yet.').waitFor()
    await checkPage(page, 'organizations-dark')
    await page.setViewportSize({ width: 360, height: 740 })
    const isTooWide = () => page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
    await expect.poll(isTooWide, TIMEOUT).toBe(false)
    await checkPage(page, 'organizations-narrow')
  })

  it('warns while the service is unreachable, and continues afterwards', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await page.route('**/console/api/audit?*', (route) => route.abort())
    await page.goto(`${browserTest.url}/console/audit`)
    await page.getByText('The service cannot be reached.').waitFor()
    await checkPage(page, 'unreachable')
    await page.unroute('**/console/api/audit?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('region', { name: 'Audit log' }).waitFor()
    await checkPage(page, 'audit')
    // The data from before stays, and the frame warns that it may be old.
    await page.goto(`${browserTest.url}/console/collectionrequests`)
    await page.getByText('No collection requests yet.').waitFor()
    await page.route('**/console/api/collectionrequests?*', (route) => route.fulfill({ status: 503, body: '{}' }))
    await page.getByText('What you see may be out of date.').waitFor()
    await page.getByText('No collection requests yet.').waitFor()
    await checkPage(page, 'behind')
    await page.unroute('**/console/api/collectionrequests?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('What you see may be out of date.').waitFor({ state: 'detached' })
  })

  it('shows the sign-in page when the session has ended', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await page.goto(`${browserTest.url}/console/users`)
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await browserTest.testApp.db`delete from sessions`
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})

describe('the language of the console', { timeout: 300_000 }, () => {
  it('follows the user, who chooses it in the menu or on the account page', async () => {
    const { url } = browserTest
    const page = await browserTest.openPage({ narrow: true })
    await signIn(page, url)
    expect(await languageOf(page)).toBe('en')
    await page.getByRole('button', { name: 'Your account and sign out' }).click()
    await page.getByRole('menuitem', { name: 'Kiswahili' }).click()
    await page.getByRole('button', { name: 'Akaunti yako na kutoka' }).waitFor()
    expect(await languageOf(page)).toBe('sw')
    await page.goto(`${url}/console/settings`)
    await page.getByRole('heading', { name: 'Mipangilio' }).waitFor()
    await checkPage(page, 'settings-sw')

    const other = await browserTest.openPage()
    await other.goto(`${url}/console/account`)
    expect(await languageOf(other)).toBe('en')
    await other.getByLabel(/^E-mail/).fill(OWNER)
    await other.getByLabel(/^Password/).fill(PASSWORD)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByRole('heading', { name: 'Akaunti yako' }).waitFor()
    expect(await languageOf(other)).toBe('sw')

    await other.getByRole('combobox', { name: 'Lugha' }).click()
    await other.getByRole('option', { name: 'Français' }).click()
    await other.getByRole('heading', { name: 'Votre compte' }).waitFor()
    await page.goto(`${url}/console/account`)
    await page.getByRole('heading', { name: 'Votre compte' }).waitFor()
    await checkPage(page, 'account-fr')
  })

  it('is that of the browser before the user signs in, or the one chosen there', async () => {
    const page = await browserTest.openPage({ locale: 'fr-CI', narrow: true })
    await page.goto(`${browserTest.url}/console`)
    await page.getByRole('heading', { name: 'Connexion' }).waitFor()
    expect(await languageOf(page)).toBe('fr')
    await page.getByLabel(/^E-mail/).fill(OWNER)
    await page.getByLabel(/^Mot de passe/).fill('a wrong password')
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await page.getByText('E-mail ou mot de passe incorrect').waitFor()
    await checkPage(page, 'sign-in-fr')
    await page.getByRole('button', { name: 'Kiswahili' }).click()
    await page.getByRole('heading', { name: 'Ingia' }).waitFor()
    expect(await languageOf(page)).toBe('sw')
    await checkPage(page, 'sign-in-sw')
  })
})

function languageOf(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.lang')
}
