import type { App } from '../../app.ts'
import { networkCountries } from '../../connections/connection.ts'
import { Cause, causesOf } from '../../core/books/causes.ts'
import { transactionStatement } from '../../core/collections/statements.ts'
import { listNetworks, NetworkView, registerNetworks } from '../../core/connections/registered-networks.ts'
import { amount } from '../../core/fields.ts'
import { accountFilters, findAccount, findAccounts, Wallet } from '../../core/ledger/accounts.ts'
import { Currency, listCurrencies } from '../../core/ledger/currencies.ts'
import { findTransaction, listTransactions, Transaction, transactionFilters } from '../../core/ledger/transactions.ts'
import { readBalancesAfter } from '../../core/ledger/wallet-balances.ts'
import { begin, type Database } from '../../db/client.ts'
import { byColumns, byId } from '../../http/lists.ts'
import { type Columns, list, ownerOf, sliceOf } from './list.ts'

/** Wallets are opened in the console or on the command line. */
export const accountList = list({
  name: 'wallets',
  permission: 'view',
  filters: accountFilters,
  order: { ...byColumns, amount: 'balance' },
  view: Wallet,
  source: 'primary',
  read: (db, asked) => findAccounts(db, ownerOf(asked), asked.filters, asked.page),
  one: {
    find: (db, { id }) => findAccount(db, id),
    operation: 'getAccount',
    summary: 'Get one wallet',
    description: 'Returns the wallet with its present balance.',
  },
  api: {
    path: '/accounts',
    tag: 'Accounts',
    operation: 'listAccounts',
    summary: 'List wallets',
    description: 'Returns your wallets with their balances. Wallets are opened in the console or on the command line.',
  },
})

/** Transfers never change and get ids in the order of their times. */
const order = { ...byId, amount: 'amount' } as const

/** The transfers that changed the balances of wallets. */
export const transactionList = list({
  name: 'transactions',
  permission: 'view',
  filters: transactionFilters,
  order,
  view: Transaction,
  read: (db, asked) => listTransactions(db, ownerOf(asked), asked.filters, asked.page),
  one: {
    find: (db, { id }) => findTransaction(db, id),
    operation: 'getTransaction',
    summary: 'Get one transaction',
    description: 'Returns the transaction with its wallet and its amount.',
  },
  api: {
    path: '/transactions',
    tag: 'Transactions',
    operation: 'listTransactions',
    summary: 'List transactions, or export them as CSV',
    description: 'Returns the changes of your balances; as CSV all that match the filters in one file.',
    csv: transactionStatement,
  },
})

/** Transaction with its cause, so that people can go there, and the balance after it, where it is known. */
export const WalletTransaction = Transaction.extend({ cause: Cause, balance: amount.nullable() }).meta({
  id: 'WalletTransaction',
})

const { account: _, ...filtersOfWallet } = transactionFilters

export const walletTransactionList = list({
  name: 'transactions of a wallet',
  permission: 'view',
  filters: filtersOfWallet,
  order,
  view: WalletTransaction,
  async read(db, asked) {
    const filters = { ...asked.filters, account: asked.id }
    const { rows, count } = await listTransactions(db, ownerOf(asked), filters, asked.page)
    const ids = rows.map(({ id }) => id)
    const [causes, balances] = await Promise.all([causesOf(db, ids), readBalancesAfter(db, asked.id, ids)])
    const withCause = (row: Transaction) => {
      const balance = balances.get(row.id) ?? null
      return { ...row, cause: causes.get(row.id)!, balance }
    }
    return { rows: rows.map(withCause), count }
  },
  console: { path: '/wallets/:id/transactions' },
})

export const currencyColumns: Columns<Currency> = {
  id: 'id',
  code: 'code',
  name: 'name',
  country: (row) => row.country.printable_name,
  'per US dollar': 'usd_rate',
}

/** The currencies (interface 4.1). */
export const currencyList = list({
  name: 'currencies',
  permission: 'view',
  filters: {},
  oldest_first: true,
  view: Currency,
  source: 'statements',
  async read(db, { app, page }) {
    const all = await listCurrencies(db, app.config.MODE)
    return sliceOf(page.descending ? all.reverse() : all, page)
  },
  one: {
    find: async (db, { app, id }) => (await listCurrencies(db, app.config.MODE)).find((one) => one.id === id),
    decides: true,
    operation: 'getCurrency',
    summary: 'Get one currency',
    description: 'Returns the currency with its country and its rate to the US dollar.',
  },
  api: {
    path: '/currencies',
    tag: 'Currencies',
    operation: 'listCurrencies',
    summary: 'List the currencies of local wallets',
    description: 'Returns the currencies of local wallets. The test currency exists only in the sandbox.',
  },
}).withCommand({
  path: 'currencies list',
  description: 'list the currencies of wallets',
  limit: null,
  none: '',
  columns: currencyColumns,
})

/** The mobile-money networks of this installation, with one entry for each country that a network serves. */
export const networkList = list({
  name: 'networks',
  permission: 'view',
  filters: {},
  oldest_first: true,
  view: NetworkView,
  source: 'statements',
  async read(db, { app, page }) {
    const all = await readNetworks(db, app)
    return sliceOf(page.descending ? all.reverse() : all, page)
  },
  one: {
    find: async (db, { app, id }) => (await readNetworks(db, app)).find((one) => one.id === id),
    decides: true,
    operation: 'getNetwork',
    summary: 'Get one mobile-money network',
    description: 'Returns the network with its country and the pattern of its phone numbers.',
  },
  api: {
    path: '/networks',
    tag: 'Networks',
    operation: 'listNetworks',
    summary: 'List mobile-money networks',
    description: 'Returns one entry for each network and country served here.',
  },
})

const registrations = new WeakMap<App, Promise<void>>()

/** Read the networks. They change only with the program, so only the first read gives new ones an id. */
async function readNetworks(db: Database, app: App): Promise<NetworkView[]> {
  const entries = networkCountries(app.connections.list())
  const registered = registrations.get(app) ?? begin(db, (tx) => registerNetworks(tx, entries))
  registrations.set(app, registered)
  await registered.catch((error: unknown) => {
    registrations.delete(app)
    throw error
  })
  return listNetworks(db, entries)
}
