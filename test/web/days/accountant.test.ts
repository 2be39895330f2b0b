import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatAmount, parseAmount } from '../../../src/lib/money.ts'
import { advanceUntilShown, checkPage, goTo } from '../browser.ts'
import { sendToTill } from '../money/till.ts'
import { download, readCsv, readPdf, readWorkbook, saved, sumUp } from './files.ts'
import { beginDay, type Day, entry, type Office, openOffice, readCollected, readLedger, receive } from './office.ts'
import { checkInBothWindows } from './windows.ts'

/** Number of people whom the file of wages pays. One of them gets so much that a second user approves it. */
const PEOPLE = 60

let office: Office

beforeAll(async () => {
  office = await openOffice()
}, 300_000)
afterAll(() => office?.browserTest.close())

const open = (page: Page, path: string) => goTo(page, `${office.browserTest.url}/console${path}`)

/** Press the same button twice: on the page, and in the dialog that asks for confirmation. */
async function confirm(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Upload a file of payments, which becomes a draft. */
async function upload(page: Page, name: string, text: string): Promise<void> {
  await open(page, '/bulk-payments')
  await page.getByRole('button', { name: 'Upload file' }).click()
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByLabel(/^Description/).fill('Wages')
  await page.getByRole('button', { name: 'Upload and check' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

/** Review a draft, and send it for approval. */
async function sendForApproval(page: Page, picture: string): Promise<void> {
  await page.getByRole('button', { name: 'Review and send' }).click()
  const review = page.getByRole('dialog')
  await review.getByRole('region', { name: 'Approval and limits' }).waitFor()
  await checkInBothWindows(page, picture)
  await review.getByRole('button', { name: 'Send payments' }).click()
  await review.waitFor({ state: 'detached' })
  await page.getByText('You started it, so another user decides.').waitFor()
}

/** The colleague asks to pay transport. */
async function requestTransport(colleague: Page, phonenumber: string): Promise<void> {
  await open(colleague, '/payments')
  await colleague.getByRole('button', { name: 'Send money' }).click()
  await colleague.getByPlaceholder('Choose a wallet').click()
  await colleague.getByRole('option', { name: /BXC/ }).first().click()
  await colleague.getByLabel('Phone number 1').fill(phonenumber)
  await colleague.getByLabel('Amount 1').fill('1200')
  await colleague.getByLabel(/^Description/).fill('Transport')
  await colleague.getByRole('button', { name: 'Review', exact: true }).click()
  await colleague.getByText(/needed, because it is above BXC/).waitFor()
  await colleague.getByRole('button', { name: 'Send', exact: true }).click()
  await colleague.getByText('Sent for approval.').first().waitFor()
}

// Each page is checked in both windows, and the next step goes on in the second one. The colleague sits at a desk.
describe('the day of an accountant at a desk and on a phone', { timeout: 300_000 }, () => {
  const picture = (what: string) => `accountant-${what}`
  let day: Day
  let page: Page
  let colleague: Page

  beforeAll(async () => {
    day = await beginDay(office)
    ;({ page, colleague } = day)
  }, 300_000)

  it('begins with the figures of the home page, and money that matches nothing', async () => {
    const { browserTest, api } = office
    await receive(office, '+80000001003', '1500.50')
    const payer = { phonenumber: '+80002001001', first_name: 'Aisha', last_name: 'Nantongo', currency: 'BXC' }
    const lines = [{ text: 'School fees, term 1', unit_price: '70000' }]
    const draft = (await api.post('/api/invoices', { ...payer, lines })).body
    const invoice = (await api.post(`/api/invoices/${draft.id}/issue`, {})).body
    await sendToTill(browserTest, payer.phonenumber, '60000', 'INV 940')

    await page.goto(`${office.browserTest.url}/console`)
    await page.getByRole('combobox', { name: 'Period' }).click()
    await page.getByRole('option', { name: 'Today' }).click()
    const collected = page.getByRole('region', { name: 'Collected', exact: true })
    await collected.getByText('BXC 61,500.50', { exact: true }).waitFor()
    expect(formatAmount(await readCollected(office, day))).toBe('61500.5000')
    await checkInBothWindows(page, picture('home'))
    await page
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('link', { name: 'Unmatched collections' })
      .click()
    await entry(page, 'BXC 60,000').getByRole('link').first().click()
    const suggested = page.getByRole('region', { name: 'Suggested matches' })
    await suggested.getByText(`${invoice.number}, Aisha Nantongo: BXC 60,000 of BXC 70,000 due`).waitFor()
    await checkInBothWindows(page, picture('unmatched'))
    const match = suggested.getByRole('listitem').filter({ hasText: invoice.number })
    await match.getByRole('button', { name: 'Accept' }).click()
    const used = page.getByRole('region', { name: 'Matched with' })
    await used.getByRole('link', { name: `${invoice.number}, Aisha Nantongo` }).waitFor()
    await suggested.waitFor({ state: 'detached' })
  })

  it('approves the payment of a colleague', async () => {
    await requestTransport(colleague, '+80000001004')
    await open(page, '/approvals')
    await page.getByRole('checkbox', { name: 'BXC 1,200 to +80000001004' }).check()
    await page.getByRole('button', { name: 'Approve (1)' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Payment approved.').waitFor()
    await checkInBothWindows(page, picture('approved'))
  })

  it('pays wages from a file, whose wrong rows are corrected in a second one', async () => {
    const phone = (index: number) => `+80000145${300 + index}`
    const rows = Array.from({ length: PEOPLE }, (_, index) => {
      return `${phone(index)},Person ${index + 1},${index === 0 ? '1500' : '20.25'},BXC`
    })
    const head = 'Phone number,Name,Amount,Currency'
    const wrong = ['12,Wrong Number,1100,BXC', `${phone(PEOPLE)},Wrong Amount,many,BXC`]
    await upload(page, 'wages.csv', [head, ...rows, ...wrong].join('\n'))
    const problems = page.getByText('2 rows cannot be paid.')
    await problems.waitFor()
    const refused: string[][] = parse(await download(page, 'CSV', 'Download refused rows'), { bom: true })
    expect(refused.slice(1).map((cells) => cells[1])).toEqual(['Wrong Number', 'Wrong Amount'])
    await page.getByRole('button', { name: 'Skip all' }).click()
    await problems.waitFor({ state: 'detached' })
    await sendForApproval(page, picture('review'))

    const corrections: Record<string, string> = { '12': phone(PEOPLE + 1), many: '20.25' }
    const corrected = refused.map((cells) =>
      cells.map((text) => `"${corrections[text] ?? text.replaceAll('"', '""')}"`).join(','),
    )
    await upload(page, 'corrected.csv', corrected.join('\n'))
    expect(await page.getByText(/rows? cannot be paid\. Correct/).count()).toBe(0)
    await sendForApproval(page, picture('corrected'))

    for (const [name, paid] of [
      ['wages.csv', PEOPLE],
      ['corrected.csv', 2],
    ] as const) {
      await open(colleague, '/bulk-payments')
      await colleague.getByRole('link', { name, exact: true }).click()
      await confirm(colleague, 'Approve')
      await advanceUntilShown(office.browserTest, colleague, `Paid ${paid}`)
      await checkPage(colleague, picture(paid === 2 ? 'corrected-paid' : 'paid'))
    }
  })

  it('compares the statement of the network with the ledger, and explains the difference', async () => {
    await open(page, '/reconciliation')
    await page.getByRole('button', { name: 'Compare a statement' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByPlaceholder('Choose one').click()
    await page.getByRole('option', { name: /\(sandbox\)$/ }).click()
    const statement = await saved(page, dialog.getByRole('link', { name: 'Download its statement' }))
    const lines = readCsv(statement)
    await checkInBothWindows(page, picture('statement'))

    // A network's own entry, such as a correction, stands in its statement only.
    const correction = `CORRECTION1,successful,5,BXC,,,,,,,${lines.at(-1)!.paid_at}\r\n`
    const buffer = Buffer.concat([statement, Buffer.from(correction)])
    await page.locator('input[type=file]').setInputFiles({ name: 'day.csv', mimeType: 'text/csv', buffer })
    await dialog.getByLabel('The statement includes outgoing payments').check()
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
    const difference = entry(page, 'CORRECTION1')
    await difference.getByRole('button', { name: 'Explain' }).click()
    await page.getByLabel('Explanation').fill('A correction of the network, see its letter')
    await page.getByRole('dialog').getByRole('button', { name: 'Explain' }).click()
    await difference.getByText('A correction of the network, see its letter').waitFor()
    await checkInBothWindows(page, picture('reconciled'))
    const [run] = await office.browserTest.testApp.db`
      select lines, agreeing from reconciliation_runs order by id desc limit 1`
    expect(run).toEqual({ lines: lines.length + 1, agreeing: lines.length })
  })

  it('ends with a statement and lists that agree with the ledger', async () => {
    const ledger = await readLedger(office, day)
    expect(ledger.closing).toBe(ledger.opening + ledger.moved)
    await open(page, `/wallets/${ledger.id}?days=${day.date}..${day.date}`)
    await page.getByRole('heading', { name: 'Balance' }).waitFor()
    const { opening, moved, closing, lines } = ledger
    const expected = { opening, moved, closing, lines }
    expect(sumUp(readCsv(await download(page, 'CSV')))).toEqual(expected)
    expect(sumUp(await readWorkbook(await download(page, 'Excel (XLSX)')))).toEqual(expected)
    const pdf = await readPdf(await download(page, 'PDF'))
    for (const amount of [opening, closing]) expect(pdf).toContain(inWords(amount))
    await checkInBothWindows(page, picture('wallet'))

    await open(page, `/collections?days=${day.date}..${day.date}`)
    await entry(page, 'Grace Akello').waitFor()
    const collections = readCsv(await download(page, 'Columns shown (CSV)'))
    const sum = collections.reduce((all, row) => all + parseAmount(row.Amount!)!, 0n)
    expect(sum).toBe(await readCollected(office, day))
    expect(collections.map((row) => row.From)).toEqual(['Grace Akello', 'Aisha Nantongo'])
    await checkInBothWindows(page, picture('collections'))
    await open(page, '/reports')
    await page.getByText('BXC 61,500.50').first().waitFor()
    await checkInBothWindows(page, picture('reports'))
  })
})

/** An amount as people read it. */
function inWords(amount: bigint): string {
  return Number(formatAmount(amount)).toLocaleString('en', { maximumFractionDigits: 2 })
}
