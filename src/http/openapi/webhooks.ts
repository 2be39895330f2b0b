import { type Json, pascalCase, type Schema, type Schemas, schemaRef } from './types.ts'

interface NotificationType {
  event: string
  /** The name of the schema of its object. */
  object: string
  summary: string
  description: string
  /** Offered to webhooks only with a setting, because existing clients do not know the type. */
  extra?: true
}

const notificationTypes: readonly NotificationType[] = [
  {
    event: 'collectionrequest.status.changed',
    object: 'CollectionRequest',
    summary: 'The status of a collection request changed',
    description: 'Sent for each change of the status, also when the request ends without a payment.',
  },
  {
    event: 'collection.received',
    object: 'Collection',
    summary: 'Money was received from a customer',
    description: 'Sent once for each payment of a customer, with or without a request.',
  },
  {
    event: 'payment.status.changed',
    object: 'PaymentEvent',
    summary: 'The state of a payment changed',
    description: 'Sent for each change of the state, such as an approval or the result of the network.',
  },
  {
    event: 'contact.created',
    object: 'Contact',
    summary: 'A contact was created',
    description: 'Sent once for each contact, also for one that a new phone number created.',
  },
  {
    event: 'billpayment.status.changed',
    object: 'PurchaseEvent',
    summary: 'A bill purchase ended',
    description: 'Sent when the purchase has succeeded or failed, with its result.',
    extra: true,
  },
  {
    event: 'collection.reversed',
    object: 'Collection',
    summary: 'The network took a collection back',
    description: 'Sent when the network takes money of a collection back, whole or in part.',
    extra: true,
  },
  {
    event: 'contact.credit_changed',
    object: 'CreditChange',
    summary: 'The credit of a customer changed',
    description: 'Sent for each change of the credit, with the credit afterwards.',
    extra: true,
  },
  {
    event: 'invoice.issued',
    object: 'Invoice',
    summary: 'An invoice was issued',
    description: 'Sent when a draft gets its number.',
    extra: true,
  },
  {
    event: 'invoice.paid',
    object: 'Invoice',
    summary: 'An invoice was paid',
    description: 'Sent when nothing of the invoice is open any more.',
    extra: true,
  },
  {
    event: 'invoice.partly_paid',
    object: 'Invoice',
    summary: 'A part of an invoice was paid',
    description: 'Sent when money arrives and a part of the invoice stays open.',
    extra: true,
  },
  {
    event: 'invoice.reopened',
    object: 'Invoice',
    summary: 'A paid invoice is open again',
    description: 'Sent when money of a paid invoice was reversed or moved.',
    extra: true,
  },
  {
    event: 'invoice.voided',
    object: 'Invoice',
    summary: 'An invoice was voided',
    description: 'Sent when the invoice ends without a payment; it keeps its number.',
    extra: true,
  },
]

const EXTRA = 'Needs `EXTRA_EVENT_TYPES=on`.'

/** Describes the notifications that webhooks receive (interface 4.2). */
export function describeNotifications(): Json {
  return Object.fromEntries(notificationTypes.map((type) => [type.event, { post: describe(type) }]))
}

/** The bodies of notifications, by the name of their object. */
export function notificationBodies(): Record<string, Json> {
  return Object.fromEntries(
    notificationTypes.map(({ object }) => {
      const properties = { hook: { $ref: schemaRef('Webhook') }, data: { $ref: schemaRef(object) } }
      const schema = { type: 'object', required: ['hook', 'data'], properties }
      return [object, { required: true, content: { 'application/json': { schema } } }]
    }),
  )
}

function describe({ event, object, summary, description, extra }: NotificationType): Json {
  return {
    tags: ['Webhooks'],
    operationId: `notifyOf${pascalCase(event)}`,
    summary,
    description: extra ? `${description} ${EXTRA}` : description,
    security: [],
    requestBody: { $ref: `#/components/requestBodies/${object}` },
    responses: {
      200: { $ref: '#/components/responses/Received' },
      410: { $ref: '#/components/responses/NoMore' },
    },
  }
}

/** The responses of a receiver. */
export const receiverResponses: Record<string, Json> = {
  Received: {
    description: 'Received. Respond within 5 seconds. All other deliveries are repeated, up to 10 attempts in total.',
  },
  NoMore: { description: 'Send no more notifications: deletes the webhook.' },
}

/** Fields of a payment that its notifications leave out. */
const NOT_IN_NOTIFICATIONS: readonly string[] = [
  'account',
  'remote_transaction_id',
  'send_sms_message',
  'charged_fee',
  'transactions',
  'approvals_required',
  'approvals',
  'approved_by',
  'approved_time',
]

/** The objects of notifications that have another form than in the API. */
export function notificationSchemas({ Payment, BillPurchaseResult }: Schemas): Schemas {
  const payment = Object.entries(Payment?.properties ?? {}).filter(([name]) => !NOT_IN_NOTIFICATIONS.includes(name))
  const fields: Record<string, Schema> = Object.fromEntries(payment)
  return {
    PaymentEvent: {
      type: 'object',
      description: 'A payment in events and notifications, in another form than in the API.',
      properties: {
        ...fields,
        phone_nos: {
          type: 'array',
          items: { type: 'string' },
          description: 'The numbers of the recipients.',
          examples: [['+80000000000']],
        },
        state: {
          type: 'string',
          description: 'The same as in the API, but `completed` for `processed`. New values may be added.',
          examples: ['completed'],
        },
      },
      required: payment.map(([name]) => name),
    },
    PurchaseEvent: {
      type: 'object',
      description: 'A bill purchase and its result in events and notifications.',
      properties: { ...purchaseFields, ...BillPurchaseResult?.properties },
      required: [...Object.keys(purchaseFields), ...(BillPurchaseResult?.required ?? [])],
    },
  }
}

const text = (description: string, ...examples: unknown[]): Schema => ({ type: 'string', description, examples })
const textOrNull = (description: string, ...examples: unknown[]): Schema => ({
  ...text(description, ...examples),
  type: ['string', 'null'],
})
const time = (description: string): Schema => ({ $ref: schemaRef('Timestamp'), description })

const purchaseFields: Record<string, Schema> = {
  id: { type: 'integer', description: 'Id of the purchase.', examples: [10700149] },
  organization: { type: 'integer', description: 'Your organization.', examples: [1] },
  agentReference: text('Your reference of the purchase.', 'order-17'),
  kind: text('Category of the service.', 'airtime'),
  service_type: text('Code of the service.', 'mtn'),
  account_number: textOrNull('Account, meter or card number.', '08031234567'),
  phone: textOrNull('Phone number of the customer.', '08031234567'),
  amount: { $ref: schemaRef('Amount') },
  currency: text('Three-letter code.', 'NGN'),
  metadata: { type: 'object', description: 'Your own attributes, as you sent them.', examples: [{ order: 7 }] },
  status: text('`success`, `pending` or `failed`.', 'success'),
  error_code: textOrNull('Error code of a failed purchase.', null),
  created: time('When the purchase was made.'),
  modified: time('When the purchase changed last.'),
  author: { type: 'integer', description: 'The user who made it.', examples: [1] },
}
