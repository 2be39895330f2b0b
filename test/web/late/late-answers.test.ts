import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../../src/core/access/api-keys.ts'
import { createOrganization, findUser, setMembership } from '../../../src/core/access/organizations.ts'
import { recordEvents } from '../../../src/core/events/events.ts'
import { begin } from '../../../src/db/client.ts'
import { sql } from '../../../src/db/sql.ts'
import { endRequests } from '../../core/end-requests.ts'
import { addCustomers } from '../../core/invoices/customers.ts'
import { PASSWORD } from '../../password.ts'
import { createApiClient, eventually } from '../../test-app.ts'
import { type BrowserTest, goTo, OWNER, openBrowserTest, signIn } from '../browser.ts'

/* Answers that come after the person has gone on. */

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
  const { db, clock, organization: shop } = browserTest.testApp
  await addCustomers(db, shop, [{ number: 'P5-001', tags: ['P5'], first_name: 'Amina' }])
  await begin(db, async (tx) => {
    const { id: organization } = await createOrganization(tx, clock.now(), 'Kampala Books')
    const owner = await findUser(tx, OWNER)
    await setMembership(tx, clock.now(), { organization, user: owner!.id, permissions: allPermissions })
  })
}, 300_000)
afterAll(() => browserTest?.close())

/** Hold the next answer from an address. @returns what waits until the service has given it, and what passes it on */
async function holdAnswer(page: Page, address: RegExp) {
  const given = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const hold: Parameters<Page['route']>[1] = async (route) => {
    const response = await route.fetch()
    given.resolve()
    await released.promise
    await route.fulfill({ response })
  }
  await page.route(address, hold, { times: 1 })
  return {
    given: given.promise,
    async pass() {
      const passed = page.waitForEvent('requestfinished', (request) => address.test(request.url()))
      released.resolve()
      await passed
      // The page has drawn what it makes of the answer.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
    },
  }
}

/** Press a button a second time before the page can draw anything. */
async function pressTwice(button: Locator): Promise<void> {
  await button.focus()
  await button.page().evaluate(`{
    const button = document.activeElement
    const { port1, port2 } = new MessageChannel()
    port2.onmessage = () => button.click()
    button.click()
    port1.postMessage('')
  }`)
}

/** Ask for money over the API, and wait until the jobs have begun with it. @returns the id of the request */
async function ask(phonenumber: string, reason: string): Promise<number> {
  const { db, api_key } = browserTest.testApp
  const api = createApiClient(browserTest.url, api_key)
  const wanted = { phonenumber, reason, amount: '75', currency: 'BXC', send_instructions: false }
  const { status, body } = await api.post('/api/collectionrequests', wanted)
  expect(status).toBe(201)
  const find = () => db`select from collection_requests where id = ${body.id} and status = 'processing_started'`
  await eventually('the request to be processed', async () => (await find()).length > 0 || undefined)
  return body.id
}

/** Let a request expire, and report it to the open pages. */
async function expire(id: number): Promise<void> {
  const { db, app, clock, organization } = browserTest.testApp
  await endRequests(db, 'expired', sql`id = ${id}`)
  const event = { organization, type: 'collectionrequest.status.changed', data: { id }, author: 1 } as const
  await begin(db, (tx) => recordEvents(tx, clock.now(), [event]))
  app.wake()
}

