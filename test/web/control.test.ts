import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../src/core/access/api-keys.ts'
import { addPerson } from '../console/shop.ts'
import { type BrowserTest, checkPage, openBrowserTest, signIn } from './browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

describe('control over payments', { timeout: 300_000 }, () => {
  it('takes two managers: one asks, the other confirms', async () => {
    const { testApp, url } = browserTest
    const page = await browserTest.openPage()
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    const closed = () => dialog.waitFor({ state: 'detached' })
    await signIn(page, url)
    await page.goto(`${url}/console/settings`)

    await button('Set amount').click()
    await page.getByLabel(/^Above/).fill('1000')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Above BXC 1,000').waitFor()
    await closed()
    await button('Set limits').click()
    await page.getByLabel(/^All payments/).fill('-1')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('It must not be below zero.').waitFor()
    await page.getByLabel(/^All payments/).fill('50000')
    await page.getByLabel(/^To one phone number/).fill('5000')
    await checkPage(page, 'limits-new')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('BXC 50,000 a day, all payments').waitFor()
    await closed()

    const organization = testApp.organization
    await addPerson(testApp, { organization, email: 'partner@shop.example', permissions: allPermissions })
    await addPerson(testApp, { organization, email: 'till@shop.example', permissions: ['view'] })
    await page.getByRole('region', { name: 'Payment limits' }).getByRole('button', { name: 'Remove' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('1 change is waiting for a second manager').waitFor()
    await closed()
    await page.getByText('BXC 50,000 a day, all payments').waitFor()
    await checkPage(page, 'settings-control')

    await page.goto(`${url}/console/users`)
    await page
      .getByRole('row', { name: /till@shop/ })
      .getByRole('button', { name: 'Permissions' })
      .click()
    await page.getByLabel('Approve payments').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('2 changes are waiting for a second manager').waitFor()
    await closed()
    await checkPage(page, 'users-pending')
    await page.getByRole('link', { name: 'Review changes' }).click()
    await page.getByRole('cell', { name: /till .* may also: Approve Payments/ }).waitFor()
    expect(await button('Confirm').count()).toBe(0)
    await checkPage(page, 'changes-own')

    const partner = await browserTest.openPage({ narrow: true })
    await signIn(partner, url, 'partner@shop.example')
    await partner.goto(`${url}/console/changes`)
    await partner.getByRole('cell', { name: /till .* may also: Approve Payments/ }).waitFor()
    await checkPage(partner, 'changes-narrow')
    await partner.getByRole('button', { name: 'Confirm' }).first().click()
    await checkPage(partner, 'change-confirm')
    await partner.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await partner.getByRole('table').getByText('Confirmed').waitFor()
    await page.getByRole('table').getByText('Confirmed').waitFor()
    await checkPage(page, 'changes')
  })

  it('leads a user who moves money to the two-factor authentication that the organization requires', async () => {
    const { testApp, url } = browserTest
    await testApp.db`update organizations set second_factor_required = true where id = ${testApp.organization}`
    const page = await browserTest.openPage()
    await signIn(page, url)
    await page.getByText('Demo Shop requires two-factor authentication').waitFor()
    await page.getByRole('button', { name: 'Turn on' }).waitFor()
    await checkPage(page, 'second-step-missing')
    await page.goto(`${url}/console/payments`)
    await page.getByRole('heading', { name: 'Payments' }).waitFor()
    expect(await page.getByRole('button', { name: 'Send money' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Set it up' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
  })
})
