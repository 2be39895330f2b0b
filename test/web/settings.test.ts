import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBuyer, electricityOrder } from '../api/bills/buyer.ts'
import { addPerson } from '../console/shop.ts'
import { type BrowserTest, checkPage, goTo, OWNER, openBrowserTest, signIn } from './browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

describe('settings', { timeout: 300_000 }, () => {
  it('are changed: name, fees, acceptance URL, maintenance', async () => {
    const page = await browserTest.openPage()
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const closed = () => page.getByRole('dialog').waitFor({ state: 'detached' })
    await signIn(page, browserTest.url, OWNER, '/settings')
    await button('Rename').click()
    await page.getByLabel(/^Name/).fill('Mama Grace Shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('definition').filter({ hasText: 'Mama Grace Shop' }).waitFor()
    await closed()

    await changePlace(page)
    await changeSeller(page)
    await setFee(page)

    await button('Set URL').click()
    await page.getByLabel(/^URL/).fill('https://shop.example/ask')
    await button('Save').click()
    await page.getByRole('definition').filter({ hasText: 'Accept' }).waitFor()
    await closed()
    await checkPage(page, 'settings')
    await page.setViewportSize({ width: 390, height: 844 })
    await checkPage(page, 'settings-narrow')
    await page.setViewportSize({ width: 1280, height: 860 })

    await holdAndReleaseSending(page)
    await startAndEndMaintenance(page)
    await goTo(page, `${browserTest.url}/console/audit`)
    await page.getByRole('cell', { name: 'End maintenance' }).waitFor()
    await page.getByRole('cell', { name: 'Release sending' }).waitFor()
  })
})

describe('bills', { timeout: 300_000 }, () => {
  it('are shown on a narrow screen: an open purchase, its requery, and the prices of a service', async () => {
    await createBuyer(browserTest.testApp, browserTest.url).post(
      '/services/electricity/request',
      electricityOrder({ phone: '08031000203' }),
    )
    const page = await browserTest.openPage({ narrow: true })
    await signIn(page, browserTest.url, OWNER, '/bills')
    await page.getByText('Pending').locator('visible=true').first().waitFor()
    await checkPage(page, 'bills-narrow')
    await page.getByRole('link', { name: /Electricity/ }).click()
    await page.getByRole('button', { name: 'Check with the provider' }).click()
    await page.getByText('Status query sent to the provider.').waitFor()
    await checkPage(page, 'bill-narrow')
    await goTo(page, `${browserTest.url}/console/bills/catalogue?category=cabletv`)
    await page.locator('.row-cards').getByRole('link').first().click()
    await page
      .getByText(/^NGN [\d,]+ for 1 month/)
      .first()
      .waitFor()
    await checkPage(page, 'service-narrow')
  })

  it('are hidden without the permission to pay bills', async () => {
    const { testApp, url } = browserTest
    await addPerson(testApp, {
      email: 'viewer@shop.example',
      organization: testApp.organization,
      permissions: ['view'],
    })
    const page = await browserTest.openPage({ dark: true })
    await signIn(page, url, 'viewer@shop.example')
    await page.getByRole('link', { name: 'Payments', exact: true }).waitFor()
    for (const name of ['Bills', 'Settings'])
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0)
    for (const path of ['bills', 'settings']) {
      await page.goto(`${url}/console/${path}`)
      await page.getByText('You do not have permission to view this page').waitFor()
    }
  })
})

async function changePlace(page: Page) {
  await page.getByRole('button', { name: 'Change time zone and country' }).click()
  await page.getByRole('combobox', { name: /^Time zone/ }).fill('Cairo')
  await page.getByRole('option', { name: 'Africa/Cairo' }).click()
  await page.getByRole('combobox', { name: /^Country/ }).fill('Egy')
  await page.getByRole('option', { name: 'Egypt' }).click()
  await checkPage(page, 'place-new')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('definition').filter({ hasText: 'Africa/Cairo' }).waitFor()
  await page.getByRole('banner').getByText('Times: Africa/Cairo').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Set the seller details of documents, after a mistake that is named at its field. */
async function changeSeller(page: Page) {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Change seller details' }).click()
  await dialog.getByLabel('Legal name').fill('Mama Grace Limited')
  await dialog.getByLabel('Address').fill('Plot 14, Kampala Road\nKampala')
  await dialog.getByLabel('Tax number').fill('1000123456')
  await dialog.getByLabel('Phone').fill('+256 414 123456')
  await dialog.getByLabel('E-mail').fill('accounts')
  await dialog.getByLabel('Payment terms').fill('Payable within 14 days.')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('Enter a valid email address.').waitFor()
  await dialog.getByLabel('E-mail').fill('accounts@grace.example')
  await checkPage(page, 'seller-new')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('definition').filter({ hasText: 'Mama Grace Limited' }).waitFor()
}

/** Set a fee, after a percentage that is refused. */
async function setFee(page: Page): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await button('Set fee').click()
  await page.getByLabel('Percent').fill('101')
  await button('Save').click()
  await page.getByText('It must be from 0 to 100.').waitFor()
  await checkPage(page, 'fee-new')
  await page.getByLabel('Percent').fill('1.5')
  await page.getByLabel('Fixed amount').fill('2')
  await button('Save').click()
  await page.getByRole('cell', { name: 'BXC 2, 1.5%' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function holdAndReleaseSending(page: Page): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  await button('Hold sending').click()
  await page.getByLabel('Reason').fill('A key has leaked')
  await dialog.getByRole('button', { name: 'Hold sending' }).click()
  await page.getByText('Reason: A key has leaked').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.goto(`${browserTest.url}/console/payments`)
  await page.getByText('Sending is on hold').waitFor()
  await checkPage(page, 'sending-held')
  await button('Release sending').click()
  await page.getByText('orders, purchases and payments are open').waitFor()
  await checkPage(page, 'sending-release')
  await dialog.getByRole('button', { name: 'Release sending' }).click()
  await page.getByText('Sending is on hold').waitFor({ state: 'detached' })
}

async function startAndEndMaintenance(page: Page): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = page.getByRole('dialog')
  await goTo(page, `${browserTest.url}/console/settings`)
  await page.getByRole('link', { name: 'Take the service offline for maintenance' }).click()
  await button('Start maintenance').click()
  await dialog.getByRole('button', { name: 'Start maintenance' }).click()
  await page.getByText('Maintenance is on').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('Maintenance is on').waitFor()
  await checkPage(page, 'maintenance')
  await button('End maintenance').click()
  await dialog.getByRole('button', { name: 'End maintenance' }).click()
  await dialog.waitFor({ state: 'detached' })
  await button('Start maintenance').waitFor()
}
