import { z } from 'zod'
import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { findContact } from '../../core/contacts/details.ts'
import { HistoryPage, historyKinds, readHistory } from '../../core/contacts/history.ts'
import { readLookup } from '../../core/contacts/lookups.ts'
import { readContactTotals } from '../../core/contacts/totals.ts'
import { integer, optional } from '../../core/fields.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { formatLocalPhone, readKnownPhone } from '../../lib/phone.ts'
import { addContactImports } from './imports.ts'
import { ContactOverview } from './views.ts'

/** The routes about contacts that the interface does not have: search, totals, history, and contacts from a file. */
export function addContactPages(server: Server, app: App): void {
  addOverview(server, app)
  addHistory(server, app)
  addContactImports(server, app)
}

function addOverview(server: Server, app: App): void {
  const url = '/console/api/contacts/:id/overview'
  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: ContactOverview } },
    handler: ({ caller: { organization }, params }) =>
      app.reads.snapshot(async (tx) => {
        const { id, phone_number } = requireOwned(organization, await findContact(tx, params.id))
        const phone = readKnownPhone(phone_number)
        return {
          local_number: phone ? formatLocalPhone(phone.number, phone.country) : null,
          lookup: await readLookup(tx, organization, id),
          totals: await readContactTotals(tx, organization, id),
        }
      }),
  })
}

const DEFAULT_PAGE = 20
const MAX_PAGE = 100

const HistoryQuery = z.object({
  kind: z.enum(historyKinds).optional(),
  before: z.string().max(100).optional(),
  limit: optional(integer({ min: 1, max: MAX_PAGE })),
})

function addHistory(server: Server, app: App): void {
  const url = '/console/api/contacts/:id/history'
  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams, querystring: HistoryQuery, response: { 200: HistoryPage } },
    handler: ({ caller: { organization, permissions }, params, query: { kind, before, limit = DEFAULT_PAGE } }) =>
      app.reads.snapshot(async (tx) => {
        const { id: contact, phone_number } = requireOwned(organization, await findContact(tx, params.id))
        const may_see_purchases = permissions.has('pay_bills')
        return readHistory(tx, { organization, contact, phone_number, kind, before, limit, may_see_purchases })
      }),
  })
}
