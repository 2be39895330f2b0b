import { access } from './access.ts'
import { account } from './account.ts'
import { agreement } from './agreement.ts'
import { audit } from './audit.ts'
import { bills } from './bills.ts'
import { changes } from './changes.ts'
import { checklist } from './checklist.ts'
import { connections } from './connections.ts'
import { deliveries } from './deliveries.ts'
import { events } from './events.ts'
import { fields } from './fields.ts'
import { home } from './home.ts'
import { invoices } from './invoices.ts'
import { keys } from './keys.ts'
import { batches } from './money-in/batches.ts'
import { collections } from './money-in/collections.ts'
import { contacts } from './money-in/contacts.ts'
import { links } from './money-in/links.ts'
import { matching } from './money-in/matching.ts'
import { plans } from './money-in/plans.ts'
import { receipts } from './money-in/receipts.ts'
import { receivables } from './money-in/receivables.ts'
import { request_batches } from './money-in/request-batches.ts'
import { requests } from './money-in/requests.ts'
import { sms } from './money-in/sms.ts'
import { timeline } from './money-in/timeline.ts'
import { approvals } from './money-out/approvals.ts'
import { bulk } from './money-out/bulk-payments.ts'
import { orders } from './money-out/orders.ts'
import { payments } from './money-out/payments.ts'
import { review } from './money-out/review.ts'
import { lists } from './parts/lists.ts'
import { parts } from './parts.ts'
import { phone } from './phone.ts'
import { reconciliation } from './reconciliation.ts'
import { reports } from './reports.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { users } from './users.ts'
import { wallets } from './wallets.ts'
import { webhooks } from './webhooks.ts'
import { words } from './words.ts'

/** The texts of the console. Each area of it has its own file; the other languages have the same files and keys. */
export const en = {
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
} as const
