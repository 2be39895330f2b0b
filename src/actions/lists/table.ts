import * as access from './access.ts'
import * as batches from './batches.ts'
import { differenceList, offerList, purchaseList, serviceList } from './bills.ts'
import * as books from './books.ts'
import { collectionList, planList, requestActionList, requestList } from './collections.ts'
import * as contacts from './contacts.ts'
import * as documents from './documents.ts'
import * as events from './events.ts'
import * as invoices from './invoices.ts'
import { accountList, currencyList, networkList, transactionList, walletTransactionList } from './ledger.ts'
import type { List } from './list.ts'
import * as payments from './payments.ts'
import { optOutList, smsList } from './sms.ts'

/** All lists with pages. Doors are drawn from them, and tests ask each for what no list may forget. */
export const lists: readonly List[] = [
  requestList,
  collectionList,
  planList,
  requestActionList,
  ...Object.values(batches),
  ...Object.values(payments),
  ...Object.values(contacts),
  ...Object.values(documents),
  ...Object.values(invoices),
  accountList,
  transactionList,
  walletTransactionList,
  currencyList,
  networkList,
  ...Object.values(events),
  smsList,
  optOutList,
  serviceList,
  purchaseList,
  offerList,
  differenceList,
  ...Object.values(access),
  ...Object.values(books),
]
