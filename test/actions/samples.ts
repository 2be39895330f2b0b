import { createKey, type Permission } from '../../src/core/access/api-keys.ts'
import { createInvitation, listInvitations } from '../../src/core/access/invitations.ts'
import { findUser, getOrganization } from '../../src/core/access/organizations.ts'
import { writeRole } from '../../src/core/access/roles.ts'
import { setAcceptanceUrl } from '../../src/core/collections/acceptance-urls.ts'
import { collectionsById } from '../../src/core/collections/collections.ts'
import { addPlace } from '../../src/core/connections/places.ts'
import { beginImport } from '../../src/core/contacts/import/imports.ts'
import { recordEvents } from '../../src/core/events/events.ts'
import { createWebhook, setCredentials, WEBHOOK_KEY_PURPOSE } from '../../src/core/events/webhooks.ts'
import { createAccount } from '../../src/core/ledger/accounts.ts'
import { setFee } from '../../src/core/ledger/fees.ts'
import { issueReceipt } from '../../src/core/receipts/issue.ts'
import { holdSending } from '../../src/core/sending.ts'
import { getConsentOf, setConsents } from '../../src/core/sms/consents.ts'
import { setCountryRule } from '../../src/core/sms/country-rules.ts'
import { setSenderId, setSmsRoute } from '../../src/core/sms/routes.ts'
import type { Tx } from '../../src/db/client.ts'
import { storeConnection } from '../connections/fake-connection.ts'
import type { TestApp } from '../test-app.ts'
import { account } from './account.ts'
import { changes } from './changes.ts'
import { customers } from './customers.ts'
import { moneyOut } from './money-out.ts'
import {
  aContact,
  aContactFile,
  aLink,
  anInvoice,
  aPayment,
  aPlan,
  aRequest,
  authorIn,
  aWallet,
  newPhone,
} from './objects.ts'
import { operators } from './operators.ts'

/** Input of an action as a person types it, and what must stand before. */
export interface Sample {
  input?: Record<string, unknown>
  /** Make the object that the action is about. @returns the members of the input that name it */
  prepare?(tx: Tx, testApp: TestApp): Promise<Record<string, unknown> | undefined>
  /** Inputs that are refused, each with one fault. Missing for an action without typed input. */
  wrong?: readonly Record<string, unknown>[]
  /** True if an operator names a user: the action is about what a person decides. */
  as_person?: true
  /** True for an action without an entry in the audit log. */
  is_silent?: true
  /** Names of the entries about further objects. */
  more?: readonly string[]
  /** Name of the entry, where it has another than the action. */
  entry?: string
  /** Types of the events that it records, where they are fewer than the action names, or stand in no action. */
  events?: readonly string[]
  /** True for a change that weakens nothing, so that it waits for no second person. */
  at_once?: true
  /** True for an action after which the installation has several organizations. */
  is_last?: true
}

const PHONE = '+256772000009'
const reason = 'Said so on the phone'
const TARGET = 'https://shop.example/hooks/secret-path'

const ofWebhook: Sample = {
  async prepare(tx, { organization, clock, app }) {
    const { id: user } = (await findUser(tx, 'owner@demo.example'))!
    const webhook = { organization, user, event: 'collection.received', target: TARGET, description: null } as const
    return { id: (await createWebhook(tx, clock.now(), webhook, app.sealingKeys(WEBHOOK_KEY_PURPOSE))).id }
  },
  wrong: [{ id: 'first' }],
}

const draft = (tx: Tx, testApp: TestApp) => anInvoice(tx, testApp, 'draft')
const issued = (tx: Tx, testApp: TestApp) => anInvoice(tx, testApp, 'issued')
const batch = { asked: 'a'.repeat(64), duplicates: 'skip', issue: false, rows: 1, refused: 0 }
/** Make a connection of the organization, and a wallet that may use it. */
async function prepareConnection(tx: Tx, { organization, clock }: TestApp) {
  await storeConnection(tx, 'own')
  await tx`update connections set organization = ${organization}, state = 'active' where slug = 'own'`
  const { service_user: author } = await getOrganization(tx, organization)
  const wallet = { organization, currency: 'UGX', kind: 'local', name: 'Till', author } as const
  const { id: account } = await createAccount(tx, clock.now(), wallet)
  return { slug: 'own', account, number: String(700_000 + account) }
}

