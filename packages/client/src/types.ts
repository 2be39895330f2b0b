import type { components, operations } from './openapi.ts'

type Schemas = components['schemas']
type Operations = operations

export type Account = Schemas['Account']
export type Ageing = Schemas['Ageing']
export type Collection = Schemas['Collection']
export type CollectionAllocations = Schemas['CollectionAllocations']
export type CollectionRequest = Schemas['CollectionRequest']
export type Contact = Schemas['Contact']
export type ContactMoney = Schemas['ContactMoney']
export type ContactDetails = Schemas['ContactDetails']
export type Currency = Schemas['Currency']
export type CustomerStatement = Schemas['CustomerStatement']
export type Invoice = Schemas['Invoice']
export type InvoiceBatch = Schemas['InvoiceBatch']
export type InvoiceBatchPreview = Schemas['InvoiceBatchPreview']
export type InvoiceCustomerSum = Schemas['InvoiceCustomerSum']
export type InvoicesDone = Schemas['InvoicesDone']
export type InvoiceTagSum = Schemas['InvoiceTagSum']
export type MatchingSettings = Schemas['MatchingSettings']
export type MatchSuggestion = Schemas['MatchSuggestion']
export type NearMoney = Schemas['NearMoney']
export type Plan = Schemas['Plan']
export type Network = Schemas['Network']
export type Payment = Schemas['Payment']
export type PaymentLink = Schemas['PaymentLink']
export type RequestAction = Schemas['RequestAction']
export type RequestBatch = Schemas['RequestBatch']
export type RequestBatchPreview = Schemas['RequestBatchPreview']
export type PaymentRecipient = Schemas['PaymentPhone']
export type Receipt = Schemas['Receipt']
export type Sms = Schemas['Sms']
export type Transaction = Schemas['Transaction']
export type UnmatchedMoney = Schemas['UnmatchedMoney']
export type Webhook = Schemas['Webhook']
export type PurchaseResult = Schemas['BillPurchaseResult']

/** Custom attributes of an object. Numbers stay numbers. */
export type Metadata = Record<string, unknown>

/** Changes fields of a type. */
type With<Type, Fields> = Omit<Type, keyof Fields> & Fields

export type NewCollectionRequest = With<
  Schemas['NewCollectionRequest'],
  { metadata?: Metadata; subscription_settings?: SubscriptionSettings }
>

/** A recurrence. Times are `DD/MM/YYYY HH:MM:SS` in UTC; the other fields are lists with commas. */
export interface SubscriptionSettings {
  start_date?: string
  end_date: string
  weekdays?: string
  months?: string
  frequency?: string
}

/** Recipient of a payment with many. Missing fields are taken from the payment. */
export interface NewRecipient {
  phonenumber: string
  amount?: string
  description?: string
  metadata?: Metadata
  first_name?: string
  last_name?: string
  national_id?: string
  national_id_type?: 'national' | 'passport' | 'military'
}

export type NewPayment = With<Schemas['NewPayment'], { metadata?: Metadata; recipient_data?: NewRecipient[] }>

/** A question on the page of a payment link. The answers are in `metadata` of its requests. */
export interface NewLinkField {
  name: string
  label: string
  type?: 'text' | 'number' | 'choice'
  required?: boolean
  choices?: string[]
}

/** Give `amount`, or `min_amount` and `max_amount`, or `amounts`. */
export type NewPaymentLink = With<
  Schemas['NewPaymentLink'],
  { min_amount?: string; max_amount?: string; amounts?: string[]; fields?: NewLinkField[]; frame_ancestors?: string[] }
