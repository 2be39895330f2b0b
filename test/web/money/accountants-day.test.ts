import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '../../../src/core/access/api-keys.ts'
import { type Amount, parseAmount } from '../../../src/lib/money.ts'
import { readSheet } from '../../../src/lib/sheets/read-sheet.ts'
import { type SheetNotChosen, type SheetRow, uploadLimits } from '../../../src/lib/sheets/sheet.ts'
import { addPerson } from '../../console/shop.ts'
import { advanceUntilShown, type BrowserTest, checkPage, openBrowserTest, signIn } from '../browser.ts'

const COLLEAGUE = 'colleague@shop.example'
/** Number of people whom the file pays. One of them gets so much that a second user approves it. */
const PEOPLE = 200
/** Day that is closed, the one after the demo funds': the wallet opens it with money. */
const DAY = '2030-01-16'

let browserTest: BrowserTest
/** The accountant, and a colleague who may approve payments as well. */
let page: Page
let colleague: Page

beforeAll(async () => {
  browserTest = await openBrowserTest()
  const { testApp, url } = browserTest
  const { db, organization, clock } = testApp
  await addPerson(testApp, { organization, email: COLLEAGUE, permissions: allPermissions })
  await db`
    insert into approval_rules (organization, currency, threshold) values (${organization}, 'BXC', 1000)`
  clock.advance(24 * 3_600)
  page = await browserTest.openPage()
  colleague = await browserTest.openPage()
  await signIn(page, url)
  await signIn(colleague, url, COLLEAGUE)
}, 300_000)
afterAll(() => browserTest?.close())

const open = (one: Page, path: string) => one.goto(`${browserTest.url}/console${path}`)

