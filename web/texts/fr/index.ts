import checklist from '../../../src/lib/messages/checklist/fr.json' with { type: 'json' }
import agreement from '../agreement/fr.json' with { type: 'json' }
import type { Catalogue } from '../catalogue.ts'
import access from './access.json' with { type: 'json' }
import account from './account.json' with { type: 'json' }
import audit from './audit.json' with { type: 'json' }
import bills from './bills.json' with { type: 'json' }
import changes from './changes.json' with { type: 'json' }
import connections from './connections.json' with { type: 'json' }
import deliveries from './deliveries.json' with { type: 'json' }
import events from './events.json' with { type: 'json' }
import fields from './fields.json' with { type: 'json' }
import home from './home.json' with { type: 'json' }
import invoices from './invoices.json' with { type: 'json' }
import keys from './keys.json' with { type: 'json' }
import batches from './money-in/batches.json' with { type: 'json' }
import collections from './money-in/collections.json' with { type: 'json' }
import contacts from './money-in/contacts.json' with { type: 'json' }
import links from './money-in/links.json' with { type: 'json' }
import matching from './money-in/matching.json' with { type: 'json' }
import plans from './money-in/plans.json' with { type: 'json' }
import receipts from './money-in/receipts.json' with { type: 'json' }
import receivables from './money-in/receivables.json' with { type: 'json' }
import request_batches from './money-in/request-batches.json' with { type: 'json' }
import requests from './money-in/requests.json' with { type: 'json' }
import sms from './money-in/sms.json' with { type: 'json' }
import timeline from './money-in/timeline.json' with { type: 'json' }
import approvals from './money-out/approvals.json' with { type: 'json' }
import bulk from './money-out/bulk-payments.json' with { type: 'json' }
import orders from './money-out/orders.json' with { type: 'json' }
import payments from './money-out/payments.json' with { type: 'json' }
import review from './money-out/review.json' with { type: 'json' }
import lists from './parts/lists.json' with { type: 'json' }
import parts from './parts.json' with { type: 'json' }
import phone from './phone.json' with { type: 'json' }
import reconciliation from './reconciliation.json' with { type: 'json' }
import reports from './reports.json' with { type: 'json' }
import settings from './settings.json' with { type: 'json' }
import shell from './shell.json' with { type: 'json' }
import users from './users.json' with { type: 'json' }
import wallets from './wallets.json' with { type: 'json' }
import webhooks from './webhooks.json' with { type: 'json' }
import words from './words.json' with { type: 'json' }

const fr: Catalogue = {
  access,
  account,
  agreement,
  approvals,
  audit,
  batches,
  request_batches,
  bills,
  bulk,
  changes,
  checklist,
  collections,
  connections,
  contacts,
  deliveries,
  events,
  fields,
  home,
  invoices,
  keys,
  links,
  lists,
  matching,
  orders,
  parts,
  payments,
  phone,
  plans,
  receipts,
  receivables,
  reconciliation,
  reports,
  requests,
  review,
  settings,
  shell,
  sms,
  timeline,
  users,
  wallets,
  webhooks,
  words,
}

export default fr
