import { expect } from 'vitest'
import { standardRoles } from '../../../src/core/access/roles.ts'
import { openBrowser } from '../../console/browser.ts'
import { addPerson } from '../../console/shop.ts'
import { PASSWORD } from '../../password.ts'
import { openReceiver, type Receiver } from '../../receiver.ts'
import { createApiClient, eventually } from '../../test-app.ts'
import { type BrowserTest, checkPage, OWNER, openBrowserTest } from '../browser.ts'
import { sendToTill } from '../money/till.ts'
import { find, type Hands, visit } from './hands.ts'

export const AGENT = 'agent@shop.example'

/** The desk of a support agent: she may request money, manage contacts and resend webhooks, and send no money. */
export interface Desk {
  browserTest: BrowserTest
  api: ReturnType<typeof createApiClient>
  /** The shop's own program, which does not answer until it is mended. */
  program: { receiver: Receiver; status: number }
}

/** A payer who calls, with her invoice, and her number, which ends so that she answers prompts herself. */
export interface Caller {
  name: string
  phone: string
  /** Text that she typed at the till: no invoice has this number. */
  typed: string
}

export async function openDesk(): Promise<Desk> {
  const program = { status: 500 } as Desk['program']
  program.receiver = await openReceiver(() => program.status)
  const browserTest = await openBrowserTest()
  const { testApp, url } = browserTest
  const permissions = [...standardRoles.support, 'manage_integrations'] as const
  await addPerson(testApp, { organization: testApp.organization, email: AGENT, permissions })
  const owner = openBrowser(url)
  await owner.signIn(OWNER, PASSWORD)
  const target = `${program.receiver.url}/payments?skip-cert-verify`
  expect((await owner.post('/webhooks', { event: 'collection.received', target })).status).toBe(201)
  return { browserTest, api: createApiClient(url, testApp.api_key), program }
}

export async function closeDesk(desk: Desk | undefined): Promise<void> {
  await desk?.browserTest.close()
  await desk?.program.receiver.close()
}

/** Her request, which she declined by mistake, and her payment of an invoice with a wrong number. */
async function prepare({ browserTest, api, program }: Desk, { name, phone, typed }: Caller) {
  program.status = 500
  const payer = { phonenumber: phone, first_name: name.split(' ')[0], last_name: name.split(' ')[1], currency: 'BXC' }
  const lines = [{ text: 'School fees, term 1', unit_price: '85000' }]
  const draft = (await api.post('/api/invoices', { ...payer, lines })).body
  const invoice = (await api.post(`/api/invoices/${draft.id}/issue`, {})).body
  const body = { phonenumber: phone, currency: 'BXC', amount: '1500', reason: 'School bus', send_instructions: true }
  const { id } = (await api.post('/api/collectionrequests', body)).body
  await answerPrompt(browserTest, phone, 'refuse')
  await eventually('the request to fail', async () => {
    browserTest.testApp.clock.advance(1)
    browserTest.testApp.app.wake()
    return (await api.get(`/api/collectionrequests/${id}`)).body.status === 'failed' || undefined
  })
  await sendToTill(browserTest, phone, '80000', typed)
  return { request: id as number, invoice: invoice.number as string, contact: invoice.contact as number }
}

/** The payer answers the prompt on her phone. */
async function answerPrompt({ testApp: { app } }: BrowserTest, phone: string, answer: 'approve' | 'refuse') {
  await eventually('the prompt', async () => {
    app.wake()
    return (await app.simulator!.prompts(phone)).length > 0 || undefined
  })
  await app.simulator![answer](phone)
  app.wake()
}

/** Walk through the day of a support agent. @param name begins the names of the checked pages */
export async function walkSupport(desk: Desk, hands: Hands, caller: Caller, name: string): Promise<void> {
  const { page } = hands
  const known = await prepare(desk, caller)
  const check = (what: string) => checkPage(page, `support-${name}-${what}`)
  await findCaller(hands, caller, check)
  await tryAgain(desk, hands, caller, check)
  const receipt = await sendReceipt(hands, check)
  await matchPayment(hands, caller, known.invoice, check)
  await sendReceiptAgain(hands, receipt, check)
  await replayWebhook(desk, hands, check)
  await findNoErase(hands, caller, known.contact, check)
}

type Check = (what: string) => Promise<void>

/** Find her by part of her name, and her request by part of her phone number. */
async function findCaller(hands: Hands, { name, phone }: Caller, check: Check): Promise<void> {
  const { page } = hands
  await find(hands, name.split(' ')[1]!.slice(0, 5), 'Contacts', name)
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByText('1 open request').waitFor({ state: 'detached' })
  await check('contact')
  await find(hands, phone.slice(4), 'Collection requests', 'Failed')
  await page.getByRole('heading', { level: 1, name: `BXC 1,500 from ${phone}` }).waitFor()
}

