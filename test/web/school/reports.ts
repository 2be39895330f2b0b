import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { Locator, Page } from 'playwright-core'
import type { ClassName } from './pupils.ts'
import { check, invoiceOf, open, type School } from './school.ts'

/* Reports for the bursar, and the comparison with the network's statement. */

/** A line of a class list, as the file has it. */
export interface ClassLine {
  customer_number: string
  paid: string
  open: string
  state: string
}

async function saved(page: Page, link: Locator): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  return readFile(await file.path())
}

/** The class list as it is downloaded at its page. */
export async function readClassList(school: School, name: ClassName): Promise<ClassLine[]> {
  const { bursar } = school
  await open(school, `/invoices/by-tag?tag=${name}`)
  await bursar.getByRole('button', { name: 'Download' }).click()
  const file = await saved(bursar, bursar.getByRole('menuitem', { name: 'CSV' }))
  await check(school, 'class-list')
  return parse(file, { bom: true, columns: true })
}

/** The texts of the statement of a pupil, as the page shows them. */
export async function readStatement(school: School, pupil: string): Promise<string> {
  const { bursar } = school
  const { contact } = await invoiceOf(school, pupil)
  await open(school, `/contacts/${contact}/statement`)
  await bursar.getByRole('heading', { name: /^Statement of/ }).waitFor()
  await bursar.locator('tbody tr, .row-cards > li').first().waitFor()
  await check(school, 'statement')
  return (await bursar.getByRole('main').textContent())!
}

/** The texts of a report. */
export async function readReport(school: School, name: 'ageing' | 'unmatched'): Promise<string> {
  const { bursar } = school
  await open(school, `/reports/${name}`)
  await bursar.getByRole('table').first().waitFor()
  await check(school, name)
  return (await bursar.getByRole('main').textContent())!
}

/** Compare the statement of the network with the books. */
export async function reconcile(school: School): Promise<void> {
  const { bursar } = school
  await open(school, '/reconciliation')
  await bursar.getByRole('button', { name: 'Compare a statement' }).click()
  const dialog = bursar.getByRole('dialog')
  await dialog.getByPlaceholder('Choose one').click()
  await bursar.getByRole('option', { name: /\(sandbox\)$/ }).click()
  const buffer = await saved(bursar, dialog.getByRole('link', { name: 'Download its statement' }))
  await bursar.locator('input[type=file]').setInputFiles({ name: 'term.csv', mimeType: 'text/csv', buffer })
  await dialog.getByLabel('The statement includes outgoing payments').check()
  await check(school, 'compare')
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
  await bursar.waitForURL(/\/reconciliation\/\d+$/)
  await check(school, 'reconciliation')
}
