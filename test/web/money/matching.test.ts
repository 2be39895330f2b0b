import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiClient } from '../../test-app.ts'
import { type BrowserTest, checkPage, goTo, OWNER, openBrowserTest, signIn } from '../browser.ts'
import { sendToTill } from './till.ts'

let browserTest: BrowserTest
let api: ReturnType<typeof createApiClient>

beforeAll(async () => {
  browserTest = await openBrowserTest()
  api = createApiClient(browserTest.url, browserTest.testApp.api_key)
}, 300_000)
afterAll(() => browserTest?.close())

const BETTY = '+80002000001'
const AISHA = '+80002000002'
const BANK = '+80002000003'
const PARENT = '+80002000004'

interface Issued {
  id: number
  number: string
  contact: number
}

async function issue(phonenumber: string, first_name: string, unit_price: string, changes = {}): Promise<Issued> {
  const lines = [{ text: 'School fees, term 1', unit_price }]
  const draft = await api.post('/api/invoices', { phonenumber, first_name, currency: 'BXC', lines, ...changes })
  return (await api.post(`/api/invoices/${draft.body.id}/issue`, {})).body
}

/** A payer sends money to the till, with what was typed. @returns its collection */
const send = (phonenumber: string, amount: string, reference?: string) =>
  sendToTill(browserTest, phonenumber, amount, reference)

async function open(path: string, options: { narrow?: boolean } = {}): Promise<Page> {
  const page = await browserTest.openPage(options)
  await signIn(page, browserTest.url, OWNER, path)
  return page
}

