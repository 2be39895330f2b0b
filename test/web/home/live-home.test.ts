import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD } from '../../password.ts'
import { type BrowserTest, checkPage, confirmIdentity, OWNER, openBrowserTest, signIn } from '../browser.ts'

let browserTest: BrowserTest

/** The pages and checks of a live service, in which nobody has connected a network yet. */
beforeAll(async () => {
  browserTest = await openBrowserTest()
  const { app, db } = browserTest.testApp
  app.config.MODE = 'live'
  await db`update connections set state = 'paused'`
  await app.providers.refresh()
}, 300_000)
afterAll(() => browserTest?.close())

const audited = () => browserTest.testApp.db`
  select action from audit_log where action in ('create account', 'rename account', 'fund account') order by id`

it('the checklist is the home page, and a manager opens, funds and names a wallet there', async () => {
  const page = await browserTest.openPage()
  await signIn(page, browserTest.url)
  await page.getByText(/items are missing/).waitFor()
  expect(await page.getByRole('combobox', { name: 'Period' }).count()).toBe(0)
  await checkPage(page, 'home-live')
  const dialog = page.getByRole('dialog')

  await page.goto(`${browserTest.url}/console/wallets`)
  await page.getByRole('button', { name: 'Open a wallet' }).click()
  await dialog.getByRole('combobox', { name: 'Currency' }).fill('UGX')
  await page.getByRole('option', { name: /^UGX/ }).click()
  await dialog.getByLabel(/^Name/).fill('Till')
  await checkPage(page, 'wallet-open')
  await dialog.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('link', { name: 'Till' }).waitFor()

  await page.goto(`${browserTest.url}/console`)
  const till = page.getByRole('group', { name: 'Till' })
  await till.getByRole('button', { name: 'Add money' }).click()
  await dialog.getByRole('textbox', { name: /^Amount/ }).fill('250000')
  await checkPage(page, 'wallet-fund')
  await dialog.getByRole('button', { name: 'Add money' }).click()
  await confirmIdentity(page)
  await page.getByText('The money was added to Till.').waitFor()
  await till.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Invite a manager' }).click()
  await dialog.getByLabel(/^E-mail/).fill('second@shop.example')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await confirmIdentity(page)
  await page.getByRole('textbox', { name: 'Link' }).waitFor()
  await page.getByRole('button', { name: 'Set up your second factor' }).click()
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
  await checkPage(page, 'home-live-steps')
  expect((await audited()).map(({ action }) => action)).toEqual(['create account', 'fund account'])
})

it('the form of a request says before it is filled in that no network is in use', async () => {
  const page = await browserTest.openPage({ narrow: true, locale: 'fr' })
  await page.goto(`${browserTest.url}/console`)
  // The cursor is in the first field.
  await page.locator('input[type=email]:focus').waitFor()
  await page.keyboard.type(OWNER)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText(/éléments manquent/).waitFor()
  await checkPage(page, 'home-live-narrow-fr')
  await page.goto(`${browserTest.url}/console/collectionrequests`)
  await page.getByRole('button', { name: 'Demander un paiement' }).click()
  await page.getByText('Aucun réseau n’est en service').waitFor()
  expect(await page.getByRole('dialog').getByRole('textbox').count()).toBe(0)
  await checkPage(page, 'request-without-network')
})

it('a page that is not there says so in words, and leads home', async () => {
  const page = await browserTest.openPage()
  await signIn(page, browserTest.url)
  for (const path of ['collectionrequests/999999', 'collectionrequests/nothing', 'nowhere']) {
    await page.goto(`${browserTest.url}/console/${path}`)
    await page.getByText('Not found').waitFor()
    await page.getByRole('link', { name: 'Go to the home page' }).waitFor()
  }
  await checkPage(page, 'not-found')
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await page.getByText(/items are missing/).waitFor()
})
