import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAmount } from '../../src/lib/money.ts'
import { createBuyer, electricityOrder } from '../api/bills/buyer.ts'
import { createApiClient, eventually } from '../test-app.ts'
import {
  advanceUntilShown,
  type BrowserTest,
  checkPage,
  confirmIdentity,
  goTo,
  OWNER,
  openBrowserTest,
  signIn,
} from './browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

/** A customer sends money that no request asked for. */
async function send(phonenumber: string, amount: string): Promise<void> {
  const { app, db, organization } = browserTest.testApp
  const [till] = await db<{ number: string }[]>`
    select r.number from connection_places r join accounts a on a.id = r.account
    where a.organization = ${organization} and a.currency = 'BXC'`
  const receiver = till!.number
  await app.simulator!.pay({ phonenumber, amount: parseAmount(amount)!, currency: 'BXC', receiver, reference: 'rent' })
  app.wake()
  // A list shows what there is when it is opened.
  await eventually('the money', async () => {
    const [collection] = await db`select 1 from collections where phonenumber = ${phonenumber}
      union all select 1 from unassigned_payments where phonenumber = ${phonenumber}`
    return collection
  })
}

/** The file that a click saves. */
async function saved(page: Page, link: Locator): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

describe('money', { timeout: 300_000 }, () => {
  it('for a till without a wallet is shown at home and assigned', async () => {
    const { app } = browserTest.testApp
    const amount = parseAmount('60')!
    await app.simulator!.pay({
      phonenumber: '+80000000057',
      amount,
      currency: 'BXC',
      receiver: '424242',
      needs_validation: false,
    })
    app.wake()
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await page.getByText('Payments without a wallet').waitFor()
    await checkPage(page, 'unassigned-notice')
    await page.getByRole('link', { name: 'Assign to a wallet' }).click()
    await page.getByText('424242 on sandbox').waitFor()
    await checkPage(page, 'unassigned')
    await page.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByPlaceholder('Choose one').click()
    await page.getByRole('option').first().click()
    await checkPage(page, 'assign')
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Assigned').first().waitFor()
    await page.goto(`${browserTest.url}/console`)
    await page.getByText('Open requests').first().waitFor()
    expect(await page.getByText('Payments without a wallet').count()).toBe(0)
  })

  it('that no request asked for is matched manually', async () => {
    const api = createApiClient(browserTest.url, browserTest.testApp.api_key)
    const input = {
      phonenumber: '+80000000077',
      amount: '75',
      currency: 'BXC',
      reason: 'Rent',
      send_instructions: false,
    }
    await api.post('/api/collectionrequests', input)
    await send('+80000000055', '70')
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/collections')
    await page
      .getByRole('row', { name: /\+80000000055/ })
      .getByText('Unmatched')
      .waitFor()
    await checkPage(page, 'collections')
    await page.getByRole('link', { name: '+80000000055' }).click()
    await page.getByRole('button', { name: 'Match', exact: true }).click()
    await page.getByRole('dialog').getByText('Request', { exact: true }).click()
    await page.getByText('No open requests in BXC.').waitFor()
    await page.getByLabel('Open requests to').fill('')
    await page.getByRole('dialog').getByRole('button', { name: 'Search' }).click()
    await page.getByRole('radio', { name: /BXC 75 from/ }).check()
    await checkPage(page, 'match')
    await page.getByRole('dialog').getByRole('button', { name: 'Match' }).click()
    await page.getByRole('link', { name: 'Request 1' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await checkPage(page, 'collection')
    await send('+80000000056', '71')
    await goTo(page, `${browserTest.url}/console/collections?unmatched=true`)
    await page.getByRole('link', { name: '+80000000056' }).click()
    await page.getByRole('button', { name: 'Return' }).click()
    await page.getByText('BXC 71 goes back to +80000000056 as a separate payment.').waitFor()
    await page.getByText(/^BXC seventy-one/).waitFor()
    await checkPage(page, 'return-review')
    await page.setViewportSize({ width: 390, height: 2600 })
    await checkPage(page, 'return-review-narrow')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('dialog').getByRole('button', { name: 'Return' }).click()
    await page.getByText(/^Returned as payment \d+\./).waitFor()
    await page.getByText('Returned', { exact: true }).waitFor()
    await goTo(page, `${browserTest.url}/console/audit`)
    await page.getByText('Match collection').first().waitFor()
  })

  it('that a network sent after it had reported a failure is shown until a person has looked into it', async () => {
    const api = createApiClient(browserTest.url, browserTest.testApp.api_key)
    const input = { phonenumber: '+80000000111', amount: '20', currency: 'BXC', description: 'Wages' }
    const { status } = await api.post('/api/payments', input)
    expect(status).toBe(201)
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await advanceUntilShown(browserTest, page, 'after it reported a failure')
    await checkPage(page, 'late-payout-notice')
    await page.getByRole('link', { name: /^Payment \d+/ }).click()
    await page.getByText('The amount was debited from the wallet again.').waitFor()
    await checkPage(page, 'late-payout')
    await page.getByRole('button', { name: 'Mark as resolved' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as resolved' }).click()
    await page.getByText('The amount was debited from the wallet again.').waitFor({ state: 'detached' })
  })

  it('is sent to several phones, and shown in the wallet', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/payments')
    await page.getByRole('button', { name: 'Send money' }).click()
    await page.getByPlaceholder('Choose a wallet').click()
    await page.getByRole('option', { name: /BXC/ }).first().click()
    await page.getByLabel('Phone number 1').fill('12')
    await page.getByLabel('Amount 1').fill('20')
    await page.getByRole('button', { name: 'Add recipient' }).click()
    await page.getByLabel('Phone number 2').fill('+80000000004')
    await page.getByLabel('Amount 2').fill('30.50')
    await page.getByLabel(/^Description/).fill('Wages')
    expect(await page.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.getByText('Enter a valid phone number').waitFor()
    await checkPage(page, 'payment-new')
    await page.getByLabel('Phone number 1').fill('+80000000003')
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.getByText('BXC fifty').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('link', { name: '2 phones' }).click()
    await page.getByRole('heading', { name: 'BXC 50.50 to 2 phones' }).waitFor()
    await advanceUntilShown(browserTest, page, 'Processed')
    await checkPage(page, 'payment')
    await page.getByRole('region', { name: 'Recipients' }).first().getByText('2 phones: BXC 50.50').waitFor()
    await downloadRecipients(page)
    await page.getByRole('link', { name: 'Payments', exact: true }).first().click()
    await downloadPayments(page)
    await goTo(page, `${browserTest.url}/console/wallets`)
    await page.getByRole('link', { name: /BXC/ }).first().click()
    await page.getByRole('heading', { name: 'Balance' }).waitFor()
    await page.locator('.recharts-area').waitFor()
    await checkPage(page, 'wallet')
    await page.getByRole('button', { name: 'Download' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^statement-\d+-.*\.csv$/)
  })
})

async function downloadRecipients(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Download' }).click()
  const recipients = await saved(page, page.getByRole('menuitem', { name: 'Columns shown (CSV)' }))
  expect(recipients.name).toMatch(/^Recipients of payment \d+ \d{4}-\d\d-\d\d\.csv$/)
  expect(recipients.text.split('\r\n').map((line) => line.slice(0, 15))).toEqual([
    ...['\ufeffPhone number,N', "'+80000000003,", "'+80000000004,", ''].map((line) => expect.stringContaining(line)),
  ])
}

async function downloadPayments(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Download' }).click()
  const list = await saved(page, page.getByRole('menuitem', { name: 'All fields (CSV)' }))
  const [titles, ...lines] = list.text.split('\r\n').map((line) => line.split(','))
  expect(list.name).toMatch(/^Payments \d{4}-\d\d-\d\d\.csv$/)
  expect(titles).toEqual(expect.arrayContaining(['recipients', 'phonenumber']))
  expect(lines.map((cells) => cells[titles!.indexOf('recipients')])).toContain('2')
}

describe('payments from a file', { timeout: 300_000 }, () => {
  it('are uploaded, checked, decided about and sent, and shown row by row', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/bulk-payments')
    await page.getByRole('button', { name: 'Upload file' }).click()
    const lines = [
      'Phone number,Name,Amount,Currency,Shift',
      '+80000000061,Ann Other,11,BXC,day',
      '00000062,Joe Soap,12,BXC,day',
      '+80000000062,Joe Soap,13,BXC,night',
      'Eve,Eve,"1,4000",BXC,night',
    ]
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'wages.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
    await page.getByLabel(/^Description/).fill('Wages')
    await checkPage(page, 'bulk-upload')
    await page.getByRole('button', { name: 'Upload and check' }).click()
    await page.getByText('Enter an amount such as 25,000 or 1500.50.').first().waitFor()
    await page.getByText('The same phone number is in row 4 too.').first().waitFor()
    await checkPage(page, 'bulk-draft')

    await page.getByRole('button', { name: 'Review and send' }).click()
    await page.getByText('Rows that cannot be paid: 1.').waitFor()
    expect(await page.getByRole('button', { name: 'Send payments' }).count()).toBe(0)
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
    await page.getByRole('button', { name: 'Skip all' }).first().click()
    await page.getByText('1 row cannot be paid.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Pay all anyway' }).click()
    await page.getByText('2 rows may be paid twice.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Check names' }).click()
    await advanceUntilShown(browserTest, page, 'Names on the networks:')
    await page.getByRole('button', { name: 'Review and send' }).click()
    await page.getByRole('dialog').getByRole('region', { name: 'Amount and wallet' }).waitFor()
    await checkPage(page, 'bulk-review')
    await page.getByRole('dialog').getByRole('button', { name: 'Send payments' }).click()
    await advanceUntilShown(browserTest, page, 'Paid 3')
    await page.getByText('Skipped 1').waitFor()
    await checkPage(page, 'bulk-sent')
    await goTo(page, `${browserTest.url}/console/bulk-payments`)
    await page.getByRole('link', { name: 'wages.csv' }).waitFor()
    await checkPage(page, 'bulk-list')
  })
})

describe('bills, contacts and settings', { timeout: 300_000 }, () => {
  it('are shown and changed', async () => {
    await createBuyer(browserTest.testApp, browserTest.url).post(
      '/services/electricity/request',
      electricityOrder({ amount: '2000' }),
    )
    const page = await browserTest.openPage({ dark: true })
    await signIn(page, browserTest.url, OWNER, '/bills')
    await page.getByRole('link', { name: /Electricity/ }).click()
    await page.getByRole('heading', { name: 'Delivered to the customer' }).waitFor()
    await checkPage(page, 'bill-dark')
    await goTo(page, `${browserTest.url}/console/bills/catalogue`)
    await page
      .getByRole('row', { name: /Active/ })
      .first()
      .waitFor()
    await checkPage(page, 'catalogue-dark')
    await goTo(page, `${browserTest.url}/console/contacts`)
    await page.getByRole('row', { name: /\+800/ }).first().getByRole('link').click()
    await page.getByRole('heading', { name: 'On the network' }).waitFor()
    await checkPage(page, 'contact-dark')
    await goTo(page, `${browserTest.url}/console/settings`)
    await page.getByRole('button', { name: 'Set amount' }).click()
    await page.getByLabel(/^Above/).fill('1000')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await confirmIdentity(page)
    await page.getByText('Above BXC 1,000').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await checkPage(page, 'settings-dark')
  })
})

describe('contacts', { timeout: 300_000 }, () => {
  it('are imported from a file, and show everything that happened with them', async () => {
    const page = await browserTest.openPage()
    await page.setViewportSize({ width: 1440, height: 900 })
    await signIn(page, browserTest.url, OWNER, '/contacts')
    await page.getByRole('link', { name: 'Import contacts' }).click()
    const lines = [
      'Phone,Full name,E-mail',
      '+80000000003,Amina Nakato,amina@example.com',
      '+80000000087,Joe,',
      'x,Eve,',
    ]
    const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByText('This is not a phone number').waitFor()
    await checkPage(page, 'contacts-import-checked')
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page
      .getByText(/added, .* refused\./)
      .first()
      .waitFor()
    await checkPage(page, 'contacts-import-done')
    expect(await page.getByRole('button', { name: 'Download refused rows' }).count()).toBe(2)
    // Another day the list of imports has them.
    await page.reload()
    await downloadRefusedRows(page)
    await seeHistory(page)

    const phone = await browserTest.openPage({ narrow: true })
    await signIn(phone, browserTest.url)
    await phone.goto(page.url())
    await phone.getByText('School fees').waitFor()
    await checkPage(phone, 'contact-narrow')
    await goTo(phone, `${browserTest.url}/console/contacts/import`)
    await phone.locator('input[type=file]').setInputFiles(file)
    await phone.getByRole('button', { name: 'Check file' }).click()
    await phone.getByText('This file was uploaded before').waitFor()
    await phone.getByLabel('Update from the file').check()
    await checkPage(phone, 'contacts-import-narrow')
  })
})

async function downloadRefusedRows(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Download refused rows' }).click()
  const refused = await saved(page, page.getByRole('menuitem', { name: 'CSV' }))
  expect(refused.name).toMatch(/^Contacts, refused rows \d{4}-\d\d-\d\d\.csv$/)
  const [head, line] = refused.text.split('\r\n')
  expect(head).toBe(
    '\ufeffPhone number,First name,Last name,E-mail,Type,Customer number,Tags,Notes,Payers,row,problems',
  )
  expect(line).toMatch(/^x,Eve,,,,,,,,4,"?This is not a phone number/)
}

/** Find a request and other money in the history of a contact, and ask for more money there. */
async function seeHistory(page: Page): Promise<void> {
  const api = createApiClient(browserTest.url, browserTest.testApp.api_key)
  const input = { phonenumber: '+80000000087', currency: 'BXC', send_instructions: false }
  await api.post('/api/collectionrequests', { ...input, amount: '35', reason: 'School fees' })
  await send('+80000000087', '20')
  await goTo(page, `${browserTest.url}/console/contacts?phone_number=%2B80000000087`)
  await page.getByRole('link', { name: 'Joe Contact' }).click()
  await page.getByText('BXC: 1 open request').waitFor()
  const history = page.getByRole('region', { name: 'History' }).first()
  await history.getByText('School fees').waitFor()
  await history.getByText('Not requested').waitFor()
  await checkPage(page, 'contact')
  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'Collection', exact: true }).click()
  await history.getByText('School fees').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Request payment' }).click()
  expect(await page.getByLabel(/^Phone number/).inputValue()).toBe('+80000000087')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
}
