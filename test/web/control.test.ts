import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../src/core/access/api-keys.ts'
import { addPerson } from '../console/shop.ts'
import { PASSWORD } from '../password.ts'
import { createApiClient } from '../test-app.ts'
import { type BrowserTest, checkPage, confirmIdentity, goTo, OWNER, openBrowserTest, signIn } from './browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

/** Press Tab until this payment has the focus, as a person without a mouse does. */
async function tabToPayment(page: Page, payment: number): Promise<void> {
  for (let presses = 0; presses < MAX_TABS; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(`document.activeElement?.getAttribute('data-payment')`)
    if (focused === String(payment)) return
  }
  throw new Error('Tab does not lead there.')
}

/** More than the navigation and the page have. */
const MAX_TABS = 80

/** Set an approval rule and limits, each of which asks for the password. */
async function setRules(page: Page): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  const closed = () => dialog.waitFor({ state: 'detached' })
  await button('Set amount').click()
  await page.getByLabel(/^Above/).fill('1000')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor()
  await checkPage(page, 'confirm-identity')
  await confirmIdentity(page)
  await page.getByText('Above BXC 1,000').waitFor()
  await closed()
  await button('Set limits').click()
  await page.getByLabel(/^All payments/).fill('-1')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await confirmIdentity(page)
  await page.getByText('It must not be below zero.').waitFor()
  await page.getByLabel(/^All payments/).fill('50000')
  await page.getByLabel(/^To one phone number/).fill('5000')
  await checkPage(page, 'limits-new')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await confirmIdentity(page)
  await page.getByText('BXC 50,000 in 24 hours, all payments and bills').waitFor()
  await closed()
}

