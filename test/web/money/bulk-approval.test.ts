import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setApprovalRule } from '../../../src/core/spending/approval-rules.ts'
import { begin } from '../../../src/db/client.ts'
import { parseAmount } from '../../../src/lib/money.ts'
import { addPerson } from '../../console/shop.ts'
import { advanceUntilShown, type BrowserTest, checkPage, goTo, OWNER, openBrowserTest, signIn } from '../browser.ts'

let browserTest: BrowserTest

beforeAll(async () => {
  browserTest = await openBrowserTest()
}, 300_000)
afterAll(() => browserTest?.close())

const PEOPLE = 183

it('a file with 183 people waits for one approval and shows its recipients a page at a time', {
  timeout: 600_000,
}, async () => {
  const { testApp, url } = browserTest
  const { organization, db } = testApp
  const rule = { organization, currency: 'BXC', threshold: parseAmount('50')! }
  await begin(db, (tx) => setApprovalRule(tx, rule))
  await addPerson(testApp, { organization, email: 'boss@school.example', permissions: ['view', 'approve_payments'] })

  const page = await browserTest.openPage()
  await signIn(page, url, OWNER, '/bulk-payments')
  await uploadWages(page)
  await advanceUntilShown(browserTest, page, 'Waiting for approval')
  await page.getByText('You started it, so another user decides.').waitFor()
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  await checkPage(page, 'bulk-approval-maker')

  const boss = await browserTest.openPage()
  await signIn(boss, url, 'boss@school.example')
  await boss.getByRole('link', { name: /^wages-may\.csv: BXC 82,350 to 183 people/ }).waitFor()
  await lookIntoQueue(boss)
  const phone = await browserTest.openPage({ narrow: true })
  await signIn(phone, url, 'boss@school.example')
  await goTo(phone, `${url}/console/approvals`)
  await phone.getByText('Rows 2 to 184 of wages-may.csv').waitFor()
  await checkPage(phone, 'bulk-approval-queue-narrow')

  await boss.getByRole('link', { name: 'wages-may.csv', exact: true }).click()
  const [payment] = await db<{ id: number }[]>`select id from payments order by id desc limit 1`
  await goTo(phone, `${url}/console/payments/${payment!.id}`)
  await phone.getByText('The whole file is approved or rejected at once.').waitFor()
  expect(await phone.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  await findAmongRecipients(phone)
  await checkPage(phone, 'payment-many-narrow')

  await boss.getByRole('button', { name: 'Approve' }).click()
  await boss.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await boss.getByText('File approved.').waitFor()
  await advanceUntilShown(browserTest, page, 'Paid 183')
  await goTo(page, `${url}/console/bulk-payments`)
  await page.getByRole('row', { name: /wages-may\.csv.*Paid/ }).waitFor()
  await checkPage(page, 'bulk-paid-list')
  await goTo(page, `${url}/console/payments/${payment!.id}`)
  await page.getByRole('region', { name: 'Recipients' }).first().getByText('BXC 82,350').nth(1).waitFor()
  await checkPage(page, 'payment-many')
})

/** Upload the file, which has one person of another name, and send it. */
async function uploadWages(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Upload file' }).click()
  const lines = Array.from({ length: PEOPLE }, (_, index) => {
    const name = index === 120 ? 'Nakato Amina' : 'Ann Other'
    return `+8000000${String(1_000 + index)},${name},450,BXC`
  })
  const text = ['Phone number,Name,Amount,Currency', ...lines].join('\n')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'wages-may.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByLabel(/^Description/).fill('Wages for May')
  await page.getByRole('button', { name: 'Upload and check' }).click()
  await page.getByRole('button', { name: 'Review and send' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send payments' }).click()
}

/** Read the rows of the file in the list of what waits for approval, and go back without a decision. */
async function lookIntoQueue(boss: Page): Promise<void> {
  await goTo(boss, `${browserTest.url}/console/approvals`)
  await boss.getByText('Rows 2 to 184 of wages-may.csv').waitFor()
  await checkPage(boss, 'bulk-approval-queue')
  await boss.getByRole('button', { name: 'Approve' }).last().click()
  await boss.getByRole('dialog').getByText('Rows 2 to 184').waitFor()
  await checkPage(boss, 'bulk-approval-dialog')
  await boss.getByRole('dialog').getByRole('button', { name: 'Go back' }).click()
}

/** Find one person in the list, which is short on a phone. */
async function findAmongRecipients(phone: Page): Promise<void> {
  const recipients = phone.getByRole('region', { name: 'Recipients' }).first()
  await recipients.getByText('183 phones: BXC 82,350').waitFor()
  const height = await phone.evaluate('document.documentElement.scrollHeight')
  expect(height).toBeLessThan(8_000)
  await recipients.getByLabel('Name or phone number').fill('amina')
  await recipients.getByText('+80000001120').waitFor()
  await recipients.getByText('+80000001000').waitFor({ state: 'detached' })
}
