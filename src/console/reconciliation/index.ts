import { z } from 'zod'
import type { App } from '../../app.ts'
import { readPlaceOf } from '../../core/access/places.ts'
import { findingStates, KeptFinding, listFindings } from '../../core/books/findings.ts'
import { findingsTable } from '../../core/books/findings-table.ts'
import { getRun, listRuns, ReconciliationRun } from '../../core/books/runs.ts'
import { choice } from '../../core/fields.ts'
import { findingKinds } from '../../core/ledger/reconciliation.ts'
import { sendTable, tableFormat } from '../../http/files/send-table.ts'
import { answerPage, idParams, listOf, listQuery, orderings } from '../../http/lists.ts'
import { readPage } from '../../http/pages.ts'
import type { Server } from '../../http/server.ts'
import { aboutFile } from '../reports/index.ts'
import { addConnections } from './connections.ts'
import { addUpload } from './upload.ts'

const URL = '/console/api/reconciliations'

/** Add the routes for reconciliations: compare a statement, read the differences, and download them. */
export function addReconciliation(server: Server, app: App): void {
  addUpload(server, app, URL)
  addConnections(server, app, URL)
  addRuns(server, app)
  addFindings(server, app)
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
        ...(await aboutFile(app, request)),
        zone: (await readPlaceOf(app.db, organization)).time_zone,
      }
      return sendTable(reply, findingsTable(app.reads.exports, run, about), format)
    },
  })
}
