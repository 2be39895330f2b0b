import { getOrganization } from '../../src/core/access/organizations.ts'
import { newPaymentLinkBody, toNewPaymentLink } from '../../src/core/checkout/new-link.ts'
import { createNumberedLink } from '../../src/core/checkout/payment-links.ts'
import { ingestIncomingPayments } from '../../src/core/collections/incoming-payments.ts'
import { readSchedule } from '../../src/core/collections/recurring/recurrence.ts'
import { createCollectionRequests } from '../../src/core/collections/requests.ts'
import { createContact } from '../../src/core/contacts/details.ts'
import { checkContactRows } from '../../src/core/contacts/import/check.ts'
import { readContactFile } from '../../src/core/contacts/import/columns.ts'
import { createDraft } from '../../src/core/invoices/drafts.ts'
import { issueInvoice } from '../../src/core/invoices/issuing.ts'
import { newInvoiceBody, toDraft } from '../../src/core/invoices/new-invoice.ts'
import { createAccount, listAccounts, receiversOf } from '../../src/core/ledger/accounts.ts'
import type { Tx } from '../../src/db/client.ts'
import { parsePhone } from '../../src/lib/phone.ts'
import type { TestApp } from '../test-app.ts'

/* Objects that actions are about, each made anew. */

const NETWORK = { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' }
const AMOUNT = 15_000_000n
let _number = 0

function nextNumber(): string {
  _number += 1
  return String(_number).padStart(4, '0')
}

export function newPhone(): string {
  return `+25677210${nextNumber()}`
}

/** Return a user in whose name objects are made. */
export async function authorIn(tx: Tx, { organization }: TestApp): Promise<number> {
  return (await getOrganization(tx, organization)).service_user
}

export async function aContact(tx: Tx, testApp: TestApp): Promise<{ id: number }> {
  const { organization, clock } = testApp
  const contact = { first_name: 'Jane', last_name: 'Doe', phone_number: parsePhone(newPhone())! }
  const context = { organization, author: await authorIn(tx, testApp), network_name: null }
  const { id } = await createContact(tx, clock.now(), context, contact)
  return { id }
}

/** A file of contacts that was read and checked. */
export async function aContactFile({ db, organization }: TestApp) {
  const bytes = Buffer.from(`phone number,first name\n${newPhone()},Betty\n`)
  const file = await readContactFile({ name: 'contacts.csv', bytes, sheet: undefined })
  return { file, rows: await checkContactRows(db, organization, file.rows), known: 'skip' as const }
}

/** A request of a customer in a status. */
export async function aRequest(tx: Tx, testApp: TestApp, status: string, repeats = {}): Promise<{ id: number }> {
  const { organization, clock } = testApp
  const expiry_date = new Date(clock.now().getTime() + 86_400_000)
  const texts = { reason: '', success_message: '', instructions: null, metadata: {} }
  const times = { start_date: null, expiry_date, retry_interval_minutes: null, max_attempts: 3 }
  const from = { organization, author: await authorIn(tx, testApp), account: null, network: NETWORK }
  const money = { amount: AMOUNT, currency: 'BXC', phonenumber: `+8000007${nextNumber()}`, send_instructions: true }
  const [made] = await createCollectionRequests(tx, clock.now(), [
    { ...from, ...money, ...texts, ...times, subscription_settings: null, ...repeats },
  ])
  if (!made!.ok) throw made!.error
  const { id } = made!.value
  await tx`update collection_requests set status = ${status} where id = ${id}`
  return { id }
}

/** A plan that repeats a request daily. */
export async function aPlan(tx: Tx, testApp: TestApp): Promise<{ id: number }> {
  const now = testApp.clock.now()
  const subscription_settings = { end_date: '14/02/2030 12:00:00', frequency: 'daily' }
  const schedule = readSchedule(subscription_settings, null, { now, time_zone: 'UTC' })
  const request = await aRequest(tx, testApp, 'pending', { subscription_settings, schedule })
  const [plan] = await tx<{ id: number }[]>`select plan as id from occurrences where collection_request = ${request.id}`
  return plan!
}

export async function aLink(tx: Tx, testApp: TestApp): Promise<{ id: number }> {
  const { organization, clock } = testApp
  const body = newPaymentLinkBody(['BXC']).parse({ title: 'Fees', currency: 'BXC', amount: '1500' })
  const author = { organization, user: await authorIn(tx, testApp) }
  const { id } = await createNumberedLink(tx, clock.now(), author, toNewPaymentLink(body, clock.now()))
  return { id }
}

/** Money that arrived. @param receiver a number without an account, for money that waits for one */
export async function aPayment(tx: Tx, { organization, clock }: TestApp, receiver?: string) {
  const { id: account } = (await listAccounts(tx, organization)).find(({ currency }) => currency === 'BXC')!
  const own = (await receiversOf(tx, [account])).get(`sandbox:${account}`)!
  const remote_id = `ACT${nextNumber()}`
  await ingestIncomingPayments(tx, clock.now(), [
    {
      network: NETWORK,
      remote_id,
      status: 'successful',
      receiver: receiver ?? own,
      phonenumber: newPhone(),
      amount: AMOUNT,
      currency: 'BXC',
      order_reference: null,
      reference: null,
      paid_at: clock.now(),
    },
  ])
  const [row] = await tx<{ id: number }[]>`
    select id from collections where remote_transaction_id = ${remote_id}
    union all select id from unassigned_payments where remote_transaction_id = ${remote_id}`
  return { id: row!.id, account }
}

/** An invoice that is a draft, or issued. */
export async function anInvoice(tx: Tx, testApp: TestApp, state: 'draft' | 'issued'): Promise<{ id: number }> {
  const { organization, clock } = testApp
  const now = clock.now()
  const { id: contact } = await aContact(tx, testApp)
  const body = newInvoiceBody(['UGX']).parse({
    contact,
    currency: 'UGX',
    lines: [{ text: 'Fees', unit_price: '1500' }],
  })
  const draft = { ...toDraft(body, { now, time_zone: 'UTC' }), customer: { contact } }
  const author = { organization, user: await authorIn(tx, testApp) }
  const id = await createDraft(tx, now, author, draft, () => null)
  if (state === 'issued') await issueInvoice(tx, id, { now, base_url: 'https://shop.example', user: null })
  return { id }
}

/** A wallet, and a receiver number for it. */
export async function aWallet(tx: Tx, testApp: TestApp): Promise<{ id: number; number: string }> {
  const { organization, clock } = testApp
  const wallet = {
    organization,
    currency: 'UGX',
    kind: 'local',
    name: 'Till',
    author: await authorIn(tx, testApp),
  } as const
  const { id } = await createAccount(tx, clock.now(), wallet)
  return { id, number: `55${nextNumber()}` }
}
