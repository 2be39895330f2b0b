import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setConsents } from '../../src/core/sms/consents.ts'
import { queueSms } from '../../src/core/sms/outbox.ts'
import { begin } from '../../src/db/client.ts'
import { fakeSmsConnection, useSmsConnections } from '../connections/fake-sms.ts'
import { eventually } from '../test-app.ts'
import { type BrowserTest, checkPage, goTo, OWNER, openBrowserTest, signIn } from './browser.ts'

const PHONE = '+80000000077'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
  const lost = fakeSmsConnection('text-provider', {
    send: async () => ({ outcome: 'failed', reason: 'invalid_number', message: 'no such number', retry: false }),
  })
  useSmsConnections(browserTest.testApp.app, [lost])
}, 300_000)
afterAll(() => browserTest?.close())

describe('SMS', { timeout: 300_000 }, () => {
  it('that never arrived are shown at the request, at home and in the list, and a route is set there', async () => {
    const { url, testApp } = browserTest
    const id = await createRequest()
    await begin(testApp.db, (tx) =>
      queueSms(tx, testApp.clock.now(), [
        {
          organization: testApp.organization,
          collection_request: id,
          purpose: 'instructions',
          phonenumber: PHONE,
          body: 'Approve it on your phone.',
        },
      ]),
    )
    testApp.app.wake()
    await eventually('the failure', async () => {
      const failed = await testApp.db`select from sms_messages where phonenumber = ${PHONE} and state = 'failed'`
      return failed.length > 0 ? true : undefined
    })
    const page = await browserTest.openPage()
    await signIn(page, url)
    await page.getByText('Customers did not get the SMS with payment instructions').waitFor()
    await page.getByRole('link', { name: `Request ${id}` }).click()
    await page.getByText('The SMS with payment instructions did not arrive').waitFor()
    await page.getByText('SMS not delivered by text-provider').waitFor()
    await checkPage(page, 'request-not-instructed')

    await goTo(page, `${url}/console/sms`)
    await page
      .getByRole('row', { name: /Failed/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Set route' }).click()
    await page.getByLabel(/^Country/).fill('UG')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('All SMS to UG over text-provider, priority 100').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await checkPage(page, 'sms')
  })

  it('get a sender id, a limit and rules in the console, and opt-outs are removed with a reason', async () => {
    const { url, testApp } = browserTest
    const { organization, db, clock } = testApp
    const said = { organization, phonenumber: PHONE, word: 'stop', connection: 'text-provider' }
    await begin(db, (tx) => setConsents(tx, [{ ...said, state: 'withdrawn', by: null, at: clock.now() }]))
    const page = await browserTest.openPage({ narrow: true, dark: true })
    await signIn(page, url, OWNER, '/sms')
    await page
      .getByText('SMS are sent over text-provider')
      .or(page.getByText('All SMS to UG over text-provider'))
      .waitFor()

    await page.getByRole('button', { name: 'Set sender ID' }).click()
    await page.getByRole('textbox', { name: /^Sender ID/ }).fill('A name that no phone can show')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Ensure this field has no more than 16 characters.').waitFor()
    await page.getByRole('textbox', { name: /^Sender ID/ }).fill('DemoShop')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('DemoShop in all countries').waitFor()

    await page.getByRole('button', { name: 'Set limit' }).click()
    await page.getByLabel(/^Parts per month/).fill('500')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/of 500 parts sent this month/).waitFor()

    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await checkPage(page, 'sms-settings-narrow-dark')

    await page.getByRole('link', { name: 'Country rules' }).click()
    await page.getByRole('button', { name: 'Change KE' }).click()
    await page.getByLabel(/^Quiet from/).fill('21:00')
    await page.getByLabel(/^Quiet until/).fill('07:00')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('21:00 to 07:00').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await checkPage(page, 'sms-rules-narrow-dark')

    await goTo(page, `${url}/console/sms`)
    await removeOptOut(page)
    expect(await db`select from sms_consents`).toHaveLength(0)
    const light = await browserTest.openPage()
    await signIn(light, url, OWNER, '/sms/opt-outs')
    await light.getByText('No customer has sent STOP or START.').waitFor()
    await checkPage(light, 'sms-opt-outs')
  })
})

/** A request that waits for money, without a prompt. */
async function createRequest(): Promise<number> {
  const { testApp, url } = browserTest
  const answer = await fetch(`${url}/api/collectionrequests`, {
    method: 'POST',
    headers: { authorization: `Token ${testApp.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phonenumber: PHONE, amount: '10', currency: 'BXC' }),
  })
  return ((await answer.json()) as { id: number }).id
}

async function removeOptOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Opt-outs' }).click()
  await page.getByText(PHONE).waitFor()
  await page.getByText('Sent “stop”').waitFor()
  await checkPage(page, 'sms-opt-outs-narrow-dark')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByLabel(/^Reason/).fill('Asked for offers again')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No customer has sent STOP or START.').waitFor()
}
