import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAmount } from '../../../src/lib/money.ts'
import { eventually } from '../../test-app.ts'
import { type BrowserTest, checkPage, openBrowserTest, signIn } from '../browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
  await pay('+80000000055', '70')
  await pay('+80000000056', '30')
}, 300_000)
afterAll(() => browserTest?.close())

/** A customer sends money that no request asked for; it is in the ledger when this returns. */
async function pay(phonenumber: string, amount: string): Promise<void> {
  const { app, db, organization } = browserTest.testApp
  const [till] = await db<{ number: string }[]>`
    select r.number from connection_places r join accounts a on a.id = r.account
    where a.organization = ${organization} and a.currency = 'BXC'`
  const payment = { phonenumber, amount: parseAmount(amount)!, currency: 'BXC', receiver: till!.number }
  await app.simulator!.pay({ ...payment, reference: 'rent' })
  app.wake()
  await eventually('the money is in the ledger', async () => {
    const [found] = await db<{ id: number }[]>`select id from collections where phonenumber = ${phonenumber}`
    return found
  })
}

describe('the books', { timeout: 300_000 }, () => {
  it('show sums of the ledger, and what caused each transaction of a wallet', async () => {
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await page.goto(`${browserTest.url}/console/reports`)
    await page.getByRole('cell', { name: 'BXC 100' }).first().waitFor()
    await checkPage(page, 'reports')
    await page.getByRole('button', { name: 'Download' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Excel (XLSX)' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/^collections-by-day-.*\.xlsx$/)
    expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK')

    await page.goto(`${browserTest.url}/console/wallets`)
    await page.getByRole('link', { name: /BXC/ }).first().click()
    await page.getByText('+80000000055').first().waitFor()
    await checkPage(page, 'wallet-causes')
    await page
      .getByRole('link', { name: /^Collection \d+$/ })
      .first()
      .click()
    await page.waitForURL(/\/collections\/\d+$/)
  })

  it('are compared with the statement of a network, and a difference is explained', async () => {
    const { db } = browserTest.testApp
    const [known] = await db<{ id: string }[]>`select remote_transaction_id as id from collections order by id limit 1`
    const at = browserTest.testApp.clock.now().toISOString()
    const text = `remote_id,amount,currency,paid_at\n${known!.id},70,BXC,${at}\nUNKNOWN7,5,BXC,${at}\n`
    const page = await browserTest.openPage()
    await signIn(page, browserTest.url)
    await page.goto(`${browserTest.url}/console/reconciliation`)
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
    await row.getByRole('button', { name: 'Ask the network' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ask the network' }).click()
    await row.getByText('The network does not know this payment.').waitFor()
    await row.getByRole('button', { name: 'Explain' }).click()
    await page.getByLabel('Explanation').fill('A test of the network')
    await page.getByRole('dialog').getByRole('button', { name: 'Explain' }).click()
    await row.getByText('A test of the network').waitFor()
    await page.goto(`${browserTest.url}/console/reconciliation`)
    await page.getByRole('link', { name: 'may.csv' }).waitFor()
    await checkPage(page, 'reconciliations')
  })
})
