import { z } from 'zod'
import type { Reader, Tx } from '../../db/client.ts'
import { getMessage } from '../../lib/messages/message.ts'
import { type ActionContext, action, makerOf, requireOwn } from '../access/action.ts'
import { expiryDate } from '../checkout/new-link.ts'
import { PaymentLink } from '../checkout/payment-link.ts'
import { ensureSecret, PAGE_KEY_PURPOSE } from '../checkout/payment-pages.ts'
import type { ChargeConnections } from '../collections/charges/attempts.ts'
import { CollectionRequest } from '../collections/collection-request.ts'
import type { ChargeNetwork } from '../collections/new-request.ts'
import { type RequestOrigin, requestsById } from '../collections/requests.ts'
import type { NoNetwork } from '../connections/destinations.ts'
import { documented, integer, optional, text } from '../fields.ts'
import { refundCollectionAction } from '../payments/actions.ts'
import { Invalid } from '../refusals.ts'
import { RequestAction } from '../request-actions.ts'
import { type ReminderLimits, remindCustomer } from './reminders.ts'
import { retryRequest } from './retries.ts'
import { sendPaymentLink } from './sent-links.ts'

declare module '../access/action.ts' {
  interface Actor {
    /** The HTTP request with which it acts. */
    origin?: RequestOrigin
  }
  interface ActionService {
    reminderLimits(): ReminderLimits
    chargeConnections(): ChargeConnections
    /** Return the network for a new request with the contents of another, or why there is none. */
    chooseNetworkAgain(db: Reader, request: CollectionRequest): Promise<ChargeNetwork | NoNetwork>
  }
}

const comment = optional(
  documented(text(500), 'Reason in your own words, kept on record.', 'The customer asked on the phone.'),
)
const input = z.object({ id: integer(), comment })

const actionBody = z.object({ comment }).meta({ id: 'NewRequestAction' })
const PATH = '/collectionrequests/:id'
const resource = {
  tag: 'Collection requests',
  method: 'POST',
  status: 201,
  view: ({ made }: { made: object }) => made,
} as const
const common = { object_type: 'collectionrequest', permission: 'initiate_collections', wakes: true } as const
const command = {
  typed: { id: ['<id>', 'as `requests list` shows it'], comment: ['--comment <text>', 'the reason, kept on record'] },
  by: true,
  view: ({ made }: { made: object }) => made,
} as const

/** Send the instructions of an open request again, and bring the next prompt forward. */
export const remindCustomerAction = action({
  ...common,
  name: 'remind customer',
  input,
  async run(tx, context, { id, comment }) {
    const { organization, about } = await readRequest(tx, context, id, comment)
    const { service, now } = context
    const limits = { limits: service.reminderLimits(), connections: service.chargeConnections() }
    return { organization, made: await remindCustomer(tx, now, { ...about, ...limits }) }
  },
  // The entry has no free text, because an erasure could not reach it there.
  audit: ({ organization, made }, { id: object }) => ({ object, organization, details: { requestaction: made.id } }),
  creates: { type: 'requestaction', id: ({ made }) => made.id },
  api: {
    ...resource,
    path: `${PATH}/remind`,
    operation: 'remindCustomer',
    summary: 'Resend the instructions of an open request',
    description:
      'Sends the SMS with the instructions again, and brings a next prompt forward. Limits and quiet hours apply; the refusal says when the next reminder is possible.',
    body: actionBody,
    answer: RequestAction,
  },
  cli: {
    ...command,
    path: 'requests remind',
    description: 'resend the instructions of an open request, and bring the next prompt forward',
    text: ({ made }) => (made.prompt ? 'The reminder is sent, and another prompt follows.' : 'The reminder is sent.'),
  },
})

/** Ask for the money of a failed or expired request with a new one. */
export const retryRequestAction = action({
  ...common,
  name: 'retry request',
  input,
  async run(tx, context, { id, comment }) {
    const { organization, about, request } = await readRequest(tx, context, id, comment)
    const { service, now, actor } = context
    const network = await service.chooseNetworkAgain(tx, request)
    const origin = actor.origin && { origin: actor.origin }
    return { organization, made: await retryRequest(tx, now, { ...about, network, ...origin }) }
  },
  audit: ({ organization, made }, { id }) => ({ object: id, organization, details: { collectionrequest: made.id } }),
  creates: { type: 'collectionrequest', id: ({ made }) => made.id },
  api: {
    ...resource,
    path: `${PATH}/retry`,
    operation: 'retryCollectionRequest',
    summary: 'Retry a failed or expired request',
    description:
      'Creates a new request with the same phone, amount, reason and metadata. It is refused while the old one may still be paid, or is paid.',
    body: actionBody,
    answer: CollectionRequest,
  },
  cli: {
    ...command,
    path: 'requests retry',
    description: 'retry a failed or expired request',
    text: ({ made }) => `Request ${made.id} asks for the money again.`,
  },
})

/** Send a payment link for the money of a failed or expired request. */
export const sendPaymentLinkAction = action({
  ...common,
  name: 'send payment link',
  input: input.extend({ expiry_date: optional(expiryDate) }),
  async run(tx, context, { id, comment, expiry_date }) {
    const { organization, about } = await readRequest(tx, context, id, comment)
    const { service, now } = context
    const sent = { ...about, expiry_date, base_url: service.base_url, limits: service.reminderLimits() }
    const made = await sendPaymentLink(tx, now, sent)
    await ensureSecret(tx, now, organization, service.sealingKeys(PAGE_KEY_PURPOSE))
    return { organization, made }
  },
  audit: ({ organization, made }, { id: object }) => ({ object, organization, details: { paymentlink: made.id } }),
  creates: { type: 'paymentlink', id: ({ made }) => made.id },
  api: {
    ...resource,
    path: `${PATH}/paymentlink`,
    operation: 'sendPaymentLink',
    summary: 'Send a payment link for a failed or expired request',
    description:
      'Creates a single-use payment link for the same amount, and sends it to the customer by SMS. It expires after seven days, or at `expiry_date`.',
    body: { id: 'NewSentPaymentLink' },
    answer: PaymentLink,
  },
  cli: {
    ...command,
    path: 'requests link',
    description: 'send a payment link for a failed or expired request',
    text: ({ made: { id, url } }) => `Payment link ${id} is sent: ${url}`,
  },
})

const { cli: _, ...refund } = refundCollectionAction

/** Refund the money of a request, in full or in part. */
export const refundRequestAction = action({
  ...refund,
  object_type: 'collectionrequest',
  name: 'refund request',
  async run(tx, context, input) {
    const { id } = input
    const { collection, status } = (await readRequest(tx, context, id)).request
    if (collection === null || status !== 'successful')
      throw new Invalid({ collection_request: [getMessage('requests.request_only_paid', { id, status })] })
    return refund.run(tx, context, { ...input, id: collection })
  },
})

/** Return a request, its organization, and who acts on it. @throws NotFound, Forbidden */
async function readRequest(tx: Tx, context: ActionContext, id: number, comment = '') {
  const found = (await requestsById(tx, [id])).get(id)
  const request = requireOwn(context, found, getMessage('requests.none', { id }))
  const { organization } = request
  return { request, organization, about: { request: id, author: await makerOf(tx, context, organization), comment } }
}