/** Press the same button twice: on the page, and in the dialog that asks for confirmation. */
async function confirm(one: Page, name: string): Promise<void> {
  await one.getByRole('button', { name, exact: true }).click()
  const dialog = one.getByRole('dialog')
  await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** The file that a click saves. */
async function saved(one: Page, link: Locator): Promise<Buffer> {
  const [file] = await Promise.all([one.waitForEvent('download'), link.click()])
  return readFile(await file.path())
}

/** The file of a format that the button of the page downloads. */
async function download(format: 'CSV' | 'Excel (XLSX)' | 'Columns shown (CSV)'): Promise<Buffer> {
  await page.getByRole('button', { name: 'Download' }).click()
  return saved(page, page.getByRole('menuitem', { name: format }))
}

const readCsv = (file: Buffer): Record<string, string>[] => parse(file, { bom: true, columns: true })

/** The balance of the wallet in the ledger. */
async function balance(): Promise<Amount> {
  const { db, organization } = browserTest.testApp
  const [wallet] = await db<{ balance: Amount }[]>`
    select balance from accounts where organization = ${organization} and currency = 'BXC' and kind = 'local'`
  return wallet!.balance
}

describe('the day of an accountant', { timeout: 300_000 }, () => {
  it('begins with a payment of a customer, and a payment of a colleague that waits for approval', async () => {
    await open(page, '/collectionrequests')
    await page.getByRole('button', { name: 'Request payment' }).click()
    await page.getByLabel(/^Amount/).fill('1500.50')
    await page.getByRole('button', { name: 'Request', exact: true }).click()
    await page
      .getByRole('row', { name: /\+80000000003/ })
      .getByRole('link')
      .press('Enter')
    await advanceUntilShown(browserTest, page, 'Successful')

    await open(colleague, '/payments')
    await colleague.getByRole('button', { name: 'Send money' }).click()
    await colleague.getByPlaceholder('Choose a wallet').click()
    await colleague.getByRole('option', { name: /BXC/ }).first().click()
    await colleague.getByLabel('Phone number 1').fill('+80000000004')
    await colleague.getByLabel('Amount 1').fill('1200')
    await colleague.getByLabel(/^Description/).fill('Transport')
    await colleague.getByRole('button', { name: 'Review', exact: true }).click()
    await colleague.getByText(/needed, because it is above BXC/).waitFor()
    await colleague.getByRole('button', { name: 'Send', exact: true }).click()
    await colleague.getByText('Sent for approval.').first().waitFor()

    await open(page, '/approvals')
    await page.getByRole('checkbox', { name: /BXC 1,200 to \+80000000004/ }).check()
    await page.getByRole('button', { name: 'Approve (1)' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Payment approved.').waitFor()
  })

  it('goes on with wages from a file: a wrong row is left out, and the colleague approves the highest one', async () => {
    const rows = Array.from({ length: PEOPLE }, (_, index) => {
      const amount = index === 0 ? '1500' : '20.25'
      return `+80000045${300 + index},Person ${index + 1},${amount},BXC`
    })
    const text = ['Phone number,Name,Amount,Currency', ...rows, '12,Wrong Number,20,BXC'].join('\n')
    await open(page, '/bulk-payments')
    await page.getByRole('button', { name: 'Upload file' }).click()
    const file = { name: 'wages.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByLabel(/^Description/).fill('Wages')
    await page.getByRole('button', { name: 'Upload and check' }).click()
    const wrong = page.getByText('1 row cannot be paid.')
    await wrong.waitFor()
    await page.getByRole('button', { name: 'Skip all' }).click()
    await wrong.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Review and send' }).click()
    const review = page.getByRole('dialog')
    await review.getByRole('region', { name: 'Approval and limits' }).waitFor()
    await checkPage(page, 'day-bulk-review')
    await review.getByRole('button', { name: 'Send payments' }).click()
    await review.waitFor({ state: 'detached' })
    await page.getByText('You started it, so another user decides.').waitFor()

    await open(colleague, '/bulk-payments')
    await colleague.getByRole('link', { name: 'wages.csv' }).click()
    await confirm(colleague, 'Approve')
    await advanceUntilShown(browserTest, page, `Paid ${PEOPLE}`)
    await page.getByText('Skipped 1').waitFor()
    await checkPage(page, 'day-bulk')
  })

  it('compares the statement of the network with the ledger, and explains the differences', async () => {
    await open(page, '/reconciliation')
    await page.getByRole('button', { name: 'Compare a statement' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByPlaceholder('Choose one').click()
    await page.getByRole('option', { name: /\(sandbox\)$/ }).click()
    const statement = await saved(page, dialog.getByRole('link', { name: 'Download its statement' }))
    const lines = readCsv(statement)
    expect(lines.length).toBe(PEOPLE + 2)
    await checkPage(page, 'day-statement')

    // A network's own entry, such as a correction, stands in its statement only.
    const correction = `CORRECTION1,successful,5,BXC,,,,,,,${lines.at(-1)!.paid_at}\r\n`
    const buffer = Buffer.concat([statement, Buffer.from(correction)])
    await page.locator('input[type=file]').setInputFiles({ name: 'day.csv', mimeType: 'text/csv', buffer })
    await dialog.getByLabel('The statement includes outgoing payments').check()
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
    const row = page.getByRole('row', { name: /CORRECTION1/ })
    await row.getByRole('button', { name: 'Explain' }).click()
    await page.getByLabel('Explanation').fill('A correction of the network, see its letter')
    await page.getByRole('dialog').getByRole('button', { name: 'Explain' }).click()
    await row.getByText('A correction of the network, see its letter').waitFor()
    const [run] = await browserTest.testApp.db`select lines, agreeing from reconciliation_runs`
    expect(run).toEqual({ lines: PEOPLE + 3, agreeing: PEOPLE + 2 })
    expect(await page.getByRole('table').getByRole('row').count()).toBe(2)
  })

  it('ends with the statement of the wallet, which agrees with the ledger, and the list of collections', async () => {
    await open(page, '/wallets')
    await page.getByRole('link', { name: /BXC/ }).first().click()
    await page.waitForURL(/\/wallets\/\d+$/)
    const { pathname } = new URL(page.url())
    await page.goto(`${browserTest.url}${pathname}?days=${DAY}..${DAY}`)
    await page.getByRole('heading', { name: 'Balance' }).waitFor()
    const statement = readCsv(await download('CSV'))
    const closing = await balance()
    expect(sumUp(statement)).toEqual({ opening: parseAmount('100000'), sum: closing, closing, lines: PEOPLE + 2 })
    const rows: SheetRow[] = []
    const file = await download('Excel (XLSX)')
    // The second sheet says what the table is.
    const { sheets } = (await readSheet(file, { limits: uploadLimits })
      .next()
      .catch((error: unknown) => error)) as SheetNotChosen
    const sheet = sheets.find((name) => name.startsWith('Statement of'))!
    for await (const chunk of readSheet(file, { limits: uploadLimits, sheet })) rows.push(...chunk.rows)
    const [head, ...cells] = rows.map((row) => row.cells)
    const titles = ['Description', 'Money in', 'Money out', 'Balance']
    const names = ['description', 'money_in', 'money_out', 'balance']
    const indexes = titles.map((title) => head!.findIndex(({ text }) => text === title))
    const workbook = cells.map((row) =>
      Object.fromEntries(names.map((name, at) => [name, row[indexes[at]!]?.text ?? ''])),
    )
    expect(sumUp(workbook)).toEqual(sumUp(statement))

    await open(page, '/reports')
    await page.getByRole('cell', { name: 'BXC 1,500.50' }).first().waitFor()
    await page.getByRole('cell', { name: 'Jan 16, 2030' }).waitFor()
    await open(page, '/collections')
    await page.getByRole('row', { name: /\+80000000003/ }).waitFor()
    const collections = readCsv(await download('Columns shown (CSV)'))
    expect(collections).toMatchObject([{ Currency: 'BXC', Status: 'Successful', Amount: '1500.50' }])
  })
})

/** Add up a statement: what it opens with, that and all its lines, and what it says that it closes with. */
function sumUp(rows: Record<string, string>[]) {
  const amount = (row: Record<string, string>, name: string) => (row[name] ? parseAmount(row[name])! : 0n)
  const [first, last] = [rows[0]!, rows.at(-1)!]
  expect([first.description, last.description]).toEqual(['Opening balance', 'Closing balance'])
  const lines = rows.slice(1, -1)
  const opening = amount(first, 'balance')
  const sum = lines.reduce((all, row) => all + amount(row, 'money_in') - amount(row, 'money_out'), opening)
  return { opening, sum, closing: amount(last, 'balance'), lines: lines.length }
}
