import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import { readPeriod } from '../../actions/report-period.ts'
import type { App } from '../../app.ts'
import { getOrganization, requireOwned } from '../../core/access/organizations.ts'
import { reportGroups, reportKinds } from '../../core/books/report-kinds.ts'
import { readReport, reportPeriod, reportTable } from '../../core/books/reports.ts'
import { statementTable } from '../../core/books/statements.ts'
import { readTableHeading } from '../../core/checkout/letterhead.ts'
import { amount, choice, integer, optional } from '../../core/fields.ts'
import { findAccount } from '../../core/ledger/accounts.ts'
import { currencyCode } from '../../core/ledger/currencies.ts'
import { readHeld } from '../../core/ledger/wallet-balances.ts'
import type { AnyReader } from '../../db/client.ts'
import { dayRange, sendTable, tableFormat } from '../../http/files/send-table.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import type { TableHeading } from '../../lib/table-files/table.ts'
import { chooseLanguage } from '../../lib/text/languages.ts'
import { requireSession } from '../guard.ts'
import { Report } from './views.ts'

/** Add the routes for the books: reports, wallet statements, and transactions with their causes. */
export function addReports(server: Server, app: App): void {
  addReport(server, app)
  addStatement(server, app)
  addHeld(server, app)
}

const reportQuery = z.object({
  kind: choice(reportKinds),
  by: choice(reportGroups),
  ...dayRange,
  account: integer().optional(),
  network: z.string().max(100).optional(),
  connection: z.string().max(100).optional(),
  currency: optional(currencyCode),
})

function addReport(server: Server, app: App): void {
  const url = '/console/api/reports'
  const read = async (db: AnyReader, organization: number, query: z.output<typeof reportQuery>) => {
    const { from, to, ...others } = query
    const wanted = { ...others, period: reportPeriod(await readPeriod(app, organization, { from, to })) }
    return { wanted, report: await readReport(db, organization, wanted) }
  }
  addView(server, app, {
    url,
    permission: 'view',
    query: reportQuery,
    answer: Report,
    source: 'statements',
    async read(_, { organization, query }) {
      const { wanted, report } = await read(app.reads.exports, organization, query)
      const { first_day: from, last_day: to, zone } = wanted.period
      return { from, to, zone, ...report }
    },
  })
  server.get(`${url}/file`, {
    config: { permission: 'view' },
    schema: { querystring: reportQuery.extend({ format: tableFormat }) },
    handler: async (request, reply) => {
      const { organization } = request.caller
      const { format, ...query } = request.query
      const { wanted, report } = await read(app.reads.exports, organization, query)
      const about = await aboutFile(app, request)
      return sendTable(reply, reportTable(report, wanted, about), format)
    },
  })
}

/** Return the heading that every file carries, in the language in which the person reads the console. */
export async function aboutFile(app: App, request: FastifyRequest): Promise<TableHeading> {
  const language = chooseLanguage(requireSession(request).language ?? undefined, request.headers['accept-language'])
  return readTableHeading(app.db, await getOrganization(app.db, request.caller.organization), app.clock.now(), language)
}

function addStatement(server: Server, app: App): void {
  const url = '/console/api/wallets/:id/statement'
  server.get(url, {
    config: { permission: 'view' },
    schema: { params: idParams, querystring: z.object({ ...dayRange, format: tableFormat }) },
    handler: async (request, reply) => {
      const { organization } = request.caller
      const { format, ...days } = request.query
      const wallet = requireOwned(organization, await findAccount(app.db, request.params.id))
      const period = await readPeriod(app, organization, days)
      const about = await aboutFile(app, request)
      return sendTable(reply, await statementTable(app.reads.exports, wallet, period, about), format)
    },
  })
}

function addHeld(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/wallets/:id/held',
    permission: 'view',
    answer: z.object({ held: amount }),
    source: 'statements',
    of: (db, { id }) => findAccount(db, id),
    read: async (_, { organization, of: { id } }) => ({
      held: await app.reads.read((db) => readHeld(db, organization, id)),
    }),
  })
}
