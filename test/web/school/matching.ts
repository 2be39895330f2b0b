import type { Case } from './cases.ts'
import { check, invoiceOf, open, type School } from './school.ts'

/* Actions of the bursar on unmatched or wrongly matched money. */

/** Do with the money of a case what the bursar decides. */
export async function decide(school: School, one: Case): Promise<void> {
  const { bursar: decision, pays } = one
  if (decision === undefined) return
  const { bursar, browserTest } = school
  const [money] = await browserTest.testApp.db<{ id: number }[]>`
    select id from collections where phonenumber = ${pays[0]!.phone} order by id desc limit 1`
  await open(school, `/collections/${money!.id}`)
  await bursar.getByRole('heading', { name: /^BXC/ }).waitFor()
  if (decision === 'returns it') await returnMoney(school)
  else if ('accepts' in decision) await accept(school, decision.accepts)
  else if ('moves_to' in decision) await move(school, decision.moves_to)
  else await split(school, decision.splits)
}

async function accept(school: School, pupils: readonly string[]): Promise<void> {
  const { bursar } = school
  const suggested = bursar.getByRole('region', { name: 'Suggested matches' })
  await suggested.getByRole('listitem').first().waitFor()
  await check(school, 'suggested')
  let items = suggested.getByRole('listitem')
  for (const pupil of pupils) items = items.filter({ hasText: (await invoiceOf(school, pupil)).number })
  await items.first().getByRole('button', { name: 'Accept' }).click()
  await suggested.waitFor({ state: 'detached' })
}

async function move(school: School, pupil: string): Promise<void> {
  const { bursar } = school
  const { number } = await invoiceOf(school, pupil)
  const used = bursar.getByRole('region', { name: 'Matched with' })
  await used.getByRole('button', { name: 'Move' }).click()
  const dialog = bursar.getByRole('dialog')
  await dialog.getByLabel('Search invoices, customers and payment links').fill(pupil)
  await dialog.getByRole('button', { name: `Choose ${number}` }).click()
  await dialog.getByText('Fully matched.').waitFor()
  await check(school, 'move')
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function split(school: School, parts: Readonly<Record<string, number>>): Promise<void> {
  const { bursar } = school
  await bursar.getByRole('button', { name: 'Match', exact: true }).click()
  const dialog = bursar.getByRole('dialog')
  const search = dialog.getByLabel('Search invoices, customers and payment links')
  for (const [pupil, amount] of Object.entries(parts)) {
    const { number } = await invoiceOf(school, pupil)
    await search.fill(pupil)
    await dialog.getByRole('button', { name: `Choose ${number}` }).click()
    await dialog.getByRole('textbox', { name: number }).fill(String(amount))
  }
  await dialog.getByText('Fully matched.').waitFor()
  await check(school, 'split')
  await dialog.getByRole('button', { name: 'Match', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function returnMoney(school: School): Promise<void> {
  const { bursar } = school
  await bursar.getByRole('button', { name: 'Return', exact: false }).first().click()
  const dialog = bursar.getByRole('dialog')
  await dialog.getByRole('region', { name: 'Amount and wallet' }).waitFor()
  await check(school, 'return')
  await dialog.getByRole('button', { name: /^Return/ }).click()
  await dialog.waitFor({ state: 'detached' })
}