describe('control over payments', { timeout: 300_000 }, () => {
  it('takes two managers: one asks, the other confirms', async () => {
    const { testApp, url } = browserTest
    const page = await browserTest.openPage()
    const dialog = page.getByRole('dialog')
    const closed = () => dialog.waitFor({ state: 'detached' })
    await signIn(page, url, OWNER, '/settings')

    await setRules(page)
    await page.getByRole('region', { name: 'Payment approval' }).getByRole('button', { name: 'Remove' }).click()
    await dialog.getByText('You are the only manager.').waitFor()
    await checkPage(page, 'settings-remove-alone')
    await dialog.getByRole('button', { name: 'Go back' }).click()
    await closed()

    const organization = testApp.organization
    await addPerson(testApp, { organization, email: 'partner@shop.example', permissions: allPermissions })
    await addPerson(testApp, { organization, email: 'till@shop.example', permissions: ['view'] })
    await page.reload()
    await page.getByRole('region', { name: 'Payment limits' }).getByRole('button', { name: 'Remove' }).click()
    await dialog.getByText('Another manager must confirm this').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await confirmIdentity(page)
    await page.getByText('1 change is waiting for a second manager').waitFor()
    await closed()
    await page.getByText('BXC 50,000 in 24 hours, all payments and bills').waitFor()
    await checkPage(page, 'settings-control')

    await askForMorePermissions(page)
    await confirmAsPartner()
    await page.getByRole('table').getByText('Confirmed').waitFor()
    await checkPage(page, 'changes')
  })

  it('is exercised with the keyboard alone', async () => {
    const { testApp, url } = browserTest
    const api = createApiClient(url, testApp.api_key)
    const pay = async (amount: string, phonenumber: string) =>
      (await api.post('/api/payments', { phonenumber, amount, currency: 'BXC', description: 'Wages' })).body
        .id as number
    const first = await pay('1500', '+80000000003')
    await pay('1600', '+80000000004')
    const page = await browserTest.openPage()
    await signIn(page, url, 'partner@shop.example')
    await page.getByText('2 payments are waiting for your approval').waitFor()
    await checkPage(page, 'home-approvals')
    await goTo(page, `${url}/console/approvals`)
    await page.getByRole('checkbox', { name: /BXC 1,500 to \+80000000003/ }).waitFor()
    await checkPage(page, 'approvals')

    await tabToPayment(page, first)
    for (const key of ['Space', 'ArrowDown', 'Space', 'a']) await page.keyboard.press(key)
    await page.getByRole('dialog').getByText('Approve 2 payments?').waitFor()
    await checkPage(page, 'approve-several')
    await page.keyboard.press('Enter')
    await page.getByText('2 payments approved.').waitFor()
    await page.getByText('No payment is waiting for you.').waitFor()

    const third = await pay('1700', '+80000000003')
    await page.reload()
    await page.getByRole('checkbox', { name: /BXC 1,700/ }).waitFor()
    await rejectWithKeyboard(page, third)

    const narrow = await browserTest.openPage({ narrow: true })
    await signIn(narrow, url)
    await pay('1800', '+80000000003')
    await goTo(narrow, `${url}/console/approvals`)
    await narrow.getByText('You requested it, so another user decides.').waitFor()
    await checkPage(narrow, 'approvals-others-narrow')
    await goTo(page, `${url}/console/payments/${first}`)
    await page.getByRole('listitem').getByText('Approved by partner').waitFor()
    await checkPage(page, 'payment-approved')
  })

  it('leads a user who moves money to the two-factor authentication that the organization requires', async () => {
    const { testApp, url } = browserTest
    await testApp.db`update organizations set second_factor_required = true where id = ${testApp.organization}`
    const page = await browserTest.openPage()
    await signIn(page, url)
    await page.getByText('Demo Shop requires two-factor authentication').waitFor()
    await page.getByRole('button', { name: 'Turn on' }).waitFor()
    await checkPage(page, 'second-step-missing')
    await goTo(page, `${url}/console/payments`)
    await page.getByRole('heading', { name: 'Payments' }).waitFor()
    expect(await page.getByRole('button', { name: 'Send money' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Set it up' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
  })
})

/** Ask for one more permission for another user, which a second manager must confirm too. */
async function askForMorePermissions(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await goTo(page, `${browserTest.url}/console/users`)
  await page
    .getByRole('row', { name: /till@shop/ })
    .getByRole('button', { name: 'Role' })
    .click()
  await dialog.getByText('See collections, payments, contacts, balances and reports').waitFor()
  await dialog.getByLabel('Role').first().click()
  await page.getByRole('option', { name: 'Custom' }).click()
  await page.getByLabel('Approve payments').check()
  await dialog.getByLabel(/^Your password/).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('2 changes are waiting for a second manager').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await checkPage(page, 'users-pending')
  await page.getByRole('link', { name: 'Review changes' }).click()
  await page.getByRole('cell', { name: /till .* may also: Approve Payments/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Confirm', exact: true }).count()).toBe(0)
  await checkPage(page, 'changes-own')
}

/** Confirm the first change as the other manager, on a narrow screen. */
async function confirmAsPartner(): Promise<void> {
  const partner = await browserTest.openPage({ narrow: true })
  await signIn(partner, browserTest.url, 'partner@shop.example')
  await goTo(partner, `${browserTest.url}/console/changes`)
  const cards = partner.getByRole('list', { name: 'Changes' })
  await cards.getByText(/till .* may also: Approve Payments/).waitFor()
  await checkPage(partner, 'changes-narrow')
  await partner.getByRole('button', { name: 'Confirm' }).first().click()
  await checkPage(partner, 'change-confirm')
  await partner.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await confirmIdentity(partner)
  await cards.getByText('Confirmed').waitFor()
}

async function rejectWithKeyboard(page: Page, payment: number): Promise<void> {
  await tabToPayment(page, payment)
  await page.keyboard.press('r')
  await page.getByRole('dialog').getByText('Reject this payment?').waitFor()
  await page.getByRole('dialog').locator('textarea:focus, input:focus').waitFor()
  await page.keyboard.type('Twice the usual')
  await page.keyboard.press('Enter')
  await page.getByText('Payment rejected.').waitFor()
  await goTo(page, `${browserTest.url}/console/payments/${payment}`)
  await page.getByText('Twice the usual').first().waitFor()
  await page.getByText('Rejected by', { exact: true }).waitFor()
  await checkPage(page, 'payment-rejected')
}
