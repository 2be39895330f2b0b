import { setTimeout as sleep } from 'node:timers/promises'
import { parseAmount } from '../../../src/lib/money.ts'
import { eventually } from '../../test-app.ts'
import { checkPage } from '../browser.ts'
import type { ByHand, ByLink, ByPage, Payment, ToTill } from './cases.ts'
import { check, invoiceOf, open, type School } from './school.ts'

const STEP_MS = 200

/* Actions of parents: they send money to the till, open a page on their phone, or approve a prompt. */

/** Make the payments, and return when all of them are in the books and matched. */
export async function pay(school: School, payments: readonly Payment[]): Promise<void> {
  await payTill(school, payments)
  await settle(school)
  for (const one of payments) {
    if (one.by === 'page') await payPage(school, one)
    if (one.by === 'prompt') await payPrompt(school, one)
    if (one.by === 'link') await payLink(school, one)
  }
  await settle(school)
}

/** Send money to the till, at most so much at a time as the network takes from many phones. */
async function payTill({ browserTest, till }: School, payments: readonly Payment[]): Promise<void> {
  const { simulator } = browserTest.testApp.app
  const { db } = browserTest.testApp
  const numbers = new Map(
    (
      await db<{ pupil: string; number: string }[]>`
        select c.number as pupil, i.number::text from invoices i join contacts c on c.id = i.contact`
    ).map(({ pupil, number }) => [pupil, number]),
  )
  const sent = payments.filter((one): one is ToTill => one.by === 'till')
  await Promise.all(
    sent.map(({ phone, amount, typed }) => {
      const reference = typed.replaceAll(/\{(.+?)\}/g, (_, pupil: string) => numbers.get(pupil)!)
      const money = { phonenumber: phone, amount: parseAmount(String(amount))!, currency: 'BXC', receiver: till }
      return simulator!.pay({ ...money, ...(reference && { reference }) })
    }),
  )
}

/** A parent opens the page of an invoice, chooses what to pay, and approves the prompt. */
async function payPage(school: School, { pupil, phone, amount }: ByPage): Promise<void> {
  const { phone: parent, browserTest } = school
  const { code } = await invoiceOf(school, pupil)
  await parent.goto(`${browserTest.url}/i/${code}`)
  await parent.getByRole('link', { name: /^Pay BXC/ }).click()
  if (amount) await parent.getByLabel(/^Amount/).fill(amount.toLocaleString('en'))
  await approve(school, phone, pupil)
}

/** A parent types the phone number on a page, and the money arrives, or is taken back at once. */
async function approve(school: School, phone: string, name: string): Promise<void> {
  const { phone: parent } = school
  await parent.getByLabel('Mobile-money phone number').fill(phone)
  if (name === 'P6-011') await checkPage(parent, `term-page-${name}`)
  await parent.getByRole('button', { name: /^Pay/ }).click()
  await parent.getByRole('heading', { name: 'Check your phone' }).waitFor()
  await settle(school)
  await parent.getByText(/Your payment has arrived\.|The payment was reversed\./).waitFor()
}

async function payLink(school: School, { phone }: ByLink): Promise<void> {
  await school.phone.goto(school.link)
  await school.phone.getByLabel('Name of the pupil').fill('Betty')
  await approve(school, phone, 'link')
}

/** The bursar requests money at an invoice. While the prompt waits on the phone, other money may come. */
async function payPrompt(school: School, { pupil, phone, amount, meanwhile }: ByHand): Promise<void> {
  await requestAt(school, pupil, phone, amount)
  // The dialog stays closed; the notice that it was done disappears after seconds.
  await school.bursar.getByRole('dialog').waitFor({ state: 'detached' })
  if (meanwhile) {
    await payTill(school, [meanwhile])
    await settle(school, { advances: false })
  }
  await settle(school)
}

/** Ask for money at the page of an invoice, as the bursar does. */
export async function requestAt(school: School, pupil: string, phone: string, amount: number): Promise<void> {
  const { bursar } = school
  const { id } = await invoiceOf(school, pupil)
  await open(school, `/invoices/${id}`)
  await bursar.getByRole('button', { name: 'Request payment' }).click()
  const dialog = bursar.getByRole('dialog')
  await dialog.getByLabel(/^Amount/).fill(String(amount))
  await dialog.getByLabel(/^Phone number/).fill(phone)
  await check(school, 'request')
  await dialog.getByRole('button', { name: 'Request', exact: true }).click()
}

/**
 * Wait until all money of the network is in the books, matched and counted, and no prompt waits for an answer. The
 * clock moves on meanwhile, unless a prompt is to wait.
 */
export async function settle({ browserTest }: School, { advances = true } = {}): Promise<void> {
  const { app, clock, db, organization } = browserTest.testApp
  await eventually('all money to be matched', async () => {
    if (advances) clock.advance(1)
    app.wake()
    // Each step of the clock wakes all jobs: they are to have time for the money.
    await sleep(STEP_MS)
    const [left] = await db<{ is_over: boolean }[]>`
      select not exists (select from simulator_transactions t
          where not exists (select from collections c where c.remote_transaction_id = t.remote_id and c.status <> 'pending'
            and (c.status = 'reversed') = (t.status = 'reversed')))
        and not exists (select from simulator_orders where ${advances} and next_action in ('pay', 'reverse', 'refuse'))
        and not exists (select from collection_requests where ${advances}
          and status in ('pending', 'processing_started', 'instructions_sent'))
        and not exists (select from simulator_payouts where state = 'pending')
        and not exists (select from simulator_validation_requests where due_at is not null)
        and not exists (select from payment_recipients where state not in ('complete', 'aborted', 'error'))
        and not exists (select from events e join money_positions p on p.organization = e.organization
          where e.organization = ${organization} and e.id > p.event_position and e.type in ('collection.received',
            'collection.reversed', 'collectionrequest.status.changed', 'invoice.issued', 'invoice.reopened')) as is_over`
    return left!.is_over || undefined
  })
}
