import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiClient, eventually } from '../test-app.ts'
import { advanceUntilShown, type BrowserTest, checkPage, goTo, OWNER, openBrowserTest, signIn } from './browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

describe('collection requests', { timeout: 300_000 }, () => {
  it('are listed in pages, and the address keeps page and filters', async () => {
    const api = createApiClient(browserTest.url, browserTest.testApp.api_key)
    await api.post('/api/collectionrequests', { phonenumber: '+80000000003', amount: '1500', currency: 'BXC' })
    for (let count = 1; count <= 25; count += 1)
      await api.post('/api/collectionrequests', {
        phonenumber: `+2567720000${String(count).padStart(2, '0')}`,
        amount: String(count * 1_000),
        currency: 'UGX',
        reason: `Order ${count}`,
      })
    const page = await browserTest.openPage({ dark: true })
    await signIn(page, browserTest.url, OWNER, '/collectionrequests')
    await page.getByRole('button', { name: 'Page 2' }).click()
    await expect.poll(() => page.url()).toContain('page=2')
    await checkPage(page, 'collection-requests-dark')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('menuitem', { name: 'Phone number' }).click()
    await page.getByRole('textbox', { name: 'Phone number' }).fill('+80000000003')
    await page.getByRole('textbox', { name: 'Phone number' }).press('Enter')
    await expect.poll(() => page.url()).toContain('phonenumber=%2B80000000003')
    await page.getByText('1–1 of 1').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('textbox', { name: 'Phone number' }).waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Search' }).fill('order 17')
    await page.getByRole('textbox', { name: 'Search' }).press('Enter')
    await page.getByText('1–1 of 1').waitFor()
    await page.getByText('Choose days').click()
    await page.getByLabel('From').fill('2029-12-01')
    await page.getByLabel('From').press('Enter')
    await expect.poll(() => page.url()).toContain('days=2029-12-01..')
    await page.getByText('1–1 of 1').waitFor()
    await page.getByText('Today').click()
    await expect.poll(() => page.url()).toContain('days=today')
    await page.getByText('1–1 of 1').waitFor()
    await page.reload()
    await page.getByText('1–1 of 1').waitFor()
    await checkPage(page, 'collection-requests-filters-dark')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('menuitem', { name: 'Amount' }).click()
    await page.getByRole('textbox', { name: 'Amount' }).fill('lots')
    await page.getByRole('textbox', { name: 'Amount' }).press('Enter')
    await page.getByText('Amount: ').waitFor()
  })

  it('change in place, and new ones wait for a click, without a request while nothing happens', async () => {
    const api = createApiClient(browserTest.url, browserTest.testApp.api_key)
    const page = await browserTest.openPage({ own: true })
    await signIn(page, browserTest.url)
    await page.clock.install()
    await goTo(page, `${browserTest.url}/console/collectionrequests`)
    const first = page.getByRole('row').nth(1)
    await first.getByText('+256772000025').waitFor()
    // The stream is open, and what happened before was read.
    await page.clock.runFor(5_000)
    await checkPage(page, 'collection-requests-live')
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.clock.runFor(120_000)
    expect(requests).toEqual([])

    const body = { phonenumber: '+80000000003', amount: '70', currency: 'BXC', send_instructions: true }
    for (let count = 0; count < 2; count += 1) await api.post('/api/collectionrequests', body)
    await page.getByRole('button', { name: '2 new' }).waitFor()
    expect(await first.textContent()).toContain('+256772000025')
    await checkPage(page, 'collection-requests-new-rows')
    await page.getByRole('button', { name: '2 new' }).click()
    await first.getByText('+80000000003').waitFor()
    await page.getByRole('button', { name: '2 new' }).waitFor({ state: 'detached' })
    await eventually(
      'the row to change in its place',
      async () => {
        browserTest.testApp.clock.advance(1)
        browserTest.testApp.app.wake()
        return (await first.getByText('Successful').count()) > 0 || undefined
      },
      45_000,
    )
    expect(await page.getByRole('button', { name: / new$/ }).count()).toBe(0)
  })

  it('fit on a narrow screen', async () => {
    const page = await browserTest.openPage({ narrow: true })
    await signIn(page, browserTest.url, OWNER, '/collectionrequests')
    await page.getByRole('list', { name: 'Collection requests' }).getByText(/\+256/).first().waitFor()
    await checkPage(page, 'collection-requests-narrow')
    const is_too_wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
    expect(is_too_wide).toBe(false)
    await page.getByRole('button', { name: 'Navigation' }).click()
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    await checkPage(page, 'users-narrow')
  })

  it('are reminded of, tried again, sent as a link and refunded, with the reason for each', async () => {
    const api = createApiClient(browserTest.url, browserTest.testApp.api_key)
    const make = async (phonenumber: string) =>
      (
        await api.post('/api/collectionrequests', {
          phonenumber,
          amount: '300',
          currency: 'BXC',
          send_instructions: true,
        })
      ).body.id as number
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    const open = (id: number) => goTo(page, `${browserTest.url}/console/collectionrequests/${id}`)
    const act = async (button: string, submit: string) => {
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByLabel('Comment').fill(`Because of ${button}.`)
      await page.getByRole('dialog').getByRole('button', { name: submit, exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByText(`“Because of ${button}.”`).waitFor()
    }

    await open(await make('+80000000009'))
    await act('Remind', 'Send reminder')
    await page.getByText('Reminder by Demo Owner').waitFor()

    const refused = await make('+80000000001')
    await open(refused)
    await advanceUntilShown(browserTest, page, 'Failed')
    await page.getByRole('region', { name: 'What to do next' }).getByText('The customer declined').waitFor()
    await checkPage(page, 'collection-request-failed')
    await act('Send payment link', 'Send link')
    await page.getByText('Payment link by Demo Owner').waitFor()
    await page.getByText('The customer can pay through payment link').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await checkPage(page, 'collection-request-actions')

    const paid = await make('+80000000003')
    await open(paid)
    await advanceUntilShown(browserTest, page, 'Successful')
    const money = page.getByRole('region', { name: 'Payment', exact: true })
    await money.getByText('No fee').waitFor()
    await money.getByText('Network transaction ID').waitFor()
    await refundDuplicatePayment(page)
    const { body } = await api.get(`/api/collectionrequests/${paid}/actions`)
    expect(body).toMatchObject({ count: 1, results: [{ kind: 'refund', reason: 'duplicate' }] })
  })
})

/** Refund a part of what a request was paid, with a double click, and find the comment at the payment. */
async function refundDuplicatePayment(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Refund' }).click()
  await page.getByLabel(/^Amount/).fill('100')
  await page.getByPlaceholder('Choose one').click()
  await page.getByRole('option', { name: 'Duplicate payment' }).click()
  await page.getByLabel('Comment').fill('By her husband, too.')
  await checkPage(page, 'refund')
  await page.getByRole('dialog').getByRole('button', { name: 'Review' }).click()
  await page.getByRole('region', { name: 'Amount and wallet' }).getByText('BXC one hundred').waitFor()
  await checkPage(page, 'refund-review')
  await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).dblclick()
  await page.getByText('Refund by Demo Owner').waitFor()
  await page.getByRole('link', { name: /^Payment \d+$/ }).click()
  await page.getByText('By her husband, too.').waitFor()
  await checkPage(page, 'refund-payment')
}
