import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Actor } from '../core/access/action.ts'
import { permittedNow } from '../core/access/sessions.ts'
import { originOf } from '../http/request-traces.ts'
import { type Confirmation, confirmIdentity } from './access/confirmation.ts'
import { requireSession } from './guard.ts'

/** Return the user who sends a request, and confirms it with its body. @throws Unauthenticated */
export function sessionActor(app: App, request: FastifyRequest): Actor {
  const session = requireSession(request)
  const { id, user, organization, name } = session
  return {
    organization,
    user,
    name,
    permissions: new Set(permittedNow(session)),
    session: id,
    address: request.ip,
    origin: originOf(request),
    confirm: () => confirmIdentity(app, request, request.body as Confirmation),
  }
}
