import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billDrivers } from '../../src/billers/index.ts'
import { settingFields } from '../../src/drivers/settings.ts'
import { networkDrivers } from '../../src/networks/index.ts'
import { smsDrivers } from '../../src/senders/index.ts'
import { addDriver, RIGHT_KEY, testNetwork } from '../connections/test-network.ts'
import { type BrowserTest, checkPage, confirmIdentity, goTo, OWNER, openBrowserTest, signIn } from './browser.ts'

let browserTest: BrowserTest

afterAll(addDriver(testNetwork))

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

describe('connections', { timeout: 300_000 }, () => {
  it('are added step by step: the test names a wrong secret, which is repaired', async () => {
    const { url } = browserTest
    const page = await browserTest.openPage()
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const link = (name: string | RegExp) => page.getByRole('link', { name })
    const dialog = page.getByRole('dialog')
    await signIn(page, url, OWNER, '/connections')
    await page.getByText('Connect your first network').waitFor()
    await page.getByRole('cell', { name: 'Sandbox Network' }).waitFor()
    await checkPage(page, 'connections-first')

    await link('Add connection').first().click()
    await page.getByText('Step 1 of 6: Provider').waitFor()
    await checkPage(page, 'connection-network')
    await link(/Test Network Kenya, Uganda/).click()
    await checkPage(page, 'connection-environment')
    // The cards are links, so the keyboard reaches them.
    await link(/Production/).focus()
    await page.keyboard.press('Enter')

    await enterSettings(page)
    await addWallet(page)
    await link('Continue').click()
    await repairKey(page)
    await link('Continue').click()

    await button('Show URL').click()
    expect(await page.getByRole('textbox', { name: 'URL' }).inputValue()).toMatch(
      /\/api\/callbacks\/till-uganda\/[0-9a-f]{48}$/,
    )
    await checkPage(page, 'connection-activate')
    await button('Activate').click()
    await dialog.getByText('It will move real money over Test Network.').waitFor()
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await confirmIdentity(page)
    await page.getByRole('heading', { name: 'till-uganda', level: 1 }).waitFor()
    await page.getByRole('definition').filter({ hasText: 'Active' }).waitFor()
    await page.reload()
    await page.getByText('UGX wallet (UGX): number 256772000000').waitFor()
    await checkPage(page, 'connection')
  })

  it('are paused and used again, and refuse settings that fail their test', async () => {
    const { url, testApp } = browserTest
    const page = await browserTest.openPage({ dark: true })
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    await signIn(page, url, OWNER, '/connections/till-uganda')
    await page.getByRole('region', { name: 'Settings' }).getByRole('button', { name: 'Change' }).click()
    await dialog.getByLabel(/^API key/).fill('another-wrong-key')
    await dialog.getByRole('button', { name: 'Test and save' }).click()
    await confirmIdentity(page)
    await dialog.getByText(/Nothing was changed: the connection is in use/).waitFor()
    await checkPage(page, 'connection-change-refused')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })

    await button('Pause').click()
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await confirmIdentity(page)
    await page.getByRole('definition').filter({ hasText: 'Paused' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(testApp.app.connections.find('till-uganda')?.state).toBe('paused')
    await checkPage(page, 'connection-paused')
    await button('Activate').click()
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await confirmIdentity(page)
    await page.getByRole('definition').filter({ hasText: 'Active' }).waitFor()
    expect(testApp.app.connections.find('till-uganda')?.state).toBe('active')
    await goTo(page, `${url}/console/go-live`)
    await page.getByText(/items are missing/).waitFor()
    await checkPage(page, 'go-live')
    await goTo(page, `${url}/console/connections/sandbox`)
    await page.getByText('This connection belongs to the operator').waitFor()
    await checkPage(page, 'connection-operator')
  })

  it('fit a phone: the list, one connection, and every step', async () => {
    const { url } = browserTest
    const page = await browserTest.openPage({ narrow: true })
    await signIn(page, url)
    for (const [path, text, name] of [
      ['connections', 'till-uganda', 'connections-narrow'],
      ['connections/till-uganda', 'State and health', 'connection-narrow'],
      ['add-connection', 'Step 1 of 6', 'connection-network-narrow'],
      ['add-connection?network=test-network', 'Step 2 of 6', 'connection-environment-narrow'],
      ['add-connection?network=test-network&environment=test', 'Let the network create', 'connection-settings-narrow'],
      ['add-connection?connection=till-uganda&step=wallets', 'number 256772000000', 'connection-wallets-narrow'],
      ['add-connection?connection=till-uganda&step=test', 'The test passed', 'connection-test-narrow'],
      ['add-connection?connection=till-uganda&step=activate', 'View connection', 'connection-activate-narrow'],
      ['go-live', 'items are missing', 'go-live-narrow'],
    ] as const) {
      await goTo(page, `${url}/console/${path}`)
      await page.getByText(text).first().waitFor()
      await checkPage(page, name)
    }
  })

  it('have a form for every provider, drawn from its settings', async () => {
    const { url } = browserTest
    const page = await browserTest.openPage({ narrow: true, dark: true })
    await signIn(page, url)
    const others = [...smsDrivers, ...billDrivers].filter(({ code }) => ['twilio', 'reloadly'].includes(code))
    for (const driver of [...networkDrivers, ...others]) {
      const environment = Object.keys(driver.environments)[0]!
      await goTo(page, `${url}/console/add-connection?network=${driver.code}&environment=${environment}`)
      for (const { title } of settingFields(driver)) await page.getByLabel(title).first().waitFor()
      await checkPage(page, `connection-settings-${driver.code}`)
    }
  })
})

/** Enter settings with mistakes, which are named at their fields, and then right ones, except for the key. */
async function enterSettings(page: Page): Promise<void> {
  const save = page.getByRole('button', { name: 'Save and continue', exact: true })
  await page.getByLabel(/^Name/).fill('My Till')
  await page.getByLabel(/^Short code/).fill('12')
  await page.getByLabel(/^API key/).fill('wrong-key-of-the-till')
  await save.click()
  await page.getByText(/The name has at most 40/).waitFor()
  await page.getByText(/must have 5 to 7 digits/).waitFor()
  await checkPage(page, 'connection-settings')
  await page.getByLabel(/^Name/).fill('till-uganda')
  await page.getByLabel(/^Short code/).fill('600000')
  await save.click()
}

/** Let the UGX wallet use the connection, in the fourth step. */
async function addWallet(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await page.getByText('Not used by any wallet yet').waitFor()
  await page.getByRole('button', { name: 'Add wallet' }).click()
  await dialog.getByRole('combobox', { name: 'Wallet' }).click()
  await page.getByRole('option', { name: /UGX/ }).click()
  await dialog.getByLabel(/^Your number/).fill('256772000000')
  await checkPage(page, 'connection-wallet-new')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await confirmIdentity(page)
  await page.getByText(/number 256772000000/).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await checkPage(page, 'connection-wallets')
}

/** Test the connection, which names the wrong key, and test it again with the right one. */
async function repairKey(page: Page): Promise<void> {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await button('Test connection').click()
  await page.getByText('The test failed').waitFor()
  await page.getByText('api_key is wrong: the network refused ….').waitFor()
  await checkPage(page, 'connection-test-failed')
  await page.getByRole('link', { name: 'Change settings' }).click()
  expect(await page.getByLabel(/^API key/).inputValue()).toBe('')
  await page.getByLabel(/^API key/).fill(RIGHT_KEY)
  await button('Save and continue').click()
  await confirmIdentity(page)
  await button('Test connection').click()
  await page.getByText('The test passed').waitFor()
  await checkPage(page, 'connection-test')
}
