import { createHash } from 'node:crypto'
import { parseJson } from '../../../lib/http/http-call.ts'
import type { CallbackRequest, Change, Charge, OfferedPayment, Payment, ValidationReply } from '../../world/world.ts'
import { defineDoor, readBodiesAsText } from '../door.ts'
import {
  CONSUMER_KEY,
  CONSUMER_SECRET,
  chargeNumbers,
  FULL_SHORT_CODE,
  INITIATOR,
  INITIATOR_PASSWORD,
  PASSKEY,
  PAYBILL,
  PAYOUT_SHORT_CODE,
  payoutNumbers,
  QUEUE_TIMEOUT_PHONE,
  SILENT_PHONE,
  STORE,
  TILL,
  UNKNOWN_CODE_PHONE,
} from './accounts.ts'
import { type DarajaState, type DarajaWorld, switches, tokenHandler } from './calls.ts'
import { addInitiatorRoutes } from './initiator.ts'
import { certificate } from './keys.ts'
import { addPaymentRoutes, type Registration, registrationOf } from './payments.ts'
import { addPromptRoutes, endOf } from './prompts.ts'
import { type Ids, payoutBody, reversalBody } from './results.ts'
import { cents, compactDate, newReceipt, refuse, toJson, withCents } from './wire.ts'

/**
 * The simulated Daraja: M-Pesa in Kenya as an app of the Daraja portal sees it. It keeps Daraja's spellings and its two
 * ways to say that a prompt is open. Results come later; callbacks come once and unsigned.
 */
export const darajaDoor = defineDoor({
  code: 'daraja',
  name: 'M-Pesa Kenya (Daraja)',
  hosts: { api: '' },
  credentials: [
    { name: 'consumer_key', value: CONSUMER_KEY },
    { name: 'consumer_secret', value: CONSUMER_SECRET },
    { name: 'short_code', value: PAYBILL, help: 'A pay bill.' },
    { name: 'passkey', value: PASSKEY, help: 'For the pay bill and for the store.' },
    { name: 'short_code', value: STORE, help: `The store number of the till ${TILL} (kind: till).` },
    { name: 'payout_short_code', value: PAYOUT_SHORT_CODE },
    { name: 'short_code', value: FULL_SHORT_CODE, help: 'Has every product, and the same passkey.' },
    { name: 'initiator', value: INITIATOR },
    { name: 'initiator_password', value: INITIATOR_PASSWORD },
    { name: 'certificate', value: certificate },
    { name: 'sender_addresses', value: '127.0.0.1, ::1', help: 'The addresses from which this network calls.' },
  ],
  numbers: [
    ...Object.entries(chargeNumbers).map(([end, { code, words }]) => ({
      number: `+25470900${end}`,
      effect: `a prompt ends with ResultCode ${code}: ${words}`,
    })),
    ...Object.entries(payoutNumbers).map(([end, { code, words }]) => ({
      number: `+25470900${end}`,
      effect: `a payout ends with ResultCode ${code}: ${words}`,
    })),
    { number: SILENT_PHONE, effect: 'a payout stays open' },
    { number: UNKNOWN_CODE_PHONE, effect: 'a prompt or payout ends with ResultCode 7777, which is in no table' },
    {
      number: QUEUE_TIMEOUT_PHONE,
      effect: 'a payout is reported at QueueTimeOutURL, and arrives all the same',
    },
  ],
  switches,
  remembers: true,
  transactionId: (_kind, now) => newReceipt(now),
  routes(server, world) {
    readBodiesAsText(server)
    server.setNotFoundHandler((_request, reply) => refuse(reply, '404.001.01', 'Resource not found', false))
    server.get('/oauth/v1/generate', { config: { verb: 'token' } }, tokenHandler(world))
    addPromptRoutes(server, world as DarajaWorld)
    addPaymentRoutes(server, world)
    addInitiatorRoutes(server, world)
  },
  callbacks: (change, state) => {
    const callbacks = describe(change, state)
    // Callbacks are unsigned, but a forger does not know the last part of the address.
    return state.forged ? callbacks.map((one) => ({ ...one, url: one.url && otherAddress(one.url) })) : callbacks
  },
  validationRequest(payment, state) {
    const registration = registered(payment.receiver, state)
    if (!state.switches.validation || !registration) return null
    const body = toJson({ ...paymentBody(payment, state, registration), OrgAccountBalance: '' })
    return { url: registration.validation, body, timeout_s: 8 }
  },
  readVerdict: (reply, payment, state) => readVerdict(reply, registered(payment.receiver, state)),
})