/** A connection in a state, which is left. */
function ofState(state: string): Sample {
  return {
    input: { force: true, reason: 'Urgent' },
    async prepare(tx, testApp) {
      const { slug } = await prepareConnection(tx, testApp)
      await tx`update connections set state = ${state} where slug = ${slug}`
      return { slug }
    },
  }
}

const ofPlace: Sample = {
  async prepare(tx, testApp) {
    const { slug: connection, account, number } = await prepareConnection(tx, testApp)
    await addPlace(tx, { connection, account, number })
    return { slug: connection, account }
  },
}

/** A sample of each action, by its name. */
export const samples: Readonly<Record<string, Sample>> = {
  'rename organization': { input: { name: 'Corner Shop' }, wrong: [{ name: ' ' }, {}] },
  'set time zone and country': {
    input: { time_zone: 'Africa/Nairobi', country: 'KE' },
    wrong: [
      { time_zone: 'Mars', country: 'KE' },
      { time_zone: 'Africa/Nairobi', country: 'XX' },
    ],
  },
  'change bill tokens': { input: { send: true }, wrong: [{ send: 'maybe' }] },
  'delete role': {
    async prepare(tx, { organization, clock }) {
      await tx`delete from roles where name = 'Front desk'`
      const role = { name: 'Front desk', permissions: ['view'] as Permission[] }
      return { id: await writeRole(tx, clock.now(), organization, role, null) }
    },
    wrong: [{ id: 'first' }],
  },
  'create key': {
    input: { name: 'Webshop' },
    prepare: async (tx) => ({ user: (await findUser(tx, 'owner@demo.example'))!.id }),
  },
  'set float threshold': {
    input: { warn_below: '500000', currency: 'ugx' },
    prepare: prepareConnection,
  },
  'adjust float': { input: { amount: '2500', currency: 'UGX', description: 'Opening' }, prepare: prepareConnection },
  'settle float': { input: { amount: '2500', currency: 'UGX', description: 'Bank' }, prepare: prepareConnection },
  'pause connection': ofState('active'),
  'resume connection': ofState('paused'),
  'remove connection': ofState('paused'),
  'show callback address': { prepare: prepareConnection },
  'register callback address': { prepare: prepareConnection },
  'add place of connection': { prepare: prepareConnection },
  'change place of connection': { ...ofPlace, input: { collects: 'no' } },
  'remove place of connection': ofPlace,
  'send password link': { prepare: async (tx) => ({ id: (await findUser(tx, 'owner@demo.example'))!.id }) },
  'revoke invitation': {
    async prepare(tx, { organization, clock }) {
      const invitation = { organization, author: null, email: 'joy@shop.example', permissions: [] }
      await createInvitation(tx, clock.real(), invitation)
      return { id: (await listInvitations(tx, clock.real(), organization))[0]!.id }
    },
    wrong: [{ id: 'first' }],
  },
  'revoke key': {
    async prepare(tx, { organization, clock }) {
      const { id: user } = (await findUser(tx, 'owner@demo.example'))!
      const { row } = await createKey(tx, clock.now(), { organization, user, name: 'Webshop', max_keys: 100 })
      return { id: row.id }
    },
    wrong: [{ id: 'first' }],
  },
  'set seller details': {
    input: { legal_name: 'Shop Ltd', address: 'Kampala', tax_number: '', phone: '', email: '', payment_terms: '' },
    prepare: async (tx) => void (await tx`delete from seller_details`),
    wrong: [{ legal_name: 'Shop Ltd', address: '', tax_number: '', phone: '', email: 'nobody', payment_terms: '' }],
  },
  'set fee': {
    input: { kind: 'collection', currency: 'ugx', network: 'sandbox', fixed: '500', percent: '1.5', max_fee: '5000' },
    wrong: [
      { kind: 'rent', currency: 'UGX', fixed: '1' },
      { kind: 'bill', currency: 'UGX', network: 'sandbox', fixed: '1' },
      { kind: 'payment', currency: 'UGX', network: 'nowhere', fixed: '1' },
      { kind: 'payment', currency: 'XXQ', fixed: '1' },
      { kind: 'payment', currency: 'UGX', percent: '101' },
      { kind: 'payment', currency: 'UGX', fixed: '-1' },
      { kind: 'payment', currency: 'UGX', min_fee: '5', max_fee: '4' },
    ],
  },
  'remove fee': {
    async prepare(tx, { organization, clock }) {
      const rates = { fixed: 10_000n, percent: 0n, min_fee: 0n, max_fee: null }
      const fee = { organization, kind: 'airtime', currency: 'UGX', network: null, ...rates } as const
      return { id: (await setFee(tx, clock.now(), fee)).id }
    },
    wrong: [{ id: 'first' }],
  },
  'set sms route': {
    input: { connection: 'texts', country: 'ug', price: '35', currency: 'UGX' },
    wrong: [
      { connection: 'nowhere' },
      { connection: 'texts', country: 'Uganda' },
      { connection: 'texts', price: '35' },
    ],
  },
  'remove sms route': {
    async prepare(tx, { clock }) {
      const scope = { organization: null, country: 'KE', purpose: null }
      const route = { ...scope, connection: 'texts', sender_id: null, priority: 1, price: null, currency: null }
      return { id: (await setSmsRoute(tx, clock.now(), route)).id }
    },
    wrong: [{ id: 'first' }],
  },
  'set sms sender': {
    input: { sender_id: 'DemoShop', country: 'KE' },
    wrong: [{ sender_id: 'AVeryLongSender' }, { sender_id: 'Demo', country: 'Kenya' }],
  },
  'remove sms sender': {
    async prepare(tx, { organization, clock }) {
      const sender = { organization, country: 'NG', sender_id: 'DemoShop' }
      return { id: (await setSenderId(tx, clock.now(), sender)).id }
    },
    wrong: [{ id: 'first' }],
  },
  'set sms limit': { input: { monthly_parts: 100 }, wrong: [{}, { monthly_parts: -1 }, { monthly_parts: 1.5 }] },
  'set sms consent': {
    input: { phonenumber: PHONE, reason },
    wrong: [{ phonenumber: PHONE }, { phonenumber: '12', reason }, { phonenumber: PHONE, state: 'perhaps', reason }],
  },
  'remove sms consent': {
    input: { reason },
    async prepare(tx, { organization, clock }) {
      const said = { organization, phonenumber: PHONE, state: 'withdrawn', word: null, connection: null } as const
      await setConsents(tx, [{ ...said, by: null, at: clock.now() }])
      return { id: (await getConsentOf(tx, PHONE, organization)).id }
    },
    wrong: [{ reason: ' ' }],
  },
  'send sms': { input: { phonenumber: PHONE, body: 'Hello' } },
  'retry sms': { input: { since: new Date('2030-01-01') } },
  'set sms rule': {
    input: { country: 'UG', quiet_from: '21:00', quiet_until: '07:00', consent_required: true },
    wrong: [
      { country: 'UG', quiet_from: '21:00', quiet_until: '' },
      { country: 'UG', time_zone: 'Mars' },
      { country: 'Uganda', consent_required: true },
    ],
  },
  'remove sms rule': {
    async prepare(tx) {
      await setCountryRule(tx, 'KE', { consent_required: true })
      return { country: 'KE' }
    },
    wrong: [{ country: 'Kenya' }],
  },
  'change receipt settings': {
    input: { every_payment: true, sms: true, email: false, language: 'sw' },
    prepare: async (tx) => void (await tx`delete from receipt_settings`),
    wrong: [{ every_payment: true, sms: true, email: false, language: 'xx' }],
  },
  'hold sending': {
    input: { reason: 'Restored' },
    prepare: async (tx) => void (await tx`delete from flags where name in ('sending', 'sending_hold')`),
    wrong: [{ reason: 'a'.repeat(501) }],
  },
  'release sending': {
    prepare: async (tx, { clock }) => void (await holdSending(tx, clock.now(), { by: 'Grace', reason: null })),
  },
  'begin maintenance': {},
  'end maintenance': {},
  'set collection hook': {
    input: { url: 'https://shop.example/unrequested', when_unreachable: 'reject', timeout: 20 },
    wrong: [
      { url: 'http://shop.example', when_unreachable: 'reject', timeout: 20 },
      { url: 'https://shop.example', when_unreachable: 'later', timeout: 20 },
      { url: 'https://shop.example', when_unreachable: 'accept', timeout: 3_600 },
    ],
  },
  'remove collection hook': {
    async prepare(tx, { organization, clock }) {
      const hook = { organization, url: 'https://shop.example/hook', when_unreachable: 'accept', timeout_s: 5 } as const
      await setAcceptanceUrl(tx, clock.now(), hook)
    },
  },
  'create webhook': {
    input: { events: ['collection.received'], target: TARGET },
    wrong: [
      { events: [], target: TARGET },
      { events: ['collection.received', 'fly'], target: TARGET },
      { events: ['collection.received'], target: 'http://shop.example' },
    ],
  },
  'edit webhook': { ...ofWebhook, input: { description: 'Till' }, wrong: [{ target: 'ftp://x' }, { events: ['fly'] }] },
  'test webhook': { ...ofWebhook, input: { result: 'delivered' } },
  'resend notification': {
    async prepare(tx, testApp) {
      const { id } = (await ofWebhook.prepare!(tx, testApp))!
      const { organization, clock } = testApp
      const { id: author } = (await findUser(tx, 'owner@demo.example'))!
      await recordEvents(tx, clock.now(), [{ organization, type: 'collection.received', data: {}, author }])
      const [{ event }] = await tx<[{ event: number }]>`select max(id) as event from events`
      return { id, events: [event] }
    },
  },
  'resend notifications': { input: { failed: true } },
  'pause webhook': ofWebhook,
  'resume webhook': ofWebhook,
  'delete webhook': ofWebhook,
  'show webhook secret': ofWebhook,
  'rotate webhook secret': ofWebhook,
  'set webhook credentials': {
    input: { user: 'kusanya', password: 'secret words' },
    wrong: [
      { user: '', password: 'x' },
      { user: 'a:b', password: 'x' },
    ],
  },
  'clear webhook credentials': {
    async prepare(tx, { organization, clock, app }) {
      const keys = app.sealingKeys(WEBHOOK_KEY_PURPOSE)
      await setCredentials(tx, clock.now(), organization, { user: 'kusanya', password: 'secret words' }, keys)
    },
  },
  'create contact': {
    input: { first_name: 'Jane', last_name: 'Doe' },
    prepare: async () => ({ phone_number: newPhone() }),
  },
  'change contact': { input: { notes: 'Pays late' }, prepare: aContact },
  'erase contact': { prepare: aContact, wrong: [{ id: 'first' }] },
  'import contacts': { prepare: (_, testApp) => aContactFile(testApp) },
  'finish import of contacts': {
    async prepare(tx, testApp) {
      const { organization, clock } = testApp
      const input = await aContactFile(testApp)
      const author = await authorIn(tx, testApp)
      return { id: await beginImport(tx, clock.now(), { organization, author, ...input }), rows: input.rows }
    },
  },
  'cancel request': { prepare: (tx, testApp) => aRequest(tx, testApp, 'pending'), wrong: [{ id: 'first' }] },
  'assign payment': {
    prepare: (tx, testApp) => aPayment(tx, testApp, '999999'),
    wrong: [{ account: 'first' }, {}],
  },
  'remind customer': { prepare: (tx, testApp) => aRequest(tx, testApp, 'instructions_sent') },
  'retry request': { prepare: (tx, testApp) => aRequest(tx, testApp, 'failed') },
  'send payment link': { prepare: (tx, testApp) => aRequest(tx, testApp, 'failed') },
  'create payment link': {
    input: { title: 'Fees', currency: 'BXC', amount: '1500', return_url: 'https://shop.example/thanks' },
  },
  'change payment link': { input: { state: 'closed' }, prepare: aLink },
  'close payment link': { prepare: aLink },
  'change look of payment links': {
    input: { color: '#0b6e4f', logo: null },
    wrong: [{ color: 'red-ish' }, { color: '#0b6e4f', logo: 'data:text/html;base64,AAAA' }],
  },
  'show secret of payment links': {},
  'rotate secret of payment links': {},
  'pause repeating': { prepare: aPlan },
  'resume repeating': {
    async prepare(tx, testApp) {
      const { id } = await aPlan(tx, testApp)
      await tx`update plans set paused = ${testApp.clock.now()}, due_at = null where id = ${id}`
      return { id }
    },
  },
  'stop repeating': { prepare: aPlan },
  'create invoice': {
    input: { currency: 'UGX', lines: [{ text: 'Fees', unit_price: '1500' }] },
    prepare: async (tx, testApp) => ({ contact: (await aContact(tx, testApp)).id }),
  },
  'change invoice': { input: { notes: 'Thank you.' }, prepare: draft },
  'delete invoice': { prepare: draft },
  'issue invoice': { prepare: draft },
  'void invoice': { input: { reason }, prepare: issued },
  'send invoice': { prepare: issued },
  'collect invoice': { prepare: issued },
  'issue invoices': { prepare: async (tx, testApp) => ({ ids: [(await anInvoice(tx, testApp, 'draft')).id] }) },
  'remind invoices': { prepare: async (tx, testApp) => ({ ids: [(await anInvoice(tx, testApp, 'issued')).id] }) },
  'void invoices': {
    input: { reason },
    prepare: async (tx, testApp) => ({ ids: [(await anInvoice(tx, testApp, 'issued')).id] }),
  },
  'make invoices for a tag': { input: { batch: { ...batch, source: 'tag', name: 'P5', digest: null } } },
  'make invoices from a file': {
    input: { batch: { ...batch, source: 'file', name: 'p5.csv', digest: 'b'.repeat(64) } },
  },
  'issue receipt': { prepare: async (tx, testApp) => ({ collection: (await aPayment(tx, testApp)).id }) },
  'send receipt': {
    async prepare(tx, testApp) {
      const { id } = await aPayment(tx, testApp)
      const collection = (await collectionsById(tx, [id])).get(id)!
      return { id: await issueReceipt(tx, testApp.clock.now(), collection) }
    },
  },
  'create account': { input: { currency: 'kes' } },
  'rename account': { input: { name: 'Shop' }, prepare: aWallet, wrong: [{ name: ' ' }, { name: 'a'.repeat(101) }] },
  'fund account': { input: { amount: '500', description: 'Opening balance' }, prepare: aWallet },
  'set receiver': { input: { connection: 'sandbox' }, prepare: aWallet },
  'make requests for a tag': { input: { batch: { ...batch, source: 'tag', name: 'P5', digest: null } } },
  'make requests from a file': {
    input: { batch: { ...batch, source: 'file', name: 'p5.csv', digest: 'b'.repeat(64) } },
  },
  'change matching settings': { input: { overpayment: 'credit' } },
  ...account,
  ...operators,
  ...changes,
  ...customers,
  ...moneyOut,
}
