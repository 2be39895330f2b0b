import { CLASSES, type ClassName, pupilsFile, pupilsOf } from './pupils.ts'
import { check, invoiceOf, open, type School } from './school.ts'

/* Actions of the bursar before the parents pay: pupils, rules and invoices. */

/** Import all pupils from the file of the school. */
export async function importPupils(school: School): Promise<void> {
  const { bursar } = school
  await open(school, '/contacts/import')
  await bursar
    .locator('input[type=file]')
    .setInputFiles({ name: 'pupils.csv', mimeType: 'text/csv', buffer: pupilsFile() })
  await bursar.getByRole('button', { name: 'Check file' }).click()
  await bursar.getByText('4,000').first().waitFor()
  await check(school, 'pupils')
  await bursar.getByRole('button', { name: /^Import 4,000/ }).click()
  await bursar.getByRole('status').filter({ hasText: '4,000' }).waitFor()
}

/** More than was asked for becomes credit of the pupil. */
export async function keepCredit(school: School): Promise<void> {
  const { bursar } = school
  await open(school, '/settings')
  const panel = bursar.getByRole('region', { name: 'Payment matching' })
  await panel.getByRole('button', { name: 'Change' }).click()
  await bursar.getByRole('radio', { name: 'Add to customer credit' }).check()
  await check(school, 'credit')
  await bursar.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await panel.getByText('Add to customer credit').waitFor()
}

/** Make the invoices of a class. */
export async function invoiceClass(
  school: School,
  name: ClassName,
  { issue = true, reminders = false }: { issue?: boolean; reminders?: boolean } = {},
): Promise<void> {
  const { bursar } = school
  const { pupils, fee } = CLASSES[name]
  await open(school, '/invoices/for-tag')
  await bursar.getByLabel(/^Tag/).fill(name)
  await bursar.getByLabel(/^Text/).fill('School fees, term 1')
  await bursar.getByLabel(/^Amount/).fill(String(fee))
  await bursar.getByLabel(/^Minimum payment/).fill('100,000')
  if (reminders) {
    await bursar.getByLabel(/^SMS reminders/).fill('-3, 0')
    await bursar.getByLabel('Send a payment prompt with each reminder').click({ force: true })
  }
  await bursar.getByRole('button', { name: 'Preview' }).click()
  const sum = (pupils * fee).toLocaleString('en')
  await bursar.getByText(`${pupils} invoices, BXC ${sum}`).waitFor()
  if (issue) await bursar.getByLabel('Issue the invoices at once').click({ force: true })
  await check(school, reminders ? 'class-reminders' : 'class')
  await bursar.getByRole('button', { name: 'Create invoices' }).click()
  await bursar
    .getByRole('status')
    .filter({ hasText: `${pupils} created, 0 duplicates skipped, 0 rows refused.` })
    .waitFor()
}

/** Issue the drafts of a class from the list. */
export async function issueDrafts(school: School, name: ClassName): Promise<void> {
  const { bursar } = school
  await open(school, `/invoices?tag=${name}&state=draft`)
  await bursar.getByRole('button', { name: 'Apply to all' }).click()
  await bursar.getByRole('menuitem', { name: 'Issue all' }).click()
  await bursar.getByRole('dialog').getByRole('definition').getByText('Draft', { exact: true }).waitFor()
  await check(school, 'issue-all')
  await bursar.getByRole('dialog').getByRole('button', { name: 'Issue all' }).click()
  await bursar.getByText(`${CLASSES[name].pupils} invoices done.`).waitFor()
}

/** Make and issue the invoices of classes from a file. */
export async function invoiceClassesFromFile(school: School, names: readonly ClassName[]): Promise<void> {
  const { bursar } = school
  const rows = names.flatMap((name) =>
    pupilsOf(name).map(({ number }) => `${number},"School fees, term 1","${CLASSES[name].fee.toLocaleString('en')}"`),
  )
  await open(school, '/invoices/file')
  const file = ['Admission no,Particulars,Fees', ...rows].join('\n')
  await bursar
    .locator('input[type=file]')
    .setInputFiles({ name: 'fees.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await bursar.getByLabel(/^Minimum payment/).fill('100,000')
  await bursar.getByRole('button', { name: 'Check file' }).click()
  await bursar.getByText(new RegExp(`^${rows.length} invoices, BXC`)).waitFor()
  await bursar.getByLabel('Issue the invoices at once').click({ force: true })
  await check(school, 'class-file')
  await bursar.getByRole('button', { name: 'Create invoices' }).click()
  await bursar
    .getByRole('status')
    .filter({ hasText: `${rows.length} created, 0 duplicates skipped, 0 rows refused.` })
    .waitFor()
}

/** Make the payment link of the school. */
export async function makeLink(school: School): Promise<void> {
  const { bursar } = school
  await open(school, '/payment-links')
  await bursar.getByRole('button', { name: 'Create payment link' }).click()
  await bursar.getByLabel(/^Title/).fill('School uniform')
  await bursar.getByRole('textbox', { name: /^Amount/ }).fill('85,000')
  await bursar.getByRole('button', { name: 'Add question' }).click()
  await bursar.getByLabel('Question 1').fill('Name of the pupil')
  await check(school, 'link')
  await bursar.getByRole('button', { name: 'Create', exact: true }).click()
  school.link = await bursar.getByRole('textbox', { name: 'Link' }).inputValue()
}

/** Void the invoice of a pupil who has left. */
export async function voidInvoice(school: School, pupil: string): Promise<void> {
  const { bursar } = school
  const { id } = await invoiceOf(school, pupil)
  await open(school, `/invoices/${id}`)
  await bursar.getByRole('button', { name: 'Void' }).click()
  const dialog = bursar.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Has left the school')
  await check(school, 'void')
  await dialog.getByRole('button', { name: 'Void' }).click()
  await dialog.waitFor({ state: 'detached' })
}
