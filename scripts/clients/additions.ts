import type { Field, FieldType, RecordType } from './types.ts'

/*
 * Additions to openapi.json: names of unnamed objects, the contents of three fields, and the data of events.
 */

/** Names of models, where the name of the schema or of the place is not the best. */
export const MODEL_NAMES: Readonly<Record<string, string>> = {
  BillPurchaseResult: 'PurchaseResult',
  PaymentPhone: 'PaymentRecipient',
  '.listBillCategories': 'BillCategory',
  '.getBillBalance': 'BillBalance',
  'Bouquet.availablePricingOptions': 'PricingOption',
  'Receipt.sends': 'ReceiptSend',
  'Invoice.sends': 'InvoiceSend',
  'MatchSuggestion.parts': 'SuggestedPart',
  'Collection.transaction': 'CollectionTransaction',
  'CollectionTransaction.account': 'TransactionAccount',
}

/** Descriptions of models, where openapi.json has none. */
export const MODEL_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Account: 'A wallet.',
  Ageing: 'The open amounts of customers by how long they are overdue.',
  AgeingRow: 'The open amounts of a customer in one currency.',
  AgeingTotal: 'The open amounts of all customers in one currency.',
  Allocation: 'The allocation of a part of a collection.',
  AirtimeProvider: 'A provider of airtime.',
  BillAccountHolder: 'The holder of an account, for example of a meter.',
  BillBalance: 'The balance of the wallet that pays bills.',
  BillCategory: 'A category of services.',
  BillProvider: 'A seller of a service.',
  BillService: 'A service on sale.',
  Bouquet: 'A bouquet of TV channels, or an add-on.',
  Collection: 'Money that came from a customer.',
  CollectionAllocations: 'The allocations of a collection, and its unallocated rest.',
  CollectionRequest: 'A request for money.',
  CollectionSuggestions: 'Suggested allocations of a collection.',
  CollectionTransaction: 'The booking of a collection.',
  Contact: 'A customer or recipient.',
  ContactMoney: 'The credit and the unmatched money of a customer.',
  Credit: 'Credit of a customer.',
  ContactDetails: 'A customer or recipient, with the document of identity, customer number, tags, notes and payers.',
  ContactPayer: 'Another payer for a customer.',
  Country: 'A country.',
  Currency: 'A currency of wallets.',
  CustomerStatement: 'The invoices and payments of a customer in a period.',
  DataBundle: 'A data bundle.',
  Event: 'A record of a change.',
  ExamProduct: 'A product of an exam.',
  Invoice: 'An invoice for a customer.',
  InvoiceBatch: 'Invoices that were made together, from a file or for a tag.',
  InvoiceBatchDuplicate: 'A customer who has the same invoice already.',
  InvoiceBatchPreview: 'A preview of a batch of invoices.',
  InvoiceBatchSum: 'The number of invoices and their sum.',
  InvoiceCustomerSum: 'The open and paid amounts of a customer.',
  InvoiceLeftOut: 'An invoice with which nothing was done, and the reason.',
  InvoiceAllocation: 'Money of an invoice that no request asked for.',
  InvoiceWaitingMoney: 'Unmatched money that may be for an invoice.',
  MatchSuggestion: 'A suggestion for unmatched money.',
  MatchingSettings: 'The rules about unrequested money.',
  NearMoney: 'Unmatched money that may be for a request.',
  RequestUnmatchedMoney: 'Unmatched money of the phone of a request.',
  SuggestedPart: 'An object that money may be for.',
  PhoneMoney: 'Unallocated money of a phone.',
  InvoiceLine: 'A line of an invoice.',
  InvoiceReminder: 'A reminder of an invoice.',
  InvoiceRequest: 'A collection request of an invoice, and what became of it.',
  InvoiceSend: 'To whom an invoice was sent, and what became of it.',
  InvoiceTagSum: 'The invoiced, paid and open sums of a tag.',
  InvoiceTax: 'The tax of one rate of an invoice.',
  InvoicesDone: 'The results for many invoices.',
  Network: 'A mobile-money network.',
  Payment: 'Money or airtime that is sent to phones.',
  PaymentLink: 'A page on which customers pay.',
  PaymentLinkField: 'A further question to a customer.',
  PaymentRecipient: 'A recipient of a payment.',
  PinBundle: 'Pins of one value.',
  Plan: 'A recurring collection request.',
  PricingOption: 'The price of some months.',
  PurchaseResult: 'The result of a purchase.',
  Receipt: 'The receipt of a payment that arrived.',
  ReceiptSend: 'To whom a receipt was sent, and what became of it.',
  RequestAction: 'An action of a person on a collection request.',
  RequestBatch: 'Collection requests that were made together, from a file or for a tag.',
  RequestBatchPreview: 'The requests that a batch would make.',
  RequestBatchProblem: 'Why no request can be made for a customer.',
  RequestBatchRow: 'The request to one customer, checked.',
  RequestBatchSum: 'The number of requests and their sum, in a currency through a network.',
  Sms: 'A message to a customer, and whether it arrived.',
  StatementEntry: 'An entry on the statement of a customer.',
  Transaction: 'A change of a balance.',
  UnmatchedMoney: 'Incoming money that is not allocated.',
  UnmatchedRow: 'A payment with an unallocated rest.',
  UnmatchedSum: 'The unallocated money in one currency.',
  Webhook: 'An address that gets a notification for each event of a type.',
}

