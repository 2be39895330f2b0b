import { InvoiceBatches, RequestBatches } from './batches.ts'
import { Bills } from './bills.ts'
import { Collections, MatchingRules } from './collections.ts'
import { Invoices } from './invoices.ts'
import {
  Accounts,
  CollectionRequests,
  Contacts,
  Currencies,
  Networks,
  PaymentLinks,
  Payments,
  Plans,
  Receipts,
  Reports,
  Resource,
  SmsMessages,
  Transactions,
  Webhooks,
} from './resources.ts'
import { type StreamedEvent, type StreamOptions, streamEvents } from './stream.ts'
import { createTransport, type KusanyaOptions } from './transport.ts'
import type { Event, Filters } from './types.ts'

/** The records of changes in the organization. */
export class Events extends Resource<Event, Filters<'listEvents'>> {
  /** The events as they happen, over breaks of the connection: `for await (const event of kusanya.events.stream())`. */
  stream(options?: StreamOptions): AsyncGenerator<StreamedEvent, void, undefined> {
    return streamEvents(this.transport, options)
  }
}

/** A client of one Kusanya, with one API key. It keeps nothing open, and may be used by many calls at once. */
export class Kusanya {
  readonly collectionRequests: CollectionRequests
  readonly requestBatches: RequestBatches
  readonly collections: Collections
  readonly payments: Payments
  readonly paymentLinks: PaymentLinks
  readonly receipts: Receipts
  readonly invoices: Invoices
  readonly invoiceBatches: InvoiceBatches
  readonly matchingSettings: MatchingRules
  /** Recurring collection requests. */
  readonly plans: Plans
  readonly contacts: Contacts
  readonly reports: Reports
  readonly accounts: Accounts
  readonly transactions: Transactions
  readonly sms: SmsMessages
  readonly webhooks: Webhooks
  readonly events: Events
  readonly networks: Networks
  readonly currencies: Currencies
  readonly bills: Bills

  /** @throws TypeError if the address or the key cannot be one */
  constructor(options: KusanyaOptions) {
    const transport = createTransport(options)
    this.collectionRequests = new CollectionRequests(transport, '/api/collectionrequests')
    this.requestBatches = new RequestBatches(transport, '/api/collectionrequests/batches')
    this.collections = new Collections(transport, '/api/collections')
    this.payments = new Payments(transport, '/api/payments')
    this.paymentLinks = new PaymentLinks(transport, '/api/paymentlinks')
    this.receipts = new Receipts(transport, '/api/receipts')
    this.invoices = new Invoices(transport, '/api/invoices')
    this.invoiceBatches = new InvoiceBatches(transport, '/api/invoices/batches')
    this.matchingSettings = new MatchingRules(transport)
    this.plans = new Plans(transport, '/api/plans')
    this.contacts = new Contacts(transport, '/api/contacts')
    this.reports = new Reports(transport)
    this.accounts = new Accounts(transport, '/api/accounts')
    this.transactions = new Transactions(transport, '/api/transactions')
    this.sms = new SmsMessages(transport, '/api/sms')
    this.webhooks = new Webhooks(transport, '/api/webhooks')
    this.events = new Events(transport, '/api/events')
    this.networks = new Networks(transport, '/api/networks')
    this.currencies = new Currencies(transport, '/api/currencies')
    this.bills = new Bills(transport)
  }
}
