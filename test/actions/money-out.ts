import { networksForPayouts } from '../../src/connections/payout-networks.ts'
import { prepareRefund } from '../../src/connections/refunds.ts'
import { createUser, findUser, setMembership } from '../../src/core/access/organizations.ts'
import { requestChange } from '../../src/core/approvals/changes/changes.ts'
import { createPurchases, type NewPurchase } from '../../src/core/bills/purchases.ts'
import { findBillWallet } from '../../src/core/bills/wallets.ts'
import { newComparison } from '../../src/core/books/compare.ts'
import { matchManually } from '../../src/core/collections/actions.ts'
import { ingestIncomingPayments } from '../../src/core/collections/incoming-payments.ts'
import { createCollectionRequests, type NewCollectionRequest } from '../../src/core/collections/requests.ts'
import { listAccounts } from '../../src/core/ledger/accounts.ts'
import { attestOrder, type NewAttestation } from '../../src/core/manual-settlements/attestations.ts'
import { readPaymentFile } from '../../src/core/payments/bulk/columns.ts'
import { createNextPayment } from '../../src/core/payments/bulk/creation.ts'
import { createDraft } from '../../src/core/payments/bulk/drafts.ts'
import { createPayments, type NewPayment } from '../../src/core/payments/create.ts'
import { setApprovalRule } from '../../src/core/spending/approval-rules.ts'
import type { Tx } from '../../src/db/client.ts'
import { changeContext } from '../../src/http/change-context.ts'
import type { TestApp } from '../test-app.ts'
import type { Sample } from './samples.ts'

/* Samples of money that goes out, and of what a second person decides. The owner decides about what others have made. */

const NETWORK = { slug: 'sandbox', code: 'sandbox', name: 'Sandbox Network' }
const AMOUNT = 100_000n
const wrong = [{ id: 'first' }]
const asPerson = { as_person: true, wrong } as const

let number = 0
const nextNumber = () => {
  number += 1
  return String(number).padStart(4, '0')
}

const ownerOf = async (tx: Tx): Promise<number> => (await findUser(tx, 'owner@demo.example'))!.id

/** A second person with all permissions that proposals need. */
async function partnerIn(tx: Tx, { organization, clock }: TestApp): Promise<number> {
  const email = 'partner@shop.example'
  const known = await findUser(tx, email)
  if (known) return known.id
  const { id: user } = await createUser(tx, clock.now(), { name: 'Partner', email })
  const permissions = ['view', 'initiate_payments', 'approve_payments', 'pay_bills', 'manage_organization'] as const
  await setMembership(tx, clock.now(), { organization, user, permissions: [...permissions] })
  return user
}

/** Let all payments wait for another person. */
const demand = (tx: Tx, { organization }: TestApp, currency = 'BXC') =>
  setApprovalRule(tx, { organization, currency, threshold: 1n })

async function newPayment(tx: Tx, testApp: TestApp): Promise<NewPayment> {
  const { organization } = testApp
  const { id: account } = (await listAccounts(tx, organization)).find((one) => one.currency === 'BXC')!
  const rest = { description: 'Rent', metadata: {}, national_id: null, national_id_type: null }
  const recipient = { phonenumber: `+8000005${nextNumber()}`, amount: AMOUNT, network: NETWORK, ...rest }
  return {
    organization,
    author: await partnerIn(tx, testApp),
    purpose: 'payment',
    collection: null,
    payment_type: 'money',
    amount: AMOUNT,
    currency: 'BXC',
    account,
    source: account,
    description: 'Rent',
    metadata: {},
    send_sms_message: false,
    start_date: null,
    recipients: [recipient],
  }
}

async function aPayment(tx: Tx, testApp: TestApp): Promise<{ id: number }> {
  await demand(tx, testApp)
  const [made] = await createPayments(tx, testApp.clock.now(), [await newPayment(tx, testApp)])
  if (!made!.ok) throw made!.error
  return { id: made!.value.id }
}