/** Types of fields that neither the schema nor the name tells. A quantity and a rate are decimals that programs multiply with prices. */
export const MODEL_FIELDS: Readonly<Record<string, FieldType>> = {
  'Event.data': { kind: 'event_data' },
  'Invoice.min_part': { kind: 'money' },
  'InvoiceLine.quantity': { kind: 'money' },
  'InvoiceLine.tax_rate': { kind: 'money' },
  'InvoiceTax.rate': { kind: 'money' },
}

const text: FieldType = { kind: 'string' }
const optional = (name: string, type: FieldType, description?: string): Field => ({
  name,
  type,
  is_required: false,
  is_nullable: false,
  description,
})
const required = (name: string, type: FieldType, description?: string): Field => ({
  ...optional(name, type, description),
  is_required: true,
})

/** The contents of fields of inputs that openapi.json describes in words only. */
export const INPUT_FIELDS: Readonly<Record<string, FieldType>> = {
  recipient_data: { kind: 'list', item: { kind: 'record', name: 'NewRecipient' } },
  subscription_settings: { kind: 'record', name: 'SubscriptionSettings' },
  fields: { kind: 'list', item: { kind: 'record', name: 'NewPaymentLinkField' } },
  payers: { kind: 'list', item: { kind: 'record', name: 'NewContactPayer' } },
  parts: { kind: 'list', item: { kind: 'record', name: 'NewAllocationPart' } },
}

/** Descriptions of inputs that several calls take. */
export const SHARED_INPUTS: Readonly<Record<string, string>> = {
  InvoiceSelection: 'Invoices by their ids, or all that match a filter.',
  InvoiceSelectionVoid: 'Invoices to void, by their ids or all that match a filter, and the reason.',
  NewInvoiceBatch: 'An invoice for each customer with a tag.',
  NewRequestAction: 'Remind a customer of a request, or retry a failed or expired request.',
  NewRequestBatch: 'A request for the same amount to each customer with a tag.',
}

/** Descriptions of fields for which openapi.json speaks of texts and other names, which clients do not take. */
export const INPUT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  agentReference: 'Unique for all time.',
  metadata: 'Your own attributes. Numbers stay numbers.',
  recipient_data:
    'The recipients of a payment with many recipients. One invalid recipient makes the whole request invalid.',
  subscription_settings: 'A recurrence.',
}

