import type { App } from '../../app.ts'
import { requireOwned } from '../../core/access/organizations.ts'
import { findContact } from '../../core/contacts/details.ts'
import { eraseContact } from '../../core/contacts/erasure.ts'
import { begin } from '../../db/client.ts'
import { idParams } from '../../http/lists.ts'
import type { Server } from '../../http/server.ts'
import { recordRequestAction } from '../audit.ts'

/** The route that erases a contact. The audit log keeps the id of the contact and no personal data. */
export function addContactErasure(server: Server, app: App): void {
  const url = '/console/api/contacts/:id/erase'
  server.post(url, {
    config: { permission: 'erase_contacts' },
    schema: { params: idParams },
    handler: async (request, reply) => {
      await begin(app.db, async (tx) => {
        const { organization, user: author } = request.caller
        const { id } = requireOwned(organization, await findContact(tx, request.params.id))
        await eraseContact(tx, app.clock.now(), id, { author, lease_end: null })
        await recordRequestAction(tx, app, request, { action: 'erase contact', object_type: 'contact', object: id })
      })
      app.wake()
      return reply.code(204).send()
    },
  })
}
