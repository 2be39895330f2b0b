import { z } from 'zod'
import { addView } from '../../actions/lists/views.ts'
import type { App } from '../../app.ts'
import { allPermissions } from '../../core/access/api-keys.ts'
import { documented, id, timestamp } from '../../core/fields.ts'
import type { Server } from '../../http/server.ts'

const Key = z
  .object({
    organization: documented(id, 'Your organization.'),
    mode: documented(z.enum(['sandbox', 'live']), 'Sandbox or live.'),
    permissions: documented(z.array(z.enum(allPermissions)), 'Permissions of the key.', ['view']),
    read_only: documented(z.boolean(), 'True if the key can only read.', false),
    expires: documented(timestamp.nullable(), 'Null if it never expires.', null),
  })
  .meta({ id: 'Key' })

/** Add the facts about the API key of the call, so that a program knows what it may do before it tries. */
export function addKey(server: Server, app: App): void {
  addView(server, app, {
    url: '/api/key',
    permission: 'view',
    words: {
      tag: 'Accounts',
      operation: 'getKey',
      summary: 'Get your API key',
      description: 'Returns what the key of the call may do.',
    },
    answer: Key,
    source: 'statements',
    read: (_, { organization, permissions, request: { caller } }) => ({
      organization,
      mode: app.config.MODE,
      permissions: allPermissions.filter((one) => permissions.has(one)),
      read_only: caller.read_only,
      expires: caller.expires,
    }),
  })
}