const aFile = () =>
  readPaymentFile({
    name: 'wages.csv',
    bytes: Buffer.from(`phone number,name,amount,currency\n+8000006${nextNumber()},Ann Other,10,BXC\n`),
  })

async function aDraft(tx: Tx, testApp: TestApp): Promise<{ id: number }> {
  const { app, organization, clock } = testApp
  const author = await partnerIn(tx, testApp)
  const draft = { organization, author, description: 'Wages', account: null, send_sms_message: false }
  const choose = networksForPayouts(app.connections)
  return { id: await createDraft(tx, clock.now(), { ...draft, file: await aFile() }, choose) }
}

/** A file whose payments wait for the owner. */
async function aWaitingFile(tx: Tx, testApp: TestApp): Promise<{ id: number }> {
  const { app, organization, clock } = testApp
  await demand(tx, testApp)
  const { id } = await aDraft(tx, testApp)
  const now = clock.now()
  await tx`update bulk_payments set state = 'creating', due_at = ${now}, started = ${now}, started_by = author where id = ${id}`
  while (await createNextPayment(tx, now, { id, organization }, networksForPayouts(app.connections)));
  return { id }
}

async function newPurchase(tx: Tx, testApp: TestApp): Promise<NewPurchase> {
  const { organization } = testApp
  return {
    organization,
    account: (await findBillWallet(tx, organization))!.id,
    agent_reference: `T-${nextNumber()}`,
    agent_id: '207',
    biller: 'sandbox',
    kind: 'electricity',
    service_type: 'ikeja_electric_prepaid',
    pin: null,
    author: await partnerIn(tx, testApp),
    account_number: '04042404048',
    phone: '08031234567',
    amount: AMOUNT,
    scenario: null,
    metadata: {},
    details: { prepaid: true, tariff: AMOUNT },
  }
}

async function aPurchase(tx: Tx, testApp: TestApp, is_waiting: boolean): Promise<{ id: number }> {
  const { organization, clock } = testApp
  await setApprovalRule(tx, { organization, currency: 'NGN', threshold: is_waiting ? 1n : null })
  const [made] = await createPurchases(tx, clock.now(), [await newPurchase(tx, testApp)])
  if (!made!.ok) throw made!.error
  return { id: made!.value }
}

async function aDifference(tx: Tx): Promise<{ id: number }> {
  const [row] = await tx<{ id: number }[]>`
    insert into bill_differences (connection, kind, bill_kind, country, currency, remote_service, name, state, found)
    values ('sandbox', 'gone', 'electricity', 'NG', 'NGN', ${`power-${nextNumber()}`}, 'Power', 'waiting', now())
    returning id`
  return row!
}

/** Money that no request asked for, with the way back to the phone that sent it. */
async function aRefund(tx: Tx, { app, organization, clock }: TestApp) {
  const { id: account } = (await listAccounts(tx, organization)).find((one) => one.currency === 'BXC')!
  const [place] = await tx<
    { number: string }[]
  >`select number from connection_places where account = ${account} and connection = 'sandbox'`
  const money = {
    amount: AMOUNT,
    currency: 'BXC',
    order_reference: null,
    reference: null,
    status: 'successful',
  } as const
  const from = {
    network: NETWORK,
    receiver: place!.number,
    phonenumber: `+8000008${nextNumber()}`,
    paid_at: clock.now(),
  }
  const remote_id = `IN${nextNumber()}`
  await ingestIncomingPayments(tx, clock.now(), [{ ...money, ...from, remote_id }])
  const [row] = await tx<{ id: number }[]>`select id from collections where remote_transaction_id = ${remote_id}`
  return { id: row!.id, prepared: await prepareRefund(app, { collection: null }) }
}

