import { type BatchKind, InvoiceBatch, RequestBatch } from '../../core/batches/batch.ts'
import { listBatches, readBatch } from '../../core/batches/batches.ts'
import type { AnyReader } from '../../db/client.ts'
import { type ListRequest, list, ownerOf } from './list.ts'

/** Return what the lists of the batches of both kinds have in common. */
const ofKind = <Kind extends BatchKind>(kind: Kind) =>
  ({
    name: `batches of ${kind}`,
    permission: 'view',
    filters: {},
    read: (db: AnyReader, asked: ListRequest<object>) =>
      listBatches(db, { kind, organization: ownerOf(asked) }, asked.page),
  }) as const

const finderOf = (kind: BatchKind) => (db: AnyReader, asked: Pick<ListRequest<object>, 'organization' | 'id'>) =>
  readBatch(db, { kind, organization: ownerOf(asked), id: asked.id })

const commandOf = (kind: BatchKind) =>
  ({
    path: `${kind} batches`,
    description: `list batches of ${kind} from files and tags`,
    organization: 'one',
    limit: 'how many',
  }) as const

const columns = {
  id: 'id',
  from: 'name',
  rows: 'rows',
  made: 'made',
  skipped: 'skipped',
  refused: 'refused',
} as const

export const requestBatchList = list({
  ...ofKind('requests'),
  view: RequestBatch,
  one: {
    find: finderOf('requests'),
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
  ...commandOf('requests'),
  none: 'There are no batches. `requests import` and `requests create-many` make them.',
  columns: { ...columns, finished: 'finished' },
})

export const invoiceBatchList = list({
  ...ofKind('invoices'),
  view: InvoiceBatch,
  one: {
    find: finderOf('invoices'),
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
  ...commandOf('invoices'),
  none: 'There are no batches. `invoices create-many` and `invoices import` make them.',
  columns: { ...columns, issued: ({ issue }) => (issue ? 'yes' : 'no'), finished: 'finished' },
})
