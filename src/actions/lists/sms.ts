import { z } from 'zod'
import type { Permission } from '../../core/access/api-keys.ts'
import { id, timestamp } from '../../core/fields.ts'
import { exactId, exactPhone } from '../../core/filters.ts'
import { consentStates, pageOfConsents } from '../../core/sms/consents.ts'
import { type SmsMessage, SmsView, smsPurposes, smsStates, smsSuffix } from '../../core/sms/message.ts'
import { listSms, pageOfSms } from '../../core/sms/outbox.ts'
import { displayAmount } from '../../lib/money.ts'
import { list } from './list.ts'

const suffixOf = ({ app }: { app: { config: { SERVICE_NAME: string } } }) => smsSuffix(app.config.SERVICE_NAME)

/** The SMS to the customers of the organization. An addition to the interface (docs/interface-gaps.md). */
export const smsList = list({
  name: 'SMS',
  permission: 'view',
  filters: {
    state: z
      .enum(smsStates)
      .optional()
      .meta({ description: 'SMS in this state.', examples: ['failed'] }),
    purpose: z
      .enum(smsPurposes)
      .optional()
      .meta({ description: 'SMS for this purpose.', examples: ['instructions'] }),
    phonenumber: exactPhone(),
    collection_request: exactId('SMS of this collection request.'),
    bill_purchase: exactId('SMS of this bill purchase.'),
    payment: exactId('SMS to the recipients of this payment.'),
  },
  view: SmsView,
  async read(db, asked) {
    const { organization, filters, page } = asked
    const { collection_request: request, bill_purchase: purchase, ...others } = filters
    const wanted = {
      organization,
      ...others,
      ...(request !== undefined && { collection_requests: [request] }),
      ...(purchase !== undefined && { bill_purchases: [purchase] }),
    }
    const { rows, count } = await pageOfSms(db, wanted, page, suffixOf(asked))
    return { rows: rows.map((sms) => hideGoods(sms, asked)), count }
  },
  one: {
    async find(db, asked) {
      const [sms] = await listSms(db, { id: asked.id }, 1, suffixOf(asked))
      return sms && hideGoods(sms, asked)
    },
    operation: 'getSms',
    summary: 'Get one SMS',
    description:
      'Returns the SMS with its text and its state. Digits of a bought token are hidden from keys without `pay_bills`.',
  },
  api: {
    path: '/sms',
    tag: 'SMS',
    operation: 'listSms',
    summary: 'List SMS to customers',
    description:
      'Returns the SMS to your customers. Digits of a bought token are hidden from keys without `pay_bills`.',
  },
}).withCommand({
  path: 'sms list',
  description: 'list the newest messages',
  organization: 'all',
  typed: {
    phonenumber: ['--phone <number>', 'those to one customer'],
    state: ['--state <state>', 'those in one state'],
    purpose: ['--purpose <purpose>', 'those for one purpose'],
  },
  limit: 'how many',
  none: 'There are no messages.',
  columns: {
    id: 'id',
    'created (UTC)': 'created',
    phone: 'phonenumber',
    request: 'collection_request',
    purpose: 'purpose',
    state: 'state',
    attempts: 'attempts',
    over: 'sender',
    parts: 'parts',
    cost: ({ cost, currency }) => (cost === null ? null : `${currency} ${displayAmount(cost)}`),
    text: (row) => row.body.replace(/\s+/g, ' '),
    'last error': 'last_error',
  },
})

/** Hide the token of a meter from users who may not buy one, because anyone can use it. */
function hideGoods(sms: SmsMessage, { permissions }: { permissions: ReadonlySet<Permission> }): SmsMessage {
  const may_see = sms.purpose !== 'goods' || permissions.has('pay_bills')
  return may_see ? sms : { ...sms, body: sms.body.replace(/\d/g, '*') }
}

/** Consent of a person to SMS that are not transactional. */
export const ConsentView = z.object({
  id,
  phonenumber: z.string(),
  state: z.enum(consentStates),
  /** True if it counts for this organization only. */
  own: z.boolean(),
  /** The word that the person sent; null if a user or the operator entered it. */
  word: z.string().nullable(),
  connection: z.string().nullable(),
  by: z.string().nullable(),
  at: timestamp,
})

export const optOutList = list({
  name: 'consents to SMS',
  permission: 'view',
  filters: {},
  people: { phonenumber: exactPhone(), state: z.enum(consentStates).optional() },
  view: ConsentView,
  async read(db, { organization, filters, page }) {
    const { rows, count } = await pageOfConsents(db, { organization, ...filters }, page)
    return { rows: rows.map((row) => ({ ...row, own: row.organization !== null })), count }
  },
  console: { path: '/settings/sms/opt-outs' },
}).withCommand({
  path: 'sms opt-outs list',
  description: 'list the choices of customers, newest first',
  organization: 'all',
  typed: {
    phonenumber: ['--phone <number>', 'what one customer said'],
    state: ['--state <state>', 'one of the two'],
  },
  limit: 'how many',
  none: 'Nobody has sent STOP or START.',
  columns: {
    'at (UTC)': 'at',
    phone: 'phonenumber',
    organization: (row) => row.organization ?? 'all',
    consent: 'state',
    word: 'word',
    over: 'connection',
    by: 'by',
  },
})