describe('money for invoices', { timeout: 300_000 }, () => {
  it('with a wrong number is suggested, accepted, moved, split and taken back', async () => {
    const betty = await issue(BETTY, 'Betty', '200000')
    const aisha = await issue(AISHA, 'Aisha', '85000')
    const collection = await send(BANK, '120000', 'INV 3')
    const page = await open(`/collections/${collection}`)
    const suggested = page.getByRole('region', { name: 'Suggested matches' })
    await suggested.getByText(`${betty.number}, Betty: BXC 120,000 of BXC 200,000 due`).waitFor()
    await checkPage(page, 'matching-suggestions')
    await suggested.getByRole('listitem').filter({ hasText: 'Aisha' }).getByRole('button', { name: 'Accept' }).click()
    const used = page.getByRole('region', { name: 'Matched with' })
    await used.getByRole('link', { name: `${aisha.number}, Aisha` }).waitFor()
    await used.getByText('BXC 35,000 is not matched yet.').waitFor()
    await suggested.getByText(`${betty.number}, Betty: BXC 35,000 of BXC 200,000 due`).waitFor()
    await checkPage(page, 'matching-part')

    await moveToBetty(page, betty.number)
    await used.getByRole('link', { name: `${betty.number}, Betty` }).waitFor()
    await used.getByText('Betty called.').waitFor()
    await used.getByText('BXC 40,000 is not matched yet.').waitFor()
    expect((await api.get(`/api/invoices/${aisha.id}`)).body).toMatchObject({ state: 'issued', amount_paid: '0.0000' })

    await splitForAisha(page, aisha.number)
    await used.getByRole('link', { name: /^Credit of Aisha/ }).waitFor()
    await suggested.waitFor({ state: 'detached' })

    const first = used.getByRole('row').filter({ hasText: 'Betty' })
    await first.getByRole('button', { name: 'Unmatch' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unmatch' }).click()
    await first.waitFor({ state: 'detached' })
    expect((await api.get(`/api/invoices/${betty.id}`)).body).toMatchObject({ amount_paid: '0.0000' })
    await goTo(page, `${browserTest.url}/console/contacts/${aisha.contact}`)
    await page.getByText('BXC 10,000 credit. It pays the next invoice.').waitFor()
    await checkPage(page, 'matching-contact')
  })

  it('that waits is shown at the invoice, and no reminder leaves until it is matched', async () => {
    const { id, contact } = await issue(PARENT, 'Grace', '90000', { due_date: '30 days', reminder_days: [-3] })
    const collection = await send(PARENT, '40000')
    const page = await open(`/contacts/${contact}`)
    await page
      .getByRole('region', { name: 'Credit and unmatched payments' })
      .getByText(/BXC 40,000 from/)
      .waitFor()
    await checkPage(page, 'matching-contact-unmatched')
    await goTo(page, `${browserTest.url}/console/invoices/${id}`)
    await page.getByText(`BXC 40,000 from ${PARENT} arrived`).waitFor()
    await page.getByText('On hold: an unmatched payment may be for this invoice').waitFor()
    await checkPage(page, 'matching-invoice-waits')
    await page.getByRole('button', { name: 'Match with this invoice' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Match with this invoice' }).click()
    const received = page.getByRole('region', { name: 'Payments without a request' })
    await received.getByRole('link', { name: PARENT }).waitFor()
    await received.getByText('Manual').waitFor()
    await page.getByText('Reminders and payment prompts are on hold').waitFor({ state: 'detached' })
    await checkPage(page, 'matching-invoice')
    await received.getByRole('link', { name: PARENT }).click()
    await page.waitForURL(`**/collections/${collection}`)
  })

  it('that is less than a request is shown there with the difference, and fulfils it', async () => {
    const body = { phonenumber: BANK, amount: '45000', currency: 'BXC', send_instructions: false }
    const { id } = (await api.post('/api/collectionrequests', body)).body
    await send(BANK, '44999')
    const page = await open(`/collectionrequests/${id}`)
    const near = page.getByRole('region', { name: 'Unmatched payments from this phone' })
    await near.getByText('1 less than requested').waitFor()
    await checkPage(page, 'matching-request')
    await near.getByRole('button', { name: 'Match' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Match' }).click()
    await near.waitFor({ state: 'detached' })
    expect((await api.get(`/api/collectionrequests/${id}`)).body.status).toBe('successful')
  })

  it('fits on a phone', async () => {
    const collection = await send(BANK, '85000', 'INV-12')
    const page = await open(`/collections/${collection}`, { narrow: true })
    await page.getByRole('region', { name: 'Suggested matches' }).waitFor()
    await checkPage(page, 'matching-narrow')
    await page.getByRole('button', { name: 'Match', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Search invoices, customers and payment links').fill('Betty')
    await page.getByRole('button', { name: /^Choose INV/ }).click()
    await checkPage(page, 'matching-narrow-dialog')
  })

  it('is treated by the rules of the settings', async () => {
    const page = await open('/settings')
    const panel = page.getByRole('region', { name: 'Payment matching' })
    await panel.getByText('Keep it unmatched').waitFor()
    await panel.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('radio', { name: 'Add to customer credit' }).check()
    await checkPage(page, 'matching-settings')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await panel.getByText('Add to customer credit').waitFor()
    expect((await api.get('/api/matching-settings')).body).toEqual({ overpayment: 'credit', unknown_number: 'accept' })
  })
})

/** Move a part of what was matched to the invoice of Betty, with a note. */
async function moveToBetty(page: Page, invoice: string): Promise<void> {
  await page.getByRole('region', { name: 'Matched with' }).getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Search invoices, customers and payment links').fill(invoice)
  await dialog.getByRole('button', { name: `Choose ${invoice}` }).click()
  await dialog.getByLabel(`${invoice}, Betty`, { exact: true }).fill('80,000')
  await dialog.getByText('BXC 5,000 stays unmatched.').waitFor()
  await dialog.getByLabel('Note').fill('Betty called.')
  await checkPage(page, 'matching-move')
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Split the rest between the invoice of Aisha and her credit. */
async function splitForAisha(page: Page, invoice: string): Promise<void> {
  await page.getByRole('button', { name: 'Match', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Search invoices, customers and payment links').fill('Aisha')
  await dialog.getByRole('button', { name: `Choose ${invoice}` }).click()
  await dialog.getByLabel(`${invoice}, Aisha`, { exact: true }).fill('30,000')
  await dialog.getByRole('button', { name: 'Choose Credit of Aisha' }).click()
  await dialog.getByText('Fully matched.').waitFor()
  await checkPage(page, 'matching-split')
  await dialog.getByRole('button', { name: 'Match', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}
