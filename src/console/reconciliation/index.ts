import { z } from 'zod'
import type { App } from '../../app.ts'
import { readPlaceOf } from '../../core/access/places.ts'
import { findingsTable } from '../../core/books/findings-table.ts'
import { getRun } from '../../core/books/runs.ts'
import { sendTable, tableFormat } from '../../http/files/send-table.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { aboutFile } from '../reports/index.ts'
import { addConnections } from './connections.ts'
import { addUpload } from './upload.ts'

const URL = '/console/api/reconciliations'

/** Add the routes for reconciliations: compare a statement, read the differences, and download them. */
export function addReconciliation(server: Server, app: App): void {
  addUpload(server, app, URL)
  addConnections(server, app, URL)
  addFile(server, app)
}

function addFile(server: Server, app: App): void {
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
