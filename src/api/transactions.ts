import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { transactionStatement } from '../core/collections/statements.ts'
import { findTransaction, listTransactions, Transaction, transactionFilters } from '../core/ledger/transactions.ts'
import { CSV_MEDIA_TYPE, csvQuery, sendCsv, wantsCsv } from '../http/files/csv.ts'
import { answerList, idParams, listOf, listQuery } from '../http/lists.ts'
import type { Server } from '../http/server.ts'

/** The column of each ordering. Transfers never change and get ids in the order of their times, so both sort by id. */
const columns = { id: 'id', created: 'id', modified: 'id', amount: 'amount' } as const

/** Add the transactions: the transfers that changed the balances of the organization's wallets. */
export function addTransactions(server: Server, app: App): void {
  server.get('/api/transactions', {
    config: { permission: 'view', also_produces: CSV_MEDIA_TYPE },
    schema: {
      tags: ['Transactions'],
      operationId: 'listTransactions',
      summary: 'List transactions, or export them as CSV',
      description: 'Returns the changes of your balances; as CSV all that match the filters in one file.',
      produces: ['application/json', CSV_MEDIA_TYPE],
      querystring: listQuery({ ...transactionFilters, ...csvQuery }),
      response: { 200: listOf(Transaction) },
    },
    handler: async (request, reply) => {
      const { query, caller } = request
      if (wantsCsv(request))
        return sendCsv(request, reply, transactionStatement(app.reads.exports, caller.organization, query))
      return answerList(app, request, columns, (slice) =>
        app.reads.snapshot((tx) => listTransactions(tx, caller.organization, query, slice)),
      )
    },
  })

  server.get('/api/transactions/:id', {
    config: { permission: 'view' },
    schema: {
      tags: ['Transactions'],
      operationId: 'getTransaction',
      summary: 'Get one transaction',
      description: 'Returns the transaction with its wallet and its amount.',
      params: idParams,
      response: { 200: Transaction },
    },
    handler: async (request) =>
      requireOwned(request.caller.organization, await app.reads.read((db) => findTransaction(db, request.params.id))),
  })
}
