import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { getOrganization, requireOwned } from '../../core/access/organizations.ts'
import { choosePeriod } from '../../core/books/period.ts'
import { Ageing, ageingTable, readAgeing } from '../../core/books/receivables/ageing.ts'
import {
  CustomerStatement,
  readCustomerStatement,
  readStatementLanguage,
} from '../../core/books/receivables/customer-statement.ts'
import { customerStatementTable, statementPdf } from '../../core/books/receivables/statement-files.ts'
import { readUnmatched, UnmatchedMoney, unmatchedTable } from '../../core/books/receivables/unmatched.ts'
import { readTableHeading } from '../../core/checkout/letterhead.ts'
import { findContact } from '../../core/contacts/details.ts'
import { choiceError, integer, optional, text } from '../../core/fields.ts'
import { currencyCode } from '../../core/ledger/currencies.ts'
import { dayRange, fileQuery, sendFile, sendTable, tableTypes, wantedFile } from '../../http/files/send-table.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import type { TableFormat, TableHeading } from '../../lib/table-files/table.ts'
import { tableFile } from '../../lib/table-files/table-file.ts'
import { type Language, languages } from '../../lib/text/languages.ts'
import { dayIn } from '../../lib/text/time-zones.ts'

/** Add the reports for accountants about customers: statements, open amounts by age, and unallocated money. */
export function addReceivables(server: Server, app: App): void {
  addStatement(server, app)
  addAgeing(server, app)
  addUnmatched(server, app)
}

const config = { permission: 'view', also_produces: tableTypes } as const
const currency = optional(currencyCode).meta({ description: 'Currency code.', examples: ['UGX'] })

const language = optional(z.enum(languages, { error: choiceError(languages) })).meta({
  description: 'Language of the file. Default: English; of a PDF for a customer, that of the newest invoice.',
  examples: ['en'],
})

const statementQuery = z.object({
  from: dayRange.from.meta({
    description: 'First day. Default: the first of the month.',
    examples: ['2030-01-01'],
  }),
  to: dayRange.to.meta({ description: 'Last day. Default: today.', examples: ['2030-01-31'] }),
  currency: currency.meta({
    description: 'Currency code. Default: the currency of the newest invoice.',
    examples: ['UGX'],
  }),
  language,
  ...fileQuery,
})

function addStatement(server: Server, app: App): void {
  server.get('/api/contacts/:id/statement', {
    config,
    schema: {
      tags: ['Contacts'],
      operationId: 'getContactStatement',
      summary: 'Get the account statement of a customer',
      description: 'Returns both balances of a period, and each entry between them. Also as CSV, workbook and PDF.',
      produces: [...tableTypes],
      params: idParams,
      querystring: statementQuery,
      response: { 200: CustomerStatement },
    },
    handler: async (request, reply) => {
      const { caller, params, query } = request
      const { organization, time_zone } = caller
      const period = choosePeriod(query, { now: app.clock.now(), time_zone })
      const statement = await app.reads.snapshot(async (tx) => {
        const { id: contact } = requireOwned(organization, await findContact(tx, params.id))
        return readCustomerStatement(tx, { organization, contact }, { period, currency: query.currency })
      })
      const file = wantedFile(request)
      return file ? sendStatement(app, request, reply, { statement, file, language: query.language }) : statement
    },
  })
}

/** Send a statement as a file: the PDF is a document for the customer, the others are tables. */
async function sendStatement(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  chosen: { statement: CustomerStatement; file: TableFormat; language: Language | undefined },
): Promise<FastifyReply> {
  const { statement, file } = chosen
  const { organization } = request.caller
  const { name, country } = await getOrganization(app.db, organization)
  const now = app.clock.now()
  const table = customerStatementTable(statement, { organization: name, now, country, language: chosen.language })
  if (file !== 'pdf') return sendFile(reply, { name: table.name, format: file }, tableFile(table, file))
  const language = chosen.language ?? (await app.reads.read((db) => readStatementLanguage(db, statement.contact)))
  const pdf = statementPdf(app.db, { id: organization, name }, statement, { language, now })
  return sendFile(reply, { name: table.name, format: file }, pdf)
}

const DEFAULT_PAGE = 100
const MAX_PAGE = 1_000

const pageQuery = {
  limit: optional(integer({ min: 1, max: MAX_PAGE })).meta({
    description: 'Page size; default 100, at most 1000. Files have all rows.',
    examples: [100],
  }),
  offset: optional(integer({ min: 0 })).meta({ description: 'Number of rows to skip.', examples: [0] }),
  ...fileQuery,
}

/** Return the organization and the day of a report. */
function todayOf(app: App, { caller: { organization, time_zone: zone } }: FastifyRequest) {
  return { organization, zone, day: dayIn(app.clock.now(), zone) }
}

async function aboutFile(app: App, organization: number, language: Language | undefined): Promise<TableHeading> {
  return readTableHeading(app.db, await getOrganization(app.db, organization), app.clock.now(), language)
}

function addAgeing(server: Server, app: App): void {
  server.get('/api/reports/ageing', {
    config,
    schema: {
      tags: ['Reports'],
      operationId: 'getAgeing',
      summary: 'Get the open amounts of customers by days overdue',
      description:
        'Returns the open amounts of each customer and currency by days overdue, and the totals. Also as CSV, workbook and PDF.',
      produces: [...tableTypes],
      querystring: z.object({
        currency,
        tag: optional(text(100)).meta({
          description: 'Only customers with this tag, ignoring case.',
          examples: ['P5'],
        }),
        language,
        ...pageQuery,
      }),
      response: { 200: Ageing },
    },
    handler: async (request, reply) => {
      const { currency, tag, limit = DEFAULT_PAGE, offset = 0 } = request.query
      const query = { ...todayOf(app, request), currency, tag }
      const file = wantedFile(request)
      if (file) {
        const table = await ageingTable(
          app.reads.exports,
          query,
          await aboutFile(app, query.organization, request.query.language),
        )
        return sendTable(reply, table, file)
      }
      return app.reads.snapshot((tx) => readAgeing(tx, query, { limit, offset }))
    },
  })
}

function addUnmatched(server: Server, app: App): void {
  server.get('/api/reports/unmatched', {
    config,
    schema: {
      tags: ['Reports'],
      operationId: 'getUnmatched',
      summary: 'Get unmatched money by age',
      description:
        'Returns the collections with an unmatched part, and the sums by age in each currency. Also as CSV, workbook and PDF.',
      produces: [...tableTypes],
      querystring: z.object({ currency, language, ...pageQuery }),
      response: { 200: UnmatchedMoney },
    },
    handler: async (request, reply) => {
      const { currency, limit = DEFAULT_PAGE, offset = 0 } = request.query
      const query = { ...todayOf(app, request), currency }
      const file = wantedFile(request)
      if (file) {
        const table = await unmatchedTable(
          app.reads.exports,
          query,
          await aboutFile(app, query.organization, request.query.language),
        )
        return sendTable(reply, table, file)
      }
      return app.reads.snapshot((tx) => readUnmatched(tx, query, { limit, offset }))
    },
  })
}