export async function newRequest(tx: Tx, testApp: TestApp): Promise<NewCollectionRequest> {
  const { organization, clock } = testApp
  const texts = { reason: '', success_message: '', instructions: null, metadata: {}, send_instructions: true }
  const times = { start_date: null, retry_interval_minutes: null, max_attempts: 3, subscription_settings: null }
  const expiry_date = new Date(clock.now().getTime() + 5 * 86_400_000)
  const author = await partnerIn(tx, testApp)
  const from = { organization, author, account: null, network: NETWORK, phonenumber: `+8000007${nextNumber()}` }
  return { ...from, ...texts, ...times, amount: AMOUNT, currency: 'BXC', expiry_date }
}

const asked = async (tx: Tx, testApp: TestApp) => ({ request: await newRequest(tx, testApp) })
async function aRequest(tx: Tx, testApp: TestApp): Promise<number> {
  const [made] = await createCollectionRequests(tx, testApp.clock.now(), [await newRequest(tx, testApp)])
  if (!made!.ok) throw made!.error
  return made!.value.id
}

/** An order that was sent two days ago, and never answered. */
async function anOrder(tx: Tx, testApp: TestApp): Promise<{ reference: string; id: number }> {
  const { organization, clock } = testApp
  const now = clock.now()
  await tx`
    insert into connections (slug, driver, environment, callback_secret, state, created, modified, organization)
    values ('sandbox', 'sandbox', 'sandbox', ${'0'.repeat(32)}, 'active', now(), now(), ${organization})
    on conflict (slug) do update set organization = excluded.organization`
  const request = await aRequest(tx, testApp)
  const reference = `LOST${nextNumber()}`
  const sent = new Date(now.getTime() - 2 * 86_400_000)
  const [row] = await tx<{ id: number }[]>`
    insert into network_orders (reference, kind, connection, organization, collection_request, attempt, receiver,
      phonenumber, amount, currency, reason, state, created, sent, due_at)
    values (${reference}, 'charge', 'sandbox', ${organization}, ${request}, 99, '1', '+80000070001', 10, 'BXC', '',
      'accepted', ${sent}, ${sent}, '2100-01-01') returning id`
  return { reference, id: row!.id }
}

const attested = {
  outcome: 'failed',
  remote_id: null,
  amount: null,
  statement: 'March, page 2',
  note: 'It is not there',
  document: { name: 'a.txt', bytes: Buffer.from('Nothing') },
} as const

async function anAttestation(tx: Tx, testApp: TestApp, user: number): Promise<{ id: number }> {
  const { reference: order } = await anOrder(tx, testApp)
  const input: NewAttestation = { ...attested, organization: testApp.organization, user, order }
  const context = { now: testApp.clock.now(), min_age_ms: 0, mail: null, findNetwork: () => NETWORK }
  return { id: (await attestOrder(tx, context, input)).id }
}

const ofAttestation: Sample = {
  ...asPerson,
  prepare: async (tx, testApp) => anAttestation(tx, testApp, await partnerIn(tx, testApp)),
}

/** A difference between a statement and the ledger; `entered`: by another person. */
async function aFinding(tx: Tx, testApp: TestApp, state: 'open' | 'entered', phone = `+8000008${nextNumber()}`) {
  const { organization, clock } = testApp
  const author = await partnerIn(tx, testApp)
  const now = clock.now()
  const [run] = await tx<{ id: number }[]>`
    insert into reconciliation_runs (organization, connection, network, file_name, file_sha256, period_from, period_to, lines,
      agreeing, sent, differences, author, author_name, created)
    values (${organization}, 'sandbox', 'sandbox', 'may.csv', ${'0'.repeat(64)}, ${now}, ${now}, 1, 0, false, 1, ${author},
      'Partner', ${now}) returning id`
  const { id: account } = (await listAccounts(tx, organization)).find((one) => one.currency === 'BXC')!
  const entered = state === 'entered'
  const [found] = await tx<{ id: number }[]>`
    insert into reconciliation_findings (run, kind, remote_id, line, stated_status, stated_amount, stated_currency, stated_sent,
      stated_at, stated_phone, state, entry_account, entry_phone, entry_note, entered_by, entered_by_name, entered)
    values (${run!.id}, 'missing_in_books', ${`S${nextNumber()}`}, 1, 'successful', 10, 'BXC', false, ${now}, ${phone},
      ${state}, ${entered ? account : null}, ${entered ? phone : null}, ${entered ? 'Seen' : null},
      ${entered ? author : null}, ${entered ? 'Partner' : null}, ${entered ? now : null}) returning id`
  return { id: run!.id, finding: found!.id }
}

