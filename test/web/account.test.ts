import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../password.ts'
import { type BrowserTest, checkPage, confirmIdentity, goTo, OWNER, openBrowserTest, signIn } from './browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

describe('users', { timeout: 300_000 }, () => {
  it('are invited by a link, choose a password, and see the pages of their role', async () => {
    const owner = await browserTest.openPage()
    await signIn(owner, browserTest.url, OWNER, '/users')
    await owner.getByRole('button', { name: 'Invite user' }).click()
    await owner.getByLabel(/^E-mail/).fill('grace@shop.example')
    await checkPage(owner, 'invite')
    await owner.getByRole('button', { name: 'Invite', exact: true }).click()
    await confirmIdentity(owner)
    const link = await owner.getByRole('textbox', { name: 'Link' }).inputValue()
    await owner.getByRole('button', { name: 'Create role' }).click()
    await owner.getByLabel(/^Name of the role/).fill('Till')
    await owner.getByLabel('Pay bills').check()
    await owner
      .getByRole('dialog')
      .getByLabel(/^Your password/)
      .fill(PASSWORD)
    await checkPage(owner, 'role-new')
    await owner.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await owner.getByRole('row', { name: /^Till / }).waitFor()
    await checkPage(owner, 'users')
    await goTo(owner, `${browserTest.url}/console/audit?action=create%20role`)
    await owner.getByRole('row', { name: /Create role .*Role: Till/i }).waitFor()
    await checkPage(owner, 'audit')

    const grace = await browserTest.openPage()
    await grace.goto(link)
    await grace.getByLabel(/^Your name/).fill('Grace')
    await grace.getByLabel(/^New password/).fill(PASSWORD)
    await checkPage(grace, 'invitation')
    await grace.getByRole('button', { name: 'Join' }).click()
    // Joining leads straight in.
    await grace.getByRole('button', { name: 'Your account and sign out' }).waitFor()
    await goTo(grace, `${browserTest.url}/console/collectionrequests`)
    await grace.getByRole('heading', { name: 'Collection requests' }).waitFor()
    expect(await grace.getByRole('link', { name: 'Users' }).count()).toBe(0)
    expect(await grace.getByRole('button', { name: 'Ask for money' }).count()).toBe(0)
    await grace.goto(`${browserTest.url}/console/users`)
    await grace.getByText('You do not have permission to view this page').waitFor()
    await checkPage(grace, 'refused')
  })

  it('see the browsers that are known, and forget them', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/account')
    const panel = page.getByRole('region', { name: 'Known browsers' })
    await panel.getByText('this browser').waitFor()
    await panel.scrollIntoViewIfNeeded()
    await checkPage(page, 'account-browsers')
    await panel.getByRole('button', { name: 'Forget all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget all' }).click()
    await panel.getByText('No known browsers.').waitFor()
  })

  it('turn on the second factor and sign in with it', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/account')
    await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
    await checkPage(page, 'account')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByLabel(/^Your password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByAltText('QR code for your authenticator app').waitFor()
    await checkPage(page, 'second-step')
    const secret = (await page.locator('[role=dialog] code').textContent()) ?? ''
    await page.getByLabel('Code from the app').fill(generateSync({ secret }))
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    const codes = ((await page.locator('[role=dialog] pre').textContent()) ?? '').split('\n')
    expect(codes).toHaveLength(10)
    await page.getByRole('button', { name: 'I have saved them' }).click()

    const other = await browserTest.openPage({ dark: true })
    await other.goto(`${browserTest.url}/console`)
    await other.getByLabel(/^E-mail/).fill(OWNER)
    await other.getByLabel(/^Password/).fill(PASSWORD)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByLabel(/^Code/).fill(codes[0]!)
    await checkPage(other, 'second-factor')
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.getByRole('button', { name: 'Your account and sign out' }).waitFor()
  })
})
