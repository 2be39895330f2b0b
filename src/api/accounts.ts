import type { App } from '../app.ts'
import { requireOwned } from '../core/access/organizations.ts'
import { accountFilters, findAccount, findAccounts, Wallet } from '../core/ledger/accounts.ts'
import { withSnapshot } from '../db/snapshot.ts'
import { answerList, idParams, listOf, listQuery } from '../http/lists.ts'
import type { Server } from '../http/server.ts'

/** The column of each ordering. A list sorts wallets by balance for `amount`. */
const columns = { id: 'id', created: 'created', modified: 'modified', amount: 'balance' } as const

/** The organization's wallets. They are opened in the console or on the command line, not here. */
export function addAccounts(server: Server, app: App): void {
  server.get('/api/accounts', {
    config: { permission: 'view' },
    schema: {
      tags: ['Accounts'],
      operationId: 'listAccounts',
      summary: 'List wallets',
      description:
        'Returns your wallets with their balances. Wallets are opened in the console or on the command line.',
      querystring: listQuery(accountFilters),
      response: { 200: listOf(Wallet) },
    },
    handler: (request) => {
      const { query, caller } = request
      return answerList(app, request, columns, (slice) =>
        withSnapshot(app.db, (tx) => findAccounts(tx, caller.organization, query, slice)),
      )
    },
  })

  server.get('/api/accounts/:id', {
    config: { permission: 'view' },
    schema: {
      tags: ['Accounts'],
      operationId: 'getAccount',
      summary: 'Get one wallet',
      description: 'Returns the wallet with its present balance.',
      params: idParams,
      response: { 200: Wallet },
    },
    handler: async (request) => requireOwned(request.caller.organization, await findAccount(app.db, request.params.id)),
  })
}