>
export type PaymentLinkChanges = Schemas['PaymentLinkChanges']
export type NewAllocations = Schemas['NewAllocations']
export type MatchingSettingsChanges = Schemas['MatchingSettingsChanges']
export type NewInvoice = Schemas['NewInvoice']
export type InvoiceChanges = Schemas['InvoiceChanges']
export type InvoiceSelection = Schemas['InvoiceSelection']
export type InvoiceSelectionVoid = Schemas['InvoiceSelectionVoid']
export type NewInvoiceBatch = Schemas['NewInvoiceBatch']
export type NewInvoiceSend = Schemas['NewInvoiceSend']
export type NewInvoiceVoid = Schemas['NewInvoiceVoid']
export type NewInvoiceCollection = Schemas['NewInvoiceCollection']
export type NewReceipt = Schemas['NewReceipt']
export type NewReceiptSend = Schemas['NewReceiptSend']
export type NewRefund = Schemas['NewRefund']
export type NewRequestAction = Schemas['NewRequestAction']
export type NewRequestBatch = Schemas['NewRequestBatch']
export type NewSentPaymentLink = Schemas['NewSentPaymentLink']
export type NewContact = With<Schemas['NewContact'], { metadata?: Metadata }>
export type ContactChanges = With<Schemas['ContactChanges'], { metadata?: Metadata }>
export type NewWebhook = With<Schemas['NewWebhook'], { event: EventType }>

/** The filters of a list, with `limit` (the size of a page, at most 1000), `offset` and `ordering`. */
export type Filters<Operation extends keyof Operations> = Omit<
  NonNullable<Operations[Operation]['parameters']['query']>,
  'format' | 'claim'
>

/** The body of a bill payment's call. */
export type BillBody<Operation extends keyof Operations> = Operations[Operation] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? With<Body, Body extends { metadata?: unknown } ? { metadata?: Metadata } : unknown>
  : never

/** The `data` of a bill payment's answer. */
export type BillData<Operation extends keyof Operations> = Operations[Operation] extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } }
}
  ? Data
  : never

/** A payment in events and notifications, where it has another form than in the API. */
export interface PaymentEventData
  extends Omit<
    Payment,
    | 'phone_nos'
    | 'account'
    | 'remote_transaction_id'
    | 'charged_fee'
    | 'transactions'
    | 'state'
    | 'approvals_required'
    | 'approvals'
    | 'approved_by'
    | 'approved_time'
  > {
  /** The numbers of the recipients. */
  phone_nos: string[]
  /** `completed` stands for the API's `processed`. */
  state: Exclude<Payment['state'], 'processed'> | 'completed'
}

/** The result of a purchase, with the purchased service. */
export interface PurchaseEventData extends PurchaseResult {
  id: number
  organization: number
  agentReference: string
  kind: string
  service_type: string
  account_number: string | null
  phone: string | null
  amount: string
  currency: string
  metadata: Metadata
  /** `success`, `pending` or `failed`. */
  status: string
  error_code: string | null
  created: string
  modified: string
  author: number
}

/** A change of the credit of a customer, and the credit afterwards. */
export interface CreditChange {
  /** The customer. */
  id: number
  customer_number: string | null
  currency: string
  /** Change of the credit. Negative: used, moved, refunded or taken back. */
  amount: string
  /** The credit of the customer in this currency afterwards. */
  balance: string
  /** The payment whose money it is. */
  collection: number
  /** The invoice that was paid, or that the money was for before. */
  invoice: number | null
}

/** Data of an event, by its type. */
export interface EventData {
  'collectionrequest.status.changed': CollectionRequest
  'collection.received': Collection
  'collection.reversed': Collection
  'invoice.issued': Invoice
  'invoice.paid': Invoice
  'invoice.partly_paid': Invoice
  'invoice.reopened': Invoice
  'invoice.voided': Invoice
  'contact.created': Contact
  'contact.credit_changed': CreditChange
  'payment.status.changed': PaymentEventData
  'billpayment.status.changed': PurchaseEventData
}

/** New types may be added. */
export type EventType = keyof EventData

type EventOf<Type extends EventType> = With<Schemas['Event'], { type: Type; data: EventData[Type] }>

/** Record of a change. Its type determines its data. */
export type Event = { [Type in EventType]: EventOf<Type> }[EventType]

interface NotificationOf<Type extends EventType> {
  /** The type of the event; the same as `hook.event`. */
  type: Type
  /** The webhook that it was sent for. In a stream its id is 0. */
  hook: Webhook
  /** The object that the event is about, as it was then. */
  data: EventData[Type]
}

/** Content of a webhook or a stream about an event. */
export type Notification = { [Type in EventType]: NotificationOf<Type> }[EventType]
