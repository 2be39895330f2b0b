import { ACCOUNT_MONEY_FIELDS } from './json.ts'
import { List, type Page } from './lists.ts'
import { poll, type WaitOptions } from './poll.ts'
import type { Call, CallOptions, CreateOptions, Query, Transport } from './transport.ts'
import type {
  Account,
  Ageing,
  CollectionRequest,
  ContactChanges,
  ContactDetails,
  ContactMoney,
  Currency,
  CustomerStatement,
  Filters,
  NearMoney,
  Network,
  NewCollectionRequest,
  NewContact,
  NewPayment,
  NewPaymentLink,
  NewReceipt,
  NewReceiptSend,
  NewRefund,
  NewRequestAction,
  NewSentPaymentLink,
  NewWebhook,
  Payment,
  PaymentLink,
  PaymentLinkChanges,
  Plan,
  Receipt,
  RequestAction,
  Sms,
  Transaction,
  UnmatchedMoney,
  Webhook,
} from './types.ts'

/** Objects that can be read by id and listed. All calls throw KusanyaError. */
export class Resource<Item extends { id: number }, ItemFilters extends object> {
  protected readonly transport: Transport
  protected readonly path: string
  readonly #money_fields: Call['money_fields']

  constructor(transport: Transport, path: string, money_fields?: Call['money_fields']) {
    this.transport = transport
    this.path = path
    this.#money_fields = money_fields
  }

