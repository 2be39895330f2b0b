import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../password.ts'
import { type BrowserTest, checkPage, OWNER, openBrowserTest, signIn } from './browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

/** Give a page a device that makes passkeys and answers by itself. @returns a function that reads its passkeys */
async function plugIn(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

async function enterPassword(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/console`)
  await page.getByLabel(/^E-mail/).fill(OWNER)
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
}

describe('passkeys', { timeout: 300_000 }, () => {
  it('are added, used to sign in and to confirm, renamed and removed', async () => {
    const { named_url } = browserTest
    const page = await browserTest.openPage({ own: true })
    await signIn(page, named_url)
    const device = await plugIn(page)
    await page.goto(`${named_url}/console/account`)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByLabel(/^Name/).fill('Laptop')
    await page.getByLabel(/^Your password/).fill(PASSWORD)
    await checkPage(page, 'passkey-add')
    await page.getByRole('button', { name: 'Continue' }).click()
    const codes = ((await page.locator('[role=dialog] pre').textContent()) ?? '').split('\n')
    expect(codes).toHaveLength(10)
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('never used').waitFor()
    expect(await device.credentials()).toMatchObject([{ rpId: 'localhost', signCount: 1 }])
    await checkPage(page, 'account-passkeys')

    await page.getByRole('button', { name: 'Your account and sign out' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await enterPassword(page, named_url)
    await checkPage(page, 'second-step-passkey')
    await page.getByRole('button', { name: 'Use passkey' }).click()
    await page.getByRole('button', { name: 'Your account and sign out' }).waitFor()

    await page.goto(`${named_url}/console/account`)
    await page.getByText('last used').waitFor()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel(/^Name/).fill('Laptop in the shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByText('Laptop in the shop', { exact: true }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove' }).click()
    await checkPage(page, 'passkey-remove')
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.getByText('Laptop in the shop', { exact: true }).waitFor({ state: 'detached' })
    await page.getByText('Off', { exact: true }).waitFor()
  })

  it('are refused with a text when the person cancels, and replaced by a recovery code', async () => {
    const { named_url } = browserTest
    const page = await browserTest.openPage({ narrow: true, own: true })
    await signIn(page, named_url)
    await plugIn(page)
    await page.goto(`${named_url}/console/account`)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByLabel(/^Your password/).fill('a wrong password')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('This is not your password.').waitFor()
    await page.getByLabel(/^Your password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    const [code] = ((await page.locator('[role=dialog] pre').textContent()) ?? '').split('\n')
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await checkPage(page, 'account-passkeys-narrow')

    // A browser without the passkey.
    const other = await browserTest.openPage({ dark: true })
    await enterPassword(other, named_url)
    const empty = await plugIn(other)
    expect(await empty.credentials()).toEqual([])
    await other.getByRole('button', { name: 'Use passkey' }).click()
    await other.getByText('No passkey was used').waitFor()
    await checkPage(other, 'second-step-cancelled')
    await other.getByLabel(/^Recovery code/).fill(code!)
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.getByRole('button', { name: 'Your account and sign out' }).waitFor()

    // Passkeys belong to a name, so the page at the bare address says where they work.
    const bare = await browserTest.openPage({ own: true })
    await enterPassword(bare, browserTest.url)
    await bare.getByRole('link', { name: `${named_url}/console` }).waitFor()
    await checkPage(bare, 'second-step-elsewhere')
  })
})
