import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { findContact } from '../../core/contacts/details.ts'
import { HistoryPage, historyKinds, readHistory } from '../../core/contacts/history.ts'
import { readLookup } from '../../core/contacts/lookups.ts'
import { readContactTotals } from '../../core/contacts/totals.ts'
import { integer, optional } from '../../core/fields.ts'
import type { Server } from '../../http/server.ts'
import { formatLocalPhone, readKnownPhone } from '../../lib/phone.ts'
import { addContactImports } from './imports.ts'
import { ContactOverview } from './views.ts'

const DEFAULT_PAGE = 20
const MAX_PAGE = 100

const HistoryQuery = z.object({
  kind: z.enum(historyKinds).optional(),
  before: z.string().max(100).optional(),
  limit: optional(integer({ min: 1, max: MAX_PAGE })),
})

/** The routes about contacts that the interface does not have: totals, history, and contacts from a file. */
export function addContactPages(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/contacts/:id/overview',
    permission: 'view',
    answer: ContactOverview,
    of: (db, { id }) => findContact(db, id),
    async read(db, { organization, of: { id, phone_number } }) {
      const phone = readKnownPhone(phone_number)
      return {
        local_number: phone ? formatLocalPhone(phone.number, phone.country) : null,
        lookup: await readLookup(db, organization, id),
        totals: await readContactTotals(db, organization, id),
      }
    },
  })
  addView(server, app, {
    url: '/console/api/contacts/:id/history',
    permission: 'view',
    query: HistoryQuery,
    answer: HistoryPage,
    of: (db, { id }) => findContact(db, id),
    read(db, { organization, permissions, query, of: { id: contact, phone_number } }) {
      const { limit = DEFAULT_PAGE, ...part } = query
      const may_see_purchases = permissions.has('pay_bills')
      return readHistory(db, { organization, contact, phone_number, ...part, limit, may_see_purchases })
    },
  })
  addContactImports(server, app)
}
