import type { App } from '../app.ts'
import { findContact } from '../core/contacts/details.ts'
import { eraseContact } from '../core/contacts/erasure.ts'
import { owned } from '../core/access/organizations.ts'
import { begin } from '../db/client.ts'
import { idParams } from '../http/lists.ts'
import { closeAddress } from '../http/methods.ts'
import type { Server } from '../http/server.ts'
import { recordDeed } from './audit.ts'

/** Erases a person who asks for it. The audit log says which contact it was, and not who. */
export function addErasure(server: Server, app: App): void {
  const url = '/console/api/contacts/:id/erase'
  server.post(url, {
    config: { permission: 'manage_contacts' },
    schema: { params: idParams },
    handler: async (request, reply) => {
      await begin(app.db, async (tx) => {
        const { organization, user: author } = request.caller
        const { id } = owned(organization, await findContact(tx, request.params.id))
        await eraseContact(tx, app.clock.now(), id, { author, lease_end: null })
        await recordDeed(tx, app, request, { action: 'erase contact', object_type: 'contact', object: id })
      })
      app.wake()
      return reply.code(204).send()
    },
  })
  closeAddress(server, url, ['POST'])
}
