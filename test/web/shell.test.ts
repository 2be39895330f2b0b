import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../src/core/access/api-keys.ts'
import { createOrganization, findUser, setMembership } from '../../src/core/access/organizations.ts'
import { recordEvents } from '../../src/core/events/events.ts'
import { begin } from '../../src/db/client.ts'
import { sql } from '../../src/db/sql.ts'
import { endRequests } from '../core/end-requests.ts'
import { PASSWORD } from '../password.ts'
import { createApiClient, eventually, type TestApp } from '../test-app.ts'
import { type BrowserTest, checkPage, OWNER, openBrowserTest, signIn } from './browser.ts'
import { failReads } from './live/fail-reads.ts'

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
    const focused = (property: string) => expect.poll(() => page.evaluate(`document.activeElement.${property}`))
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
    await expect.poll(isTooWide).toBe(false)
    await checkPage(page, 'organizations-narrow')
  })

  it('warns while the service is unreachable, and continues afterwards', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    const audit = await failReads(page, '**/console/api/audit?*', (route) => route.abort())
    await page.goto(`${browserTest.url}/console/audit`)
    await page.getByText('The service cannot be reached.').waitFor()
    await checkPage(page, 'unreachable')
    await audit.tryAgain()
    await page.getByRole('region', { name: 'Audit log' }).waitFor()
    await checkPage(page, 'audit')
    // The data from before stays, and the frame warns that it may be old.
    await page.goto(`${browserTest.url}/console/collectionrequests`)
    await page.getByText('No collection requests yet.').waitFor()
    const requests = await failReads(page, '**/console/api/requests?*', (route) =>
      route.fulfill({ status: 503, body: '{}' }),
    )
    // The page reads again when it hears that something has changed.
    const { db, app, clock } = browserTest.testApp
    const [books] = await db<{ id: number }[]>`select id from organizations where name = 'Kampala Books'`
    const changed = { organization: books!.id, type: 'collectionrequest.status.changed', data: { id: 1 } } as const
    await begin(db, (tx) => recordEvents(tx, clock.now(), [{ ...changed, author: 1 }]))
    app.wake()
    await page.getByText('This page may be out of date.').waitFor()
    await page.getByText('No collection requests yet.').waitFor()
    await checkPage(page, 'behind')
    await requests.tryAgain()
    await page.getByText('This page may be out of date.').waitFor({ state: 'detached' })
  })

  it('folds what roles may on a phone', async () => {
    const page = await browserTest.openPage({ narrow: true })
    await signIn(page, browserTest.url, OWNER, '/users')
    const viewer = page.getByRole('list', { name: 'Roles' }).getByRole('listitem').filter({ hasText: 'Viewer' })
    const may = viewer.getByText('See collections, payments')
    await viewer.getByText('1 permission').waitFor()
    expect(await may.isVisible()).toBe(false)
    await viewer.getByText('1 permission').click()
    await may.waitFor()
    await checkPage(page, 'users-narrow')
  })

  it('is checked in its frame and its content, also when the same frame was checked before', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/account')
    await checkPage(page, 'account')
    for (const part of ['main', 'nav', 'header']) {
      await page.evaluate(`document.querySelector('${part}').insertAdjacentHTML('beforeend', '<button></button>')`)
      await expect(checkPage(page, part), part).rejects.toMatchObject({
        actual: [expect.stringContaining('button-name')],
      })
      await page.evaluate(`document.querySelector('${part}').lastElementChild.remove()`)
    }
    await checkPage(page, 'account')
  })

  it('shows the sign-in page when the session has ended', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/users')
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    await page.getByText(OWNER).first().waitFor()
    await browserTest.testApp.db`delete from sessions`
    const link = page.getByRole('group', { name: 'Organization' }).getByRole('link', { name: 'Audit log' })
    const heading = page.getByRole('heading', { name: 'Sign in' })
    // The page may hear it from its event stream before the link is pressed.
    await Promise.race([link.click().catch(() => undefined), heading.waitFor()])
    await heading.waitFor()
  })
})

