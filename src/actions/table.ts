import * as account from '../core/access/account/actions.ts'
import * as sessions from '../core/access/account/session-actions.ts'
import * as signing from '../core/access/account/signing-actions.ts'
import * as userAccounts from '../core/access/account/user-actions.ts'
import * as views from '../core/access/account/view-actions.ts'
import type { Action } from '../core/access/action.ts'
import * as access from '../core/access/actions.ts'
import * as changes from '../core/approvals/changes/actions.ts'
import * as changeDecisions from '../core/approvals/changes/decisions.ts'
import * as users from '../core/approvals/changes/user-actions.ts'
import * as bills from '../core/bills/actions.ts'
import * as books from '../core/books/actions.ts'
import * as links from '../core/checkout/actions.ts'
import { removeAcceptanceUrlAction, setAcceptanceUrlAction } from '../core/collections/acceptance-urls.ts'
import {
  assignPaymentAction,
  cancelRequestAction,
  claimCollectionAction,
  createRequestAction,
} from '../core/collections/actions.ts'
import * as plans from '../core/collections/recurring/actions.ts'
import * as connections from '../core/connections/actions.ts'
import * as callbacks from '../core/connections/callback-actions.ts'
import * as contacts from '../core/contacts/actions.ts'
import * as documents from '../core/documents/actions.ts'
import * as events from '../core/events/actions.ts'
import * as followUps from '../core/follow-ups/actions.ts'
import * as invoices from '../core/invoices/actions.ts'
import * as customers from '../core/invoices/customer-actions.ts'
import * as ledger from '../core/ledger/actions.ts'
import * as attestations from '../core/manual-settlements/actions.ts'
import * as matching from '../core/matching/actions.ts'
import * as operations from '../core/operations/actions.ts'
import * as payments from '../core/payments/actions.ts'
import * as bulk from '../core/payments/bulk/actions.ts'
import * as receipts from '../core/receipts/actions.ts'
import * as requestBatches from '../core/request-batches/actions.ts'
import * as sms from '../core/sms/actions.ts'
import * as driverConnections from './connection-actions.ts'
import * as operators from './operator-actions.ts'

/** All actions. Doors are drawn from them, and tests ask each for what no use case may forget. */
// biome-ignore lint/suspicious/noExplicitAny: actions of any input and result
export const actions: readonly Action<any, any>[] = [
  ...Object.values(access),
  ...Object.values(account),
  ...Object.values(userAccounts),
  ...Object.values(views),
  ...Object.values(sessions),
  ...Object.values(signing),
  ...Object.values(callbacks),
  ...Object.values(contacts),
  ...Object.values(documents),
  ...Object.values(followUps),
  ...Object.values(links),
  ...Object.values(plans),
  ...Object.values(invoices),
  ...Object.values(customers),
  ...Object.values(ledger),
  ...Object.values(matching),
  ...Object.values(requestBatches),
  ...Object.values(sms),
  ...Object.values(receipts),
  ...Object.values(connections),
  ...Object.values(driverConnections),
  ...Object.values(operators),
  ...Object.values(operations),
  ...Object.values(changeDecisions),
  ...Object.values(changes),
  ...Object.values(users),
  ...Object.values(events),
  ...Object.values(payments),
  ...Object.values(bulk),
  ...Object.values(bills),
  ...Object.values(attestations),
  ...Object.values(books),
  setAcceptanceUrlAction,
  removeAcceptanceUrlAction,
  cancelRequestAction,
  assignPaymentAction,
  claimCollectionAction,
  createRequestAction,
]
