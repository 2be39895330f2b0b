import { Resource } from './resources.ts'
import type { Call, CallOptions, CreateOptions } from './transport.ts'
import type {
  Filters,
  InvoiceBatch,
  InvoiceBatchPreview,
  NewInvoiceBatch,
  NewRequestBatch,
  RequestBatch,
  RequestBatchPreview,
} from './types.ts'

/** Objects for all customers with a tag, made together. Lists also have the batches of files. */
class Batches<
  Batch extends { id: number },
  BatchFilters extends object,
  NewBatch extends object,
  Preview,
> extends Resource<Batch, BatchFilters> {
  /** Check a batch. Nothing is stored. */
  async preview(input: NewBatch, options?: CallOptions): Promise<Preview> {
    const path = `${this.path}/preview`
    return (await this.transport.send({ method: 'POST', path, body: input, options })) as Preview
  }

  /**
   * Begin a batch, or continue the one that this key has begun. Another batch that has the key is an error, and is
   * never returned.
   */
  protected async createBatch(creates: Call['creates'], body: NewBatch, options?: CreateOptions): Promise<Batch> {
    return (await this.transport.send({ method: 'POST', path: this.path, body, creates, options })) as Batch
  }
}

/** Invoices for all customers with a tag. */
export class InvoiceBatches extends Batches<
  InvoiceBatch,
  Filters<'listInvoiceBatches'>,
  NewInvoiceBatch,
  InvoiceBatchPreview
> {
  /**
   * Make an invoice for each customer with a tag. The same call with the same key continues the batch and returns its
   * state.
   */
  create(input: NewInvoiceBatch, options?: CreateOptions): Promise<InvoiceBatch> {
    return this.createBatch('invoicebatch', input, options)
  }
}

/** Collection requests to all customers with a tag. */
export class RequestBatches extends Batches<
  RequestBatch,
  Filters<'listRequestBatches'>,
  NewRequestBatch,
  RequestBatchPreview
> {
  /**
   * Request the same amount from each customer with a tag. The same call with the same key continues the batch and
   * returns its state.
   */
  create(input: NewRequestBatch, options?: CreateOptions): Promise<RequestBatch> {
    return this.createBatch('requestbatch', input, options)
  }
}