/** See why the request failed and what to do, and prompt her again. She pays. */
async function tryAgain({ browserTest }: Desk, hands: Hands, { phone }: Caller, check: Check): Promise<void> {
  const { page } = hands
  await page.getByText('The customer declined', { exact: true }).waitFor()
  const next = page.getByRole('region', { name: 'What to do next' })
  await next.getByText('The customer declined.').waitFor()
  await next.getByText('Request it again, or send a link that can be paid from any phone.').waitFor()
  await check('failed')
  const dialog = await hands.openDialog(next.getByRole('button', { name: 'Try again' }))
  await hands.type(dialog.getByLabel('Comment'), 'She declined by mistake.')
  await hands.press(dialog.getByRole('button', { name: 'Try again' }))
  await dialog.waitFor({ state: 'detached' })
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await hands.press(timeline.getByRole('link', { name: /^Request \d+$/ }))
  await page.getByText(/^Retry of request/).waitFor()
  await answerPrompt(browserTest, phone, 'approve')
  await page.getByRole('region', { name: 'Payment', exact: true }).getByText('BXC 1,500').first().waitFor()
}

/** Create the receipt of the payment, and send it. @returns its number */
async function sendReceipt(hands: Hands, check: Check): Promise<string> {
  const { page } = hands
  const payment = page.getByRole('region', { name: 'Payment', exact: true })
  await payment.getByText('You cannot refund or return it').waitFor()
  expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(0)
  const receipt = page.getByRole('region', { name: 'Receipt' })
  await hands.press(receipt.getByRole('button', { name: 'Create receipt' }))
  const number = (await receipt.getByText(/^R-\d+$/).textContent())!
  await sendBySms(hands, 1)
  await check('paid')
  return number
}

async function sendBySms(hands: Hands, sends: number): Promise<void> {
  const receipt = hands.page.getByRole('region', { name: 'Receipt' })
  const dialog = await hands.openDialog(receipt.getByRole('button', { name: 'Send by SMS' }))
  await hands.press(dialog.getByRole('button', { name: 'Send by SMS' }))
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => receipt.getByText(/\(SMS\)$/).count()).toBe(sends)
}

/** Find the payment with the wrong reference, and match it with her invoice. */
async function matchPayment(hands: Hands, { name, typed }: Caller, invoice: string, check: Check): Promise<void> {
  const { page } = hands
  await find(hands, typed, 'Collections', 'BXC 80,000')
  const suggested = page.getByRole('region', { name: 'Suggested matches' })
  await suggested.getByText(`The payer entered “${typed}”.`).waitFor()
  await check('unmatched')
  const dialog = await hands.openDialog(page.getByRole('button', { name: 'Match', exact: true }))
  await hands.type(dialog.getByLabel('Search invoices, customers and payment links'), invoice)
  await hands.press(dialog.getByRole('button', { name: `Choose ${invoice}` }))
  await dialog.getByText('Fully matched.').waitFor()
  await check('match')
  await hands.type(dialog.getByLabel('Note'), `${name} called.`)
  await hands.press(dialog.getByRole('button', { name: 'Match', exact: true }))
  await dialog.waitFor({ state: 'detached' })
  const used = page.getByRole('region', { name: 'Matched with' })
  await used.getByRole('link', { name: `${invoice}, ${name}` }).waitFor()
  await suggested.waitFor({ state: 'detached' })
  await check('matched')
}

/** Find a receipt by its number, and send it once more. */
async function sendReceiptAgain(hands: Hands, receipt: string, check: Check): Promise<void> {
  const { page } = hands
  await find(hands, receipt, 'Receipts', receipt)
  await hands.press(page.getByRole('link', { name: receipt }))
  await page.getByRole('heading', { level: 1, name: /^BXC 1,500/ }).waitFor()
  await sendBySms(hands, 2)
  await page.getByText('You cannot refund or return it').waitFor()
  await check('receipt')
}

/** See why the shop's own program did not hear of the payments, and send them again once it is mended. */
async function replayWebhook({ program }: Desk, hands: Hands, check: Check): Promise<void> {
  const { page } = hands
  await visit(hands, 'Deliveries')
  const delivery = page.getByRole('link', { name: /collection\.received/ }).first()
  await delivery.waitFor()
  await check('deliveries')
  await hands.press(delivery)
  await page.getByText('HTTP 500').first().waitFor()
  await page.getByText('Check the log of the receiver.').waitFor()
  await check('delivery')
  program.status = 200
  await hands.press(page.getByRole('button', { name: 'Resend' }))
  await page.getByText(/\(resent\)/).waitFor()
  await page.getByText('Delivered', { exact: true }).first().waitFor()
  await check('resent')
}

/** Her contact has no button to erase it, and the service refuses it. */
async function findNoErase(hands: Hands, { name }: Caller, contact: number, check: Check): Promise<void> {
  const { page } = hands
  await find(hands, name, 'Contacts', name)
  await page.getByRole('button', { name: 'Edit' }).waitFor()
  expect(await page.getByRole('button', { name: 'Erase' }).count()).toBe(0)
  const refused = (await page.evaluate(
    `fetch('/console/api/contacts/${contact}/erase', { method: 'POST', headers: { 'x-requested-with': 'console' } }).then(async (answer) => [answer.status, await answer.text()])`,
  )) as [number, string]
  expect(refused).toEqual([403, expect.stringContaining('permission')])
  await check('contact-end')
}
