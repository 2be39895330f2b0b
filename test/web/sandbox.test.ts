import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../password.ts'
import { createApiClient, eventually } from '../test-app.ts'
import { type BrowserTest, checkPage, confirmIdentity, OWNER, openBrowserTest, signIn } from './browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

describe('a newcomer in the sandbox', { timeout: 300_000 }, () => {
  it('follows the first steps: requests money, approves it on the phone, and sees the result', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await checkPage(page, 'first-steps-people')
    await page.getByRole('button', { name: 'Invite user' }).click()
    await page.getByLabel(/^E-mail/).fill('colleague@shop.example')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await confirmIdentity(page)
    // The step leaves, and its link stays.
    await page.getByRole('region', { name: 'Invite a colleague', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Link' }).waitFor()
    await pasteCommands(page)
    // Finished steps leave. No webhook exists, so none has arrived.
    await page.getByRole('region', { name: 'Approve it on the phone', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Request a payment', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Let a webhook arrive', exact: true }).waitFor()
    await checkPage(page, 'first-steps')
    await page.getByRole('link', { name: 'Test phone', exact: true }).click()
    await payOnTestPhone(page)

    await page.getByRole('button', { name: 'Send money' }).click()
    await page.getByRole('dialog', { name: 'Send money' }).getByLabel('Amount').fill('nothing')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('A valid number is required.').waitFor()
    await checkPage(page, 'phone-send')
  })

  it('sees the phone page in the dark color scheme, and on a narrow screen', async () => {
    const page = await browserTest.openPage({ dark: true })
    await signIn(page, browserTest.url, OWNER, '/phone')
    await page
      .getByText(/has arrived\. Thank you\./)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Request', exact: true }).click()
    const prompt = page.getByRole('dialog', { name: 'Prompt of the network' })
    await prompt.waitFor()
    await checkPage(page, 'phone-dark')

    const narrow = await browserTest.openPage({ narrow: true })
    await signIn(narrow, browserTest.url, OWNER, '/phone')
    await narrow.getByRole('dialog', { name: 'Prompt of the network' }).waitFor()
    await checkPage(narrow, 'phone-narrow')
    expect(await narrow.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false)
    await narrow.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('The customer declined', { exact: true }).waitFor()
  })

  it('sees the overview, and moves the clock', async () => {
    await collectForTwoWeeks()
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByRole('figure', { name: /Collected by day/ }).waitFor()
    await checkPage(page, 'home')
    await page.getByRole('button', { name: /Sandbox clock/ }).click()
    await page.getByLabel('Duration or date').fill('once')
    await page.getByRole('button', { name: 'Move clock' }).click()
    await page.getByText(/Enter a span such as 3 days/).waitFor()
    await checkPage(page, 'clock')

    await page.goto(`${browserTest.url}/console/collectionrequests`)
    await page.getByRole('button', { name: 'Request payment' }).click()
    await page.getByRole('combobox', { name: 'Frequency' }).click()
    await page.getByRole('option', { name: 'Weekly' }).click()
    await page.getByLabel(/^End date/).fill('2030-12-31')
    await page
      .getByRole('listitem')
      .filter({ hasText: /Feb .*2030/ })
      .first()
      .waitFor()
    await page.getByText('and later dates').waitFor()
    await checkPage(page, 'repeat')

    const dark = await browserTest.openPage({ dark: true, narrow: true })
    await signIn(dark, browserTest.url)
    await dark.getByRole('figure', { name: /Collected by day/ }).waitFor()
    await checkPage(dark, 'home-dark-narrow')
    expect(await dark.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false)
  })
})

/** Create requests on each of fourteen days. Most customers pay; some have no money. */
async function collectForTwoWeeks(): Promise<void> {
  const { testApp, url } = browserTest
  const api = createApiClient(url, testApp.api_key)
  const ask = (ending: string, amount: number) =>
    api.post('/api/collectionrequests', { phonenumber: `+800000${ending}`, amount: String(amount), currency: 'BXC' })
  for (let day = 1; day <= 14; day += 1) {
    await Promise.all([ask('00003', 900 + 450 * (day % 5)), ask('00004', 1_200 + 130 * day)])
    if (day % 3 === 0) await Promise.all([ask('00101', 500), ask('00102', 300)])
    if (day % 4 === 0) await ask('00001', 700)
    await settle()
    if (day < 14) testApp.clock.advance(24 * 3_600)
  }
}

/** Wait until all customers have answered, which they do a second after the prompt. */
async function settle(): Promise<void> {
  const { testApp } = browserTest
  const haveAnswered = async () => {
    testApp.clock.advance(1)
    testApp.app.wake()
    const [row] = await testApp.db`select 1 from collection_requests where status in ('pending', 'processing_started')`
    return row ? undefined : true
  }
  await eventually('everybody to be asked and to have answered', haveAnswered, 120_000)
}

/** Create a key, and paste the commands into a terminal: the page shows their events. */
async function pasteCommands(page: Page): Promise<void> {
  await page.getByText('From a program', { exact: true }).click()
  await page.getByRole('button', { name: 'Create key for the commands' }).click()
  await page.getByLabel(/^Your password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('can be pasted as they are').waitFor()
  const command = await page.getByRole('region', { name: 'Command: Request a payment' }).textContent()
  expect(JSON.parse(await paste(command!))).toMatchObject({ status: 'pending' })
  const newest = page.getByRole('region', { name: 'Newest notification' })
  await newest.getByText('"phonenumber"').waitFor()
  // The command can approve the prompt after it is on the phone.
  await newest.getByText('"instructions_sent"').waitFor()
  const approval = await page.getByRole('region', { name: 'Command: Approve it on the phone' }).textContent()
  expect(await paste(approval!)).toBe('{}')
}

/** Run a command in a shell. */
async function paste(command: string): Promise<string> {
  return (await promisify(exec)(command)).stdout
}

async function payOnTestPhone(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Request', exact: true }).click()
  const prompt = page.getByRole('dialog', { name: 'Prompt of the network' })
  await prompt.getByText('to Demo Shop for Order 7').waitFor()
  await checkPage(page, 'phone-prompt')
  for (const digit of '1234') await prompt.getByRole('button', { name: digit, exact: true }).click()
  await prompt.getByRole('button', { name: 'Pay' }).click()
  await page
    .getByText(/has arrived\. Thank you\./)
    .first()
    .waitFor()
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await timeline.getByText('Successful', { exact: true }).locator('visible=true').waitFor()
  await timeline.getByText('SMS accepted by outbox').last().waitFor()
  await checkPage(page, 'phone')
}