function describe(change: Change, state: DarajaState): CallbackRequest[] {
  switch (change.event) {
    case 'charge.paid':
      return [
        ...promptCallback(change.charge, change.payment, state),
        ...(state.switches.confirms_prompts ? confirmation(change.payment, state, change.charge) : []),
      ]
    case 'charge.failed':
      return promptCallback(change.charge, null, state)
    case 'payment.received':
      return confirmation(change.payment, state)
    case 'payout.ended': {
      const { payout } = change
      const ids = payout.details as unknown as Ids
      const list = state.switches.reference_items === 'list'
      const toBody = payout.kind === 'refund' ? reversalBody : payoutBody
      return [{ url: payout.callback_url, body: toBody(payout, ids, state.now, list) }]
    }
    // Daraja does not report reversals that M-Pesa starts.
    default:
      return []
  }
}

/** The end of a prompt. Only success has details, in any order; `Balance` is without a value. */
function promptCallback(charge: Charge, payment: Payment | null, { switches }: DarajaState): CallbackRequest[] {
  const [code, words] = payment ? ['0', 'The service request is processed successfully.'] : endOf(charge)
  const phone = charge.phonenumber.slice(1)
  const items = payment && [
    { Name: 'Amount', Value: withCents(payment.amount) },
    { Name: 'MpesaReceiptNumber', Value: payment.remote_id },
    { Name: 'Balance' },
    { Name: 'TransactionDate', Value: Number(compactDate(payment.paid_at)) },
    { Name: 'PhoneNumber', Value: switches.phone_in_callback === 'masked' ? mask(phone) : Number(phone) },
  ]
  const stkCallback = {
    MerchantRequestID: charge.details.MerchantRequestID,
    CheckoutRequestID: charge.key,
    ResultCode: /^\d+$/.test(code) ? Number(code) : code,
    ResultDesc: words,
    ...(items && { CallbackMetadata: { Item: items } }),
  }
  return charge.callback_url === null ? [] : [{ url: charge.callback_url, body: toJson({ Body: { stkCallback } }) }]
}

/** The addresses of a number. Those of a till are registered for its store. */
const registered = (receiver: string, { memory }: DarajaState) =>
  memory[registrationOf(receiver === TILL ? STORE : receiver)] as Registration | undefined

function confirmation(payment: Payment, state: DarajaState, charge?: Charge): CallbackRequest[] {
  const registration = registered(payment.receiver, state)
  if (!registration) return []
  const body = paymentBody(payment, state, registration, charge)
  return [{ url: registration.confirmation, body: toJson({ ...body, OrgAccountBalance: '49197.00' }) }]
}

function paymentBody(
  payment: Payment | OfferedPayment,
  { now, switches }: DarajaState,
  { version }: Registration,
  charge?: Charge,
) {
  const phone = payment.phonenumber.slice(1)
  const is_till = payment.receiver === TILL || payment.receiver === STORE
  const by_version = version === 'v2' ? mask(phone) : phone
  return {
    TransactionType: is_till ? 'Buy Goods' : 'Pay Bill',
    TransID: payment.remote_id,
    TransTime: compactDate('paid_at' in payment ? payment.paid_at : now),
    TransAmount: cents(payment.amount),
    BusinessShortCode: is_till ? STORE : payment.receiver,
    BillRefNumber: is_till ? '' : (charge?.reference ?? payment.reference ?? ''),
    InvoiceNumber: '',
    OrgAccountBalance: '',
    ThirdPartyTransID: '',
    MSISDN: switches.phone_in_confirmation === 'hashed' ? createHash('sha256').update(phone).digest('hex') : by_version,
    FirstName: 'SANDBOX',
    MiddleName: '',
    LastName: 'CUSTOMER',
  }
}

/** `2547 ***** 149` */
const mask = (phone: string) => `${phone.slice(0, 4)} ***** ${phone.slice(-3)}`

/** Use the registered default if no readable answer arrives in time. */
function readVerdict(reply: ValidationReply, registration: Registration | undefined): 'accept' | 'reject' {
  const answer = reply && reply.status === 200 ? (parseJson(reply.text) as { ResultCode?: unknown } | null) : undefined
  if (answer?.ResultCode === undefined) return registration?.unanswered === 'Cancelled' ? 'reject' : 'accept'
  return String(answer.ResultCode) === '0' ? 'accept' : 'reject'
}

function otherAddress(url: string): string {
  return url.slice(0, -1) + (url.endsWith('0') ? '1' : '0')
}
