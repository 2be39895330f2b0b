import { type Batches, type BatchKind, InvoiceBatch, RequestBatch } from '../../core/batches/batch.ts'
import { listBatches, readBatch } from '../../core/batches/batches.ts'
import type { AnyReader } from '../../db/client.ts'
import { type Columns, type ListRequest, list, ownerOf } from './list.ts'

/** Return what the lists of the batches of both kinds have in common. */
function batchesOf<Kind extends BatchKind>(kind: Kind) {
  const one = (asked: { organization: number | undefined }) => ({ kind, organization: ownerOf(asked) })
  return {
    name: `batches of ${kind}`,
    permission: 'view',
    filters: {},
    read: (db: AnyReader, asked: ListRequest<object>) => listBatches(db, one(asked), asked.page),
    find: (db: AnyReader, asked: { organization: number | undefined; id: number }) =>
      readBatch(db, { ...one(asked), id: asked.id }),
    cli: {
      path: `${kind} batches`,
      description: `list batches of ${kind} from files and tags`,
      organization: 'one',
      limit: 'how many',
    },
    columns: {
      id: ({ id }) => id,
      from: ({ name }) => name,
      rows: ({ rows }) => rows,
      made: ({ made }) => made,
      skipped: ({ skipped }) => skipped,
      refused: ({ refused }) => refused,
    } as Columns<Batches[Kind]>,
    finished: { finished: ({ finished }) => finished } as Columns<Batches[Kind]>,
  } as const
}

const { find: findRequests, cli: requestsCommand, columns, finished, ...ofRequests } = batchesOf('requests')
const { find: findInvoices, cli: invoicesCommand, columns: own, finished: last, ...ofInvoices } = batchesOf('invoices')

export const requestBatchList = list({
  ...ofRequests,
  view: RequestBatch,
  one: {
    find: findRequests,
    decides: true,
    operation: 'getRequestBatch',
    summary: 'Get one batch of requests',
    description: 'Returns how many requests the batch has made, skipped and refused.',
  },
  api: {
    path: '/collectionrequests/batches',
    tag: 'Collection requests',
    operation: 'listRequestBatches',
    summary: 'List batches of requests from files and tags',
    description: 'Returns the batches with their counts.',
  },
}).withCommand({
  ...requestsCommand,
  none: 'There are no batches. `requests import` and `requests create-many` make them.',
  columns: { ...columns, ...finished },
})

export const invoiceBatchList = list({
  ...ofInvoices,
  view: InvoiceBatch,
  one: {
    find: findInvoices,
    decides: true,
    operation: 'getInvoiceBatch',
    summary: 'Get one batch of invoices',
    description: 'Returns the batch with the numbers of invoices made and skipped.',
  },
  api: {
    path: '/invoices/batches',
    tag: 'Invoices',
    operation: 'listInvoiceBatches',
    summary: 'List batches of invoices from files and tags',
    description: 'Returns the batches with the numbers of invoices made and skipped.',
  },
}).withCommand({
  ...invoicesCommand,
  none: 'There are no batches. `invoices create-many` and `invoices import` make them.',
  columns: { ...own, issued: ({ issue }) => (issue ? 'yes' : 'no'), ...last },
})
