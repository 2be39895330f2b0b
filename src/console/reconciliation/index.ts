import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { readPlaceOf } from '../../core/access/places.ts'
import { decideEntry, type EntryContext, enterFinding } from '../../core/books/entries.ts'
import { askAboutFinding, explainFinding, findingStates, KeptFinding, listFindings } from '../../core/books/findings.ts'
import { findingsTable } from '../../core/books/findings-table.ts'
import { getRun, listRuns, ReconciliationRun } from '../../core/books/runs.ts'
import { choiceError, id, optional, requiredText } from '../../core/fields.ts'
import { findingKinds } from '../../core/ledger/reconciliation.ts'
import { begin, type Tx } from '../../db/client.ts'
import { recordRequestAction } from '../../http/audit.ts'
import { sendTable, tableFormat } from '../../http/files/send-table.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { requireSession } from '../guard.ts'
import { aboutFile, languageOf } from '../reports/index.ts'
import { addConnections, reconcilable } from './connections.ts'
import { addUpload } from './upload.ts'

const URL = '/console/api/reconciliations'

const choice = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: choiceError(values) })

/** Add the routes for reconciliations: compare a statement, read the differences, act on them, and download them. */
export function addReconciliation(server: Server, app: App): void {
  addUpload(server, app, URL)
  addConnections(server, app, URL)
  addRuns(server, app)
  addFindings(server, app)
  addActions(server, app)
}

function addRuns(server: Server, app: App): void {
  server.get(URL, {
    config: { permission: 'view' },
    schema: { querystring: listQuery({}), response: { 200: listOf(ReconciliationRun) } },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const list = await app.reads.snapshot((tx) => listRuns(tx, request.caller.organization, page))
      return answerPage(app, request, page, list)
    },
  })

  server.get(`${URL}/:id`, {
    config: { permission: 'view' },
    schema: { params: idParams, response: { 200: ReconciliationRun } },
    handler: ({ caller, params }) => app.reads.read((db) => getRun(db, caller.organization, params.id)),
  })
}

function addFindings(server: Server, app: App): void {
  server.get(`${URL}/:id/findings`, {
    config: { permission: 'view' },
    schema: {
      params: idParams,
      querystring: listQuery({ kind: choice(findingKinds).optional(), state: choice(findingStates).optional() }),
      response: { 200: listOf(KeptFinding) },
    },
    handler: async (request) => {
      const page = readPage(request.query, orderings)
      const list = await app.reads.snapshot(async (tx) =>
        listFindings(tx, await getRun(tx, request.caller.organization, request.params.id), request.query, page),
      )
      return answerPage(app, request, page, list)
    },
  })

  server.get(`${URL}/:id/file`, {
    config: { permission: 'view' },
    schema: { params: idParams, querystring: z.object({ format: tableFormat }) },
    handler: async (request, reply) => {
      const { organization } = request.caller
      const { format } = request.query
      const run = await getRun(app.db, organization, request.params.id)
      const about = {
        ...(await aboutFile(app, organization)),
        zone: (await readPlaceOf(app.db, organization)).time_zone,
        language: languageOf(request),
      }
      return sendTable(reply, findingsTable(app.reads.exports, run, about), format)
    },
  })
}

const Entry = z.object({
  account: id,
  /** Phone number, if the statement hides it. */
  phonenumber: optional(requiredText(40)),
  note: requiredText(2_000),
})

const findingParams = idParams.extend({ finding: idParams.shape.id })

/**
 * Add the actions on differences. To query a network or to accept a difference takes the permission for payments, like
 * the settlement of orders.
 */
function addActions(server: Server, app: App): void {
  const act = async (
    request: FastifyRequest<{ Params: { id: number; finding: number } }>,
    action: string,
    work: (tx: Tx, input: EntryContext) => Promise<void>,
    details: Record<string, string> = {},
  ) => {
    const { id, finding } = request.params
    const by = { user: request.caller.user, name: requireSession(request).name }
    const connections = await reconcilable(app, request.caller.organization)
    await begin(app.db, async (tx) => {
      const { organization } = request.caller
      const run = await getRun(tx, organization, id)
      const connection = connections.find(({ slug }) => slug === run.connection)
      const { slug, code, name } = connection ?? { slug: run.connection, code: run.network, name: run.network }
      const in_service = connection?.state === 'active'
      await work(tx, { organization, run: id, finding, by, in_service, connection: { slug, code, name } })
      await recordRequestAction(tx, app, request, { action, details: { reconciliation: id, finding, ...details } })
    })
    app.wake()
    return { id: finding }
  }
  const Acted = z.object({ id: z.int() })

  server.post(`${URL}/:id/findings/:finding/explain`, {
    config: { permission: 'initiate_payments' },
    schema: { params: findingParams, body: z.object({ note: requiredText(2_000) }), response: { 200: Acted } },
    handler: (request) =>
      act(request, 'explain difference', (tx, input) =>
        explainFinding(tx, app.clock.now(), { ...input, note: request.body.note }),
      ),
  })

  server.post(`${URL}/:id/findings/:finding/ask`, {
    config: { permission: 'initiate_payments' },
    schema: { params: findingParams, response: { 200: Acted } },
    handler: (request) =>
      act(request, 'ask about difference', (tx, input) => askAboutFinding(tx, app.clock.now(), input)),
  })

  server.post(`${URL}/:id/findings/:finding/enter`, {
    // Core requires the permission to initiate or to approve payments.
    config: { permission: 'view' },
    schema: { params: findingParams, body: Entry, response: { 200: Acted } },
    handler: (request) => {
      const { account, phonenumber, note } = request.body
      const work = (tx: Tx, context: EntryContext) =>
        enterFinding(tx, app.clock.now(), context, { account, note, phonenumber: phonenumber ?? null })
      return act(request, 'enter statement line', work)
    },
  })

  for (const verdict of ['approve', 'reject'] as const) {
    const url = `${URL}/:id/findings/:finding/${verdict}`
    server.post(url, {
      // The author may withdraw it without the permission to approve; core requires it of the others.
      config: { permission: verdict === 'reject' ? 'view' : 'approve_payments' },
      schema: { params: findingParams, response: { 200: Acted } },
      handler: (request) =>
        act(request, `${verdict} statement line`, (tx, context) => decideEntry(tx, app.clock.now(), context, verdict)),
    })
  }
}