async function aChange(tx: Tx, testApp: TestApp, user: number): Promise<{ id: number }> {
  await partnerIn(tx, testApp)
  await demand(tx, testApp)
  const { app, organization } = testApp
  const request = { kind: 'approval_rule', currency: 'BXC', threshold: null } as const
  const { change } = await requestChange(tx, changeContext(app), { organization, user }, request)
  return { id: change!.id }
}

/** Samples of these actions, by name. */
export const moneyOut: Readonly<Record<string, Sample>> = {
  'create payment': { prepare: async (tx, testApp) => ({ payment: await newPayment(tx, testApp) }) },
  'create collection request': { prepare: asked },
  'buy bill': { prepare: async (tx, testApp) => ({ purchase: await newPurchase(tx, testApp) }) },
  'approve payment': { ...asPerson, prepare: aPayment },
  'reject payment': { ...asPerson, input: { reason: 'Too much' }, prepare: aPayment, wrong: [{ reason: ' ' }] },
  'cancel payment': { ...asPerson, input: { reason: 'Paid in cash' }, prepare: aPayment, wrong: [{ reason: ' ' }] },
  'review late payout': {
    async prepare(tx, testApp) {
      const { id } = await aPayment(tx, testApp)
      await tx`
        insert into late_payouts (recipient, payment, organization, amount, booked, detected)
        select id, payment, organization, amount, true, now() from payment_recipients where payment = ${id}`
      return { id }
    },
    wrong,
  },
  'return collection': { prepare: aRefund },
  'refund collection': {
    input: { reason: 'duplicate' },
    async prepare(tx, testApp) {
      const given = await aRefund(tx, testApp)
      const request = await aRequest(tx, testApp)
      await tx`update collections set collection_request = ${request} where id = ${given.id}`
      return given
    },
  },
  'refund request': {
    input: { reason: 'duplicate' },
    async prepare(tx, testApp) {
      const { id: collection, prepared } = await aRefund(tx, testApp)
      const id = await aRequest(tx, testApp)
      const by = { user: null, name: 'Ada' }
      await matchManually(tx, testApp.clock.now(), { collection, request: id, by })
      return { id, prepared }
    },
  },
  'upload bulk payment': {
    as_person: true,
    input: { description: 'Wages' },
    prepare: async () => ({ file: await aFile() }),
  },
  'import bulk payment': {
    as_person: true,
    entry: 'start bulk payment',
    input: { description: 'Wages', account: null, send_sms_message: false, skips_wrong: true, pays_twice: true },
    prepare: async () => ({ file: await aFile() }),
  },
  'decide rows of bulk payment': {
    input: { rows: 'warned', decision: 'skip' },
    prepare: aDraft,
    wrong: [{ rows: 'all' }, { decision: 'perhaps' }],
  },
  'delete bulk payment': { prepare: aDraft, wrong },
  'check bulk payment': { prepare: aDraft, wrong, is_silent: true },
  'review bulk payment': { as_person: true, prepare: aDraft, is_silent: true },
  'check names of bulk payment': { as_person: true, input: { after: 0 }, prepare: aDraft, is_silent: true },
  'start bulk payment': { as_person: true, prepare: aDraft },
  'approve bulk payment': { ...asPerson, prepare: aWaitingFile, more: ['approve payment'] },
  'reject bulk payment': {
    ...asPerson,
    input: { reason: 'Wrong month' },
    prepare: aWaitingFile,
    wrong: [{ reason: ' ' }],
    more: ['reject payment'],
  },
  'approve purchase': { ...asPerson, prepare: (tx, testApp) => aPurchase(tx, testApp, true) },
  'reject purchase': {
    ...asPerson,
    input: { reason: 'No' },
    prepare: (tx, testApp) => aPurchase(tx, testApp, true),
    wrong: [{ reason: ' ' }],
  },
  'send token': {
    async prepare(tx, testApp) {
      const { id } = await aPurchase(tx, testApp, false)
      const vended = JSON.stringify({ token: '12345678901234567890', amount_of_power: null, pins: [], more: {} })
      await tx`update bill_purchases set status = 'success', vended = ${vended} where id = ${id}`
      await tx`update network_orders set state = 'successful', closed = now(), due_at = null where bill_purchase = ${id}`
      return { id }
    },
  },
  'requery purchase': { prepare: (tx, testApp) => aPurchase(tx, testApp, false), wrong },
  'approve bill difference': { prepare: aDifference },
  'reject bill difference': { prepare: aDifference, wrong },
  'attest order': {
    as_person: true,
    input: { outcome: 'failed', statement: 'March', note: 'It is not there', document: attested.document },
    prepare: async (tx, testApp) => ({ reference: (await anOrder(tx, testApp)).reference }),
  },
  'approve attestation': ofAttestation,
  'reject attestation': ofAttestation,
  'withdraw attestation': {
    ...asPerson,
    async prepare(tx, testApp) {
      await partnerIn(tx, testApp)
      return anAttestation(tx, testApp, await ownerOf(tx))
    },
  },
  'review order': {
    async prepare(tx, testApp) {
      const { id, reference } = await anOrder(tx, testApp)
      await tx`
        update network_orders set state = 'failed', closed = now(), due_at = null, attention = 'It differs.' where id = ${id}`
      return { reference }
    },
  },
  'reconcile statement': {
    as_person: true,
    async prepare(_tx, { clock }) {
      const source = { slug: 'sandbox', code: 'sandbox', zone: 'UTC', currency: 'BXC' }
      const comparison = newComparison(source, { from: clock.now(), to: clock.now() }, false)
      return { run: { file_name: 'may.csv', file_sha256: '0'.repeat(64), comparison, notes: [], findings: [] } }
    },
  },
  'explain difference': {
    ...asPerson,
    input: { note: 'A test' },
    prepare: (tx, testApp) => aFinding(tx, testApp, 'open'),
    wrong: [{ note: ' ' }],
  },
  'ask about difference': { ...asPerson, prepare: (tx, testApp) => aFinding(tx, testApp, 'open') },
  'enter statement line': {
    ...asPerson,
    input: { note: 'Seen' },
    async prepare(tx, testApp) {
      const { id: account } = (await listAccounts(tx, testApp.organization)).find((one) => one.currency === 'BXC')!
      return { ...(await aFinding(tx, testApp, 'open')), account }
    },
    wrong: [{ note: ' ' }],
  },
  'approve statement line': { ...asPerson, prepare: (tx, testApp) => aFinding(tx, testApp, 'entered') },
  'reject statement line': { ...asPerson, prepare: (tx, testApp) => aFinding(tx, testApp, 'entered') },
  'confirm change': {
    prepare: async (tx, testApp) => aChange(tx, testApp, await partnerIn(tx, testApp)),
    more: ['remove approval'],
  },
  'reject change': { prepare: async (tx, testApp) => aChange(tx, testApp, await partnerIn(tx, testApp)) },
  'withdraw change': {
    as_person: true,
    prepare: async (tx, testApp) => aChange(tx, testApp, await ownerOf(tx)),
  },
}