export const INPUTS: readonly RecordType[] = [
  {
    name: 'NewContactPayer',
    description: 'Another payer for a customer.',
    fields: [required('phone_number', text, 'With the country code.'), optional('name', text, 'Name of the payer.')],
  },
  {
    name: 'NewRecipient',
    description: 'A recipient of a payment with many. Missing fields are taken from the payment.',
    fields: [
      required('phonenumber', text),
      optional('amount', { kind: 'money' }),
      optional('description', text),
      optional('metadata', { kind: 'object' }),
      optional('first_name', text),
      optional('last_name', text),
      optional('national_id', text),
      optional('national_id_type', { kind: 'choice', values: ['national', 'passport', 'military'] }),
    ],
  },
  {
    name: 'NewAllocationPart',
    description: 'A part of money for an invoice, a customer or a payment link.',
    fields: [
      optional('invoice', { kind: 'integer' }, 'An issued invoice.'),
      optional('contact', { kind: 'integer' }, 'A customer, who gets credit.'),
      optional('payment_link', { kind: 'integer' }, 'A payment link.'),
      optional('amount', { kind: 'money' }, 'Default: what the invoice asks for, or all that is left.'),
    ],
  },
  {
    name: 'SubscriptionSettings',
    description: 'A recurrence.',
    fields: [
      required('end_date', text, 'DD/MM/YYYY HH:MM:SS in UTC.'),
      optional('start_date', text, 'DD/MM/YYYY HH:MM:SS in UTC. Default: now.'),
      optional('weekdays', text, 'A list with commas.'),
      optional('months', text, 'A list with commas.'),
      optional('frequency', text, 'Of yearly, monthly, weekly, daily, hourly, minutely: a list with commas.'),
    ],
  },
  {
    name: 'NewPaymentLinkField',
    description: 'A further question to a customer.',
    fields: [
      required('name', text, 'The key in the metadata of the request.'),
      required('label', text, 'The text that the customer reads.'),
      optional('type', { kind: 'choice', values: ['text', 'number', 'choice'] }, 'Default `text`.'),
      optional('required', { kind: 'boolean' }, 'True if the customer must answer.'),
      optional('choices', { kind: 'list', item: text }, 'The possible answers.'),
    ],
  },
]

/** The model that the data of an event is, by the type of the event. */
export const eventData: readonly (readonly [string, string])[] = [
  ['collectionrequest.status.changed', 'CollectionRequest'],
  ['collection.received', 'Collection'],
  ['collection.reversed', 'Collection'],
  ['contact.created', 'Contact'],
  ['contact.credit_changed', 'CreditChange'],
  ['payment.status.changed', 'PaymentEventData'],
  ['billpayment.status.changed', 'PurchaseEventData'],
  ['invoice.issued', 'Invoice'],
  ['invoice.paid', 'Invoice'],
  ['invoice.partly_paid', 'Invoice'],
  ['invoice.reopened', 'Invoice'],
  ['invoice.voided', 'Invoice'],
]

/** Fields of a payment that its events leave out. */
const NOT_IN_EVENTS: readonly string[] = [
  'account',
  'remote_transaction_id',
  'charged_fee',
  'transactions',
  'approvals_required',
  'approvals',
  'approved_by',
  'approved_time',
]

/** The data of events that has another form than in the API. */
export function eventModels(models: ReadonlyMap<string, RecordType>): RecordType[] {
  const payment = models.get('Payment')!.fields.filter(({ name }) => !NOT_IN_EVENTS.includes(name))
  const integer: FieldType = { kind: 'integer' }
  const orNull = (name: string): Field => ({ ...required(name, text), is_nullable: true })
  return [
    {
      name: 'PaymentEventData',
      description: 'A payment in events and notifications, where it has another form than in the API.',
      fields: payment.map((field) => {
        if (field.name === 'phone_nos')
          return { ...field, type: { kind: 'list', item: text }, description: 'The numbers of the recipients.' }
        if (field.name === 'state')
          return { ...field, type: text, description: 'As in the API, but `completed` for `processed`.' }
        return field
      }),
    },
    {
      name: 'CreditChange',
      description: 'A change of the credit of a customer, and the credit afterwards.',
      fields: [
        required('id', integer, 'The customer.'),
        orNull('customer_number'),
        required('currency', text),
        required(
          'amount',
          { kind: 'money' },
          'The change of the credit. Negative: used, moved, refunded or taken back.',
        ),
        required('balance', { kind: 'money' }, 'The credit of the customer in this currency afterwards.'),
        required('collection', integer, 'The payment whose money it is.'),
        {
          ...required('invoice', integer, 'The invoice that was paid, or that the money was for before.'),
          is_nullable: true,
        },
      ],
    },
    {
      name: 'PurchaseEventData',
      description: 'The result of a purchase, with the purchased service.',
      fields: [
        ...models.get('PurchaseResult')!.fields,
        required('id', integer),
        required('organization', integer),
        required('agentReference', text),
        required('kind', text),
        required('service_type', text),
        orNull('account_number'),
        orNull('phone'),
        required('amount', { kind: 'money' }),
        required('currency', text),
        required('metadata', { kind: 'object' }),
        required('status', text, '`success`, `pending` or `failed`.'),
        orNull('error_code'),
        required('created', { kind: 'time' }),
        required('modified', { kind: 'time' }),
        required('author', integer),
      ],
    },
  ]
}