describe('an answer that comes late', { timeout: 300_000 }, () => {
  it('does not hide what a person has made before the list was read', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    const rows = await holdAnswer(page, /\/console\/api\/keys\?/)
    await goTo(page, `${browserTest.url}/console/keys`)
    await rows.given
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel(/^Name/).fill('Till 7')
    await page.getByLabel(/^Your password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('textbox', { name: 'Key' }).waitFor()
    await rows.pass()
    await page.getByRole('row', { name: /Till 7/ }).waitFor()
  })

  it('of a search opens nothing for the text before', async () => {
    const found = await ask('+80000000071', 'Order 71')
    await ask('+80000000072', 'Order 72')
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search' })
    await field.fill('order 7')
    await page.getByRole('option').filter({ hasText: 'Order 72' }).waitFor()
    const results = await holdAnswer(page, /\/console\/api\/search\?q=order\+71/)
    await page.keyboard.type('1')
    await results.given
    await page.keyboard.press('Enter')
    await results.pass()
    await page.getByRole('option').filter({ hasText: 'Order 72' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/console/collectionrequests/${found}`)
  })

  it('leaves a person on the page that was opened before it', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/payment-links')
    await page.getByRole('button', { name: 'Create payment link' }).click()
    await page.getByLabel(/^Title/).fill('School bus')
    await page.getByRole('textbox', { name: /^Amount/ }).fill('1500')
    const link = await holdAnswer(page, /\/console\/api\/paymentlinks$/)
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
    await link.given
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await goTo(page, `${browserTest.url}/console/contacts`)
    await link.pass()
    await page.getByText('Payment link created.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/contacts')
  })

  it('about the session does not bring the organization of before back', async () => {
    const page = await browserTest.openPage({ own: true })
    await signIn(page, browserTest.url)
    const session = await holdAnswer(page, /\/console\/api\/session$/)
    let is_given = false
    void session.given.then(() => {
      is_given = true
    })
    let time = Date.now()
    await eventually('the session to be read again', async () => {
      // A person comes back to the window after the session has become old.
      time += 120_000
      await page.clock.setFixedTime(time)
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
      return is_given || undefined
    })
    await page.getByRole('button', { name: 'Demo Shop' }).click()
    await page.getByRole('menuitem', { name: 'Kampala Books' }).click()
    await page.getByRole('button', { name: 'Kampala Books' }).waitFor()
    await session.pass()
    expect(await page.getByRole('button', { name: 'Kampala Books' }).count()).toBe(1)
    // The next sign-in begins in the organization of the last one.
    await page.getByRole('button', { name: 'Kampala Books' }).click()
    await page.getByRole('menuitem', { name: 'Demo Shop' }).click()
    await page.getByRole('button', { name: 'Demo Shop' }).waitFor()
  })

  it('of a check shows nothing beside the file that was chosen after it', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/contacts/import')
    const choose = (name: string) =>
      page.locator('input[type=file]').setInputFiles({
        name: `${name}.csv`,
        mimeType: 'text/csv',
        buffer: Buffer.from(`Phone,Full name\n+80000000087,${name}`),
      })
    await choose('Carol')
    const check = await holdAnswer(page, /\/imports\/check$/)
    await page.getByRole('button', { name: 'Check file' }).click()
    await check.given
    await choose('Brian')
    await check.pass()
    expect(await page.getByText('Carol').count()).toBe(0)
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByRole('cell', { name: 'Brian' }).first().waitFor()
  })

  it('of a preview shows nothing beside the amount that was typed after it', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/invoices/for-tag')
    await page.getByLabel(/^Tag/).fill('P5')
    await page.getByLabel(/^Text/).fill('Term 1')
    await page.getByLabel(/^Amount/).fill('850000')
    const preview = await holdAnswer(page, /\/preview$/)
    await page.getByRole('button', { name: 'Preview' }).click()
    await preview.given
    await page.getByLabel(/^Amount/).fill('85000')
    await preview.pass()
    expect(await page.getByRole('region', { name: 'To create' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('region', { name: 'To create' }).waitFor()
  })
})

describe('a change that a page hears of', { timeout: 300_000 }, () => {
  it('is in the list that the person goes back to', async () => {
    const id = await ask('+80000000081', 'Order 81')
    // Time stands still for the page, so that what it has read stays fresh.
    const page = await browserTest.openPage({ own: true })
    await signIn(page, browserTest.url)
    await page.clock.setFixedTime(new Date())
    await goTo(page, `${browserTest.url}/console/collectionrequests`)
    const row = page.getByRole('row', { name: /\+80000000081/ })
    await row.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: /BXC 75/ }).waitFor()
    await expire(id)
    await page.getByText('Expired').first().waitFor()
    await page.getByRole('link', { name: 'Collection requests' }).first().click()
    await row.getByText('Expired').waitFor()
  })

  it('leaves the rows that changed before it as they are', async () => {
    const [first, second] = [await ask('+80000000091', 'Order 91'), await ask('+80000000092', 'Order 92')]
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/collectionrequests?status=processing_started')
    const stateOf = (phone: string, state: string) =>
      page.getByRole('row', { name: new RegExp(`\\${phone}`) }).getByText(state)
    await stateOf('+80000000091', 'Processing started').waitFor()
    await expire(first)
    await stateOf('+80000000091', 'Expired').waitFor()
    await expire(second)
    await stateOf('+80000000092', 'Expired').waitFor()
    expect(await stateOf('+80000000091', 'Expired').count()).toBe(1)
  })
})

it('a button that is pressed twice at once makes one payment link', async () => {
  const page = await browserTest.openPage()
  await signIn(page, browserTest.url, OWNER, '/payment-links')
  await page.getByRole('button', { name: 'Create payment link' }).click()
  await page.getByLabel(/^Title/).fill('School fees')
  await page.getByRole('textbox', { name: /^Amount/ }).fill('1500')
  await pressTwice(page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }))
  await page.getByAltText('QR code of the link').waitFor()
  await goTo(page, `${browserTest.url}/console/payment-links`)
  await page
    .getByRole('row', { name: /School fees/ })
    .first()
    .waitFor()
  expect(await browserTest.testApp.db`select from payment_links where title = 'School fees'`).toHaveLength(1)
})