describe('the search and the home page', { timeout: 300_000 }, () => {
  it('finds by the keyboard alone, and remembers earlier searches', async () => {
    const { testApp, url } = browserTest
    await ask(testApp, { phonenumber: '+80000000003', amount: '1500', reason: 'Order 71' })
    await ask(testApp, { phonenumber: '+80000000004', amount: '2700', reason: 'Order 72' })
    const page = await browserTest.openPage({ narrow: true })
    await signIn(page, url)
    await page.getByRole('heading', { name: 'Demo Shop' }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search' })
    await field.waitFor()
    await page.getByText('Search requests, collections').waitFor()
    await page.keyboard.type('order 7')
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    await checkPage(page, 'search-narrow')
    // The first one is chosen already.
    expect(await page.getByRole('option', { selected: true }).textContent()).toContain('Order 72')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('Order 71').first().waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/collectionrequests\/\d+$/)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('option', { name: 'order 7' }).click()
    await field.fill('2,700')
    await page.getByRole('group', { name: 'Collection requests' }).getByText('BXC 2,700').waitFor()
    // Orders 73 to 78: more than are shown, and the list has all.
    for (let order = 73; order <= 78; order += 1)
      await ask(testApp, { phonenumber: `+8000000${1000 + order}`, amount: '76', reason: `Order ${order}` })
    await field.fill('order')
    await page.getByRole('option', { name: 'See all in the list' }).first().waitFor()
    await checkPage(page, 'search-see-all-narrow')
    await page.getByRole('option', { name: 'See all in the list' }).first().click()
    await expect.poll(() => page.url()).toContain('/collectionrequests?search=order')
    await page.getByText('1–8 of 8').waitFor()
    await page.getByRole('button', { name: 'Search' }).click()
    await field.fill('no such thing')
    await page.getByText('Nothing found.').waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
  })

  it('shows the figures of a period, and no commands to those who only view', async () => {
    const { testApp, url } = browserTest
    await endRequests(testApp.db, 'expired', sql`reason = 'Order 71' and organization = ${testApp.organization}`)
    const page = await browserTest.openPage()
    await signIn(page, url)
    const tile = page.getByRole('region', { name: 'Success rate', exact: true })
    // A read that took long on a busy machine is kept for some time.
    await eventually('the ended request', async () => {
      await page.reload()
      await tile.waitFor()
      return (await tile.getByText('0 of 1 ended request').count()) > 0 || undefined
    })
    await page.getByText('The request expired before the customer paid.').waitFor()
    await page.getByText('First steps').waitFor()
    await page.getByText('Nothing needs attention.').waitFor()
    await page.getByRole('combobox', { name: 'Period' }).click()
    await page.getByRole('option', { name: 'Custom period' }).click()
    await page.getByLabel('From', { exact: true }).fill('2029-12-01')
    await page.getByLabel('To', { exact: true }).fill('2029-12-31')
    await page.getByText('Dec 1, 2029 – Dec 31, 2029, compared with Oct 31, 2029 – Nov 30, 2029').waitFor()
    await page.getByText('No request ended in this period.').first().waitFor()
    await checkPage(page, 'home-period')

    await testApp.db`update memberships set permissions = '{view}' where organization = ${testApp.organization}`
    const viewer = await browserTest.openPage({ narrow: true, dark: true })
    await signIn(viewer, url)
    await viewer.getByText('Success rate by network').waitFor()
    expect(await viewer.getByText('curl').count()).toBe(0)
    await checkPage(viewer, 'home-viewer-narrow')
    await testApp.db`
      update memberships set permissions = ${[...allPermissions]}::text[] where organization = ${testApp.organization}`
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

  it("is the browser's before the user signs in, or the one chosen there", async () => {
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

  it('is also the language of refusals and of the faults of a file', async () => {
    const { url, testApp } = browserTest
    await testApp.db`update users set language = null`
    const page = await browserTest.openPage()
    await signIn(page, url)
    await page.evaluate(`localStorage.setItem('language', 'fr')`)
    await page.goto(`${url}/console/contacts/import`)
    await upload(page, 'Phone,Full name\nx,Eve\n+80000000087,')
    await page.getByRole('button', { name: 'Vérifier le fichier' }).click()
    await page.getByText('Ceci n’est pas un numéro de téléphone.').waitFor()
    await page.getByText('Le nom manque.').waitFor()
    await checkPage(page, 'contacts-import-fr')

    const phone = await browserTest.openPage({ narrow: true })
    await signIn(phone, url)
    await phone.evaluate(`localStorage.setItem('language', 'sw')`)
    await phone.goto(`${url}/console/contacts/import`)
    await upload(phone, 'Shoes\nblue')
    await phone.getByRole('button', { name: 'Kagua faili' }).click()
    await phone.getByText('Hakuna safu').waitFor()
    await checkPage(phone, 'contacts-import-sw')
  })
})

describe('a list', { timeout: 300_000 }, () => {
  it('keeps columns and filters as a view, and cancels selected rows with a result for each', async () => {
    const { url, testApp } = browserTest
    const api = createApiClient(url, testApp.api_key)
    await testApp.db`update users set language = null`
    for (const phonenumber of ['+80000000077', '+80000000078', '+80000000079'])
      await api.post('/api/collectionrequests', {
        phonenumber,
        amount: '75',
        currency: 'BXC',
        send_instructions: false,
      })
    const page = await browserTest.openPage()
    await signIn(page, url, OWNER, '/collectionrequests?currency=BXC&amount=75')
    await page.getByRole('row', { name: /\+80000000079/ }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Reason' }).uncheck()
    await page.getByRole('columnheader', { name: 'Reason' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
    await page.getByLabel(/^Name/).fill('In BXC')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'In BXC' }).waitFor()
    const shared = page.url()
    expect(shared).toMatch(/currency=BXC.*columns=customer%2Camount%2Cstatus/)
    await page.goto(`${url}/console/collectionrequests`)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'In BXC' }).click()
    await expect.poll(() => page.url()).toContain('currency=BXC')
    // The rows of the view have come: a heading and three requests.
    await expect.poll(() => page.getByRole('row').count()).toBe(4)

    // Another person has cancelled one of them meanwhile.
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).focus()
    await page.keyboard.press('Space')
    await page.getByText('3 rows selected').waitFor()
    const [other] = await testApp.db<{ id: number }[]>`
      select id from collection_requests where phonenumber = '+80000000078'`
    await page.evaluate(
      `fetch('/console/api/collectionrequests/${other!.id}/cancel', { method: 'POST', headers: { 'x-requested-with': 'console' } }).then((answer) => answer.text())`,
    )
    await checkPage(page, 'bulk-bar')
    await page.getByRole('button', { name: 'Cancel requests' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel requests' })
    await dialog.getByRole('button', { name: 'Cancel requests' }).click()
    await dialog.getByText('2 of 3 requests cancelled.').waitFor()
    expect(await dialog.getByRole('listitem').count()).toBe(1)
    await checkPage(page, 'bulk-result')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('1 row selected').waitFor()
  })
})

/** Choose a CSV file. */
function upload(page: Page, text: string): Promise<void> {
  const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  return page.locator('input[type=file]').setInputFiles(file)
}

function languageOf(page: Page): Promise<unknown> {
  return page.evaluate('document.documentElement.lang')
}

/** Request money over the API. */
async function ask({ api_key }: TestApp, body: object): Promise<void> {
  const api = createApiClient(browserTest.url, api_key)
  const { status } = await api.post('/api/collectionrequests', { currency: 'BXC', send_instructions: false, ...body })
  expect(status).toBe(201)
}