  /** Read one object. */
  async get(id: number, options?: CallOptions): Promise<Item> {
    const path = `${this.path}/${encodeURIComponent(id)}`
    return (await this.transport.send({ method: 'GET', path, money_fields: this.#money_fields, options })) as Item
  }

  /** The objects that match all filters, the newest first unless `ordering` says otherwise. Nothing is read before it is needed. */
  list(filters?: ItemFilters, options?: CallOptions): List<Item> {
    const { path, transport } = this
    const load = (query: Query) =>
      transport.send({ method: 'GET', path, query, money_fields: this.#money_fields, options }) as Promise<Page<Item>>
    return new List(load, { ...filters })
  }

  /** Change the given fields of an object. */
  protected async change(id: number, body: object, options?: CallOptions): Promise<Item> {
    const path = `${this.path}/${encodeURIComponent(id)}`
    return (await this.transport.send({ method: 'PATCH', path, body, writes: true, options })) as Item
  }

  /** Create an object once, despite repeated sending. */
  protected async createOnce(creates: Call['creates'], body: object, options?: CreateOptions): Promise<Item> {
    const readCreated = ({ id }: { id: number }) => this.get(id, withoutKey(options))
    const call: Call = { method: 'POST', path: this.path, body, creates, readCreated, options }
    return (await this.transport.send(call)) as Item
  }
}

/** Field of an action that names its result. */
type MadeField = 'new_request' | 'payment_link' | 'payment'

/** Requests for money from customers. */
export class CollectionRequests extends Resource<CollectionRequest, Filters<'listCollectionRequests'>> {
  /** Ask a customer for money. With `send_instructions` the customer's phone shows a prompt. */
  create(input: NewCollectionRequest, options?: CreateOptions): Promise<CollectionRequest> {
    return this.createOnce('collectionrequest', input, options)
  }

  /**
   * Send the instructions of an open request again, and bring its next prompt forward. Refused (`KusanyaError` with
   * `fields.collection_request`) at night, too often, and if the request is not open.
   */
  remind(id: number, input: NewRequestAction = {}, options?: CreateOptions): Promise<RequestAction> {
    const find = (made: number) => this.#findAction(id, 'id', made, options)
    return this.#act(id, 'remind', input, 'requestaction', find, options)
  }

  /**
   * Make a new request with the contents of a failed or expired one. Refused while the network has not reported the end
   * of its last prompt. @returns the new request
   */
  retry(id: number, input: NewRequestAction = {}, options?: CreateOptions): Promise<CollectionRequest> {
    const find = async (made: number) =>
      (await this.#findAction(id, 'new_request', made, options)) && this.get(made, withoutKey(options))
    return this.#act(id, 'retry', input, 'collectionrequest', find, options)
  }

  /** Make a payment link for one use with the amount of a request that has failed or expired, and send it by SMS. */
  sendPaymentLink(id: number, input: NewSentPaymentLink = {}, options?: CreateOptions): Promise<PaymentLink> {
    const find = async (link: number) =>
      (await this.#findAction(id, 'payment_link', link, options)) &&
      this.#read<PaymentLink>(`/api/paymentlinks/${link}`, options)
    return this.#act(id, 'paymentlink', input, 'paymentlink', find, options)
  }

  /**
   * Send the money of a successful request back, all that is left of it or an amount. The payment may need an approval.
   */
  refund(id: number, input: NewRefund, options?: CreateOptions): Promise<Payment> {
    const find = async (payment: number) =>
      (await this.#findAction(id, 'payment', payment, options)) &&
      this.#read<Payment>(`/api/payments/${payment}`, options)
    return this.#act(id, 'refund', input, 'payment', find, options)
  }

  /** List the actions of people on a request, with their reasons: reminders, retries, payment links and refunds. */
  actions(id: number, filters?: Filters<'listRequestActions'>, options?: CallOptions): List<RequestAction> {
    const path = `${this.path}/${encodeURIComponent(id)}/actions`
    const load = (query: Query) =>
      this.transport.send({ method: 'GET', path, query, options }) as Promise<Page<RequestAction>>
    return new List(load, { ...filters })
  }

  /** Unmatched money from the phone of a request, the nearest amount first. */
  async unmatchedMoney(id: number, options?: CallOptions): Promise<NearMoney[]> {
    const path = `${this.path}/${encodeURIComponent(id)}/unmatched-money`
    const answer = (await this.transport.send({ method: 'GET', path, options })) as { unmatched: NearMoney[] }
    return answer.unmatched
  }

  async #act<Made>(
    id: number,
    verb: string,
    body: object,
    creates: Call['creates'],
    find: (made: number) => Promise<Made | undefined>,
    options?: CreateOptions,
  ): Promise<Made> {
    const path = `${this.path}/${encodeURIComponent(id)}/${verb}`
    const readCreated = (duplicate: { id: number }) => find(duplicate.id)
    return (await this.transport.send({ method: 'POST', path, body, creates, readCreated, options })) as Made
  }

  /** Find the action of this request that made an object: the key of a call may belong to another one. */
  async #findAction(id: number, field: 'id' | MadeField, made: number, options?: CreateOptions) {
    return (await this.actions(id, {}, withoutKey(options)).toArray()).find((action) => action[field] === made)
  }

  async #read<Made>(path: string, options?: CreateOptions): Promise<Made> {
    return (await this.transport.send({ method: 'GET', path, options: withoutKey(options) })) as Made
  }

  /**
   * Read a request until it has ended: `successful`, `failed`, `expired` or `reversed`. In production wait for a
   * webhook instead.
   * @throws WaitTimeout when it has not ended in time. The request goes on.
   */
  wait(id: number, options?: WaitOptions): Promise<CollectionRequest> {
    return poll(`Collection request ${id}`, () => this.get(id, options), hasRequestEnded, options)
  }
}

/** Money and airtime that is sent to phones. */
export class Payments extends Resource<Payment, Filters<'listPayments'>> {
  /** Send money or airtime to one recipient, or to as many as `recipient_data` has. */
  create(input: NewPayment, options?: CreateOptions): Promise<Payment> {
    return this.createOnce('payment', input, options)
  }

  /**
   * Read a payment until it has ended: `processed`, `processed_with_errors`, `rejected` or `cancelled`.
   * @throws WaitTimeout when it has not ended in time. The payment goes on.
   */
  wait(id: number, options?: WaitOptions): Promise<Payment> {
    return poll(`Payment ${id}`, () => this.get(id, options), hasPaymentEnded, options)
  }
}

/** Pages on which customers pay. */
export class PaymentLinks extends Resource<PaymentLink, Filters<'listPaymentLinks'>> {
  /** Make a page. Its address is `url`. */
  create(input: NewPaymentLink, options?: CreateOptions): Promise<PaymentLink> {
    return this.createOnce('paymentlink', input, options)
  }

  /** Change the given fields. The amount cannot change. */
  async update(id: number, changes: PaymentLinkChanges, options?: CallOptions): Promise<PaymentLink> {
    return this.change(id, changes, options)
  }

  /** Take no more payments. Prompts that are on phones may still be approved. */
  close(id: number, options?: CallOptions): Promise<PaymentLink> {
    return this.change(id, { state: 'closed' }, options)
  }
}

/** Receipts of payments that arrived. `url` is the page for the customer, `pdf_url` the same as PDF. */
export class Receipts extends Resource<Receipt, Filters<'listReceipts'>> {
  /**
   * Make the receipt of a collection, or of the payment that fulfilled a request. A second call gives the same receipt.
   */
  async issue(input: NewReceipt, options?: CallOptions): Promise<Receipt> {
    return (await this.transport.send({
      method: 'POST',
      path: this.path,
      body: input,
      writes: true,
      options,
    })) as Receipt
  }

  /**
   * Send a receipt by SMS to the phone that paid, or by e-mail: to `email`, or to the contact's address. It is sent
   * once, despite repeated calls.
   */
  async send(id: number, input: NewReceiptSend = {}, options?: CreateOptions): Promise<Receipt> {
    const path = `${this.path}/${encodeURIComponent(id)}/send`
    const readCreated = async (sent: { id: number }) => (sent.id === id ? this.get(id, withoutKey(options)) : undefined)
    const call: Call = { method: 'POST', path, body: input, creates: 'receipt', readCreated, options }
    return (await this.transport.send(call)) as Receipt
  }
}

/** Recurring collection requests. A request with `subscription_settings` starts one. */
export class Plans extends Resource<Plan, Filters<'listPlans'>> {
  /** Pause a plan. Dates that pass meanwhile are not requested afterwards. */
  pause(id: number, options?: CallOptions): Promise<Plan> {
    return this.#act(id, 'pause', options)
  }

  /** Resume a paused plan at its next date. */
  resume(id: number, options?: CallOptions): Promise<Plan> {
    return this.#act(id, 'resume', options)
  }

  /** Stop a plan permanently. */
  stop(id: number, options?: CallOptions): Promise<Plan> {
    return this.#act(id, 'stop', options)
  }

  async #act(id: number, verb: string, options?: CallOptions): Promise<Plan> {
    const path = `${this.path}/${encodeURIComponent(id)}/${verb}`
    return (await this.transport.send({ method: 'POST', path, body: {}, writes: true, options })) as Plan
  }
}

/** Customers and recipients. */
export class Contacts extends Resource<ContactDetails, Filters<'listContacts'>> {
  create(input: NewContact, options?: CreateOptions): Promise<ContactDetails> {
    return this.createOnce('contact', input, options)
  }

  /** Change the given fields. */
  async update(id: number, changes: ContactChanges, options?: CallOptions): Promise<ContactDetails> {
    return this.change(id, changes, options)
  }

  /** The credit of a customer, and unmatched money from its phones. */
  async money(id: number, options?: CallOptions): Promise<ContactMoney> {
    const path = `${this.path}/${encodeURIComponent(id)}/money`
    return (await this.transport.send({ method: 'GET', path, options })) as ContactMoney
  }

  /**
   * Get a customer's invoices and payments with the balances, from the day `from` to the day `to`. Default: this month.
   */
  async statement(
    id: number,
    query?: Filters<'getContactStatement'>,
    options?: CallOptions,
  ): Promise<CustomerStatement> {
    const path = `${this.path}/${encodeURIComponent(id)}/statement`
    return (await this.transport.send({ method: 'GET', path, query, options })) as CustomerStatement
  }
}

/** Reports on open amounts and on unallocated money. Rows come in pages of `limit`; totals cover all pages. */
export class Reports {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The open amounts of customers by how long they are overdue. */
  async ageing(query?: Filters<'getAgeing'>, options?: CallOptions): Promise<Ageing> {
    return (await this.#transport.send({ method: 'GET', path: '/api/reports/ageing', query, options })) as Ageing
  }

  /** Money that came in and is for nothing yet, the oldest first. */
  async unmatched(query?: Filters<'getUnmatched'>, options?: CallOptions): Promise<UnmatchedMoney> {
    return (await this.#transport.send({
      method: 'GET',
      path: '/api/reports/unmatched',
      query,
      options,
    })) as UnmatchedMoney
  }
}

/** Addresses that get a notification for each event of a type. They are deleted in the console, or by answering 410. */
export class Webhooks extends Resource<Webhook, Filters<'listWebhooks'>> {
  create(input: NewWebhook, options?: CreateOptions): Promise<Webhook> {
    return this.createOnce('webhook', input, options)
  }
}

export class Accounts extends Resource<Account, Filters<'listAccounts'>> {
  constructor(transport: Transport, path: string) {
    super(transport, path, ACCOUNT_MONEY_FIELDS)
  }
}
export class Transactions extends Resource<Transaction, Filters<'listTransactions'>> {}
/** Messages to customers, and whether they arrived. */
export class SmsMessages extends Resource<Sms, Filters<'listSms'>> {}
export class Networks extends Resource<Network, Filters<'listNetworks'>> {}
export class Currencies extends Resource<Currency, Filters<'listCurrencies'>> {}

/** New states may be added: every other state means that the request is in progress. */
function hasRequestEnded({ status }: CollectionRequest): boolean {
  return ['successful', 'failed', 'expired', 'reversed'].includes(status)
}

function hasPaymentEnded({ state }: Payment): boolean {
  return ['processed', 'processed_with_errors', 'rejected', 'cancelled'].includes(state)
}

/** The options of a call without its `Duplicate-Check-Key`. */
export function withoutKey(options: CreateOptions = {}): CallOptions {
  const { duplicate_check_key: _, ...others } = options
  return others
}
