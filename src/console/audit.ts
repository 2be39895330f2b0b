import { z } from 'zod'
import { addView } from '../actions/lists/views.ts'
import type { App } from '../app.ts'
import { findArchivedStretch, readAuditChoices } from '../core/access/audit.ts'
import { id, timestamp } from '../core/fields.ts'
import type { Server } from '../http/server.ts'

/** Add the routes of the audit log: the filters of its entries, and the time up to which some are archived. */
export function addAudit(server: Server, app: App): void {
  addView(server, app, {
    url: '/console/api/audit/choices',
    permission: 'manage_organization',
    answer: z.object({ actions: z.array(z.string()), users: z.array(z.object({ id, name: z.string() })) }),
    read: (db, { organization }) => readAuditChoices(db, organization),
  })
  addView(server, app, {
    url: '/console/api/audit/archive',
    permission: 'manage_organization',
    /** Time of the newest archived entry; null when all entries are here. */
    answer: z.object({ newest: timestamp.nullable() }),
    read: async (db) => ({ newest: (await findArchivedStretch(db))?.newest ?? null }),
  })
}
