import { afterAll, beforeAll, describe, it } from 'vitest'
import { queueSms } from '../../src/core/sms/outbox.ts'
import { begin } from '../../src/db/client.ts'
import { fakeSmsConnection, useSmsConnections } from '../connections/fake-sms.ts'
import { eventually } from '../test-app.ts'
import { type BrowserTest, checkPage, openBrowserTest, signIn } from './browser.ts'

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
  it('that never arrived are shown at the request, at home and in the list, where a route is set', async () => {
    const { url, testApp } = browserTest
    const id = await createRequest()
    await begin(testApp.db, (tx) =>
      queueSms(tx, testApp.clock.now(), [
        {
          ...{ organization: testApp.organization, collection_request: id, purpose: 'instructions' },
          ...{ phonenumber: PHONE, body: 'Approve it on your phone.' },
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
    await page.getByText('Customers did not get the SMS that tells how to pay').waitFor()
    await page.getByRole('link', { name: `Request ${id}` }).click()
    await page.getByText('The SMS that tells how to pay did not arrive').waitFor()
    await page.getByText('text-provider did not deliver the SMS').waitFor()
    await checkPage(page, 'request-not-instructed')

    await page.goto(`${url}/console/sms`)
    await page
      .getByRole('row', { name: /Failed/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Set a route' }).click()
    await page.getByLabel(/^Country/).fill('UG')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('All SMS to UG over text-provider, priority 100').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await checkPage(page, 'sms')
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
