import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAmount } from '../../../src/lib/money.ts'
import { createApiClient, eventually } from '../../test-app.ts'
import { type BrowserTest, checkPage, goTo, OWNER, openBrowserTest, signIn } from '../browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
  await pay('+80000000055', '70')
  await pay('+80000000056', '30')
}, 300_000)
afterAll(() => browserTest?.close())

/** A customer sends money that no request asked for; it is in the ledger when this returns. */
async function pay(phonenumber: string, amount: string, reference = 'rent'): Promise<void> {
  const { app, db, organization } = browserTest.testApp
  const [till] = await db<{ number: string }[]>`
    select r.number from connection_places r join accounts a on a.id = r.account
    where a.organization = ${organization} and a.currency = 'BXC'`
  const payment = { phonenumber, amount: parseAmount(amount)!, currency: 'BXC', receiver: till!.number }
  await app.simulator!.pay({ ...payment, reference })
  app.wake()
  await eventually('the money is in the ledger', async () => {
    const [found] = await db<{ id: number }[]>`select id from collections where phonenumber = ${phonenumber}`
    return found
  })
}

/** Issue an invoice of Joan Nakato. */
async function issueInvoice(phonenumber: string, unit_price: string): Promise<{ id: number; contact: number }> {
  const { post } = createApiClient(browserTest.url, browserTest.testApp.api_key)
  const names = { first_name: 'Joan', last_name: 'Nakato' }
  const lines = [{ text: 'School fees', unit_price }]
  const { body } = await post('/api/invoices', { phonenumber, currency: 'BXC', lines, ...names })
  return (await post(`/api/invoices/${body.id}/issue`, {})).body
}

describe('the books', { timeout: 300_000 }, () => {
  it('show sums of the ledger, and the cause of each transaction of a wallet', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/reports')
    await page.getByRole('cell', { name: 'BXC 100' }).first().waitFor()
    await checkPage(page, 'reports')
    await page.getByRole('button', { name: 'Download' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Excel (XLSX)' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/^collections-by-day-.*\.xlsx$/)
    expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK')

    await goTo(page, `${browserTest.url}/console/wallets`)
    await page.getByRole('link', { name: /BXC/ }).first().click()
    await page.getByText('+80000000055').first().waitFor()
    await checkPage(page, 'wallet-causes')
    await page
      .getByRole('link', { name: /^Collection \d+$/ })
      .first()
      .click()
    await page.waitForURL(/\/collections\/\d+$/)
  })

  it('show unallocated money, open amounts by age, and the statement of a customer', async () => {
    const { id, contact } = await issueInvoice('+80000000057', '200')
    await pay('+80000000057', '85', 'INV-000001')
    const { db } = browserTest.testApp
    await eventually('the money is for the invoice', async () => {
      const [paid] = await db<{ id: number }[]>`select id from invoices where id = ${id} and amount_paid > 0`
      return paid
    })
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/reports')
    await page.getByRole('tab', { name: 'Unmatched payments' }).click()
    await page.getByRole('link', { name: '+80000000055' }).waitFor()
    expect(await page.getByRole('link', { name: '+80000000057' }).count()).toBe(0)
    await checkPage(page, 'unmatched-money')

    await page.getByRole('tab', { name: 'Receivables ageing' }).click()
    await page.getByRole('cell', { name: 'BXC 115' }).first().waitFor()
    await checkPage(page, 'ageing')
    await page.getByRole('link', { name: 'Joan Nakato' }).click()
    await page.waitForURL(new RegExp(`/contacts/${contact}/statement`))
    await page.getByRole('link', { name: 'INV-000001' }).first().waitFor()
    await checkPage(page, 'customer-statement')
    await page.getByRole('button', { name: 'Download' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'PDF' }).click()
    expect((await readFile(await (await saved).path())).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('are compared with the statement of a network, and a difference is explained', async () => {
    const { db } = browserTest.testApp
    const [known] = await db<{ id: string }[]>`select remote_transaction_id as id from collections order by id limit 1`
    const at = browserTest.testApp.clock.now().toISOString()
    const text = `remote_id,amount,currency,paid_at\n${known!.id},70,BXC,${at}\nUNKNOWN7,5,BXC,${at}\n`
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url, OWNER, '/reconciliation')
    await page.getByRole('button', { name: 'Compare a statement' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByPlaceholder('Choose one').click()
    await page.getByRole('option', { name: /\(sandbox\)$/ }).click()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'may.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await checkPage(page, 'reconciliation-new')
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByText('UNKNOWN7').first().waitFor()
    await checkPage(page, 'reconciliation')

    const row = page.getByRole('row', { name: /UNKNOWN7/ })
    await row.getByRole('button', { name: 'Query the network' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Query the network' }).click()
    await row.getByText('The network does not know this payment.').waitFor()
    await row.getByRole('button', { name: 'Explain' }).click()
    await page.getByLabel('Explanation').fill('A test of the network')
    await page.getByRole('dialog').getByRole('button', { name: 'Explain' }).click()
    await row.getByText('A test of the network').waitFor()
    await goTo(page, `${browserTest.url}/console/reconciliation`)
    await page.getByRole('link', { name: 'may.csv' }).waitFor()
    await checkPage(page, 'reconciliations')
  })
})
