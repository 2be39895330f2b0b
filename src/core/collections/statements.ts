import type { AnyReader } from '../../db/client.ts'
import type { CsvCell } from '../../lib/csv.ts'
import { formatAmount } from '../../lib/money.ts'
import { formatTimestamp } from '../../lib/time.ts'
import { streamTransactions, type TransactionFilters } from '../ledger/transactions.ts'
import { type RequestFilters, requestsAfterQuery } from './request-filters.ts'
import { requestsById } from './requests.ts'

/** A table of any length: its columns, and its rows in chunks, oldest first. */
export interface Statement {
  /** Content of the statement; also the name of its file. */
  name: string
  columns: readonly string[]
  chunks: AsyncGenerator<CsvCell[][]>
}

/**
 * Each chunk is one short SQL statement. So a table of millions of rows needs no more memory than one of a thousand, and
 * no long transaction that delays PostgreSQL's vacuum.
 */
const MAX_CHUNK_ROWS = 1_000

/** The transactions of an organization that match the filters. */
export function transactionStatement(db: AnyReader, organization: number, filters: TransactionFilters): Statement {
  const columns = ['id', 'created', 'account', 'currency', 'type', 'amount', 'description'] as const
  return { name: 'transactions', columns, chunks: rows() }

  async function* rows(): AsyncGenerator<CsvCell[][]> {
    for await (const chunk of streamTransactions(db, organization, filters, MAX_CHUNK_ROWS))
      yield chunk.map((transaction) => [
        transaction.id,
        formatTimestamp(transaction.created),
        transaction.account,
        transaction.currency,
        transaction.type,
        formatAmount(transaction.amount),
        transaction.description,
      ])
  }
}

/** The collection requests of an organization that match the filters. */
export function requestStatement(db: AnyReader, organization: number, filters: RequestFilters): Statement {
  return { name: 'collectionrequests', columns: REQUEST_COLUMNS, chunks: rows() }

  async function* rows(): AsyncGenerator<CsvCell[][]> {
    for (let after = 0; ; ) {
      const query = requestsAfterQuery(organization, filters, { after, limit: MAX_CHUNK_ROWS })
      const ids = (await db<{ id: number }[]>`${query}`).map((row) => row.id)
      const [requests, remote_ids] = await Promise.all([requestsById(db, ids), remoteIdsOf(db, ids)])
      if (ids.length > 0)
        yield ids.map((id) => {
          const { contact, ...request } = requests.get(id)!
          return [
            id,
            formatTimestamp(request.created),
            formatTimestamp(request.modified),
            request.status,
            request.phonenumber,
            contact.first_name,
            contact.last_name,
            formatAmount(request.amount),
            request.currency,
            request.account,
            request.reason,
            request.collection,
            remote_ids.get(id) ?? null,
            request.error_message,
            request.expiry_date && formatTimestamp(request.expiry_date),
            request.start_date && formatTimestamp(request.start_date),
            JSON.stringify(request.metadata),
          ]
        })
      if (ids.length < MAX_CHUNK_ROWS) return
      after = ids.at(-1)!
    }
  }
}

const REQUEST_COLUMNS = [
  'id',
  'created',
  'modified',
  'status',
  'phonenumber',
  'first_name',
  'last_name',
  'amount',
  'currency',
  'account',
  'reason',
  'collection',
  'remote_transaction_id',
  'error_message',
  'expiry_date',
  'start_date',
  'metadata',
] as const

async function remoteIdsOf(db: AnyReader, requests: readonly number[]): Promise<Map<number, string>> {
  const rows = await db<{ collection_request: number; remote_transaction_id: string }[]>`
    select collection_request, remote_transaction_id from collections
    where collection_request = any(${requests}::bigint[])`
  return new Map(rows.map((row) => [row.collection_request, row.remote_transaction_id]))
}
