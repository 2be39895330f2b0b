import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPerson } from '../console/shop.ts'
import { PASSWORD } from '../password.ts'
import { openReceiver, type Receiver } from '../receiver.ts'
import { createApiClient } from '../test-app.ts'
import { type BrowserTest, checkPage, goTo, OWNER, openBrowserTest, signIn } from './browser.ts'

let browserTest: BrowserTest
let receiver: Receiver
let answer = 500

beforeAll(async () => {
  receiver = await openReceiver((_received, response) => {
    response.writeHead(answer, { 'content-type': 'application/json' }).end('{"shop":"closed"}')
  })
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(async () => {
  await browserTest?.close()
  await receiver?.close()
})

/** On the page of a webhook: sends a test event, which fails, then pauses, resumes and edits the webhook. */
async function tryAndChange(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send test event' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Event' }).click()
  await page.getByRole('option', { name: 'Payment status changed' }).click()
  await dialog.getByText('payment.status.changed').waitFor()
  await dialog.getByRole('button', { name: 'Send now' }).click()
  await dialog.getByText(/^Failed after \d+ ms: HTTP 500$/).waitFor()
  await dialog.getByText('Check the log of the receiver.').waitFor()
  await checkPage(page, 'webhook-test')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  for (const [button, result] of [
    ['Pause', 'Paused'],
    ['Resume', 'Failing'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click()
    await dialog.getByRole('button', { name: button, exact: true }).click()
    await page.getByText(result, { exact: true }).waitFor()
    await dialog.waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel(/^Description/).fill('The till in Kampala')
  const events = dialog.getByRole('combobox', { name: 'Events' })
  await events.press('Backspace')
  await events.fill('received')
  await page.getByRole('option', { name: '(collection.received)' }).click()
  await events.press('Tab')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await checkPage(page, 'webhook-edit')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('The till in Kampala').waitFor()
  await page.getByText('collection.received', { exact: true }).waitFor()
  expect(await page.getByText('payment.status.changed').count()).toBe(0)
}

describe('developers', { timeout: 300_000 }, () => {
  it('add a webhook, see why it fails, and replay the notification', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/webhooks')
    await page.getByText('No webhooks yet.').waitFor()
    await addWebhook(page)

    const contact = { phone_number: '+80000000042', first_name: 'Ann', last_name: 'Other' }
    await createApiClient(browserTest.url, browserTest.testApp.api_key).post('/api/contacts', contact)
    await page.getByText('Failing').waitFor()
    await page.getByText('HTTP 500').first().waitFor()
    await checkPage(page, 'webhooks')
    await page.getByRole('link', { name: /\/notifications/ }).click()
    await tryAndChange(page)
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('textbox', { name: 'Secret' }).waitFor()
    await checkPage(page, 'webhook')

    await resendFailedDelivery(page)

    await goTo(page, `${browserTest.url}/console/deliveries`)
    await page.getByRole('button', { name: 'Resend' }).click()
    await page.getByRole('button', { name: 'Count', exact: true }).click()
    await page.getByText('No notifications found.').waitFor()
    await checkPage(page, 'resend')

    await goTo(page, `${browserTest.url}/console/events`)
    await page
      .getByRole('link', { name: /contact\.created/ })
      .first()
      .click()
    await page.getByRole('group', { name: 'Webhooks that receive this event' }).getByText('Delivered').waitFor()
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    await checkPage(page, 'event')
    await page.getByRole('link', { name: /^Open contact \d+$/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Ann Other' }).waitFor()
  })

  it('create a key, which is shown once, and revoke it', async () => {
    const page = await browserTest.openPage({ dark: true })
    await signIn(page, browserTest.url, OWNER, '/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel(/^Name/).fill('till')
    await page.getByLabel(/^Your password/).fill(PASSWORD)
    await checkPage(page, 'key-new-dark')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const key = await page.getByRole('textbox', { name: 'Key' }).inputValue()
    const api = createApiClient(browserTest.url, key)
    expect((await api.get('/api/events')).status).toBe(200)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await checkPage(page, 'keys-dark')
    const row = page.getByRole('row', { name: /till/ })
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.getByText('Revoked').waitFor()
    await expect.poll(async () => (await api.get('/api/events')).status).toBe(401)
    await goTo(page, `${browserTest.url}/console/events`)
    await page
      .getByRole('row', { name: /contact\.created/ })
      .first()
      .waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await checkPage(page, 'events-dark')
  })

  it('see no buttons for actions without permission, and are refused', async () => {
    const { testApp } = browserTest
    const permissions = ['view'] as const
    await addPerson(testApp, { email: 'viewer@shop.example', organization: testApp.organization, permissions })
    const page = await browserTest.openPage({ narrow: true })
    await signIn(page, browserTest.url, 'viewer@shop.example')
    for (const [path, heading] of [
      ['payments', 'Payments'],
      ['contacts', 'Contacts'],
    ]) {
      await goTo(page, `${browserTest.url}/console/${path}`)
      await page.getByRole('heading', { name: heading }).waitFor()
      expect(await page.getByRole('button', { name: /^(Send money|Add a contact)$/ }).count()).toBe(0)
    }
    await checkPage(page, 'contacts-narrow')
    const request = { phonenumber: '+80000000109', amount: '2500', currency: 'BXC', send_instructions: true }
    await createApiClient(browserTest.url, testApp.api_key).post('/api/collectionrequests', request)
    await goTo(page, `${browserTest.url}/console/phone?number=%2B80000000109`)
    const prompt = page.getByRole('dialog', { name: 'Prompt of the network' })
    await prompt.getByText('to Demo Shop').waitFor()
    expect(await page.getByRole('region', { name: 'Phone +80000000109' }).getByRole('button').count()).toBe(0)
    await checkPage(page, 'phone-viewer-narrow')
    await page.goto(`${browserTest.url}/console/keys`)
    await page.getByText('No permission').waitFor()
    const refused = await page.evaluate(
      `fetch('/console/api/keys', { method: 'POST', headers: { 'x-requested-with': 'console', 'content-type': 'application/json' }, body: '{"name":"mine","password":"${PASSWORD}"}' }).then((answer) => answer.status)`,
    )
    expect(refused).toBe(403)
  })
})

/** Add a webhook for two events. A URL on this machine is refused, and the form shows the command that reaches it. */
async function addWebhook(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page
    .getByLabel(/^Event/)
    .first()
    .fill('contact')
  await page.getByRole('option', { name: 'contact.created' }).click()
  await page
    .getByLabel(/^Event/)
    .first()
    .fill('payment')
  await page.getByRole('option', { name: '(payment.status.changed)' }).click()
  await page.getByLabel(/^URL/).fill('http://localhost:4000/hook')
  const command = await page.getByRole('textbox', { name: 'Command' }).inputValue()
  expect(command).toContain(`--url ${browserTest.url} --api-key ksy_… --forward-to 'http://localhost:4000/hook'`)
  await page.getByLabel(/^URL/).fill('https://localhost:4000/hook')
  await page.getByRole('textbox', { name: 'Command' }).waitFor({ state: 'detached' })
  await page.getByLabel(/^URL/).fill('http://localhost:4000/hook')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Enter a URL that begins with https://.').waitFor()
  await checkPage(page, 'webhook-new')
  await page.getByLabel(/^URL/).fill(`${receiver.url}/notifications?skip-cert-verify`)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('The webhook was added.').waitFor()
  await page.getByRole('row', { name: /contact\.created .*payment\.status\.changed No deliveries/ }).waitFor()
}

/** Read the answer of the receiver that failed, and send the notification again when it works. */
async function resendFailedDelivery(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Deliveries' }).last().click()
  await page.getByRole('row', { name: /contact\.created/ }).waitFor()
  await checkPage(page, 'deliveries')
  await page.getByRole('link', { name: /contact\.created/ }).click()
  await page.getByText('{"shop":"closed"}').waitFor()
  await checkPage(page, 'delivery')
  answer = 200
  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByText('Attempt 2 (resent)').waitFor()
  await page.getByText('Delivered').first().waitFor()
}
