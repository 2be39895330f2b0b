import { List, type Page } from './lists.ts'
import { Resource, withoutKey } from './resources.ts'
import type { Call, CallOptions, CreateOptions, Query } from './transport.ts'
import type {
  Filters,
  Invoice,
  InvoiceChanges,
  InvoiceCustomerSum,
  InvoiceSelection,
  InvoiceSelectionVoid,
  InvoicesDone,
  InvoiceTagSum,
  NewInvoice,
  NewInvoiceCollection,
  NewInvoiceSend,
  NewInvoiceVoid,
} from './types.ts'

/** Invoices. A draft can be changed and deleted; an issued invoice has a number and can only be voided. */
export class Invoices extends Resource<Invoice, Filters<'listInvoices'>> {
  /** Make a draft. */
  create(input: NewInvoice, options?: CreateOptions): Promise<Invoice> {
    return this.createOnce('invoice', input, options)
  }

  /** Change the given fields of a draft. */
  async update(id: number, changes: InvoiceChanges, options?: CallOptions): Promise<Invoice> {
    return this.change(id, changes, options)
  }

  /** Delete a draft. @returns the draft as it was */
  async delete(id: number, options?: CallOptions): Promise<Invoice> {
    const path = `${this.path}/${encodeURIComponent(id)}`
    return (await this.transport.send({ method: 'DELETE', path, writes: true, options })) as Invoice
  }

  /** Issue a draft: it gets its number, and `url` is the page for the customer. */
  issue(id: number, options?: CreateOptions): Promise<Invoice> {
    return this.#act(id, 'issue', {}, options)
  }

  /** Void an issued invoice. It keeps its number. */
  void(id: number, input: NewInvoiceVoid = {}, options?: CreateOptions): Promise<Invoice> {
    return this.#act(id, 'void', input, options)
  }

  /** Send an issued invoice by SMS to the phone of the customer, or by e-mail. */
  send(id: number, input: NewInvoiceSend = {}, options?: CreateOptions): Promise<Invoice> {
    return this.#act(id, 'send', input, options)
  }

  /** Request the open amount, or a part of it, now. Refused while another request of the invoice may still be paid. */
  collect(id: number, input: NewInvoiceCollection = {}, options?: CreateOptions): Promise<Invoice> {
    return this.#act(id, 'collect', input, options)
  }

  /** Issue many drafts, in the order of their ids. When an answer is lost, `done` counts only the last attempt. */
  issueMany(selection: InvoiceSelection, options?: CallOptions): Promise<InvoicesDone> {
    return this.#actOnMany('issue', selection, options)
  }

  /** Remind the customers of many issued invoices now, each at most once a day. */
  remindMany(selection: InvoiceSelection, options?: CallOptions): Promise<InvoicesDone> {
    return this.#actOnMany('remind', selection, options)
  }

  /** Void many issued invoices. They keep their numbers. */
  voidMany(selection: InvoiceSelectionVoid, options?: CallOptions): Promise<InvoicesDone> {
    return this.#actOnMany('void', selection, options)
  }

  /** Invoiced, paid and open amounts by the tags of customers. */
  async sumByTag(query?: Filters<'sumInvoicesByTag'>, options?: CallOptions): Promise<InvoiceTagSum[]> {
    const answer = await this.transport.send({ method: 'GET', path: `${this.path}/tags`, query, options })
    return (answer as { results: InvoiceTagSum[] }).results
  }

  /** Customers with a tag, by name, with their invoiced, paid and open amounts. */
  customers(filters: Filters<'listInvoiceCustomers'>, options?: CallOptions): List<InvoiceCustomerSum> {
    const path = `${this.path}/customers`
    const load = (query: Query) =>
      this.transport.send({ method: 'GET', path, query, options }) as Promise<Page<InvoiceCustomerSum>>
    return new List(load, { ...filters })
  }

  /** Act once, however often the call has to be sent. */
  async #act(id: number, verb: string, body: object, options?: CreateOptions): Promise<Invoice> {
    const path = `${this.path}/${encodeURIComponent(id)}/${verb}`
    const readCreated = async (done: { id: number }) => (done.id === id ? this.get(id, withoutKey(options)) : undefined)
    const call: Call = { method: 'POST', path, body, creates: 'invoice', readCreated, options }
    return (await this.transport.send(call)) as Invoice
  }

  /** Needs no `Duplicate-Check-Key`: an invoice that is done is no longer in a state for it. */
  async #actOnMany(verb: string, body: object, options?: CallOptions): Promise<InvoicesDone> {
    const path = `${this.path}/${verb}`
    return (await this.transport.send({ method: 'POST', path, body, writes: true, options })) as InvoicesDone
  }
}
